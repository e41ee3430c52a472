"""Reads the literal values of a database: a bounded part of every column that holds words.

A small table is asked for the first of its values in their order. A large one is read once, from its
beginning, and only until there are enough: putting millions of texts in order takes many times as long.
"""

import time
from collections.abc import Iterator

from sqlglot import exp

from dragoman.contracts.errors import (
    AuthenticationFailed,
    ConnectionRefused,
    DatabaseBusy,
    DatabaseNotFound,
    DragomanError,
    QueryTimeout,
)
from dragoman.contracts.query import ReadLimits
from dragoman.contracts.record import Record
from dragoman.contracts.schema import ColumnInfo, DatabaseSchema, TableInfo, ValueType
from dragoman.databases.access import DatabaseReader
from dragoman.databases.sql_text import written
from dragoman.databases.values.index import ValueIndex, ValuePlace
from dragoman.databases.values.limits import IN_BACKGROUND, ValueLimits

LONGEST_VALUE = 80

TEXTUAL = frozenset({ValueType.TEXT, ValueType.OTHER})
_OUT_OF_REACH = (AuthenticationFailed, ConnectionRefused, DatabaseBusy, DatabaseNotFound)
"""Failures of a whole database: its values are not none, they are not known."""


class ColumnValues(Record, frozen=True):
    schema: str
    table: str
    column: str
    values: tuple[str, ...]


class Reading(Record, frozen=True):
    """What was read, in so many seconds. It is whole unless there is more to be had within larger limits."""

    columns: tuple[ColumnValues, ...]
    seconds: float
    whole: bool


def read_values(reader: DatabaseReader, schema: DatabaseSchema) -> ValueIndex:
    """The index of a database, read while one waits. Raises an `AccessError` where it is out of reach."""
    return index_of(read_columns(reader, schema, IN_BACKGROUND).columns, schema)


def read_columns(reader: DatabaseReader, schema: DatabaseSchema, limits: ValueLimits) -> Reading:
    """The values of all columns, as far as the limits go.

    A column that cannot be read is left out: the index helps, it decides nothing. Raises an `AccessError`
    where the database is out of reach.
    """
    return _Reader(reader, limits).read(schema)


def index_of(columns: tuple[ColumnValues, ...], schema: DatabaseSchema) -> ValueIndex:
    """The index of what was read, and of the values that columns may hold though no row has them: whoever
    asks for one of them asks for something that is known."""
    found = [
        ValuePlace(each.schema, each.table, each.column, value) for each in columns for value in each.values
    ]
    declared = dict.fromkeys(
        ValuePlace(table.schema, table.name, column.name, option)
        for table in schema.tables
        for column in table.columns
        if column.type in TEXTUAL
        for option in column.options
        if option
    )
    known = frozenset(found) if declared else frozenset()
    return ValueIndex((*found, *(each for each in declared if each not in known)))


class _Reader:
    """Reads column by column, and keeps count."""

    def __init__(self, reader: DatabaseReader, limits: ValueLimits) -> None:
        self._reader = reader
        self._limits = limits
        self._values = limits.of_all
        self._bytes = limits.bytes
        self._began = time.monotonic()
        self._whole = True

    def read(self, schema: DatabaseSchema) -> Reading:
        columns = tuple(
            ColumnValues(table.schema, table.name, column.name, tuple(self._column(table, column)))
            for table in schema.tables
            for column in table.columns
            if column.type in TEXTUAL
        )
        # Reading to the end is as whole as it gets: what it left out, it would leave out again.
        whole = self._whole or self._limits.all_rows
        return Reading(tuple(each for each in columns if each.values), self._seconds, whole)

    @property
    def _seconds(self) -> float:
        return time.monotonic() - self._began

    def _column(self, table: TableInfo, column: ColumnInfo) -> Iterator[str]:
        if self._values <= 0 or self._bytes <= 0:
            return
        for value in self._read(table, column, min(self._limits.of_column, self._values)):
            if not isinstance(value, str) or not 0 < len(value) <= LONGEST_VALUE:
                continue
            self._values -= 1
            self._bytes -= len(value.encode("utf-8", "surrogatepass"))
            if self._bytes < 0:
                return
            yield value

    def _read(self, table: TableInfo, column: ColumnInfo, most: int) -> list[object]:
        name = exp.column(exp.to_identifier(column.name, quoted=True))
        place = exp.Table(
            this=exp.to_identifier(table.name, quoted=True),
            db=exp.to_identifier(table.schema, quoted=True) if table.schema else None,
        )
        distinct = exp.select(name).distinct()
        found: list[object] | None = None
        if table.rows is not None and table.rows <= self._limits.rows:
            found = self._asked(distinct.copy().from_(place.copy()).order_by(name.copy()).limit(most))
        elif self._limits.all_rows:
            found = self._asked(distinct.copy().from_(place.copy()).limit(most))
            found = None if found is None else sorted(found, key=str)
        if found is not None:
            return found
        # The limit inside bounds the work, whatever there is behind it.
        first = exp.select(name.copy()).from_(place).limit(self._limits.rows).subquery("first_rows")
        self._whole = False
        return self._asked(distinct.from_(first).order_by(name.copy()).limit(most)) or []

    def _asked(self, tree: exp.Select) -> list[object] | None:
        """None where time ended it."""
        seconds = min(self._limits.seconds_of_column, self._limits.seconds - self._seconds)
        if seconds <= 0:
            self._whole = False
            return None
        limits = ReadLimits(rows=self._limits.of_column, seconds=seconds)
        try:
            return [row[0] for row in self._reader.read(written(tree, self._reader.dialect, ()), limits).rows]
        except _OUT_OF_REACH:
            raise
        except QueryTimeout:
            self._whole = False
            return None
        except DragomanError:
            return []
