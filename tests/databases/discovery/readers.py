"""Thin readers over the drivers: what discovery asks of a database, and nothing else."""

import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import duckdb
import psycopg
import pymysql

from dragoman.contracts.errors import RunFailed
from dragoman.contracts.query import Query, ReadLimits, ResultColumn, ResultSet
from dragoman.contracts.schema import Dialect, ValueType

FAILURES = (sqlite3.Error, duckdb.Error, pymysql.Error, psycopg.Error)
STEPS = 10_000


class QueryTimeout(RunFailed):
    code = "query_timeout"


class DriverReader:
    """Reads through a DB-API connection. Counts its queries, so that tests can say how few there are."""

    def __init__(self, dialect: Dialect, connection: Any) -> None:
        self._dialect = dialect
        self._connection = connection
        self.queries: list[str] = []

    @property
    def dialect(self) -> Dialect:
        return self._dialect

    def close(self) -> None:
        self._connection.close()

    def read(self, query: Query, limits: ReadLimits | None = None) -> ResultSet:
        bounds = limits or ReadLimits()
        self.queries.append(query.sql)
        cursor = self._connection.cursor()
        end = time.monotonic() + bounds.seconds
        if isinstance(self._connection, sqlite3.Connection):
            self._connection.set_progress_handler(lambda: time.monotonic() > end, STEPS)
        try:
            if query.parameters:
                cursor.execute(self._marked(query.sql), query.parameters)
            else:
                cursor.execute(query.sql)
            rows = cursor.fetchmany(bounds.rows + 1)
        except FAILURES as error:
            kind = QueryTimeout if time.monotonic() > end else RunFailed
            raise kind(str(error)) from error
        finally:
            cursor.close()
        names = [ResultColumn(each[0], ValueType.OTHER) for each in cursor.description or ()]
        return ResultSet(tuple(names), [tuple(row) for row in rows[: bounds.rows]], len(rows) > bounds.rows)

    def _marked(self, sql: str) -> str:
        if self._dialect in (Dialect.SQLITE, Dialect.DUCKDB):
            return sql
        return sql.replace("%", "%%").replace("?", "%s")


def run(connection: Any, statements: Sequence[str]) -> None:
    cursor = connection.cursor()
    for statement in statements:
        cursor.execute(statement)
    cursor.close()


@contextmanager
def sqlite_reader(path: Path, statements: Sequence[str] = ()) -> Iterator[DriverReader]:
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        run(connection, ("PRAGMA synchronous = OFF", *statements) if statements else ())
        yield DriverReader(Dialect.SQLITE, connection)
    finally:
        connection.close()


@contextmanager
def duckdb_reader(path: Path, statements: Sequence[str] = ()) -> Iterator[DriverReader]:
    connection = duckdb.connect(str(path))
    try:
        run(connection, statements)
        yield DriverReader(Dialect.DUCKDB, connection)
    finally:
        connection.close()


@contextmanager
def mysql_reader(url: str, statements: Sequence[str] = ()) -> Iterator[DriverReader]:
    parts = urlsplit(url)
    connection = pymysql.connect(
        host=parts.hostname,
        port=parts.port or 3306,
        user=parts.username,
        password=parts.password or "",
        database=parts.path.lstrip("/"),
        autocommit=True,
    )
    try:
        run(connection, statements)
        yield DriverReader(Dialect.MYSQL, connection)
    finally:
        if connection.open:
            connection.close()


@contextmanager
def postgres_reader(url: str, statements: Sequence[str] = ()) -> Iterator[DriverReader]:
    with psycopg.connect(url, autocommit=True) as connection:
        run(connection, statements)
        yield DriverReader(Dialect.POSTGRES, connection)
