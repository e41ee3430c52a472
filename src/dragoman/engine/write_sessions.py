"""A connection that changes a database, with one face for all families: begin, run, read, commit or nothing.

What a driver says is turned into our errors here, and only here. Each driver is imported when it is used.
"""

import re
import sqlite3
from typing import Any, Protocol

from dragoman.contracts.errors import (
    ConnectionRefused,
    ConstraintBroken,
    DatabaseBusy,
    DatabaseNotFound,
    DragomanError,
    TableMissing,
    WriteFailed,
    WriteUnsupported,
)
from dragoman.contracts.query import Query
from dragoman.contracts.schema import Dialect
from dragoman.databases.access.refusals import said
from dragoman.databases.access.target import (
    DuckdbTarget,
    FilesTarget,
    MysqlTarget,
    PostgresTarget,
    RestTarget,
    SqliteTarget,
    Target,
)

LOCK_SECONDS = 10
_CHECK = "mend what is given, or what it refers to"
_UNCHANGED = "nothing was changed"
_AGAIN = "nothing was changed; try again"

Rows = list[tuple[Any, ...]]


class WriteSession(Protocol):
    """`execute` says how many rows it touched. Everything raises errors of ours."""

    dialect: Dialect

    def begin(self) -> None: ...

    def execute(self, query: Query) -> int: ...

    def rows(self, query: Query) -> Rows: ...

    def commit(self) -> None: ...

    def close(self) -> None:
        """Leave the database. What was not committed is undone by that."""


def open_session(target: Target) -> WriteSession:
    """A session on a database that can be changed in one transaction."""
    match target:
        case SqliteTarget():
            return _Sqlite(target)
        case DuckdbTarget():
            return _Duckdb(target)
        case PostgresTarget():
            return _Postgres(target)
        case MysqlTarget():
            return _Mysql(target)
        case FilesTarget() | RestTarget():
            raise WriteUnsupported(
                "this connection is only read", hint="write to SQLite, DuckDB, PostgreSQL or MariaDB"
            )


class _Sqlite:
    dialect = Dialect.SQLITE

    def __init__(self, target: SqliteTarget) -> None:
        if not target.path.exists():
            raise DatabaseNotFound(f"there is no file {target.path}", hint="check the path of the connection")
        try:
            self._connection = sqlite3.connect(
                f"{target.path.resolve().as_uri()}?mode=rw",
                uri=True,
                timeout=LOCK_SECONDS,
                isolation_level=None,
            )
            self._connection.execute("PRAGMA foreign_keys = ON")
            # Committed is committed, also when the power fails.
            self._connection.execute("PRAGMA synchronous = FULL")
        except sqlite3.Error as error:
            raise _sqlite_refusal(error) from error

    def begin(self) -> None:
        self._run("BEGIN IMMEDIATE")

    def execute(self, query: Query) -> int:
        return self._run(query.sql, query).rowcount

    def rows(self, query: Query) -> Rows:
        return self._run(query.sql, query).fetchall()

    def commit(self) -> None:
        self._run("COMMIT")

    def close(self) -> None:
        self._connection.close()

    def _run(self, sql: str, query: Query | None = None) -> sqlite3.Cursor:
        from dragoman.databases.access.sqlite.values import bound

        try:
            return self._connection.execute(sql, [bound(each) for each in query.parameters] if query else ())
        except sqlite3.Error as error:
            raise _sqlite_refusal(error) from error


def _sqlite_refusal(error: sqlite3.Error) -> DragomanError:
    text = said(error)
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if isinstance(error, sqlite3.IntegrityError) or code == sqlite3.SQLITE_MISMATCH:
        return ConstraintBroken(f"SQLite refused the change: {text}", hint=_CHECK)
    if "no such table" in text:
        return TableMissing(f"SQLite: {text}", hint="run dragoman discover, and compare with the pack")
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return DatabaseBusy("somebody else writes to the database", hint=_AGAIN)
    return WriteFailed(f"SQLite refused the change: {text}", hint=_UNCHANGED)


class _Duckdb:
    dialect = Dialect.DUCKDB

    def __init__(self, target: DuckdbTarget) -> None:
        import duckdb

        if not target.path.exists():
            raise DatabaseNotFound(f"there is no file {target.path}", hint="check the path of the connection")
        self._errors = duckdb
        try:
            self._connection = duckdb.connect(
                str(target.path),
                config={
                    "threads": 1,
                    "enable_external_access": "false",
                    "autoinstall_known_extensions": "false",
                    "autoload_known_extensions": "false",
                    "python_enable_replacements": "false",
                },
            )
        except duckdb.Error as error:
            if isinstance(error, duckdb.IOException) and "lock" in str(error).lower():
                raise DatabaseBusy("another process has the DuckDB file open", hint=_AGAIN) from error
            raise WriteFailed(f"DuckDB cannot be opened: {said(error)}", hint="check the file") from error

    def begin(self) -> None:
        self._run(Query("BEGIN TRANSACTION"))

    def execute(self, query: Query) -> int:
        found = self._run(query)
        return int(found[0][0]) if found else 0

    def rows(self, query: Query) -> Rows:
        return self._run(query)

    def commit(self) -> None:
        self._run(Query("COMMIT"))

    def close(self) -> None:
        self._connection.close()

    def _run(self, query: Query) -> Rows:
        try:
            done = self._connection.execute(query.sql, list(query.parameters))
            return done.fetchall() if done.description else []
        except self._errors.Error as error:
            text = said(error)
            if isinstance(error, self._errors.ConstraintException | self._errors.ConversionException):
                raise ConstraintBroken(f"DuckDB refused the change: {text}", hint=_CHECK) from error
            if isinstance(error, self._errors.CatalogException):
                raise TableMissing(f"DuckDB: {text}", hint="compare the pack with the database") from error
            if isinstance(error, self._errors.TransactionException):
                raise DatabaseBusy(f"DuckDB: {text}", hint=_AGAIN) from error
            raise WriteFailed(f"DuckDB refused the change: {text}", hint=_UNCHANGED) from error


