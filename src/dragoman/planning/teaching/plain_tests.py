"""A condition that names its column and its test: delay is above 15, WSWin is Y, discount is zero or less.

It needs no planner: the column is the one that is named, and a value is one that the column has.
"""

import re
from collections.abc import Callable, Iterator
from typing import Final

from dragoman.contracts.program import (
    Argument,
    Entry,
    Integer,
    Map,
    Nil,
    Number,
    Sequence,
    Statement,
    Text,
    Value,
)
from dragoman.planning.tables.schema_names import Thing
from dragoman.planning.teaching.named_things import NamedThings
from dragoman.reading.teaching import TeachingWords
from dragoman.tables.graph import Table
from dragoman.tables.verbs import NUMBERS, Word

_MOST_WORDS: Final = 6
_NUMBER: Final = re.compile(r"-?\d[\d,]*(?:\.\d+)?")
_QUOTES: Final = " \"'“”„«»‘’`"


class PlainTests:
    """Reads such conditions on the rows of a table. `rows` tells how many rows a statement gives, where that
    is soon known."""

    def __init__(
        self, named: NamedThings, words: TeachingWords, rows: Callable[[Statement], int | None]
    ) -> None:
        self._named = named
        self._words = words
        self._rows = rows

    def read(self, table: Table, said: str) -> Map | None:
        words = said.split()
        for size in range(min(_MOST_WORDS, len(words) - 1), 0, -1):
            rest = " ".join(words[size:])
            for thing in self._columns(table, " ".join(words[:size])):
                test = self._test(table, thing, rest)
                if thing.column is not None and test is not None:
                    return Map((Entry(thing.column.name, test),))
        return None

    def _columns(self, table: Table, phrase: str) -> Iterator[Thing]:
        own = [thing for thing in self._named.columns_of(table, phrase) if not thing.is_taught]
        if len(own) == 1:
            yield own[0]

    def _test(self, table: Table, thing: Thing, rest: str) -> Value | None:
        for kind, pattern in self._words.tests:
            found = pattern.fullmatch(rest)
            if found is None:
                continue
            if kind in ("missing", "present"):
                return Nil() if kind == "missing" else Map((Entry("not", Nil()),))
            value = self._value(table, thing, found["value"].strip(_QUOTES), ordered=kind in _ORDERED)
            if value is None:
                continue
            return value if kind == "is" else Map((Entry(kind, value),))
        return None

    def _value(self, table: Table, thing: Thing, text: str, *, ordered: bool) -> Value | None:
        if thing.column is None:
            return None
        if thing.column.type in NUMBERS:
            digits = self._words.numbers.get(text.casefold(), text)
            if not _NUMBER.fullmatch(digits):
                return None
            plain = digits.replace(",", "")
            return Integer(int(plain)) if plain.lstrip("-").isdecimal() else Number(plain)
        if ordered or not thing.is_text:
            return None
        parts = [part.strip(_QUOTES) for part in re.split(self._words.either, text)]
        values = [value for part in parts if (value := self._known(table, thing, part)) is not None]
        if not values or len(values) < len(parts):
            return None
        return values[0] if len(values) == 1 else Sequence(tuple(values))

    def _known(self, table: Table, thing: Thing, text: str) -> Text | None:
        """A text as the column has it, in its letters or in small ones."""
        for each in dict.fromkeys((text, text.upper(), text.casefold(), text.title())):
            where = Map((Entry(thing.column.name if thing.column is not None else "", Text(each)),))
            rows = self._rows(Statement(f"{table.name}.list", (Argument(Word.WHERE, where),)))
            if rows:
                return Text(each)
        return None


_ORDERED: Final = frozenset({"above", "below", "at-least", "at-most"})
