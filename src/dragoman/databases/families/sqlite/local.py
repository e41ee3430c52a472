"""Reads from SQLite in this very process."""

import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from dragoman.contracts.cancellation import Cancellation
from dragoman.contracts.errors import (
    AccessError,
    CellTooLarge,
    DatabaseBusy,
    DatabaseNotFound,
    QueryFailed,
    ReadOnlyViolation,
)
from dragoman.contracts.query import Query, ReadLimits, ResultColumn, ResultSet
from dragoman.contracts.schema import Dialect, ValueType
from dragoman.databases.access.batches import gather
from dragoman.databases.access.native_types import value_type
from dragoman.databases.access.placeholders import pieces
from dragoman.databases.access.refusals import said
from dragoman.databases.access.serial import SerialReader
from dragoman.databases.access.watch import cancelled, timed_out
from dragoman.databases.families.sqlite.address import SqliteAddress
from dragoman.databases.families.sqlite.connection import bound_length, connect
from dragoman.databases.families.sqlite.permission import DESCRIBED_VIEW, describing, reading
from dragoman.databases.families.sqlite.values import Stored, bound, decoder, held_by

Result = TypeVar("Result")

BUSY_SECONDS = 5.0
_STEPS_BETWEEN_LOOKS = 2_000
_PRIMARY = 0xFF
"""An extended error code has the plain one in its lowest byte."""


_MOST_DESCRIPTIONS = 1_000
_DESCRIPTIONS: dict[tuple[object, ...], list[str]] = {}


