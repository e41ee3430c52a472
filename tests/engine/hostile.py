"""Values that have broken pipelines before, under names that have too: one table for every kind of source."""

import csv
import datetime as dt
import decimal
import json
import math
import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import psycopg
import pyarrow as pa
import pyarrow.parquet as pq
import pymysql

ROWS = 1_000

TEXTS: Sequence[str | None] = (
    "",
    "NULL",
    "null",
    "\\N",
    "\\\\N",
    None,
    "\t",
    "a\tb",
    "line\nbreak",
    "cr\r\nlf",
    "\r",
    'quo"te',
    '"',
    '""',
    "it's",
    "back\\slash",
    "\\",
    "\\'",
    "comma,semi;pipe|",
    " leading",
    "trailing ",
    "007",
    "1e5",
    "+1",
    "-0",
    "true",
    "2020-01-01",
    "nan",
    "Infinity",
    "ключ",
    "한국어",
    "😀",
    "e\u0301",
    "\u00a0",
    "\u200b",
    "\ufeffbom",
    "\u2028",
    "<script>",
    "--",
    "/*",
    ";",
    "%s",
    "%(a)s",
    "$1",
    "?",
    "{}",
    "[1]",
    "x" * 70_000,
    "=1+1",
    "@a",
    "\x01",
)
INTEGERS: Sequence[int | None] = (0, 1, -1, 2**31, -(2**31), 2**53 + 1, 2**63 - 1, -(2**63) + 1, None)
DECIMALS: Sequence[decimal.Decimal | None] = tuple(
    decimal.Decimal(text) if text else None
    for text in (
        "0",
        "0.000001",
        "-0.000001",
        "12345678901234.567890",
        "-99999999999999.999999",
        "0.1",
        "",
        "1.500000",
    )
)
WIDE: Sequence[decimal.Decimal | None] = tuple(
    decimal.Decimal(text) if text else None
    for text in (
        "9999999999999999999999999999.9999999999",
        "-0.0000000001",
        "1234567890123456789012345678.0123456789",
        "",
    )
)
FLOATS: Sequence[float | None] = (
    0.1,
    -0.1,
    1e300,
    5e-324,
    1.7976931348623157e308,
    2.0**53 + 2,
    1 / 3,
    -1e-10,
    None,
    123456789.123456789,
    1e22,
)
DATES: Sequence[dt.date | None] = (
    dt.date(1, 1, 1),
    dt.date(1582, 10, 15),
    dt.date(1900, 2, 28),
    dt.date(2000, 2, 29),
    dt.date(9999, 12, 31),
    None,
)
MOMENTS: Sequence[dt.datetime | None] = (
    dt.datetime(1001, 1, 1, 0, 0, 0),  # noqa: DTZ001
    dt.datetime(2020, 3, 29, 2, 30, 0, 1),  # noqa: DTZ001
    dt.datetime(2020, 10, 25, 2, 30, 0, 999_999),  # noqa: DTZ001
    dt.datetime(9999, 12, 31, 23, 59, 59, 999_999),  # noqa: DTZ001
    None,
)
JSONS: Sequence[str | None] = (
    "{}",
    "[]",
    '{"a": 12345678901234567890123, "b": [1, 2.5, null, "x\\"y"]}',
    '"text"',
    "null",
    None,
    '{"ключ": "😀"}',
)
BYTES: Sequence[bytes | None] = (b"", b"\x00", bytes(range(256)), b"\xff\xfe", None, b"NULL", b"'\"\\")
FLAGS: Sequence[bool | None] = (True, False, None)
ODD_FLOATS: Sequence[float | None] = (math.inf, -math.inf, math.nan, 1.5, None)
NULS: Sequence[str | None] = ("a\x00b", "plain", None)


@dataclass(frozen=True)
class Column:
    """A column of the hostile table. `only` are the sources that can hold it at all."""

    name: str
    values: Sequence[Any]
    mysql: str
    postgres: str
    sqlite: str
    duckdb: str
    arrow: pa.DataType
    only: frozenset[str] | None = None


