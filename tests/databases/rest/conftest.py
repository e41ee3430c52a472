"""A project over a fresh PostgreSQL, and both ways to read it."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import psycopg
import pytest

from dragoman.contracts.query import ReadLimits
from dragoman.databases.access import DatabaseReader, open_reader
from dragoman.databases.families.supabase.rest_reader import RestReader
from dragoman.databases.families.supabase.target import RestTarget
from tests.databases.access.sources import postgres_source
from tests.databases.rest.kinds import KINDS
from tests.databases.rest.postgrest import KEY, Served, serving
from tests.servers import PostgresServer


@dataclass
class Project:
    served: Served
    url: str
    rest: RestReader
    direct: DatabaseReader

    def run(self, statements: str) -> None:
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute(statements.encode())


def rest_reader(served: Served, key: str = KEY, schemas: tuple[str, ...] = ("public",)) -> RestReader:
    reader = open_reader(RestTarget(served.url, key, schemas), ReadLimits())
    assert isinstance(reader, RestReader)
    return reader


@contextmanager
def opened(server: PostgresServer, url: str) -> Iterator[Project]:
    source = postgres_source(server, url)
    with (
        serving(url, ("public", "other")) as served,
        rest_reader(served, schemas=("public", "other")) as rest,
        source.reader() as direct,
    ):
        yield Project(served, url, rest, direct)


@pytest.fixture
def project(postgres_server: PostgresServer, postgres_database: str) -> Iterator[Project]:
    with opened(postgres_server, postgres_database) as project:
        yield project


@pytest.fixture(scope="module")
def shared_project(postgres_server: PostgresServer) -> Iterator[Project]:
    """A project of all types, which a module's tests only read."""
    with postgres_server.database() as url, opened(postgres_server, url) as project:
        project.run(KINDS)
        yield project


@pytest.fixture
def kinds(shared_project: Project) -> Iterator[Project]:
    """The shared project with its manners as they should be, and a reader that knows nothing yet."""
    served = shared_project.served
    shared_project.served.manners.requests.clear()
    kept = vars(served.manners).copy()
    with rest_reader(served, schemas=("public", "other")) as rest:
        yield Project(served, shared_project.url, rest, shared_project.direct)
    vars(served.manners).update(kept)