class LocalReader(SerialReader):
    """What SQLite itself can be held to: its steps are counted, but one long step is not broken off."""

    dialect = Dialect.SQLITE

    def __init__(self, target: SqliteAddress, limits: ReadLimits) -> None:
        super().__init__(limits)
        self._target = target
        self._connection: sqlite3.Connection | None = None

    def _read(
        self, query: Query, limits: ReadLimits, cancel: Cancellation | None, user_sql: bool
    ) -> ResultSet:
        values = [bound(value) for value in query.parameters]
        clock = _Clock(limits.seconds, cancel)
        try:
            connection = _patiently(lambda: self._connected(limits, user_sql), clock)
            connection.set_progress_handler(clock.over, _STEPS_BETWEEN_LOOKS)
            cursor = _patiently(lambda: connection.execute(query.sql, values), clock)
            if cursor.description is None:
                raise ReadOnlyViolation("this is not a query", hint="only SELECT gives rows")
            names = [column[0] for column in cursor.description]
            rows, truncated = gather(cursor.fetchmany, names, limits)
            cursor.close()
            described = _patiently(
                lambda: self._description(connection, query, limits, clock, user_sql), clock
            )
        except sqlite3.Error as error:
            column = self._too_large(query, values, error)
            raise clock.error() or self._refusal(error, limits, column) from error
        except (OverflowError, ValueError, RecursionError) as error:
            raise QueryFailed(f"SQLite refused the query: {said(error)}", hint="check the query") from error
        finally:
            if user_sql:
                self._discard()
        known = described if len(described) == len(names) else [""] * len(names)
        return _result(names, known, rows, truncated)

    def _discard(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _connected(self, limits: ReadLimits, user_sql: bool) -> sqlite3.Connection:
        if user_sql:
            self._discard()
        if self._connection is None:
            self._connection = connect(self._target.path, limits, reading(user_sql=user_sql), query_only=True)
        bound_length(self._connection, limits)
        return self._connection

    def _description(
        self,
        connection: sqlite3.Connection,
        query: Query,
        limits: ReadLimits,
        clock: "_Clock",
        user_sql: bool,
    ) -> list[str]:
        """The description of a query. Of our own it is kept as long as neither file nor schema changes: it
        takes longer to make than most queries take to run."""
        identity = None if user_sql else _identity(self._target.path)
        if identity is None:
            return self._described(query, limits, clock)
        key = (*identity, _schema_version(connection), query.sql)
        known = _DESCRIPTIONS.get(key)
        if known is None:
            known = self._described(query, limits, clock)
            if len(_DESCRIPTIONS) >= _MOST_DESCRIPTIONS:
                _DESCRIPTIONS.clear()
            _DESCRIPTIONS[key] = known
        return known

    def _described(self, query: Query, limits: ReadLimits, clock: "_Clock") -> list[str]:
        """The declared type of each column, or nothing where it has none.

        Python's driver does not tell it. SQLite does, of a view made of the query; it exists for a moment in
        memory, on a connection of its own, and is never read from.
        """
        connection = connect(self._target.path, limits, describing(), query_only=False)
        try:
            connection.set_progress_handler(clock.over, _STEPS_BETWEEN_LOOKS)
            sql = "NULL".join(pieces(query, Dialect.SQLITE))
            connection.execute(f"CREATE TEMP VIEW {DESCRIBED_VIEW} AS {sql}")
            return [row[2] or "" for row in connection.execute(f"PRAGMA table_info({DESCRIBED_VIEW})")]
        except sqlite3.Error as error:
            if _is_busy(error) or clock.over():
                raise
            # Some queries make no view; what they hold is told by their values.
            return []
        finally:
            connection.close()

    def _too_large(self, query: Query, values: list[Stored], error: sqlite3.Error) -> str:
        """The first column that has a value beyond the limit; empty where it is another error. SQLite does
        not say, so each column is read by itself, within the same limits."""
        connection = self._connection
        if connection is None or not _is_too_big(error):
            return ""
        try:
            # The query is our own or was judged; nothing but its columns is named here.
            nothing = connection.execute(f"SELECT * FROM ({query.sql}) LIMIT 0", values)  # noqa: S608
            names = [column[0] for column in nothing.description or ()]
        except sqlite3.Error:
            return ""
        for name in names:
            quoted = '"' + name.replace('"', '""') + '"'
            try:
                for _ in connection.execute(f"SELECT {quoted} FROM ({query.sql})", values):  # noqa: S608
                    pass
            except sqlite3.Error as found:
                return name if _is_too_big(found) else ""
        return ""

    def _refusal(self, error: sqlite3.Error, limits: ReadLimits, column: str = "") -> AccessError:
        path, text = self._target.path, said(error)
        match getattr(error, "sqlite_errorcode", 0) & _PRIMARY:
            case sqlite3.SQLITE_AUTH | sqlite3.SQLITE_READONLY | sqlite3.SQLITE_PERM:
                return ReadOnlyViolation(f"SQLite refused what does more than read: {text}", hint="only read")
            case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
                return DatabaseBusy(f"somebody else is writing to {path}", hint="try again in a moment")
            case sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_NOTADB | sqlite3.SQLITE_CORRUPT:
                return DatabaseNotFound(f"{path} cannot be read as a database: {text}", hint="check the file")
            case sqlite3.SQLITE_TOOBIG:
                where = f"a value in the column {column!r}" if column else "a value"
                return CellTooLarge(
                    f"{where} has more than the {limits.cell_bytes:,} bytes allowed",
                    hint="leave the column out, or read a part of it",
                    column=column,
                    limit=limits.cell_bytes,
                )
            case _:
                return QueryFailed(f"SQLite refused the query: {text}", hint="check the query")


def _is_too_big(error: sqlite3.Error) -> bool:
    return bool(getattr(error, "sqlite_errorcode", 0) & _PRIMARY == sqlite3.SQLITE_TOOBIG)


def _identity(path: Path) -> tuple[int, int, int] | None:
    """A file as it is: another one under its name, or a written one, is not it. None when it is gone."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino, found.st_ctime_ns


def _schema_version(connection: sqlite3.Connection) -> int:
    """Changed by whatever changes the schema. The authorizer of reads refuses every pragma, this one too."""
    connection.set_authorizer(None)
    try:
        return int(connection.execute("PRAGMA schema_version").fetchone()[0])
    finally:
        connection.set_authorizer(reading(user_sql=False))


class _Clock:
    """Looked at by SQLite every few thousand steps: whether to go on."""

    def __init__(self, seconds: float, cancel: Cancellation | None) -> None:
        self._seconds = seconds
        self._end = time.monotonic() + seconds
        self._cancel = cancel

    def over(self) -> bool:
        return self._cancelled() or time.monotonic() > self._end

    def error(self) -> AccessError | None:
        if self._cancelled():
            return cancelled()
        return timed_out(self._seconds) if time.monotonic() > self._end else None

    def _cancelled(self) -> bool:
        return self._cancel is not None and self._cancel.cancelled


def _is_busy(error: sqlite3.Error) -> bool:
    return getattr(error, "sqlite_errorcode", 0) & _PRIMARY == sqlite3.SQLITE_BUSY


def _patiently(run: Callable[[], Result], clock: _Clock) -> Result:
    """Run it, again and again while somebody else writes, for a bounded time."""
    end = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            return run()
        except sqlite3.OperationalError as error:
            if not _is_busy(error) or time.monotonic() > end or clock.over():
                raise


def _result(
    names: list[str], described: list[str], rows: list[tuple[object, ...]], truncated: bool
) -> ResultSet:
    cells = list(zip(*rows, strict=True)) if rows else [()] * len(names)
    columns, read = [], []
    for name, native, column in zip(names, described, cells, strict=True):
        held = value_type(Dialect.SQLITE, native) if native else held_by(column)
        columns.append(ResultColumn(name, held, native))
        decode = decoder(held, native) if native else None
        read.append(column if decode is None or held is ValueType.TEXT else [decode(cell) for cell in column])
    return ResultSet(tuple(columns), list(zip(*read, strict=True)) if read and rows else [], truncated)