COLUMNS: Sequence[Column] = (
    Column(
        "id",
        range(1, ROWS + 1),
        "INT PRIMARY KEY",
        "int PRIMARY KEY",
        "INTEGER PRIMARY KEY",
        "INTEGER",
        pa.int32(),
    ),
    Column("select", TEXTS, "LONGTEXT", "text", "TEXT", "VARCHAR", pa.string()),
    Column("with space", INTEGERS, "BIGINT", "bigint", "BIGINT", "BIGINT", pa.int64()),
    Column(
        'quo"te',
        DECIMALS,
        "DECIMAL(20,6)",
        "numeric(20,6)",
        "DECIMAL_TEXT(20,6)",
        "DECIMAL(20,6)",
        pa.decimal128(20, 6),
    ),
    Column("back`tick", FLOATS, "DOUBLE", "double precision", "DOUBLE", "DOUBLE", pa.float64()),
    Column("ключ", FLAGS, "TINYINT(1)", "boolean", "BOOLEAN", "BOOLEAN", pa.bool_()),
    Column("Upper", DATES, "DATE", "date", "DATE", "DATE", pa.date32()),
    Column("when", MOMENTS, "DATETIME(6)", "timestamp", "DATETIME", "TIMESTAMP", pa.timestamp("us")),
    Column("%s", JSONS, "JSON", "json", "JSON", "JSON", pa.string()),
    Column("데이터", BYTES, "LONGBLOB", "bytea", "BLOB", "BLOB", pa.binary()),
    Column(
        "n" * 60,
        WIDE,
        "DECIMAL(38,10)",
        "numeric(38,10)",
        "DECIMAL_TEXT(38,10)",
        "DECIMAL(38,10)",
        pa.decimal128(38, 10),
    ),
    Column(
        "odd",
        ODD_FLOATS,
        "",
        "double precision",
        "",
        "DOUBLE",
        pa.float64(),
        frozenset({"postgres", "duckdb", "parquet"}),
    ),
    Column(
        "nul",
        NULS,
        "TEXT",
        "",
        "TEXT",
        "VARCHAR",
        pa.string(),
        frozenset({"mysql", "sqlite", "duckdb", "parquet", "jsonl"}),
    ),
)


def columns_for(source: str, without: Sequence[str] = ()) -> list[Column]:
    family = "postgres" if source == "supabase" else source
    return [c for c in COLUMNS if (c.only is None or family in c.only) and c.name not in without]


def rows_of(columns: Sequence[Column]) -> list[tuple[Any, ...]]:
    return [tuple(column.values[n % len(column.values)] for column in columns) for n in range(ROWS)]


def quoted(name: str, mark: str) -> str:
    return mark + name.replace(mark, mark + mark) + mark


def make_mysql(url: dict[str, Any], columns: Sequence[Column]) -> None:
    with (
        pymysql.connect(**url, charset="utf8mb4", autocommit=True) as connection,
        connection.cursor() as cursor,
    ):
        cursor.execute("SET sql_mode = ''")
        named = ", ".join(f"{quoted(c.name, '`')} {c.mysql}".replace("%", "%%") for c in columns)
        cursor.execute(
            f"CREATE TABLE hostile ({named}) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin".replace("%%", "%")
        )
        marks = ", ".join("%s" for _ in columns)
        for row in rows_of(columns):
            cursor.execute(f"INSERT INTO hostile VALUES ({marks})", row)


def make_postgres(url: str, columns: Sequence[Column]) -> None:
    with psycopg.connect(url) as connection, connection.cursor() as cursor:
        named = ", ".join(f"{quoted(c.name, chr(34))} {c.postgres}" for c in columns)
        cursor.execute(f"CREATE TABLE hostile ({named})".encode())
        with cursor.copy("COPY hostile FROM STDIN") as copy:
            for row in rows_of(columns):
                copy.write_row(row)


def make_sqlite(path: Path, columns: Sequence[Column]) -> None:
    with sqlite3.connect(path) as connection:
        named = ", ".join(f"{quoted(c.name, chr(34))} {c.sqlite}" for c in columns)
        connection.execute(f"CREATE TABLE hostile ({named})")
        marks = ", ".join("?" for _ in columns)
        connection.executemany(
            f"INSERT INTO hostile VALUES ({marks})",
            ([_sqlite(value) for value in row] for row in rows_of(columns)),
        )
    connection.close()


