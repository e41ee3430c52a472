"""Korean words in Latin letters, syllable by syllable, as the Revised Romanization has them."""

from typing import Final

from dragoman.locales.data import LanguageData

_FIRST: Final = (
    "g", "kk", "n", "d", "tt", "r", "m", "b", "pp", "s", "ss", "", "j", "jj", "ch", "k", "t", "p", "h"
)  # fmt: skip
_VOWELS: Final = (
    "a", "ae", "ya", "yae", "eo", "e", "yeo", "ye", "o", "wa", "wae", "oe", "yo", "u", "wo", "we", "wi", "yu",
    "eu", "ui", "i",
)  # fmt: skip
_LAST: Final = (
    "", "k", "k", "k", "n", "n", "n", "t", "l", "k", "m", "l", "l", "l", "p", "l", "m", "p", "p", "t", "t",
    "ng", "t", "t", "k", "t", "p", "h",
)  # fmt: skip
_BEGIN: Final = 0xAC00
_END: Final = 0xD7A3


def latin(language: LanguageData, form: str) -> tuple[str, ...]:
    """As it is read; and without the vowel that foreign names need between their consonants."""
    plain = "".join(map(_syllable, form))
    return tuple(dict.fromkeys((plain, plain.replace("eu", ""), plain.replace("r", "l"))))


def _syllable(letter: str) -> str:
    code = ord(letter)
    if not _BEGIN <= code <= _END:
        return letter
    rest, last = divmod(code - _BEGIN, len(_LAST))
    first, vowel = divmod(rest, len(_VOWELS))
    return f"{_FIRST[first]}{_VOWELS[vowel]}{_LAST[last]}"
