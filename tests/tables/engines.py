"""Thin readers over the four engines: they fill a database and run one query, values bound."""

import datetime as dt
import re
import sqlite3
from collections.abc import Callable
from decimal import Decimal
from typing import Any, Protocol

import duckdb
import psycopg
import pymysql

from dragoman.contracts.query import Value
from dragoman.contracts.schema import Dialect, ValueType
from dragoman.tables import CompiledRead
from tests.servers import MariadbServer
from tests.tables.shop import NATIVE, Columns, Rows

Row = tuple[Value, ...]
_MARKS = {
    Dialect.MYSQL: re.compile(r"""'(?:[^'\\]|\\.|'')*'|"(?:[^"\\]|\\.|"")*"|`(?:[^`]|``)*`|(\?)"""),
    Dialect.POSTGRES: re.compile(r"""'(?:[^']|'')*'|"(?:[^"]|"")*"|(\?)"""),
}


class Engine(Protocol):
    dialect: Dialect

    def execute(self, sql: str, values: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]: ...


class Sqlite:
    dialect = Dialect.SQLITE

    def __init__(self) -> None:
        self._connection = sqlite3.connect(":memory:")
        # As strict as the reader of the product: what is deeper or longer is refused there.
        self._connection.setlimit(sqlite3.SQLITE_LIMIT_EXPR_DEPTH, 500)
        self._connection.setlimit(sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1_000)

    def execute(self, sql: str, values: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
        return self._connection.execute(sql, values).fetchall()


class Duckdb:
    dialect = Dialect.DUCKDB

    def __init__(self) -> None:
        self._connection = duckdb.connect(":memory:")
        self._connection.execute("SET TimeZone = 'Asia/Seoul'")

    def execute(self, sql: str, values: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
        found = self._connection.execute(sql, list(values))
        return [tuple(row) for row in found.fetchall()] if found.description else []


class Mariadb:
    dialect = Dialect.MYSQL

    def __init__(self, server: MariadbServer, database: str) -> None:
        self._connection = pymysql.connect(
            host=server.host,
            port=server.port,
            user=server.user,
            password=server.password,
            database=database,
            charset="utf8mb4",
            autocommit=True,
        )
        self.execute("SET time_zone = '+00:00'")

    def execute(self, sql: str, values: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
        text = sql.replace("%", "%%") if values else sql
        text = _MARKS[self.dialect].sub(lambda m: "%s" if m[1] else m[0], text) if values else text
        with self._connection.cursor() as cursor:
            cursor.execute(text, values or None)
            return list(cursor.fetchall())


class Postgres:
    dialect = Dialect.POSTGRES

    def __init__(self, url: str) -> None:
        self._connection = psycopg.connect(url, autocommit=True, cursor_factory=psycopg.RawCursor)
        self.execute("SET TIME ZONE 'Asia/Seoul'")

    def execute(self, sql: str, values: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
        number = 0

        def numbered(found: re.Match[str]) -> str:
            nonlocal number
            if not found[1]:
                return found[0]
            number += 1
            return f"${number}"

        cursor = self._connection.execute(_MARKS[self.dialect].sub(numbered, sql).encode(), values)
        return cursor.fetchall() if cursor.description else []


def quoted(name: str, dialect: Dialect) -> str:
    mark = "`" if dialect is Dialect.MYSQL else '"'
    return mark + name.replace(mark, mark * 2) + mark


def fill(
    engine: Engine, table: str, columns: Columns, key: tuple[str, ...], rows: Rows, *, make: bool = True
) -> None:
    """Make a table and put rows into it; or only put them in."""
    dialect = engine.dialect
    parts = [f"{quoted(name, dialect)} {NATIVE[dialect][kind]}" for name, kind in columns.items()]
    if key:
        parts.append(f"PRIMARY KEY ({', '.join(quoted(name, dialect) for name in key)})")
    if make:
        engine.execute(f"CREATE TABLE {quoted(table, dialect)} ({', '.join(parts)})")
    marks = ", ".join("?" for _ in columns)
    for row in rows:
        stored = tuple(_stored(value, dialect) for value in row)
        engine.execute(f"INSERT INTO {quoted(table, dialect)} VALUES ({marks})", stored)


def _stored(value: Value, dialect: Dialect) -> Any:
    """As programs commonly store it; in SQLite moments of a zone are not even in UTC."""
    match value, dialect:
        case dt.datetime(tzinfo=dt.timezone()), Dialect.SQLITE:
            return value.astimezone(dt.timezone(dt.timedelta(hours=9))).isoformat()
        case dt.datetime(tzinfo=dt.timezone()), Dialect.MYSQL:
            return value.replace(tzinfo=None)
        case dt.datetime(), Dialect.SQLITE:
            return value.isoformat(" " if value.day % 2 else "T")
        case dt.date(), Dialect.SQLITE:
            return value.isoformat()
        case Decimal(), Dialect.SQLITE:
            return str(value)
        case _:
            return value


def rows_of(engine: Engine, read: CompiledRead) -> list[Row]:
    """The rows of a read, every value as the type of its column says."""
    sql = read.query.sql
    instants = [n for n, column in enumerate(read.columns, 1) if column.type is ValueType.INSTANT]
    if instants and engine.dialect is Dialect.DUCKDB:
        # Its driver would need another package to make Python's moments of them.
        texts = ", ".join(f"CAST(c{n} AS VARCHAR) AS c{n}" for n in instants)
        sql = f"SELECT * REPLACE ({texts}) FROM ({sql})"
    found = engine.execute(sql, read.query.parameters)
    return [
        tuple(_VALUES[column.type](value) for column, value in zip(read.columns, row, strict=True))
        for row in found
    ]


def _maybe(make: Callable[[Any], Value]) -> Callable[[Any], Value]:
    return lambda value: None if value is None else make(value)


def _moment(value: Any) -> Value:
    if not isinstance(value, str):
        moment: dt.datetime = value
    else:
        moment = dt.datetime.fromisoformat(value)
    return moment.astimezone(dt.UTC).replace(tzinfo=None) if moment.tzinfo else moment


def _plain(value: Any) -> Value:
    found: Value = value
    return found


_VALUES: dict[ValueType, Callable[[Any], Value]] = dict.fromkeys(ValueType, _plain) | {
    ValueType.INTEGER: _maybe(int),
    ValueType.DECIMAL: _maybe(lambda value: Decimal(str(value)).quantize(Decimal("0.000001"))),
    ValueType.FLOAT: _maybe(float),
    ValueType.BOOLEAN: _maybe(bool),
    ValueType.DATE: _maybe(lambda v: dt.date.fromisoformat(v) if isinstance(v, str) else v),
    ValueType.DATETIME: _maybe(_moment),
    ValueType.INSTANT: _maybe(_moment),
}
