"""One source of each family: a test that takes `source` runs over all four."""

from pathlib import Path

import pytest

from dragoman.contracts.schema import Dialect
from tests.databases.access.sources import (
    Source,
    duckdb_source,
    mariadb_source,
    postgres_source,
    sqlite_source,
)

DIALECTS = [
    pytest.param(Dialect.SQLITE, id="sqlite"),
    pytest.param(Dialect.DUCKDB, id="duckdb"),
    pytest.param(Dialect.POSTGRES, id="postgres", marks=pytest.mark.postgres),
    pytest.param(Dialect.MYSQL, id="mariadb", marks=pytest.mark.mariadb),
]


def source_of(dialect: Dialect, request: pytest.FixtureRequest, folder: Path) -> Source:
    match dialect:
        case Dialect.SQLITE:
            return sqlite_source(folder)
        case Dialect.DUCKDB:
            return duckdb_source(folder)
        case Dialect.POSTGRES:
            server = request.getfixturevalue("postgres_server")
            return postgres_source(server, request.getfixturevalue("postgres_database"))
        case Dialect.MYSQL:
            server = request.getfixturevalue("mariadb_server")
            return mariadb_source(server, request.getfixturevalue("mariadb_database"))


@pytest.fixture(params=DIALECTS)
def source(request: pytest.FixtureRequest, tmp_path: Path) -> Source:
    return source_of(request.param, request, tmp_path)


@pytest.fixture
def sqlite_data(tmp_path: Path) -> Source:
    return sqlite_source(tmp_path)


@pytest.fixture
def duckdb_data(tmp_path: Path) -> Source:
    return duckdb_source(tmp_path)


@pytest.fixture
def postgres_data(request: pytest.FixtureRequest, postgres_database: str) -> Source:
    return postgres_source(request.getfixturevalue("postgres_server"), postgres_database)


@pytest.fixture
def mariadb_data(request: pytest.FixtureRequest, mariadb_database: str) -> Source:
    return mariadb_source(request.getfixturevalue("mariadb_server"), mariadb_database)
