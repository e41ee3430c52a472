"""Names as they are compared: without case, accents, width and punctuation."""

import re
import unicodedata
from codecs import charmap_build, charmap_decode, charmap_encode, register_error
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any, Final, NamedTuple

from dragoman._patterns import lazy_pattern
from dragoman.entities.vocabulary import table

LONGEST: Final = 65_536
"""Names and texts are compared by this many characters at most."""

_UNREADABLE: Final = "\ufffd"
_SURROGATES: Final = lazy_pattern("[\ud800-\udfff]")
_FIRST_BEYOND_CYRILLIC: Final = "\u0530"
_LETTERS_APART: Final = lazy_pattern(r"(?<!\S)\w(?: \w)+(?!\S)")


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
    if character == _UNREADABLE:
        return False
    return category[0] in "LNM" or category in {"So", "Sk"}


def clean(text: str) -> str:
    """The text as it can be written down: no half characters, not longer than is compared."""
    text = text[:LONGEST]
    return text if text.isascii() else _SURROGATES.sub(_UNREADABLE, text)


class _Lane(NamedTuple):
    """The same folding for texts of frequent letters, of one byte each: many times faster than one by one."""

    letters: str
    numbers: Any
    table: bytes
    silent: bytes


_UNFIT: Final = "\uffff"
"""Stands for what is no frequent letter, and for what does not become one. It is the lane's last byte."""


@cache
def _lane() -> _Lane:
    frequent = "".join(map(chr, range(128))) + table("letters")["frequent"]
    folded = ["\n" if letter == "\n" else _LETTERS[ord(letter)] for letter in frequent]
    places = [frequent.find(letter) if len(letter) == 1 else -1 for letter in folded]
    numbers = bytes(place if place >= 0 else 255 for place in places).ljust(256, b"\xff")
    silent = bytes(place for place, letter in enumerate(folded) if not letter)
    register_error(_UNFIT, lambda failure: (_UNFIT, failure.end))  # type: ignore[attr-defined]
    letters = frequent.ljust(255, "\ufffe") + _UNFIT
    return _Lane(letters, charmap_build(letters), numbers, silent)


def fold(text: str) -> list[str]:
    """The words of a text, small and bare; none where there is nothing but punctuation."""
    return fold_all((text,))[0]


def fold_all(texts: Sequence[str]) -> list[list[str]]:
    """The words of each text. Many texts together take a fraction of the time they take one by one."""
    lane = _lane()
    fit = [
        text if text.isascii() or text[len(text) // 2] < _FIRST_BEYOND_CYRILLIC else _UNFIT for text in texts
    ]
    numbered = charmap_encode("\n".join(fit), _UNFIT, lane.numbers)[0].translate(lane.table, lane.silent)
    lines = charmap_decode(numbered, "strict", lane.letters)[0].split("\n")
    if len(lines) != len(texts):
        # A text of several lines.
        return [_fold_slowly(text) for text in texts]
    return [
        _fold_slowly(text) if _UNFIT in line else line.split()
        for line, text in zip(lines, texts, strict=True)
    ]


def _fold_slowly(text: str) -> list[str]:
    return unicodedata.normalize("NFKC", text).translate(_LETTERS).split()


def join_letters(words: Iterable[str]) -> list[str]:
    """Letters that stand apart make one word: "A. B. C." and "ABC" are the same."""
    return _LETTERS_APART.sub(_joined, " ".join(words)).split(" ")


def _joined(letters: re.Match[str]) -> str:
    return letters[0].replace(" ", "")


def plain(text: str) -> str:
    """The name as written but for case, width and the amount of space: what tells "C+" from "C"."""
    return " ".join(unicodedata.normalize("NFKC", clean(text)).casefold().split())
