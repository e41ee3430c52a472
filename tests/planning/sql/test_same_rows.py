"""Random SELECTs: what the verbs say gives the rows of the query itself, on every engine."""

import datetime as dt
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation
from typing import Any, Final

import pytest
import sqlglot

from dragoman.contracts.connection import ConnectionSpec
from dragoman.contracts.schema import Dialect
from dragoman.language.verbs.printer import print_line
from dragoman.planning.sql.recognition import Place
from dragoman.planning.sql.same_rows import same_rows
from dragoman.planning.sql.typed_query import TypedQuery
from dragoman.planning.sql.unsaid import Unsaid
from dragoman.planning.sql.verb_program import Said, translated
from dragoman.tables import CompiledRead, TableCatalog, table_catalog
from tests.conftest import LONG
from tests.planning.sql.queries import Queries
from tests.planning.sql.store import filled, schema
from tests.servers import MariadbServer, PostgresServer
from tests.tables.engines import Duckdb, Engine, Mariadb, Postgres, Sqlite
from tests.tables.test_engines import ENGINES

MANY: Final = 5_000 if LONG else 250
CATALOGS: Final[dict[Dialect, TableCatalog]] = {each: table_catalog(schema(each)) for each in Dialect}
LEAST: Final = {Dialect.SQLITE: 0.4, Dialect.DUCKDB: 0.6, Dialect.MYSQL: 0.35, Dialect.POSTGRES: 0.4}
"""How many of the queries are said with verbs at least: a test of nothing proves nothing."""

Row = tuple[Any, ...]


@pytest.fixture(scope="module", params=ENGINES)
def engine(request: pytest.FixtureRequest) -> Iterator[Engine]:
    match request.param:
        case "sqlite":
            yield filled(Sqlite())
        case "duckdb":
            yield filled(Duckdb())
        case "mariadb":
            server: MariadbServer = request.getfixturevalue("mariadb_server")
            with server.database() as name:
                yield filled(Mariadb(server, name))
        case _:
            postgres: PostgresServer = request.getfixturevalue("postgres_server")
            with postgres.database() as url:
                yield filled(Postgres(url))


def test_verbs_give_the_rows_of_the_query(engine: Engine) -> None:
    queries, found = Queries(1, engine.dialect), Counter[str]()
    for _ in range(MANY):
        found[_compared(queries.query(), engine)] += 1
    told = found["sure"] + found["doubted"]
    assert told >= LEAST[engine.dialect] * MANY, found
    assert found["sure"], found


def _compared(query: str, engine: Engine) -> str:
    """What became of a query: not said, said for any data, or said where its rows are the same."""
    dialect = engine.dialect
    try:
        theirs = [tuple(map(_cell, row)) for row in engine.execute(query)]
    except Exception:  # noqa: BLE001 - the drivers have no error in common
        return "refused"
    place = Place(ConnectionSpec("store"), schema(dialect))
    typed = TypedQuery(place, query, sqlglot.parse_one(query, read=dialect.value))
    try:
        said = translated(typed, CATALOGS[dialect])
    except Unsaid:
        return "unsaid"
    compiled = CATALOGS[dialect].compile(said.statement, dialect)
    assert isinstance(compiled, CompiledRead)
    ours = [tuple(map(_cell, row)) for row in engine.execute(compiled.query.sql, compiled.query.parameters)]
    same = _same(theirs, ours, said)
    if not said.doubted:
        assert same, (query, print_line((said.statement,)), theirs, ours)
        return "sure"
    places = [said.shown.index(key) for key in said.sorted_by if key in said.shown]
    order = places if len(places) == len(said.sorted_by) else None
    taken = same_rows([_text(row) for row in theirs], [_text(row) for row in ours], order)
    # What is taken for the same is the same.
    assert same or not taken, (query, print_line((said.statement,)), theirs, ours)
    return "doubted" if taken else "other"


def _same(theirs: list[Row], ours: list[Row], said: Said) -> bool:
    """The same rows, and in the same order by what they are sorted by, as far as that is shown."""
    if Counter(theirs) != Counter(ours):
        return False
    places = [said.shown.index(key) for key in said.sorted_by if key in said.shown]
    if len(places) < len(said.sorted_by):
        return True
    return [[row[at] for at in places] for row in theirs] == [[row[at] for at in places] for row in ours]


def _cell(value: Any) -> Any:
    """A value however its driver gives it: numbers to six places, dates as text."""
    match value:
        case None | bytes():
            return value
        case bool():
            return Decimal(int(value))
        case dt.datetime():
            return value.isoformat(" ")
        case dt.date():
            return value.isoformat()
        case str() if not _is_number(value):
            return value.replace("T", " ") if value[:4].isdecimal() else value
        case _:
            return round(Decimal(str(value)), 6) + 0


def _is_number(text: str) -> bool:
    try:
        return Decimal(text).is_finite()
    except InvalidOperation:
        return False


def _text(row: Row) -> tuple[Any, ...]:
    return tuple(str(cell) if isinstance(cell, Decimal) else cell for cell in row)
