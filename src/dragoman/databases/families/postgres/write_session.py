"""A session that changes a PostgreSQL database."""

from typing import Any

import psycopg
from psycopg import errors as pg
from psycopg.sql import Identifier

from dragoman.contracts.access import LedgerForm, Rows
from dragoman.contracts.errors import (
    ConnectionRefused,
    ConstraintBroken,
    DatabaseBusy,
    DragomanError,
    TableMissing,
    WriteFailed,
)
from dragoman.contracts.query import Query
from dragoman.contracts.schema import Dialect
from dragoman.databases.access.placeholders import numbered
from dragoman.databases.access.refusals import said
from dragoman.databases.access.write_words import AGAIN, CHECK, LOCK_SECONDS
from dragoman.databases.families.postgres.address import PostgresAddress
from dragoman.databases.families.postgres.connection import connect


class PostgresSession:
    dialect = Dialect.POSTGRES
    ledger = LedgerForm()

    def __init__(self, target: PostgresAddress) -> None:
        self._target = target
        self._connection = connect(target)

    def begin(self) -> None:
        path = ", ".join(Identifier(name).as_string() for name in (*self._target.schemas, "pg_temp"))
        self._run("BEGIN TRANSACTION ISOLATION LEVEL READ COMMITTED READ WRITE")
        for setting in (
            f"lock_timeout = {LOCK_SECONDS * 1000}",
            f"statement_timeout = {6 * LOCK_SECONDS * 1000}",
            "standard_conforming_strings = on",
            "TimeZone = 'UTC'",
            f"search_path = {path}",
        ):
            self._run(f"SET LOCAL {setting}")

    def execute(self, query: Query) -> int:
        return int(self._run_query(query).rowcount)

    def rows(self, query: Query) -> Rows:
        return list(self._run_query(query).fetchall())

    def commit(self) -> None:
        self._run("COMMIT")

    def keeps_transactions(self, table: str) -> bool:
        return True

    def close(self) -> None:
        self._connection.close()

    def _run_query(self, query: Query) -> Any:
        return self._run(numbered(query, self.dialect), query.parameters)

    def _run(self, sql: str, parameters: tuple[Any, ...] = ()) -> Any:
        try:
            cursor = psycopg.RawCursor(self._connection)
            return cursor.execute(sql.encode(), parameters or None)
        except psycopg.Error as error:
            text = said(error.diag.message_primary or error, self._target.password)
            match error:
                case psycopg.IntegrityError() | psycopg.DataError():
                    refusal: DragomanError = ConstraintBroken(
                        f"PostgreSQL refused the change: {text}", hint=CHECK
                    )
                case pg.UndefinedTable():
                    refusal = TableMissing(f"PostgreSQL: {text}", hint="compare the pack with the database")
                case pg.LockNotAvailable() | pg.DeadlockDetected() | pg.QueryCanceled():
                    refusal = DatabaseBusy(f"PostgreSQL: {text}", hint=AGAIN)
                case psycopg.OperationalError() if self._connection.closed or error.sqlstate is None:
                    refusal = ConnectionRefused(f"PostgreSQL ended the connection: {text}", hint=AGAIN)
                case _:
                    refusal = WriteFailed(
                        f"PostgreSQL refused the change: {text}", hint="nothing was changed"
                    )
            raise refusal from error
