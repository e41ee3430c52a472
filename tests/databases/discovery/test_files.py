"""Oddities of databases that are files, the cache, types and fingerprints."""

import sqlite3
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.contracts.errors import DragomanError
from dragoman.contracts.query import Query, ReadLimits, ResultSet
from dragoman.contracts.schema import (
    ColumnInfo,
    DatabaseSchema,
    Dialect,
    ForeignKey,
    Shape,
    TableInfo,
    TableKind,
    ValueType,
)
from dragoman.databases.discovery import SampleBudget, SchemaCache, discover, discover_cached
from dragoman.databases.discovery.fingerprint import fingerprint_of
from tests.databases.discovery.readers import DriverReader, duckdb_reader, sqlite_reader


def found_with(tmp_path: Path, *made: str) -> DatabaseSchema:
    with sqlite_reader(tmp_path / "a.db", made) as reader:
        return discover(reader, "sqlite")


def test_keys_as_sqlite_keeps_them(tmp_path: Path) -> None:
    schema = found_with(
        tmp_path,
        "CREATE TABLE Parent (Id INTEGER PRIMARY KEY, code TEXT UNIQUE)",
        "CREATE TABLE child (p INTEGER REFERENCES PARENT, c TEXT REFERENCES parent(CODE),"
        " n REFERENCES nowhere(x))",
        "CREATE UNIQUE INDEX part ON child (p) WHERE p > 3",
        "CREATE UNIQUE INDEX lowered ON child (lower(c))",
        "CREATE TABLE wide (a TEXT, b TEXT, PRIMARY KEY (b, a)) WITHOUT ROWID",
    )
    child, parent, wide = sorted(schema.tables, key=lambda table: table.name.lower())[:3]
    assert (child.name, parent.name, wide.name) == ("child", "Parent", "wide")
    assert child.foreign_keys == (
        ForeignKey(("c",), "Parent", ("code",)),
        ForeignKey(("p",), "Parent", ("Id",)),
    )
    assert child.unique_keys == ()
    assert wide.primary_key == ("b", "a")


def test_tables_of_full_text_search_and_of_modules_that_are_missing(tmp_path: Path) -> None:
    made = [
        "CREATE VIRTUAL TABLE notes USING fts5(body)",
        "CREATE TABLE plain (x INTEGER PRIMARY KEY AUTOINCREMENT)",
        "PRAGMA writable_schema = ON",
        "INSERT INTO sqlite_master VALUES"
        " ('table', 'odd', 'odd', 0, 'CREATE VIRTUAL TABLE odd USING nowhere(a)')",
        "PRAGMA writable_schema = RESET",
    ]
    schema = found_with(tmp_path, *made)
    assert [table.name for table in schema.tables] == ["notes", "plain"]
    assert [(table.name, "nowhere" in table.reason) for table in schema.skipped] == [("odd", True)]


def test_what_a_column_without_a_type_holds(tmp_path: Path) -> None:
    (table,) = found_with(
        tmp_path,
        "CREATE TABLE t (a, b, c, d, e FANCY)",
        "INSERT INTO t VALUES (1, 1, 'x', x'00', 'y')",
        "INSERT INTO t VALUES (2, 1.5, 'y', NULL, 'z')",
    ).tables
    assert [column.type for column in table.columns] == ["integer", "float", "text", "bytes", "text"]
    assert table.columns[3].samples == ()


def test_a_damaged_table_is_skipped(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    text = "x" * 400
    with sqlite_reader(
        path,
        (
            "PRAGMA page_size = 1024",
            "CREATE TABLE good (x INTEGER)",
            "CREATE TABLE bad (x TEXT)",
            f"WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50)"
            f" INSERT INTO bad SELECT '{text}' || i FROM n",
        ),
    ):
        pass
    data = bytearray(path.read_bytes())
    with sqlite3.connect(path) as connection:
        ((root,),) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'bad'")
    data[(root - 1) * 1024 : root * 1024] = b"\xff" * 1024
    path.write_bytes(bytes(data))
    schema = found_with(tmp_path)
    assert [table.name for table in schema.tables] == ["good"]
    assert [table.name for table in schema.skipped] == ["bad"]


def test_what_is_no_database_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "a.db").write_bytes(b"this is not a database at all" * 100)
    with pytest.raises(DragomanError, match="not a database"):
        found_with(tmp_path)


def test_duckdb_has_schemas_and_types_of_its_own(tmp_path: Path) -> None:
    made = (
        "CREATE SCHEMA sales",
        "CREATE TYPE mood AS ENUM ('happy', 'sad')",
        "CREATE TABLE sales.deals (id HUGEINT PRIMARY KEY, mood mood, tags VARCHAR[], seen TIMESTAMPTZ,"
        " s STRUCT(a INTEGER))",
        "INSERT INTO sales.deals VALUES (1, 'sad', ['x'], NULL, NULL)",
    )
    with duckdb_reader(tmp_path / "a.duckdb", made) as reader:
        (table,) = discover(reader, "duckdb").tables
    assert (table.schema, table.name) == ("sales", "deals")
    assert [column.type for column in table.columns] == ["integer", "text", "json", "instant", "json"]
    assert table.columns[1].samples == ("sad",)


