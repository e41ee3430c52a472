"""Reads from PostgreSQL."""

import os
import socket
from contextlib import suppress

import psycopg
from psycopg import errors as pg
from psycopg.rows import tuple_row

from dragoman.contracts.cancellation import Cancellation
from dragoman.contracts.errors import (
    AccessError,
    ConnectionRefused,
    DatabaseBusy,
    ParameterRefused,
    QueryFailed,
    ReadOnlyViolation,
)
from dragoman.contracts.query import Query, ReadLimits, ResultColumn, ResultSet
from dragoman.contracts.schema import Dialect, ValueType
from dragoman.databases.access.batches import gather
from dragoman.databases.access.native_types import value_type
from dragoman.databases.access.placeholders import numbered
from dragoman.databases.access.refusals import said
from dragoman.databases.access.serial import SerialReader
from dragoman.databases.access.watch import Watch, timed_out
from dragoman.databases.families.postgres.address import PostgresAddress
from dragoman.databases.families.postgres.connection import Connection, begin, connect
from dragoman.databases.families.postgres.values import decoder, read_cell

_CANCEL_SECONDS = 2.0
_CURSOR = "dragoman_read"
_INDETERMINATE = pg.IndeterminateDatatype.sqlstate
_NATIVE_NAMES = """
    SELECT oid::int8, pg_catalog.format_type(oid, NULL), typtype::text
    FROM pg_catalog.pg_type WHERE oid = ANY(%s)
"""


class PostgresReader(SerialReader):
    dialect = Dialect.POSTGRES

    def __init__(self, target: PostgresAddress, limits: ReadLimits) -> None:
        super().__init__(limits)
        self._target = target
        self._connection: Connection | None = None
        self._types: dict[int, tuple[str, ValueType]] = {}

    def _read(
        self, query: Query, limits: ReadLimits, cancel: Cancellation | None, user_sql: bool
    ) -> ResultSet:
        sql = numbered(query, self.dialect)
        if "\0" in sql:
            raise QueryFailed("PostgreSQL takes no NUL character in a query", hint="leave it out")
        reused = self._connection is not None and not user_sql
        try:
            return self._read_once(sql, query, limits, cancel, user_sql)
        except ConnectionRefused:
            # A connection kept from before may have been ended by the server.
            if not reused:
                raise
        except QueryFailed as error:
            # Text takes the type of what it is compared with. Where that is nothing, it is text.
            if error.details.get("sqlstate") != _INDETERMINATE:
                raise
            sql = numbered(query, self.dialect, plain_text=True)
        return self._read_once(sql, query, limits, cancel, user_sql)

    def _read_once(
        self, sql: str, query: Query, limits: ReadLimits, cancel: Cancellation | None, user_sql: bool
    ) -> ResultSet:
        if user_sql:
            self._discard()
        connection = self._connection = self._connection or connect(self._target)
        watch = Watch(
            limits.seconds, cancel, lambda: _stop(connection), lambda: _cut_off(connection), again=True
        )
        whole = False
        try:
            with watch:
                begin(connection, limits, self._target.schemas)
                result = self._rows(connection, sql, query, limits)
                connection.execute("ROLLBACK")
            whole = watch.reason is None
        except psycopg.Error as error:
            raise watch.error() or self._refusal(error, connection, limits) from error
        finally:
            if user_sql or not whole:
                self._discard()
        return result

    def _rows(self, connection: Connection, sql: str, query: Query, limits: ReadLimits) -> ResultSet:
        """Declare a cursor for the query and fetch from it.

        Only what gives rows can be declared: neither COPY nor SET, nor a WITH that writes. The protocol takes
        one statement, so nothing can be stacked on it.
        """
        cursor = psycopg.RawServerCursor(
            connection, _CURSOR, row_factory=tuple_row, scrollable=False, withhold=False
        )
        cursor.execute(sql.encode(), query.parameters or None)
        described = cursor.description or []
        rows, truncated = gather(cursor.fetchmany, [column.name for column in described], limits)
        cursor.close()
        natives = self._natives(connection, described)
        decoders = [decoder(native) for native, _ in natives]
        return ResultSet(
            tuple(
                ResultColumn(column.name, held, native)
                for column, (native, held) in zip(described, natives, strict=True)
            ),
            [
                tuple(read_cell(cell, decode) for cell, decode in zip(row, decoders, strict=True))
                for row in rows
            ],
            truncated,
        )

    def _natives(
        self, connection: Connection, described: list[psycopg.Column]
    ) -> list[tuple[str, ValueType]]:
        """The type of each column. Those the driver does not know by number, the server is asked about."""
        unknown = [
            column.type_code
            for column in described
            if column.type_display == str(column.type_code) and column.type_code not in self._types
        ]
        if unknown:
            found = connection.execute(_NATIVE_NAMES, [unknown]).fetchall()
            for oid, name, kind in found:
                held = ValueType.TEXT if kind == "e" else value_type(Dialect.POSTGRES, str(name))
                self._types[int(str(oid))] = (str(name), held)
        return [
            self._types.get(column.type_code)
            or (column.type_display, value_type(Dialect.POSTGRES, column.type_display))
            for column in described
        ]

    def _discard(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _refusal(self, error: psycopg.Error, connection: Connection, limits: ReadLimits) -> AccessError:
        text = said(error.diag.message_primary or error, self._target.password)
        match error:
            case pg.QueryCanceled() | pg.IdleInTransactionSessionTimeout():
                return timed_out(limits.seconds)
            case pg.ReadOnlySqlTransaction() | pg.InvalidCursorDefinition():
                return ReadOnlyViolation(
                    f"PostgreSQL refused what does more than read: {text}", hint="only read"
                )
            case pg.LockNotAvailable():
                return DatabaseBusy(f"PostgreSQL could not lock what is read: {text}", hint="try again")
            case psycopg.DataError() if error.sqlstate is None:
                return ParameterRefused(
                    f"PostgreSQL cannot be given a value: {text}", hint="change the value"
                )
            case psycopg.OperationalError() if connection.closed or error.sqlstate is None:
                return ConnectionRefused(
                    f"PostgreSQL at {self._target.host}:{self._target.port} ended the connection: {text}",
                    hint="try again; see the server's log if it stays so",
                )
            case _:
                return QueryFailed(
                    f"PostgreSQL refused the query: {text}",
                    hint=said(error.diag.message_hint or "check the query"),
                    sqlstate=error.sqlstate,
                )


def _stop(connection: Connection) -> None:
    """Ask the server to stop what runs."""
    with suppress(psycopg.Error, OSError):
        connection.cancel_safe(timeout=_CANCEL_SECONDS)


def _cut_off(connection: Connection) -> None:
    """End the conversation itself; the thread that waits in it wakes up with an error."""
    with suppress(psycopg.Error, OSError), socket.socket(fileno=os.dup(connection.fileno())) as line:
        line.shutdown(socket.SHUT_RDWR)
