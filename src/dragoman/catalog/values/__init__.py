"""Literal values of a database: which words of a message stand in its data, and where."""

from dragoman.catalog.values.index import ValueIndex, ValuePlace
from dragoman.catalog.values.reading import read_values

__all__ = ["ValueIndex", "ValuePlace", "read_values"]