def _sqlite(value: Any) -> Any:
    match value:
        case decimal.Decimal():
            return f"{value:f}"
        case dt.datetime():
            return value.isoformat(" ", "microseconds")
        case dt.date():
            return value.isoformat()
        case _:
            return value


def arrow_table(columns: Sequence[Column]) -> pa.Table:
    rows = rows_of(columns)
    arrays = [pa.array([row[i] for row in rows], type=c.arrow) for i, c in enumerate(columns)]
    return pa.table(arrays, names=[c.name for c in columns])


def make_duckdb(path: Path, columns: Sequence[Column]) -> None:
    with duckdb.connect(str(path)) as connection:
        named = ", ".join(f"{quoted(c.name, chr(34))} {c.duckdb}" for c in columns)
        connection.execute(f"CREATE TABLE hostile ({named})")
        connection.register("given", arrow_table(columns))
        connection.execute("INSERT INTO hostile SELECT * FROM given")


def make_parquet(path: Path, columns: Sequence[Column]) -> None:
    pq.write_table(arrow_table(columns), path)


def make_csv(path: Path, columns: Sequence[Column]) -> None:
    """As any program writes it: what is nothing is an empty field, every text is quoted."""
    with path.open("w", encoding="utf-8", newline="") as file:
        written = csv.writer(file, quoting=csv.QUOTE_MINIMAL, lineterminator="\n")
        written.writerow([c.name for c in columns])
        for row in rows_of(columns):
            file.write(",".join(_csv(value) for value in row) + "\n")


def _csv(value: Any) -> str:
    match value:
        case None:
            return ""
        case bool():
            return str(value).lower()
        case str():
            return quoted(value, '"')
        case bytes():
            return quoted(value.hex(), '"')
        case float():
            return repr(value)
        case decimal.Decimal():
            return f"{value:f}"
        case dt.datetime():
            return value.isoformat(" ", "microseconds")
        case _:
            return str(value)


def make_jsonl(path: Path, columns: Sequence[Column]) -> None:
    with path.open("w", encoding="utf-8") as file:
        for row in rows_of(columns):
            parts = (
                f"{json.dumps(c.name, ensure_ascii=False)}: {_json(v, c)}"
                for c, v in zip(columns, row, strict=True)
            )
            file.write("{" + ", ".join(parts) + "}\n")


def _json(value: Any, column: Column) -> str:
    match value:
        case decimal.Decimal():
            return f"{value:f}"
        case bytes():
            return json.dumps(value.hex())
        case dt.datetime():
            return json.dumps(value.isoformat(" ", "microseconds"))
        case dt.date():
            return json.dumps(value.isoformat())
        case str() if column.values is JSONS:
            return value
        case _:
            return json.dumps(value, ensure_ascii=False)


Canonical = Callable[[Any], Any]


def canonical(column: Column, value: Any) -> Any:
    """A value in the one form in which values of different databases are compared. None is None."""
    if value is None:
        return None
    kind = column.values
    if kind is DECIMALS or kind is WIDE:
        return decimal.Decimal(str(value)).normalize()
    if kind is FLOATS or kind is ODD_FLOATS:
        number = float(value)
        return "nan" if math.isnan(number) else number.hex()
    if kind is FLAGS:
        return value in (True, 1, "1", "true", "True", "t")
    if kind is DATES:
        return str(value)[:10]
    if kind is MOMENTS:
        text = str(value).replace("T", " ").removesuffix("Z")
        whole, _, fraction = text.partition(".")
        return f"{whole}.{fraction:0<6}"
    if kind is JSONS:
        return _same_json(value)
    if kind is BYTES:
        return (
            value.hex()
            if isinstance(value, bytes | bytearray | memoryview)
            else str(value).lower().removeprefix("\\x")
        )
    if kind is INTEGERS or column.name == "id":
        return int(value)
    return str(value)


def _same_json(value: str) -> str | None:
    """JSON's own null is nothing: a line of JSON cannot tell the two apart."""
    parsed = json.loads(value, parse_float=decimal.Decimal)
    if parsed is None:
        return None
    return json.dumps(parsed, sort_keys=True, default=str, ensure_ascii=False)
