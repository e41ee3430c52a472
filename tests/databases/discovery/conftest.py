"""The shop in each of the four databases."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

import pytest

from dragoman.contracts.schema import Dialect
from tests.databases.discovery.readers import (
    DriverReader,
    duckdb_reader,
    mysql_reader,
    postgres_reader,
    sqlite_reader,
)
from tests.servers import MariadbServer

FAMILY = {
    Dialect.SQLITE: "sqlite",
    Dialect.DUCKDB: "duckdb",
    Dialect.MYSQL: "mysql",
    Dialect.POSTGRES: "postgres",
}

Opener = Callable[[Sequence[str]], DriverReader]


# The servers are asked for while the test runs, so the marks that say who needs them are set here.
MARKS = {Dialect.MYSQL: [pytest.mark.mariadb], Dialect.POSTGRES: [pytest.mark.postgres]}


@pytest.fixture(params=[pytest.param(each, marks=MARKS.get(each, [])) for each in Dialect])
def dialect(request: pytest.FixtureRequest) -> Dialect:
    found: Dialect = request.param
    return found


@pytest.fixture
def opened(dialect: Dialect, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Opener]:
    """Makes a reader of a fresh database in which statements were run."""
    with ExitStack() as stack:

        def open_with(statements: Sequence[str]) -> DriverReader:
            match dialect:
                case Dialect.SQLITE:
                    return stack.enter_context(sqlite_reader(tmp_path / "shop.sqlite", statements))
                case Dialect.DUCKDB:
                    return stack.enter_context(duckdb_reader(tmp_path / "shop.duckdb", statements))
                case Dialect.MYSQL:
                    server: MariadbServer = request.getfixturevalue("mariadb_server")
                    url = server.url_of(request.getfixturevalue("mariadb_database"))
                    return stack.enter_context(mysql_reader(url, statements))
                case Dialect.POSTGRES:
                    url = request.getfixturevalue("postgres_database")
                    return stack.enter_context(postgres_reader(url, statements))

        yield open_with
