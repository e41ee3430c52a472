"""Columns of every type there is: listed, counted, gathered and filtered on every engine."""

from typing import Any, Final

import pytest

from dragoman.contracts.schema import (
    ColumnInfo,
    DatabaseSchema,
    Dialect,
    TableInfo,
    TableKind,
    ValueType,
)
from dragoman.tables import CompiledRead, table_catalog
from tests.tables.engines import Engine
from tests.tables.test_engines import engine, statement

__all__ = ["engine"]

T = ValueType
UUID: Final = "8a6e0804-2bd0-4672-b79d-d97027f9071a"
COLUMNS: Final[dict[str, tuple[ValueType, dict[Dialect, str]]]] = {
    "at": (
        T.TIME,
        {Dialect.SQLITE: "TIME", Dialect.DUCKDB: "TIME", Dialect.MYSQL: "time", Dialect.POSTGRES: "time"},
    ),
    "key": (
        T.UUID,
        {Dialect.SQLITE: "TEXT", Dialect.DUCKDB: "UUID", Dialect.MYSQL: "uuid", Dialect.POSTGRES: "uuid"},
    ),
    "doc": (
        T.JSON,
        {Dialect.SQLITE: "JSON", Dialect.DUCKDB: "JSON", Dialect.MYSQL: "json", Dialect.POSTGRES: "json"},
    ),
    "raw": (
        T.BYTES,
        {Dialect.SQLITE: "BLOB", Dialect.DUCKDB: "BLOB", Dialect.MYSQL: "blob", Dialect.POSTGRES: "bytea"},
    ),
    "mood": (
        T.TEXT,
        {
            Dialect.SQLITE: "TEXT",
            Dialect.DUCKDB: "ENUM('sad', 'Happy')",
            Dialect.MYSQL: "enum('sad', 'Happy')",
            Dialect.POSTGRES: "mood",
        },
    ),
    "old": (
        T.TEXT,
        {
            Dialect.SQLITE: "VARCHAR(5)",
            Dialect.DUCKDB: "VARCHAR",
            Dialect.MYSQL: "varchar(20) CHARACTER SET latin1",
            Dialect.POSTGRES: "varchar(20)",
        },
    ),
    "odd": (
        T.OTHER,
        {
            Dialect.SQLITE: "",
            Dialect.DUCKDB: "INTEGER[]",
            Dialect.MYSQL: "set('[1]', '[2]')",
            Dialect.POSTGRES: "inet",
        },
    ),
    "free": (
        T.DECIMAL,
        {
            Dialect.SQLITE: "NUMERIC",
            Dialect.DUCKDB: "DECIMAL(18,3)",
            Dialect.MYSQL: "decimal(10,3)",
            Dialect.POSTGRES: "numeric",
        },
    ),
}
ODD: Final = {
    Dialect.SQLITE: "5",
    Dialect.DUCKDB: "[1]",
    Dialect.MYSQL: "[1]",
    Dialect.POSTGRES: "10.0.0.1/32",
}


@pytest.fixture(scope="module")
def kinds(engine: Engine) -> Engine:
    dialect = engine.dialect
    if dialect is Dialect.POSTGRES:
        engine.execute("CREATE TYPE mood AS ENUM ('sad', 'Happy')")
    mark = "`" if dialect is Dialect.MYSQL else '"'
    columns = ", ".join(f"{mark}{name}{mark} {native[dialect]}" for name, (_, native) in COLUMNS.items())
    engine.execute(f"CREATE TABLE kinds ({columns})")
    row = ("12:30:00", UUID, '{"a": 1}', b"\x00\xff", "sad", "Zoë", ODD[dialect], "1.125")
    other = ("01:02:03", None, None, None, "Happy", "zoo", None, "2.25")
    for values in (row, row, other):
        marks = ", ".join("?" for _ in values)
        engine.execute(f"INSERT INTO kinds VALUES ({marks})", values)
    return engine


def rows(engine: Engine, text: str) -> list[tuple[Any, ...]]:
    dialect = engine.dialect
    infos = tuple(ColumnInfo(name, kind, native[dialect]) for name, (kind, native) in COLUMNS.items())
    schema = DatabaseSchema(dialect.value, dialect, (TableInfo("kinds", TableKind.VIEW, infos),), "x")
    compiled = table_catalog(schema).compile(statement(text), dialect)
    assert isinstance(compiled, CompiledRead), compiled
    return engine.execute(compiled.query.sql, compiled.query.parameters)


@pytest.mark.parametrize("column", COLUMNS)
def test_every_type_is_listed_gathered_and_counted(kinds: Engine, column: str) -> None:
    assert len(rows(kinds, f'(kinds.list :columns "{column}")')) == 3
    assert len(rows(kinds, f'(kinds.list :columns "{column}" :distinct true)')) == 2
    assert sorted(row[1] for row in rows(kinds, f'(kinds.count :by "{column}")')) == [1, 2]
    assert rows(kinds, f'(kinds.count :of "{column}" :distinct true)')[0][0] in (1, 2)
    missing = rows(kinds, f"(kinds.count :{column} nil)")[0][0]
    assert rows(kinds, f"(kinds.count :{column} {{:not nil}})") == [(3 - missing,)]


@pytest.mark.parametrize(
    ("condition", "count"),
    [
        (':at "12:30"', 2),
        (':at {:below "12:30:00"}', 1),
        (f':key "{UUID}"', 2),
        (f':key "{UUID.upper()}"', 2),
        (f':key {{:not "{UUID}"}}', 1),
        (':mood "sad"', 2),
        (':mood "SAD"', 0),
        (':mood "never heard of"', 0),
        (':mood {:contains "HAP"}', 1),
        (':mood {:above "Z"}', 2),
        (':old "Zoë"', 2),
        (':old "Жук"', 0),
        (':old {:contains "Ж"}', 0),
        (':old {:contains "ZO"}', 3),
        (':old {:ends "Ë"}', 2),
        (":free 1.125", 2),
        (":free {:above 1.125}", 1),
    ],
)
def test_filters(kinds: Engine, condition: str, count: int) -> None:
    assert rows(kinds, f"(kinds.count {condition})") == [(count,)]


def test_a_type_nobody_knows_is_compared_as_text(kinds: Engine) -> None:
    value = ODD[kinds.dialect]
    assert rows(kinds, f'(kinds.count :odd "{value}")') == [(2,)]
    assert rows(kinds, f'(kinds.count :odd {{:not "{value}"}})') == [(1,)]
    assert rows(kinds, f'(kinds.count :odd {{:contains "{value[:2]}"}})') == [(2,)]


def test_an_order_is_that_of_the_characters(kinds: Engine) -> None:
    assert rows(kinds, '(kinds.min :of "mood")') == [("Happy",)]
    assert rows(kinds, '(kinds.max :of "mood")') == [("sad",)]
    listed = rows(kinds, '(kinds.list :columns "mood" :order {:desc "mood"})')
    assert [row[0] for row in listed] == ["sad", "sad", "Happy"]


def test_numbers_without_a_scale(kinds: Engine) -> None:
    assert [float(str(row[0])) for row in rows(kinds, "(kinds.sum)")] == [4.5]
    assert [float(str(row[0])) for row in rows(kinds, "(kinds.average)")] == [1.5]
