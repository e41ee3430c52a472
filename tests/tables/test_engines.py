"""The same statements on SQLite, DuckDB, MariaDB and PostgreSQL give the same rows: those written down."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from dragoman.contracts.program import Statement
from dragoman.contracts.schema import Dialect
from dragoman.language.source import Source
from dragoman.language.types import fits
from dragoman.language.verbs.verb_reader import read_verbs
from dragoman.tables import CompiledRead, table_catalog
from tests.servers import MariadbServer, PostgresServer
from tests.tables.engines import Duckdb, Engine, Mariadb, Postgres, Row, Sqlite, fill, rows_of
from tests.tables.shop import KEYS, ROWS, SHAPES, schema

ENGINES: Final = [
    "sqlite",
    "duckdb",
    pytest.param("mariadb", marks=pytest.mark.mariadb),
    pytest.param("postgres", marks=pytest.mark.postgres),
]
CASES: Final = Path(__file__).parent / "statements.txt"


def statement(text: str) -> Statement:
    document = read_verbs(Source(text))
    assert not document.diagnostics, document.diagnostics
    (found,) = document.statements
    return found


def cases() -> Iterator[tuple[str, str]]:
    """A statement in brackets, and on the lines after it the rows it gives."""
    for chunk in CASES.read_text(encoding="utf-8").split("\n(")[1:]:
        first, _, rest = chunk.partition("\n")
        yield f"({first}", rest.rstrip("\n")


@pytest.fixture(scope="module", params=ENGINES)
def engine(request: pytest.FixtureRequest) -> Iterator[Engine]:
    match request.param:
        case "sqlite":
            yield _filled(Sqlite())
        case "duckdb":
            yield _filled(Duckdb())
        case "mariadb":
            server: MariadbServer = request.getfixturevalue("mariadb_server")
            with server.database() as name:
                yield _filled(Mariadb(server, name))
        case _:
            postgres: PostgresServer = request.getfixturevalue("postgres_server")
            with postgres.database() as url:
                yield _filled(Postgres(url))


def _filled(engine: Engine) -> Engine:
    for table, columns in SHAPES.items():
        fill(engine, table, columns, KEYS.get(table, ()), ROWS[table])
    return engine


def read(engine: Engine, text: str) -> tuple[CompiledRead, list[Row]]:
    compiled = table_catalog(schema(engine.dialect)).compile(statement(text), engine.dialect)
    assert isinstance(compiled, CompiledRead), compiled
    return compiled, rows_of(engine, compiled)


def written(rows: list[Row]) -> str:
    return "\n".join(
        "  " + " | ".join("nil" if value is None else str(value) for value in row) for row in rows
    )


@pytest.mark.parametrize(("text", "expected"), list(cases()), ids=[text for text, _ in cases()])
def test_every_engine_gives_these_rows(engine: Engine, text: str, expected: str) -> None:
    _, rows = read(engine, text)
    assert written(rows) == expected


@pytest.mark.parametrize("text", [text for text, _ in cases()])
def test_the_signature_lets_it_pass(text: str) -> None:
    """What compiles is what the language's own check of arguments lets through."""
    said = statement(text)
    signature = table_catalog(schema(Dialect.SQLITE)).signature(said.verb)
    assert signature is not None
    declared = {argument.name: argument for argument in signature.arguments}
    assert all(fits(argument.value, declared[argument.name].type) for argument in said.arguments)
    assert all(said.argument(name) for name, argument in declared.items() if argument.required)


def test_there_are_enough_cases() -> None:
    assert len(list(cases())) >= 100
