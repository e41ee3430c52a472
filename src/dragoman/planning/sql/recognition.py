"""Whether a message is SQL: by how it begins, and by what it names.

English begins with "select" and "with" too. A message is SQL when it reads as a query over a table that is
known, or as one over nothing at all; what only may be SQL is left to the planners that read words.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from dragoman._patterns import lazy_pattern
from dragoman.catalog.catalog import Catalog
from dragoman.contracts.connection import ConnectionSpec
from dragoman.contracts.record import Record
from dragoman.contracts.schema import DatabaseSchema

_COMMENTS = r"(?:\s|--[^\n]*(?:\n|\Z)|/\*.*?\*/)*"
_QUERY: Final = lazy_pattern(rf"{_COMMENTS}(?:\(\s*)*(?:select|with|values)\b", re.I | re.S)
_NAME = r"(?:[\w$.]+|\"[^\"]+\"|`[^`]+`|\[[^\]]+\])"
_CHANGE: Final = lazy_pattern(
    rf"""{_COMMENTS}(?:
        (?P<insert>insert|replace|merge) \s+ (?:or\s+\w+\s+|ignore\s+)? into \s+ {_NAME}
      | (?P<update>update) \s+ {_NAME} (?:\s+(?:as\s+)?\w+)? \s+ set \b
      | (?P<delete>delete) \s+ from \s+ {_NAME}
      | (?P<shape>create|alter|drop|truncate) \s+
        (?:or\s+replace\s+|unique\s+|temp(?:orary)?\s+|materialized\s+)*
        (?:table|view|index|database|schema|trigger|function|procedure|sequence|user|role|type) \b
      | (?P<right>grant|revoke) \s+ [\w\s,]+ \s+ on \b
    )""",
    re.I | re.S | re.X,
)
_READ_FROM: Final = lazy_pattern(rf"\b(?:from|join)\s+(?:only\s+)?\(?\s*({_NAME}(?:\.{_NAME})?)", re.I)
_SIGNS: Final = lazy_pattern(r"[*=<>();]|\b(?:SELECT|FROM|WHERE)\b|(?i:\bgroup\s+by\b|\border\s+by\b)")
_QUOTES: Final = lazy_pattern(r'["`\[\]]')


class Place(Record, frozen=True):
    """The database that a statement is for."""

    spec: ConnectionSpec
    schema: DatabaseSchema
    """As the viewer may see it."""


def begins_like_query(text: str) -> bool:
    return _QUERY.match(text) is not None


def change_in(text: str) -> str:
    """The word that a statement begins with that would change data; empty where it is none."""
    found = _CHANGE.match(text)
    return next((word.upper() for word in found.groups() if word), "") if found is not None else ""


def has_signs(text: str) -> bool:
    """Whether a message is written as people write SQL, and not only in words that SQL has too."""
    return _SIGNS.search(text) is not None


def names_known_table(text: str, schema: DatabaseSchema) -> bool:
    """Whether a table that is known stands where rows are read from."""
    return _how_many(text, schema) > 0


def places_of(text: str, catalog: Catalog, named: str = "") -> list[Place]:
    """The databases that a statement may be for: the one that is named, or else those that have most of the
    tables it names. Where none has any, the default one."""
    places = [place for place in _places(catalog) if named in ("", place.spec.name)]
    most = max((_how_many(text, place.schema) for place in places), default=0)
    return [place for place in places if _how_many(text, place.schema) == most] if most else places[:1]


def _places(catalog: Catalog) -> Iterator[Place]:
    for spec in catalog.in_order():
        schema = catalog.visible_schema(spec)
        if schema is not None:
            yield Place(spec, schema)


def _how_many(text: str, schema: DatabaseSchema) -> int:
    known = {table.name.casefold() for table in schema.tables}
    return len(known.intersection(_read_from(text)))


def _read_from(text: str) -> Iterable[str]:
    for found in _READ_FROM.finditer(text):
        yield _QUOTES.sub("", found[1]).rpartition(".")[2].casefold()