class Gone(DragomanError):
    code = "connection_refused"


class LeavingReader:
    """A database that goes away after a number of reads."""

    def __init__(self, reader: DriverReader, reads: int) -> None:
        self._reader = reader
        self._left = reads

    @property
    def dialect(self) -> Dialect:
        return self._reader.dialect

    def read(self, query: Query, limits: ReadLimits | None = None) -> ResultSet:
        self._left -= 1
        if self._left < 0:
            raise Gone("nobody answers")
        return self._reader.read(query, limits)


@pytest.mark.parametrize("reads", [0, 1, 3, 5, 6])
def test_a_database_that_goes_away_is_no_database_of_skipped_tables(tmp_path: Path, reads: int) -> None:
    with sqlite_reader(tmp_path / "a.db", ("CREATE TABLE a (x)", "CREATE TABLE b (x)")) as reader:
        with pytest.raises(Gone):
            discover(LeavingReader(reader, reads), "sqlite")
        assert len(discover(LeavingReader(reader, 50), "sqlite").tables) == 2


def test_the_cache_holds_while_the_shape_does(tmp_path: Path) -> None:
    cache = SchemaCache(tmp_path / "kept" / "deep")
    with sqlite_reader(
        tmp_path / "a.db", ("CREATE TABLE a (x TEXT)", "INSERT INTO a VALUES ('one')")
    ) as reader:
        first = discover_cached(reader, "sqlite", cache, "@shop")
        reader.read(Query("INSERT INTO a VALUES ('two')"))
        assert discover_cached(reader, "sqlite", cache, "@shop") == first
        reader.read(Query("ALTER TABLE a ADD COLUMN y"))
        changed = discover_cached(reader, "sqlite", cache, "@shop")
        assert changed.fingerprint != first.fingerprint
        assert cache.load("@shop", first.fingerprint) is None
        assert cache.load("shop", changed.fingerprint) == changed
        assert cache.load("other", changed.fingerprint) is None


@pytest.mark.parametrize("damage", [b"", b"{", b"\xff\xfe", b'{"version": 1}', b"null", b"[]"])
def test_a_damaged_file_counts_as_absent(tmp_path: Path, damage: bytes) -> None:
    cache = SchemaCache(tmp_path)
    schema = DatabaseSchema("sqlite", Dialect.SQLITE, (), "f")
    cache.store("x", schema)
    assert cache.load("x", "f") == schema
    (tmp_path / "x.json").write_bytes(damage)
    assert cache.load("x", "f") is None


def test_one_changed_letter_counts_as_damage(tmp_path: Path) -> None:
    cache = SchemaCache(tmp_path)
    table = TableInfo("orders", TableKind.TABLE, (ColumnInfo("a", ValueType.TEXT, "text"),))
    cache.store("x", DatabaseSchema("sqlite", Dialect.SQLITE, (table,), "f"))
    path = tmp_path / "x.json"
    path.write_bytes(path.read_bytes().replace(b"orders", b"0rders"))
    assert cache.load("x", "f") is None


@pytest.mark.parametrize("alias", ["../up", "a/b", "", ".", "..", "x" * 300, "a\0b", "\udc80", "имя"])
def test_no_alias_leads_out_of_the_cache(tmp_path: Path, alias: str) -> None:
    folder = tmp_path / "in"
    cache = SchemaCache(folder)
    schema = DatabaseSchema("sqlite", Dialect.SQLITE, (), "f")
    cache.store(alias, schema)
    assert cache.load(alias, "f") == schema
    assert [path.parent for path in tmp_path.rglob("*.json")] == [folder]


NAMES = st.text(max_size=5)
COLUMNS = st.builds(ColumnInfo, NAMES, st.sampled_from(ValueType), NAMES, st.booleans())
TABLES = st.builds(
    TableInfo, NAMES, st.sampled_from(TableKind), st.lists(COLUMNS, max_size=3).map(tuple), NAMES
)


@given(st.lists(TABLES, max_size=5), st.randoms(use_true_random=False))
def test_the_fingerprint_does_not_depend_on_order(tables: list[TableInfo], chance: Random) -> None:
    shuffled = list(tables)
    chance.shuffle(shuffled)
    assert fingerprint_of(Dialect.SQLITE, Shape(tuple(tables))) == fingerprint_of(
        Dialect.SQLITE, Shape(tuple(shuffled))
    )


@given(TABLES, NAMES)
def test_the_fingerprint_depends_on_names(table: TableInfo, name: str) -> None:
    other = TableInfo(name, table.kind, table.columns, table.schema)
    same = fingerprint_of(Dialect.SQLITE, Shape((table,))) == fingerprint_of(Dialect.SQLITE, Shape((other,)))
    assert same == (table.name == name)


def test_a_budget_of_nothing_reads_no_rows(tmp_path: Path) -> None:
    with sqlite_reader(
        tmp_path / "a.db", ("CREATE TABLE a (x TEXT)", "INSERT INTO a VALUES ('one')")
    ) as reader:
        (table,) = discover(reader, "sqlite", samples=SampleBudget(seconds=0)).tables
        assert not [sql for sql in reader.queries if 'FROM "a"' in sql]
    assert table.columns[0].samples == ()
