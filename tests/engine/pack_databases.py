"""The demo of the funds pack in each of four real databases, as something to write to."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import duckdb
import psycopg
import pymysql
import pytest

from dragoman.contracts.query import Query
from dragoman.contracts.schema import DatabaseSchema, Dialect
from dragoman.databases.access import Target, open_reader
from dragoman.databases.discovery import discover
from dragoman.databases.families.duckdb.target import DuckdbTarget
from dragoman.databases.families.mysql.target import MysqlTarget
from dragoman.databases.families.postgres.target import PostgresTarget
from dragoman.databases.families.sqlite.target import SqliteTarget
from dragoman.packs.demo import demo_script
from dragoman.packs.pack_files import load_shipped

FUNDS = load_shipped("funds")
FAMILY = {
    Dialect.SQLITE: "sqlite",
    Dialect.DUCKDB: "duckdb",
    Dialect.MYSQL: "mysql",
    Dialect.POSTGRES: "postgres",
}
DIALECTS = (
    Dialect.SQLITE,
    Dialect.DUCKDB,
    pytest.param(Dialect.MYSQL, marks=pytest.mark.mariadb),
    pytest.param(Dialect.POSTGRES, marks=pytest.mark.postgres),
)


@dataclass(frozen=True)
class Database:
    target: Target
    schema: DatabaseSchema
    run: Callable[[str], None]
    """Any SQL, as its administrator runs it."""

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        with open_reader(self.target) as reader:
            return [tuple(row) for row in reader.read(Query(sql)).rows]


@contextmanager
def database(dialect: Dialect, folder: Path, request: pytest.FixtureRequest) -> Iterator[Database]:
    script = demo_script(FUNDS)
    match dialect:
        case Dialect.SQLITE:
            path = folder / "funds.sqlite"

            def run(sql: str) -> None:
                with closing(sqlite3.connect(path)) as connection:
                    connection.executescript(sql)

            run(script)
            yield _database(SqliteTarget(path), dialect, run)
        case Dialect.DUCKDB:
            path = folder / "funds.duckdb"

            def run(sql: str) -> None:
                with closing(duckdb.connect(str(path))) as connection:
                    connection.execute(sql)

            run(script)
            yield _database(DuckdbTarget(path), dialect, run)
        case Dialect.MYSQL:
            server = request.getfixturevalue("mariadb_server")
            with server.database() as name:
                server.query(script, name)
                target = MysqlTarget(server.host, server.user, name, server.password, server.port)

                def run(sql: str) -> None:
                    server.query(sql, name)

                yield _database(target, dialect, run)
        case Dialect.POSTGRES:
            server = request.getfixturevalue("postgres_server")
            with server.database() as url:

                def run(sql: str) -> None:
                    with psycopg.connect(url, autocommit=True) as connection:
                        connection.execute(sql.encode())

                run(script)
                name = urlsplit(url).path.lstrip("/")
                place = PostgresTarget(server.host, server.user, name, server.password, server.port)
                yield _database(place, dialect, run)


def _database(target: Target, dialect: Dialect, run: Callable[[str], None]) -> Database:
    with open_reader(target) as reader:
        return Database(target, discover(reader, FAMILY[dialect]), run)


def mysql_connection(target: MysqlTarget) -> "pymysql.Connection[Any]":
    return pymysql.connect(
        host=target.host,
        port=target.port,
        user=target.user,
        password=target.password,
        database=target.database,
        autocommit=False,
    )
