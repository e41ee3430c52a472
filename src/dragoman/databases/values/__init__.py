"""Literal values of a database: which words of a message stand in its data, and where."""

from dragoman.databases.values.freshness import Freshness
from dragoman.databases.values.index import ValueIndex, ValuePlace
from dragoman.databases.values.kept_values import Kept, KeptValues
from dragoman.databases.values.limits import AT_ONCE, IN_BACKGROUND, ValueLimits
from dragoman.databases.values.origin import Origin, origin_of
from dragoman.databases.values.value_reader import Reading, index_of, read_columns, read_values

__all__ = [
    "AT_ONCE",
    "IN_BACKGROUND",
    "Freshness",
    "Kept",
    "KeptValues",
    "Origin",
    "Reading",
    "ValueIndex",
    "ValueLimits",
    "ValuePlace",
    "index_of",
    "origin_of",
    "read_columns",
    "read_values",
]
