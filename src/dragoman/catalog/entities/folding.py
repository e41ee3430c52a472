"""Names as they are compared: without case, accents, width and punctuation."""

import re
import unicodedata
from codecs import charmap_build, charmap_decode, charmap_encode
from collections.abc import Iterable
from functools import cache
from typing import Any, Final, NamedTuple

from dragoman.catalog.entities.vocabulary import table

LONGEST: Final = 65_536
"""Names and texts are compared by this many characters at most."""

_UNREADABLE: Final = "\ufffd"
_SURROGATES: Final = re.compile("[\ud800-\udfff]")
_FIRST_BEYOND_CYRILLIC: Final = "\u0530"
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


_UNFIT: Final = 0xFF
"""The byte for what does not become one frequent letter, and for what is no frequent letter."""


@cache
def _lane() -> _Lane:
    letters = "".join(map(chr, range(128))) + table("letters")["frequent"]
    folded = [_LETTERS[ord(letter)] for letter in letters]
    fits = [letters.find(letter) if len(letter) == 1 else -1 for letter in folded]
    numbers = bytes(_UNFIT if place < 0 else place for place in fits).ljust(256, bytes((_UNFIT,)))
    silent = bytes(place for place, letter in enumerate(folded) if not letter)
    return _Lane(letters, charmap_build(letters.ljust(256, "\ufffe")), numbers, silent)


def fold(text: str) -> list[str]:
    """The words of a text, small and bare; none where there is nothing but punctuation."""
    lane = _lane()
    if text.isascii():
        return text.encode().translate(lane.table, lane.silent).decode().split()
    if text[len(text) // 2] < _FIRST_BEYOND_CYRILLIC:
        try:
            folded = charmap_encode(text, "strict", lane.numbers)[0].translate(lane.table, lane.silent)
        except UnicodeEncodeError:
            return _fold_slowly(text)
        if _UNFIT not in folded:
            return charmap_decode(folded, "strict", lane.letters)[0].split()
    return _fold_slowly(text)


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
