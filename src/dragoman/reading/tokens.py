"""A message as words with their places."""

import re
from typing import NamedTuple

from dragoman.contracts.record import Record
from dragoman.locales.registry import same_letters
from dragoman.locales.script import script_of

_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_POSSESSIVE = re.compile(r"['’]s$")
_SCRIPT_RUN = re.compile(r"[\uac00-\ud7a3]+|[^\uac00-\ud7a3]+")
_CYRILLIC = re.compile(r"[\u0400-\u052f]")
_LATIN, _LOOKALIKE = "aceopxykmhtb", "асеорхукмнтв"
_TO_CYRILLIC = str.maketrans(_LATIN, _LOOKALIKE)
_TO_LATIN = str.maketrans(_LOOKALIKE, _LATIN)
_PART = re.compile(r"[^-]+")


class Token(NamedTuple):
    """A word: where it stands, its folded form, and the letters it is written in."""

    start: int
    end: int
    form: str
    script: str


def tokens_of(text: str) -> list[Token]:
    """The words of a text. A dash parts words, unless there is a digit among them: D-120 is one."""
    found: list[Token] = []
    for match in _WORD.finditer(text):
        for run in _SCRIPT_RUN.finditer(match.group()):
            start, word = match.start() + run.start(), run.group()
            if "-" in word and not any(letter.isdigit() for letter in word):
                parts = ((start + part.start(), part.group()) for part in _PART.finditer(word))
                found.extend(_token(place, part) for place, part in parts)
            elif trimmed := word.strip("-'’"):
                found.append(_token(start + word.index(trimmed), trimmed))
    return found


def fold(word: str) -> str:
    """A word as it is compared: without case, and with the letters that people leave out left out."""
    if word.isascii() and "'" not in word:
        return word.lower()
    folded = same_letters(_POSSESSIVE.sub("", word.casefold().replace("’", "'")))
    if folded.isascii() or not _CYRILLIC.search(folded):
        return folded
    # A letter of the other script in a word is a slip of the keyboard that nobody sees. Codes are Latin: A4.
    latin = folded.translate(_TO_LATIN)
    letters = [letter for letter in folded if letter.isalpha()]
    is_code = not folded[0].isdigit() and len(letters) < len(folded)
    if latin.isascii() and (is_code or any(map(str.isascii, letters))):
        return latin
    return folded.translate(_TO_CYRILLIC)


def _token(start: int, word: str) -> Token:
    form = fold(word)
    return Token(start, start + len(word), form, script_of(form))


class Slice(Record, frozen=True):
    """Where something stands in a message."""

    start: int
    end: int
