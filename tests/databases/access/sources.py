"""A source of each family that a test may fill as it likes, and what a reader opens of it."""

import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import duckdb
import psycopg
import pymysql
from pymysql.constants import CLIENT

from dragoman.contracts.query import Query, ReadLimits, ResultSet
from dragoman.contracts.schema import Dialect
from dragoman.databases.access import DatabaseReader, Target, open_reader
from dragoman.databases.families.duckdb.target import DuckdbTarget
from dragoman.databases.families.mysql.target import MysqlTarget
from dragoman.databases.families.postgres.target import PostgresTarget
from dragoman.databases.families.sqlite.target import SqliteTarget
from tests.servers import MariadbServer, PostgresServer


@dataclass(frozen=True)
class Source:
    dialect: Dialect
    target: Target
    run: Callable[[str], None]
    """Runs statements with all rights, past the reader."""

    def reader(self, limits: ReadLimits | None = None) -> DatabaseReader:
        return open_reader(self.target, limits)

    def read(self, sql: str, *parameters: object, user_sql: bool = False) -> ResultSet:
        with self.reader() as reader:
            return reader.read(Query(sql, parameters), user_sql=user_sql)  # type: ignore[arg-type]


def sqlite_source(folder: Path) -> Source:
    path = folder / "data ?#%25.sqlite"
    sqlite3.connect(path).close()
    path.touch()

    def run(statements: str) -> None:
        connection = sqlite3.connect(path)
        connection.executescript(statements)
        connection.commit()
        connection.close()

    return Source(Dialect.SQLITE, SqliteTarget(path), run)


def duckdb_source(folder: Path) -> Source:
    path = folder / "data ?#'.duckdb"

    def run(statements: str) -> None:
        with duckdb.connect(str(path)) as connection:
            connection.execute("SET TimeZone = 'UTC'")
            connection.execute(statements)

    run("SELECT 1")
    return Source(Dialect.DUCKDB, DuckdbTarget(path), run)


def postgres_source(server: PostgresServer, url: str) -> Source:
    target = PostgresTarget(
        server.host, server.user, url.rpartition("/")[2], password=server.password, port=server.port
    )

    def run(statements: str) -> None:
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(statements.encode())

    return Source(Dialect.POSTGRES, target, run)


def mariadb_source(server: MariadbServer, database: str) -> Source:
    target = MysqlTarget(server.host, server.user, database, password=server.password, port=server.port)

    def run(statements: str) -> None:
        connection = pymysql.connect(
            host=server.host,
            port=server.port,
            user=server.user,
            password=server.password,
            database=database,
            charset="utf8mb4",
            autocommit=True,
            client_flag=CLIENT.MULTI_STATEMENTS,
        )
        with connection, connection.cursor() as cursor:
            cursor.execute(f"SET sql_mode = ''; {statements}")
            while cursor.nextset():
                pass

    return Source(Dialect.MYSQL, target, run)
