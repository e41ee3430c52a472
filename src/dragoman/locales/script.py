"""Which letters a word is written in."""

import unicodedata
from functools import lru_cache
from typing import Final

LATIN: Final = "latin"
CYRILLIC: Final = "cyrillic"
HANGUL: Final = "hangul"
NO_SCRIPT: Final = ""
"""What digits and signs are written in."""

_FORMS_OF_OTHERS: Final = frozenset({"fullwidth", "halfwidth", "mathematical", "modifier"})
"""Where the name of a letter begins with one of these, it does not say the script."""


@lru_cache(maxsize=8192)
def script_of(word: str) -> str:
    """The script of the first letter that has one, by its name in Unicode: latin, cyrillic, greek."""
    for letter in word:
        if letter.isascii():
            if letter.isalpha():
                return LATIN
        elif "\u0400" <= letter <= "\u052f":
            return CYRILLIC
        elif (
            "\uac00" <= letter <= "\ud7a3" or "\u1100" <= letter <= "\u11ff" or "\u3130" <= letter <= "\u318f"
        ):
            return HANGUL
        elif letter.isalpha():
            script = LATIN if letter < "\u0250" else unicodedata.name(letter, "").partition(" ")[0].casefold()
            if script not in _FORMS_OF_OTHERS:
                return script
    return NO_SCRIPT
