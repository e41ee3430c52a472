"""Literal values of a database: which words of a message stand in its data, and where."""

from dragoman.databases.values.index import ValueIndex, ValuePlace
from dragoman.databases.values.origin import Origin, origin_of
from dragoman.databases.values.value_reader import read_values, with_options

__all__ = ["Origin", "ValueIndex", "ValuePlace", "origin_of", "read_values", "with_options"]
