"""A statement taken apart and written down again asks the same."""

import pytest

from dragoman.contracts.program import Statement
from dragoman.contracts.schema import Dialect
from dragoman.planning.tables.statement_parts import parts_of, statement_of
from dragoman.tables import CompiledRead, table_catalog
from dragoman.tables.graph import Graph
from tests.tables.engines import Sqlite, fill, rows_of
from tests.tables.shop import KEYS, ROWS, SHAPES, schema
from tests.tables.test_engines import cases, statement, written

SHOP = schema(Dialect.SQLITE)
CATALOG = table_catalog(SHOP)
GRAPH = Graph(SHOP)


@pytest.fixture(scope="module")
def shop() -> Sqlite:
    engine = Sqlite()
    for table, columns in SHAPES.items():
        fill(engine, table, columns, KEYS.get(table, ()), ROWS[table])
    return engine


def compiled(said: Statement) -> CompiledRead:
    found = CATALOG.compile(said, Dialect.SQLITE)
    assert isinstance(found, CompiledRead), found
    return found


@pytest.mark.parametrize(("text", "rows"), list(cases()))
def test_taken_apart_and_put_together(shop: Sqlite, text: str, rows: str) -> None:
    said = statement(text)
    parts = parts_of(GRAPH, said)
    assert parts is not None
    again = compiled(statement_of(parts))
    assert written(rows_of(shop, again)) == rows
    assert again.columns == compiled(said).columns


@pytest.mark.parametrize("text", ["(nothing.list)", "(order.fold)", '(order.list :columns "nothing")'])
def test_what_is_no_statement_of_a_table_has_no_parts(text: str) -> None:
    assert parts_of(GRAPH, statement(text)) is None
