"""Units of measure, and the words of columns that are measured in them."""

import re

import msgspec

from dragoman.contracts.decoding import converted
from dragoman.contracts.record import Record
from dragoman.locales.registry import FALLBACK, language
from dragoman.planning.tables.words import stem


class Unit(Record, frozen=True):
    """A unit of measure: what it measures, and how many of the dimension's base units it is."""

    dimension: str
    factor: float


class _Called(msgspec.Struct, frozen=True):
    factor: float
    words: tuple[str, ...]


class _Units(msgspec.Struct, frozen=True):
    """Units as the file has them."""

    units: dict[str, tuple[_Called, ...]]
    suffixes: tuple[str, ...]
    scales: dict[str, float]
    called: dict[str, tuple[str, ...]]
    columns: dict[str, tuple[str, ...]]


_KNOWN = converted(language(FALLBACK).texts("units"), _Units, strict=False)

UNITS: dict[str, Unit] = {
    word: Unit(dimension, each.factor)
    for dimension, units in _KNOWN.units.items()
    for each in units
    for word in each.words
}

SCALES: dict[str, float] = _KNOWN.scales
"""What a word behind a number multiplies it by: thousand, million."""

GLUED = re.compile(
    rf"(\d+(?:\.\d+)?)({'|'.join(['k', 'm', *map(re.escape, _KNOWN.suffixes)])})$", re.IGNORECASE
)
"""A number with its unit or scale written onto it: 5kg, 10k."""

DIMENSIONS: dict[str, tuple[str, ...]] = {
    dimension: tuple(map(stem, words)) for dimension, words in _KNOWN.called.items()
}
"""What a column is called by its unit."""

UNIT_WORDS: dict[str, frozenset[str]] = {
    dimension: frozenset(map(stem, words)) for dimension, words in _KNOWN.columns.items()
}
"""Words of columns that may be measured in a dimension."""
