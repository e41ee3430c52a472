"""Literal values of a database: which words of a message stand in its data, and where."""

from dragoman.catalog.values.index import ValueIndex, ValuePlace
from dragoman.catalog.values.origin import Origin, origin_of
from dragoman.catalog.values.reading import read_values

__all__ = ["Origin", "ValueIndex", "ValuePlace", "origin_of", "read_values"]
