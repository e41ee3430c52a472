"""British and American spellings of a word are one word: organised and organized, colours and colors."""

import re
from functools import lru_cache
from typing import Final

_RULES: Final = tuple(
    (re.compile(pattern), american)
    for pattern, american in (
        (
            r"^([a-z]{2,}(?:al|an|ar|as|at|er|il|im|in|iv|on|or|tt|ul))is(?=(?:e[drs]?|ers|ing|ations?)$)",
            r"\1iz",
        ),
        (r"^(anal|catal|paral)ys(?=(?:e[drs]?|ers|ing)$)", r"\1yz"),
        (
            r"^(arm|behavi|col|endeav|fav|flav|harb|hon|hum|lab|neighb|od|parl|rum|sav|tum|vap|vig)our",
            r"\1or",
        ),
        (r"(cent|fib|lit|met|theat)re(?=s?$)", r"\1er"),
        (
            r"^(cancel|channel|counsel|dial|fuel|jewel|label|level|model|panel|signal|total|travel)l(?=[aei])",
            r"\1",
        ),
        (r"^(enrol|fulfil|instal)(?!l|ation)", r"\1l"),
        (r"^(def|lic|off)ence(?=s?$)", r"\1ense"),
        (r"^cheque(?=s?$)", "check"),
        (r"^grey(?=s?$)", "gray"),
        (r"^tyre(?=s?$)", "tire"),
        (r"^aluminium$", "aluminum"),
        (r"^ageing$", "aging"),
    )
)


@lru_cache(maxsize=65_536)
def american(word: str) -> str:
    """A word as it is spelled in America. Words that look alike may be changed, too, and always in one way:
    this is for comparing words, and not for showing them."""
    for pattern, spelling in _RULES:
        word = pattern.sub(spelling, word)
    return word
