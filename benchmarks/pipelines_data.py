"""Twelve mixed columns, the same in every run: in a file, and on both servers."""

import os
import subprocess
from enum import StrEnum
from pathlib import Path
from typing import Final, NamedTuple

import duckdb

from benchmarks.pipelines_job import TARGET, Place

TABLE: Final = "sales"
SMALL: Final = "few"
SCHEMAS: Final = ("dlt_bench", "dlt_bench_staging")
SMALL_ROWS: Final = 10
FIRST_KEY: Final = 5_000_000_000
"""The keys follow this one: more than 32 bits, fewer than a double would bend."""


class Kind(StrEnum):
    """What is counted together when cells are compared."""

    INTEGER = "integer"
    DECIMAL = "decimal"
    DOUBLE = "double"
    TEXT = "text"
    DATE = "date"
    TIME = "datetime"


class Column(NamedTuple):
    name: str
    kind: Kind
    duckdb: str
    mariadb: str
    postgres: str
    made: str


# Texts that some way of writing text down takes for something else: about one name in twelve is one of them.
TRICKY: Final = (
    "",
    "NULL",
    "\\N",
    "tab\there",
    "two\nlines",
    'the "quoted" one',
    "C:\\temp\\new",
    "spaces after  ",
    "comma, semicolon; and 'quote'",
)
PEOPLE: Final = ("Anna", "Jürgen", "Zoë", "Василий", "王小明", "Łukasz", "Ingrid", "محمد", "José", "🙂 Smith")
PLACES: Final = (
    "Brno",
    "Žilina",
    "Αθήνα",
    "San José",
    "東京",
    "Tromsø",
    "Київ",
    "Leeds",
    "Perpignan",
    "Ōtsu",
)
WORDS: Final = (
    "delivered to the gate",
    "paid in advance",
    "très fragile",
    "call before",
    "на складе",
    "r & d",
)
CATEGORIES: Final = ("tools", "garden", "", "NULL", "food", "büro", "toys", "books", "health", "other")


def literal(text: str) -> str:
    quoted = text.replace("'", "''")
    return f"'{quoted}'"


def _pick(texts: tuple[str, ...], number: str) -> str:
    return f"[{', '.join(map(literal, texts))}][1 + ({number} % {len(texts)})::INTEGER]"


def _random(salt: str) -> str:
    return f"hash(i, {literal(salt)})"


def _signed(value: str, salt: str) -> str:
    return f"CASE WHEN {_random(salt)} % 5 = 0 THEN -({value}) ELSE {value} END"


def _decimal(digits: int, scale: int, salt: str) -> str:
    whole = f"CAST({_random(salt)} % 1{'0' * min(digits, 19)} AS DECIMAL(20, 0))"
    made = f"CAST({whole} * 0.{'0' * (scale - 1)}1 AS DECIMAL({digits}, {scale}))"
    return _signed(made, f"{salt} sign")


_NAME: Final = (
    f"CASE WHEN {_random('tricky')} % 12 = 0 THEN {_pick(TRICKY, _random('which'))}"
    f" ELSE {_pick(PEOPLE, _random('person'))} || ' ' || {_pick(PLACES, _random('place'))}"
    f" || ' ' || ({_random('number')} % 100000) END"
)
_NOTE: Final = " || ' · ' || ".join(_pick(WORDS, _random(f"word {i}")) for i in range(3)) + (
    f" || ' · ' || to_base(({_random('mark')} & 4611686018427387903)::BIGINT, 36)"
)
_DOUBLE: Final = _signed(
    f"({_random('double')} >> 11)::DOUBLE / 9007199254740992"
    f" * pow(10, ({_random('power')} % 12)::INTEGER - 4)",
    "double sign",
)

COLUMNS: Final = (
    Column("id", Kind.INTEGER, "BIGINT", "BIGINT NOT NULL", "bigint NOT NULL", f"{FIRST_KEY} + i"),
    Column("units", Kind.INTEGER, "INTEGER", "INT NOT NULL", "integer NOT NULL",
           f"({_random('units')} % 4294967296)::BIGINT - 2147483648"),
    Column("rating", Kind.INTEGER, "SMALLINT", "SMALLINT NOT NULL", "smallint NOT NULL",
           f"({_random('rating')} % 65536)::BIGINT - 32768"),
    Column("price", Kind.DECIMAL, "DECIMAL(12, 2)", "DECIMAL(12,2) NOT NULL", "numeric(12,2) NOT NULL",
           _decimal(12, 2, "price")),
    Column("amount", Kind.DECIMAL, "DECIMAL(20, 6)", "DECIMAL(20,6) NOT NULL", "numeric(20,6) NOT NULL",
           _decimal(20, 6, "amount")),
    Column("weight", Kind.DOUBLE, "DOUBLE", "DOUBLE NOT NULL", "double precision NOT NULL", _DOUBLE),
    Column("name", Kind.TEXT, "VARCHAR", "VARCHAR(120) NOT NULL", "varchar(120) NOT NULL", _NAME),
    Column("note", Kind.TEXT, "VARCHAR", "TEXT NOT NULL", "text NOT NULL", _NOTE),
    Column("category", Kind.TEXT, "VARCHAR", "VARCHAR(20) NULL", "varchar(20) NULL",
           f"CASE WHEN {_random('no category')} % 6 > 0 THEN {_pick(CATEGORIES, _random('category'))} END"),
    Column("day", Kind.DATE, "DATE", "DATE NOT NULL", "date NOT NULL",
           f"DATE '1950-01-01' + ({_random('day')} % 40000)::INTEGER"),
    Column("made_at", Kind.TIME, "TIMESTAMP", "DATETIME(6) NOT NULL", "timestamp(6) NOT NULL",
           f"make_timestamp(({_random('made')} % 2000000000000000)::BIGINT)"),
    Column("refund", Kind.DECIMAL, "DECIMAL(14, 4)", "DECIMAL(14,4) NULL", "numeric(14,4) NULL",
           f"CASE WHEN {_random('no refund')} % 3 = 0 THEN {_decimal(14, 4, 'refund')} END"),
)  # fmt: skip


