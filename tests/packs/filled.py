"""A database of any family with the data of a script, by its URL."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import duckdb
import psycopg
import pytest

from dragoman.contracts.schema import Dialect
from tests.servers import MariadbServer, PostgresServer


@contextmanager
def filled_database(
    dialect: Dialect, script: str, folder: Path, request: pytest.FixtureRequest
) -> Iterator[str]:
    """Files stand in `folder`; a server is started when it is first needed."""
    match dialect:
        case Dialect.SQLITE:
            with closing(sqlite3.connect(folder / "shop.sqlite")) as connection:
                connection.executescript(script)
            yield str(folder / "shop.sqlite")
        case Dialect.DUCKDB:
            with closing(duckdb.connect(str(folder / "shop.duckdb"))) as filled:
                filled.execute(script)
            yield str(folder / "shop.duckdb")
        case Dialect.MYSQL:
            mariadb: MariadbServer = request.getfixturevalue("mariadb_server")
            with mariadb.database() as name:
                mariadb.query(script, name)
                yield mariadb.url_of(name)
        case Dialect.POSTGRES:
            postgres: PostgresServer = request.getfixturevalue("postgres_server")
            with postgres.database() as url:
                with psycopg.connect(url, autocommit=True) as filler:
                    filler.execute(script.encode())
                yield url
