"""An outfitter's database, discovered and read as any other."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

from dragoman.contracts.program import Program
from dragoman.databases.access import open_reader
from dragoman.databases.discovery import discover
from dragoman.databases.families.sqlite.target import SqliteTarget
from dragoman.databases.values import ValueIndex, read_values
from dragoman.language.source import Source
from dragoman.language.verbs.verb_reader import read_verbs
from dragoman.review import Carried, Review, review
from dragoman.tables.catalog import TableCatalog, table_catalog
from dragoman.tables.graph import Graph

SCRIPT = (Path(__file__).parent / "outfitter.sql").read_text(encoding="utf-8")


class Outfitter(NamedTuple):
    graph: Graph
    tables: TableCatalog
    values: ValueIndex

    def program(self, text: str) -> Program:
        """A program that the compiler has nothing against."""
        statements = read_verbs(Source(text)).statements
        assert statements
        for statement in statements:
            assert self.tables.findings(statement) == ()
        return statements

    def review(
        self, message: str, program: str, carried: Carried | None = None, language: str = "en"
    ) -> Review:
        said = Carried() if carried is None else carried
        return review(message, language, self.program(program), self.graph, said, self.values)


Codes = Callable[[str, str], set[str]]


@pytest.fixture(scope="session")
def outfitter(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Outfitter]:
    with opened(tmp_path_factory.mktemp("outfitter") / "outfitter.sqlite", SCRIPT) as found:
        yield found


@contextmanager
def opened(path: Path, script: str) -> Iterator[Outfitter]:
    """A database made by a script."""
    with sqlite3.connect(path) as connection:
        connection.executescript(script)
    reader = open_reader(SqliteTarget(path))
    schema = discover(reader, "sqlite")
    yield Outfitter(Graph(schema), table_catalog(schema), read_values(reader, schema))
    reader.close()


@pytest.fixture(scope="session")
def codes(outfitter: Outfitter) -> Codes:
    """The codes of the objections to a program as the answer to a message."""
    return lambda message, program: {str(each.code) for each in outfitter.review(message, program).objections}
