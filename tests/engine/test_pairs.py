"""Every extractor with every writer, over values that have broken pipelines before.

What is read back from the target equals what was put into the source, or the run is refused with the name of
the column, before anything is visible. The targets are read back with their databases' own drivers.
"""

import json
import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import duckdb
import psycopg
import pyarrow.parquet as pq
import pymysql
import pytest

from dragoman.contracts.run import RunRecord, RunStatus
from dragoman.contracts.vocabulary import Notation
from dragoman.language.source import Source
from dragoman.workspace.pipelines import Pipelines
from dragoman.workspace.programs import Programs
from tests.conftest import LONG
from tests.engine import hostile
from tests.engine.hostile import ROWS, Column, canonical, columns_for, rows_of
from tests.engine.workspaces import make_workspace
from tests.servers import MariadbServer

SOURCES = ("mysql", "postgres", "supabase", "sqlite", "duckdb", "parquet", "csv", "jsonl")
TARGETS = ("mysql", "postgres", "supabase", "sqlite", "parquet", "csv", "jsonl")

# What a target cannot hold, and says so. Everything else has to arrive.
REFUSED: dict[str, frozenset[str]] = {
    "mysql": frozenset({"odd"}),
    "postgres": frozenset({"nul"}),
    "supabase": frozenset({"nul"}),
    "sqlite": frozenset({"odd"}),
    "parquet": frozenset(),
    "csv": frozenset(),
    "jsonl": frozenset({"odd"}),
}


class Pair:
    """A workspace with a source and a target."""

    def __init__(self, folder: Path, mariadb: MariadbServer, shop: str, postgres: str) -> None:
        self.folder = folder
        self.mysql = mariadb.url_of(shop)
        self.postgres = postgres
        urls = {
            "mysql": self.mysql,
            "postgres": postgres,
            "supabase": postgres.replace("postgresql://", "supabase://", 1),
            "sqlite": f"sqlite:///{folder}/target.sqlite",
            "source_sqlite": f"sqlite:///{folder}/source.sqlite",
            "source_duckdb": f"duckdb:///{folder}/source.duckdb",
        }
        make_workspace(folder, urls, {})

    def make(self, source: str, columns: Sequence[Column]) -> None:
        self.source = source
        makers: dict[str, Callable[[], None]] = {
            "mysql": lambda: hostile.make_mysql(mysql_options(self.mysql), columns),
            "postgres": lambda: hostile.make_postgres(self.postgres, columns),
            "supabase": lambda: hostile.make_postgres(self.postgres, columns),
            "sqlite": lambda: hostile.make_sqlite(self.folder / "source.sqlite", columns),
            "duckdb": lambda: hostile.make_duckdb(self.folder / "source.duckdb", columns),
            "parquet": lambda: hostile.make_parquet(self.folder / "source.parquet", columns),
            "csv": lambda: hostile.make_csv(self.folder / "source.csv", columns),
            "jsonl": lambda: hostile.make_jsonl(self.folder / "source.jsonl", columns),
        }
        makers[source]()

    def run(self, source: str, target: str, columns: Sequence[Column]) -> RunRecord:
        names = " ".join(json.dumps(c.name, ensure_ascii=False) for c in columns)
        table = f':table "hostile" :columns [{names}] :as @read)'
        read = {
            "sqlite": f'(sqlite.extractor :connection "@source_sqlite" {table}',
            "duckdb": f'(duckdb.extractor :connection "@source_duckdb" {table}',
            "parquet": '(filesystem.extractor :path "source.parquet" :as @read)',
            "csv": '(filesystem.extractor :path "source.csv" :as @read)',
            "jsonl": '(filesystem.extractor :path "source.jsonl" :as @read)',
        }.get(source, f'({source}.extractor :connection "@{source}" {table}')
        write = {
            kind: f'(duckdb.writer :needs [@read] :format "{kind}" :path "out.{kind}" :as @write)'
            for kind in ("parquet", "csv", "jsonl")
        }.get(target, f'({target}.writer :needs [@read] :connection "@{target}" :table "arrived" :as @write)')
        program = f"{read}\n{write}"
        done = Programs.open(self.folder).compile(Source(program), Notation.VERBS)
        assert done.manifest is not None, done.diagnostics
        return Pipelines(self.folder).run(done.manifest.data).record

    def arrived(self, target: str, columns: Sequence[Column]) -> list[tuple[Any, ...]] | None:
        """What stands in the target, by the id; None when there is nothing."""
        names = [c.name for c in columns]
        match target:
            case "mysql":
                return read_mysql(self.mysql, names)
            case "postgres" | "supabase":
                return read_postgres(self.postgres, names)
            case "sqlite":
                return read_sqlite(self.folder / "target.sqlite", names)
            case "parquet":
                return read_parquet(self.folder / "out.parquet", names)
            case "csv":
                return read_csv(self.folder / "out.csv", names)
            case _:
                # In a source that has no type for it JSON is a text, and stays one.
                as_text = self.source in ("parquet", "csv")
                return read_jsonl(self.folder / "out.jsonl", names, json_as_text=as_text)


def mysql_options(url: str) -> dict[str, Any]:
    parts = urlsplit(url)
    return {
        "host": parts.hostname,
        "port": parts.port,
        "user": parts.username,
        "password": parts.password,
        "database": parts.path[1:],
    }