class _Postgres:
    dialect = Dialect.POSTGRES

    def __init__(self, target: PostgresTarget) -> None:
        from dragoman.databases.access.postgres.connection import connect

        self._target = target
        self._connection = connect(target)

    def begin(self) -> None:
        from psycopg import sql

        path = ", ".join(sql.Identifier(name).as_string() for name in (*self._target.schemas, "pg_temp"))
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

    def close(self) -> None:
        self._connection.close()

    def _run_query(self, query: Query) -> Any:
        from dragoman.databases.access.placeholders import numbered

        return self._run(numbered(query, self.dialect), query.parameters)

    def _run(self, sql: str, parameters: tuple[Any, ...] = ()) -> Any:
        import psycopg
        from psycopg import errors as pg

        try:
            cursor = psycopg.RawCursor(self._connection)
            return cursor.execute(sql.encode(), parameters or None)
        except psycopg.Error as error:
            text = said(error.diag.message_primary or error, self._target.password)
            match error:
                case psycopg.IntegrityError() | psycopg.DataError():
                    refusal: DragomanError = ConstraintBroken(
                        f"PostgreSQL refused the change: {text}", hint=_CHECK
                    )
                case pg.UndefinedTable():
                    refusal = TableMissing(f"PostgreSQL: {text}", hint="compare the pack with the database")
                case pg.LockNotAvailable() | pg.DeadlockDetected() | pg.QueryCanceled():
                    refusal = DatabaseBusy(f"PostgreSQL: {text}", hint=_AGAIN)
                case psycopg.OperationalError() if self._connection.closed or error.sqlstate is None:
                    refusal = ConnectionRefused(f"PostgreSQL ended the connection: {text}", hint=_AGAIN)
                case _:
                    refusal = WriteFailed(
                        f"PostgreSQL refused the change: {text}", hint="nothing was changed"
                    )
            raise refusal from error


_BROKEN = frozenset(
    {1048, 1062, 1169, 1216, 1217, 1264, 1265, 1292, 1364, 1366, 1406, 1451, 1452, 1557, 4025}
)
_NO_TABLE = frozenset({1146, 1051})
_WAITED = frozenset({1205, 1213, 1969, 3024})
_MATCHED = re.compile(rb"Rows matched: (\d+)")
_LOST = frozenset({2006, 2013, 2014, 2055, 0})


class _Mysql:
    dialect = Dialect.MYSQL

    def __init__(self, target: MysqlTarget) -> None:
        from dragoman.databases.access.mysql.connection import connect

        self._target = target
        self._connection: Any = connect(target, 6 * LOCK_SECONDS)

    def begin(self) -> None:
        from dragoman.databases.access.mysql.connection import MODE

        self._run(
            f"SET SESSION sql_mode = '{MODE}', time_zone = '+00:00', lock_wait_timeout = {LOCK_SECONDS}, "
            f"innodb_lock_wait_timeout = {LOCK_SECONDS}"
        )
        self._run("START TRANSACTION READ WRITE")

    def execute(self, query: Query) -> int:
        from dragoman.databases.access.mysql.literals import with_values

        with self._run(with_values(query)) as cursor:
            return self._matched(int(cursor.rowcount))

    def rows(self, query: Query) -> Rows:
        from dragoman.databases.access.mysql.literals import with_values

        with self._run(with_values(query)) as cursor:
            return [tuple(_decoded(cell) for cell in row) for row in cursor.fetchall()]

    def _matched(self, changed: int) -> int:
        """How many rows were meant. The server counts those an UPDATE left as they were only in words."""
        told = getattr(getattr(self._connection, "_result", None), "message", b"") or b""
        matched = _MATCHED.search(told if isinstance(told, bytes) else str(told).encode())
        return int(matched[1]) if matched else changed

    def commit(self) -> None:
        self._run("COMMIT").close()

    def close(self) -> None:
        self._connection.close()

    def _run(self, sql: str) -> Any:
        import pymysql

        try:
            cursor = self._connection.cursor()
            cursor.execute(sql)
            return cursor
        except pymysql.err.MySQLError as error:
            code = error.args[0] if error.args else 0
            text = said(error.args[1] if len(error.args) > 1 else error, self._target.password)
            if code in _BROKEN or isinstance(error, pymysql.err.IntegrityError):
                raise ConstraintBroken(f"MariaDB refused the change: {text}", hint=_CHECK) from error
            if code in _NO_TABLE:
                raise TableMissing(f"MariaDB: {text}", hint="compare the pack with the database") from error
            if code in _WAITED:
                raise DatabaseBusy(f"MariaDB: {text}", hint=_AGAIN) from error
            if code in _LOST:
                raise ConnectionRefused(f"MariaDB ended the connection: {text}", hint=_AGAIN) from error
            raise WriteFailed(f"MariaDB refused the change: {text}", hint=_UNCHANGED) from error


def _decoded(cell: object) -> object:
    return cell.decode() if isinstance(cell, bytes) else cell
