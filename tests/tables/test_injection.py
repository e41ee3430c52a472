"""Whatever a table, a column or a value is called, it stays a name or a value."""

from typing import Final

import pytest

from dragoman.contracts.program import Argument, Entry, Map, Sequence, Statement, Text
from dragoman.contracts.schema import (
    ColumnInfo,
    DatabaseSchema,
    Dialect,
    TableInfo,
    TableKind,
    ValueType,
)
from dragoman.tables import CompiledRead, TableVerb, table_catalog
from tests.tables.engines import Engine, fill, quoted, rows_of
from tests.tables.shop import NATIVE, ORDERS
from tests.tables.test_engines import engine

__all__ = ["engine"]

HOSTILE: Final = [
    '\'; DROP TABLE "order"; --',
    '"; DROP TABLE "order"; --',
    "`; DROP TABLE `order`; --",
    "' OR '1'='1",
    "\\' OR 1=1 --",
    "\\",
    "\\\\",
    "%",
    "_",
    "!",
    "!%",
    "?",
    "%s",
    "%(dragoman_0_value_0)s",
    ":dragoman_0_value_0",
    "$dragoman_0_value_0",
    "$1",
    "@@version",
    "{x}",
    "--",
    "/* */",
    "#",
    ";",
    "a\nb",
    "a\tb",
    "\u202e",
    "select",
    "NULL",
    "é",
    "Ж",
    "가",
    "a" * 60,
]


def _info(name: str, column: str, dialect: Dialect) -> TableInfo:
    native = NATIVE[dialect][ValueType.TEXT]
    return TableInfo(name, TableKind.TABLE, (ColumnInfo(column, ValueType.TEXT, native),))


def _rows(engine: Engine, info: TableInfo, *arguments: Argument) -> list[str | None]:
    dialect = engine.dialect
    catalog = table_catalog(DatabaseSchema(dialect.value, dialect, (info,), "x"))
    verb = catalog.verb_name_of(info, TableVerb.LIST)
    assert verb
    compiled = catalog.compile(Statement(verb, arguments), dialect)
    assert isinstance(compiled, CompiledRead), compiled
    return [row[0] for row in rows_of(engine, compiled)]  # type: ignore[misc]


def _unharmed(engine: Engine) -> bool:
    return engine.execute(f"SELECT COUNT(*) FROM {quoted(ORDERS, engine.dialect)}") == [(7,)]


def test_values(engine: Engine) -> None:
    info = _info("hostile values", "said", engine.dialect)
    fill(engine, info.name, {"said": ValueType.TEXT}, (), [(value,) for value in HOSTILE])
    for value in HOSTILE:
        assert _rows(engine, info, Argument("said", Text(value))) == [value]
        pair = Sequence((Text(value), Text("nothing")))
        assert _rows(engine, info, Argument("said", pair)) == [value]
        for place in ("contains", "starts", "ends"):
            found = _rows(engine, info, Argument("said", Map((Entry(place, Text(value)),))))
            whole = value.lower()
            holds = {"contains": str.__contains__, "starts": str.startswith, "ends": str.endswith}[place]
            assert found == sorted(each for each in HOSTILE if holds(each.lower(), whole))
        rest = _rows(engine, info, Argument("said", Map((Entry("not", Text(value)),))))
        assert rest == sorted(each for each in HOSTILE if each != value)
    assert _unharmed(engine)


@pytest.mark.parametrize("name", HOSTILE)
def test_names(engine: Engine, name: str) -> None:
    info = _info(f"t {name}", name, engine.dialect)
    fill(engine, info.name, {name: ValueType.TEXT}, (), [(name,), ("other",), (None,)])
    dialect = engine.dialect
    catalog = table_catalog(DatabaseSchema(dialect.value, dialect, (info,), "x"))
    column = catalog.column_name_of(info, name)
    assert column
    assert _rows(engine, info) == [*sorted([name, "other"]), None]
    assert _rows(engine, info, Argument(column, Text(name))) == [name]
    verb = catalog.verb_name_of(info, TableVerb.COUNT)
    assert verb
    grouped = catalog.compile(Statement(verb, (Argument("by", Text(column)),)), dialect)
    assert isinstance(grouped, CompiledRead)
    assert rows_of(engine, grouped) == [*((each, 1) for each in sorted([name, "other"])), (None, 1)]
    assert grouped.columns[0].name == name
    assert _unharmed(engine)


@pytest.mark.parametrize("path", HOSTILE)
def test_paths_that_are_no_names(path: str) -> None:
    info = _info("t", "c", Dialect.SQLITE)
    catalog = table_catalog(DatabaseSchema("sqlite", Dialect.SQLITE, (info,), "x"))
    for name in ("by", "of", "order", "on"):
        found = catalog.compile(Statement("t.count", (Argument(name, Text(path)),)), Dialect.SQLITE)
        assert not isinstance(found, CompiledRead)
        assert all("\n" not in each.message for each in found)