def read_mysql(url: str, names: list[str]) -> list[tuple[Any, ...]] | None:
    shown = ", ".join(hostile.quoted(name, "`") for name in names)
    with (
        pymysql.connect(**mysql_options(url), charset="utf8mb4") as connection,
        connection.cursor() as cursor,
    ):
        cursor.execute("SHOW TABLES LIKE 'arrived'")
        if not cursor.fetchall():
            return None
        cursor.execute(f"SELECT {shown} FROM arrived ORDER BY id")
        return list(cursor.fetchall())


def read_postgres(url: str, names: list[str]) -> list[tuple[Any, ...]] | None:
    shown = ", ".join(f"{hostile.quoted(name, chr(34))}::text" for name in names)
    with psycopg.connect(url, options="-c extra_float_digits=3") as connection:
        if connection.execute("SELECT to_regclass('arrived')").fetchall() == [(None,)]:
            return None
        return connection.execute(f"SELECT {shown} FROM arrived ORDER BY arrived.id".encode()).fetchall()


def read_sqlite(path: Path, names: list[str]) -> list[tuple[Any, ...]] | None:
    if not path.exists():
        return None
    shown = ", ".join(hostile.quoted(name, '"') for name in names)
    connection = sqlite3.connect(path)
    try:
        if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'arrived'").fetchall():
            return None
        return connection.execute(f"SELECT {shown} FROM arrived ORDER BY id").fetchall()
    finally:
        connection.close()


def read_parquet(path: Path, names: list[str]) -> list[tuple[Any, ...]] | None:
    if not path.exists():
        return None
    table = pq.read_table(path).sort_by("id")
    return list(zip(*(table.column(name).to_pylist() for name in names), strict=True))


def read_csv(path: Path, names: list[str]) -> list[tuple[Any, ...]] | None:
    if not path.exists():
        return None
    with duckdb.connect() as connection:
        shown = ", ".join(hostile.quoted(name, '"') for name in names)
        return connection.execute(
            f"SELECT {shown} FROM read_csv(?, header = true, auto_detect = false, delim = ',',"
            " quote = '\"', escape = '\"', allow_quoted_nulls = false, max_line_size = 10000000,"
            f" columns = {{{', '.join(repr_of(name) for name in header(path))}}}) ORDER BY id::INT",
            [str(path)],
        ).fetchall()


def header(path: Path) -> list[str]:
    import csv

    with path.open(encoding="utf-8", newline="") as file:
        return next(csv.reader(file))


def repr_of(name: str) -> str:
    return "'" + name.replace("'", "''") + "': 'VARCHAR'"


class exact(float):  # noqa: N801
    """A number that remembers how it was written."""

    def __new__(cls, text: str) -> "exact":
        made = super().__new__(cls, text)
        made.text = text  # type: ignore[attr-defined]
        return made

    def __str__(self) -> str:
        return str(self.text)  # type: ignore[attr-defined]


def read_jsonl(path: Path, names: list[str], *, json_as_text: bool) -> list[tuple[Any, ...]] | None:
    if not path.exists():
        return None
    with path.open(encoding="utf-8") as file:
        rows = [json.loads(line, parse_float=exact) for line in file]
    kinds = {column.name: column.values for column in hostile.COLUMNS}

    def cell(row: dict[str, Any], name: str) -> Any:
        held = kinds[name] is hostile.JSONS and row[name] is not None and not json_as_text
        return json.dumps(row[name]) if held else row[name]

    return [tuple(cell(row, name) for name in names) for row in sorted(rows, key=lambda row: row["id"])]


@pytest.fixture
def pair(
    tmp_path: Path, mariadb_server: MariadbServer, mariadb_database: str, postgres_database: str
) -> Pair:
    return Pair(tmp_path, mariadb_server, mariadb_database, postgres_database)


PAIRS = [
    (source, target)
    for source in SOURCES
    for target in TARGETS
    # A project by its PostgreSQL URL is read and written as PostgreSQL is: every day, one way each is enough.
    if LONG or "supabase" not in (source, target) or {source, target} in ({"supabase"}, {"supabase", "mysql"})
]


@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_what_was_put_in_is_read_back(pair: Pair, source: str, target: str) -> None:
    columns = columns_for(source)
    pair.make(source, columns)
    refused: set[str] = set()
    record = pair.run(source, target, columns)
    while record.status is not RunStatus.DONE:
        assert record.fault is not None
        column = record.fault.column
        assert column in REFUSED[target], f"{record.fault}"
        assert pair.arrived(target, columns) is None
        refused.add(column)
        columns = columns_for(source, without=tuple(refused))
        if source in ("parquet", "csv", "jsonl"):
            pair.make(source, columns)
        record = pair.run(source, target, columns)
    expected_refusals = {c.name for c in columns_for(source)} & REFUSED[target]
    assert refused == expected_refusals
    found = pair.arrived(target, columns)
    assert found is not None
    expected = rows_of(columns)
    assert len(found) == ROWS
    for at, each in enumerate(columns):
        wrong = [
            (expected[n][at], found[n][at])
            for n in range(ROWS)
            if canonical(each, expected[n][at]) != canonical(each, found[n][at])
        ]
        assert not wrong, f"{each.name}: {str(wrong[:3])[:600]}"