def make_truth(path: Path, rows: int) -> None:
    """Write the rows that everything is compared with."""
    columns = ", ".join(f"CAST({column.made} AS {column.duckdb}) AS {column.name}" for column in COLUMNS)
    duckdb.connect().execute(
        f"COPY (SELECT {columns} FROM range(1, {rows + 1}) numbers(i))"
        f" TO {literal(str(path))} (FORMAT parquet)"
    )


def _escaped(column: Column) -> str:
    if column.kind is not Kind.TEXT:
        return column.name
    text = f"replace({column.name}, '\\', '\\\\')"
    return f"replace(replace({text}, chr(9), '\\t'), chr(10), '\\n') AS {column.name}"


def fill(truth: Path, scratch: Path, mariadb: Place, postgres: Place) -> None:
    """Put the rows on both servers. One file serves both: they escape texts in the same way."""
    lines = scratch / "rows.tsv"
    duckdb.connect().execute(
        f"COPY (SELECT {', '.join(map(_escaped, COLUMNS))} FROM read_parquet({literal(str(truth))}))"
        f" TO {literal(str(lines))}"
        " (FORMAT csv, DELIMITER E'\\t', QUOTE '', ESCAPE '', NULLSTR '\\N', HEADER false)"
    )
    few = f"SELECT * FROM {TABLE} ORDER BY id LIMIT {SMALL_ROWS}"
    in_mariadb(
        mariadb,
        f"{mariadb_table(TABLE)}; {mariadb_table(SMALL)}; LOAD DATA LOCAL INFILE {literal(str(lines))}"
        f" INTO TABLE {TABLE} CHARACTER SET utf8mb4; INSERT INTO {SMALL} {few}; ANALYZE TABLE {TABLE}",
    )
    in_postgres(postgres, f"{postgres_table(TABLE, key=True)}; {postgres_table(SMALL, key=True)}")
    with lines.open("rb") as file:
        in_postgres(postgres, f"COPY {TABLE} FROM STDIN", file.fileno())
    in_postgres(postgres, f"INSERT INTO {SMALL} {few}; ANALYZE {TABLE}")
    lines.unlink()


def grow(table: str, start: int, end: int, rows: int, mariadb: Place, postgres: Place) -> None:
    """Let a table of both servers grow from `start` to `end` rows, out of the `rows` that there are."""
    others = ", ".join(column.name for column in COLUMNS[1:])
    statements = [] if start else [mariadb_table(table)]
    in_postgres(postgres, "" if start else postgres_table(table, key=True))
    while start < end:
        first = start % rows
        count = min(end - start, rows - first)
        ahead = start - first
        picked = f"id > {FIRST_KEY + first} AND id <= {FIRST_KEY + first + count}"
        statements.append(f"INSERT INTO {table} SELECT id + {ahead}, {others} FROM {TABLE} WHERE {picked}")
        start += count
    in_mariadb(mariadb, "; ".join(statements))
    in_postgres(postgres, "; ".join(each for each in statements if each.startswith("INSERT")))


def mariadb_table(name: str) -> str:
    columns = ", ".join(f"{column.name} {column.mariadb}" for column in COLUMNS)
    return f"CREATE TABLE {name} ({columns}, PRIMARY KEY (id)) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin"


def postgres_table(name: str, *, key: bool = False) -> str:
    columns = ", ".join(f"{column.name} {column.postgres if key else _bare(column)}" for column in COLUMNS)
    return f"CREATE TABLE {name} ({columns}{', PRIMARY KEY (id)' if key else ''})"


def _bare(column: Column) -> str:
    """A target takes nothing where a value should be, so that this is counted and does not end the run."""
    return column.postgres.removesuffix(" NOT NULL")


def in_mariadb(place: Place, statements: str) -> None:
    _run([*place.client, "--local-infile=1", "--execute", statements], place, None)


def in_postgres(place: Place, statements: str, source: int | None = None) -> None:
    _run([*place.client, "--command", statements], place, source)


def clear_target(place: Place, *, make: bool) -> None:
    """Take away what an earlier run wrote in PostgreSQL; make an empty table for those who want one."""
    statements = [
        f"DROP TABLE IF EXISTS {TARGET}",
        *(f"DROP SCHEMA IF EXISTS {name} CASCADE" for name in SCHEMAS),
    ]
    in_postgres(place, "; ".join(statements + ([postgres_table(TARGET)] if make else [])))


def _run(command: list[str], place: Place, source: int | None) -> None:
    subprocess.run(
        command,
        stdin=subprocess.DEVNULL if source is None else source,
        stdout=subprocess.DEVNULL,
        env={**os.environ, **place.secret, "PGOPTIONS": "-c client_min_messages=warning"},
        check=True,
    )
