"""Four real databases with one face, as thin as can be, to run a pack's SQL on."""

import datetime as dt
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

import duckdb
import psycopg
import pymysql
import pytest
from sqlglot import exp

from dragoman.contracts.pack import PackColumn, PackVerb
from dragoman.contracts.query import Query, Value
from dragoman.contracts.schema import Dialect, ValueType
from dragoman.packs.queries import parsed, query_of, query_of_tree
from tests.servers import MariadbServer, PostgresServer

Rows = list[tuple[Any, ...]]


@dataclass(frozen=True)
class Engine:
    """A database with some data. `run` takes SQL with `?` for its parameters."""

    dialect: Dialect
    run: Callable[[str, tuple[Any, ...]], Rows]
    change: Callable[[str, tuple[Any, ...]], object]

    def rows(self, verb: PackVerb, written: Dialect, values: dict[str, Value]) -> Rows:
        """The rows of a read verb, as its columns say."""
        return self.rows_of(verb, parsed(verb.sql, written), values)

    def rows_of(self, verb: PackVerb, tree: exp.Expr, values: dict[str, Value]) -> Rows:
        """The same, from a tree that takes the place of the verb's own."""
        query = query_of_tree(tree, self.dialect, values)
        found = self.run(query.sql, query.parameters)
        return [
            tuple(cell(value, column) for value, column in zip(row, verb.columns, strict=True))
            for row in found
        ]

    def write(self, verb: PackVerb, written: Dialect, values: dict[str, Value]) -> Query:
        query = query_of(verb.sql, written, self.dialect, values)
        self.change(query.sql, query.parameters)
        return query


def cell(value: Any, column: PackColumn) -> Any:
    """A value as its column declares it: exact, or the test fails here."""
    if value is None:
        return None
    if column.scale is not None:
        return Decimal(_whole(value)).scaleb(-column.scale)
    match column.type:
        case ValueType.INTEGER:
            return _whole(value)
        case ValueType.DATE:
            return dt.date.fromisoformat(value) if isinstance(value, str) else value
        case _:
            assert isinstance(value, str), (column, value)
            return value


def _whole(value: Any) -> int:
    assert not isinstance(value, float), value
    assert int(value) == value, value
    return int(value)


def _sqlite(script: str, folder: Path) -> Iterator[Engine]:
    def bound(parameters: tuple[Any, ...]) -> list[Any]:
        return [value.isoformat() if isinstance(value, dt.date) else value for value in parameters]

    with closing(sqlite3.connect(folder / "pack.db", isolation_level=None)) as connection:
        connection.executescript(script)

        def run(sql: str, parameters: tuple[Any, ...]) -> Rows:
            return connection.execute(sql, bound(parameters)).fetchall()

        yield Engine(Dialect.SQLITE, run, run)


def _duckdb(script: str) -> Iterator[Engine]:
    with closing(duckdb.connect(config={"threads": 1})) as connection:
        connection.execute(script)

        def run(sql: str, parameters: tuple[Any, ...]) -> Rows:
            return connection.execute(sql, list(parameters)).fetchall()

        yield Engine(Dialect.DUCKDB, run, run)


def _mariadb(script: str, server: MariadbServer) -> Iterator[Engine]:
    with server.database() as name:
        server.query(script, name)
        connection = pymysql.connect(
            host=server.host,
            port=server.port,
            user=server.user,
            password=server.password,
            database=name,
            charset="utf8mb4",
            autocommit=True,
        )
        with closing(connection), connection.cursor() as cursor:

            def run(sql: str, parameters: tuple[Any, ...]) -> Rows:
                cursor.execute(_formatted(sql), parameters)
                return list(cursor.fetchall())

            yield Engine(Dialect.MYSQL, run, run)


def _postgres(script: str, server: PostgresServer) -> Iterator[Engine]:
    with server.database() as url, psycopg.connect(url, autocommit=True) as connection:
        connection.execute(script.encode())

        def run(sql: str, parameters: tuple[Any, ...]) -> Rows:
            return connection.execute(_formatted(sql).encode(), parameters).fetchall()

        def change(sql: str, parameters: tuple[Any, ...]) -> None:
            connection.execute(_formatted(sql).encode(), parameters)

        yield Engine(Dialect.POSTGRES, run, change)


def _formatted(sql: str) -> str:
    return sql.replace("%", "%%").replace("?", "%s")


def opened(
    dialect: Dialect, script: str, folder: Path, request: pytest.FixtureRequest
) -> AbstractContextManager[Engine]:
    """A database of one family with the data of a script. A server is started when it is first needed."""
    match dialect:
        case Dialect.SQLITE:
            engine = _sqlite(script, folder)
        case Dialect.DUCKDB:
            engine = _duckdb(script)
        case Dialect.MYSQL:
            engine = _mariadb(script, request.getfixturevalue("mariadb_server"))
        case Dialect.POSTGRES:
            engine = _postgres(script, request.getfixturevalue("postgres_server"))

    @contextmanager
    def open_engine() -> Iterator[Engine]:
        yield from engine

    return open_engine()


FAMILIES: Final = (
    Dialect.SQLITE,
    Dialect.DUCKDB,
    pytest.param(Dialect.MYSQL, marks=pytest.mark.mariadb),
    pytest.param(Dialect.POSTGRES, marks=pytest.mark.postgres),
)
OTHERS: Final = FAMILIES[1:]
