"""Names as they are compared: without case, accents, width and punctuation."""

import re
import unicodedata
from collections.abc import Iterable
from functools import cache
from typing import Final, NamedTuple

from dragoman.catalog.entities.vocabulary import table

LONGEST: Final = 65_536
"""Names and texts are compared by this many characters at most."""

_SURROGATES: Final = re.compile("[\ud800-\udfff]")
_LETTERS_APART: Final = re.compile(r"(?<!\S)\w(?: \w)+(?!\S)")


class _Letters(dict[int, str]):
    """What becomes of each character. Filled as characters are met: names have few of Unicode's many."""

    def __missing__(self, code: int) -> str:
        folded = self[code] = _fold_character(chr(code))
        return folded


_LETTERS: Final = _Letters()


class _Rules(NamedTuple):
    same: dict[str, str]
    kept: frozenset[str]
    silent: frozenset[str]
    accents: frozenset[int]


@cache
def _rules() -> _Rules:
    letters = table("letters")
    accents = frozenset(code for first, last in letters["accents"] for code in range(first, last + 1))
    return _Rules(letters["same"], frozenset(letters["kept"]), frozenset(letters["silent"]), accents)


def _fold_character(character: str) -> str:
    rules = _rules()
    if character in rules.silent or ord(character) in rules.accents:
        return ""
    if character in rules.kept:
        return character
    folded = unicodedata.normalize("NFKC", character).casefold()
    if folded == "й":
        return folded
    parts = unicodedata.normalize("NFD", folded)
    bare = unicodedata.normalize("NFC", "".join(mark for mark in parts if ord(mark) not in rules.accents))
    return "".join(rules.same.get(part, part if _is_read(part) else " ") for part in bare)


def _is_read(character: str) -> bool:
    """Letters, digits, marks and pictures are read. Punctuation, spaces and control characters divide."""
    category = unicodedata.category(character)
    return category[0] in "LNM" or category in {"So", "Sk"}


def clean(text: str) -> str:
    """The text as it can be written down: no half characters, not longer than is compared."""
    text = text[:LONGEST]
    return text if text.isascii() else _SURROGATES.sub("\ufffd", text)


def fold(text: str) -> list[str]:
    """The words of a text, small and bare; none where there is nothing but punctuation."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
    return text.translate(_LETTERS).split()


def join_letters(words: Iterable[str]) -> list[str]:
    """Letters that stand apart make one word: "A. B. C." and "ABC" are the same."""
    return _LETTERS_APART.sub(_joined, " ".join(words)).split(" ")


def _joined(letters: re.Match[str]) -> str:
    return letters[0].replace(" ", "")


def plain(text: str) -> str:
    """The name as written but for case, width and the amount of space: what tells "C+" from "C"."""
    return " ".join(unicodedata.normalize("NFKC", clean(text)).casefold().split())
