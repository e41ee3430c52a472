"""Rows into a staging table: LOAD DATA LOCAL from a pipe, or INSERT where a server takes no files.

The pipe carries CSV in which every value stands in quotes and NULL does not: '', 'NULL' and NULL stay apart.
Nothing may be cut on the way in: LOAD DATA LOCAL makes warnings of errors, so any warning is a refusal.
"""

import os
import re
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import duckdb
import pymysql

from dragoman.contracts.errors import ColumnRefused, EngineError, TargetFailed, TransientFault
from dragoman.contracts.flow import FlowColumn
from dragoman.contracts.schema import ValueType
from dragoman.databases.families.mysql.connection import Connection
from dragoman.databases.families.mysql.literals import text_literal
from dragoman.engine.component import StepContext
from dragoman.engine.components.mysql.columns import quoted
from dragoman.engine.components.mysql.session import rows_of
from dragoman.engine.flow import Flow
from dragoman.engine.run_database import literal
from dragoman.engine.run_database import quoted as quoted_for_duckdb

_STATEMENT_BYTES: Final = 1024 * 1024
_ROWS_AT_ONCE: Final = 2_000
_COLUMN = re.compile(r"column (?:`[^`]*`\.`[^`]*`\.)?['`](.+?)['`] at row (\d+)|(?:for c|C)olumn '(.+?)'")
_DUPLICATE: Final = 1062
_LOST_WRITER = re.compile(r"broken pipe|could not write", re.IGNORECASE)


def load_by_file(
    connection: Any, table: str, flow: Flow, context: StepContext, charset: str = "utf8mb4"
) -> int:
    """All rows of the flow into a table, through a pipe. How many there were."""
    pipe = context.folder / f"{context.lane.database.fresh_name('load')}.pipe"
    os.mkfifo(pipe, 0o600)
    try:
        loading = _Loading(connection, _load_statement(pipe, table, flow.columns, charset), pipe)
        loading.start()
        failed: duckdb.Error | None = None
        rows = 0
        try:
            found = context.lane.execute(_copy_statement(pipe, flow, context)).fetchone()
            rows = int(found[0]) if found else 0
        except duckdb.Error as error:
            failed = error
        finally:
            loading.finish()
    finally:
        pipe.unlink(missing_ok=True)
    # Where the server refused first, all that the other side says is that nobody reads any more.
    if loading.error is not None and (failed is None or _LOST_WRITER.search(str(failed))):
        raise loading.error
    if failed is not None:
        raise failed
    _refuse_warnings(connection, loading.warnings, flow.columns)
    if loading.rows != rows:
        raise TransientFault(f"{rows} rows were sent and {loading.rows} arrived", hint="try again")
    return rows


def load_by_insert(connection: Connection, table: str, flow: Flow, context: StepContext) -> int:
    """The same without a file, in statements of many rows."""
    names = ", ".join(quoted(column.name) for column in flow.columns)
    total = 0
    binary = [column.type is ValueType.BYTES for column in flow.columns]
    cursor = context.lane.execute(_texts(flow, context))
    for values, count in _statements(iter(lambda: cursor.fetchmany(_ROWS_AT_ONCE), []), binary):
        with connection.cursor() as writing:
            writing.execute(f"INSERT INTO {table} ({names}) VALUES {values}")
            warnings = _warnings_of(writing)
        _refuse_warnings(connection, warnings, flow.columns)
        total += count
    return total


class _Loading(threading.Thread):
    """The statement that reads the pipe, beside the one that fills it."""

    def __init__(self, connection: Any, statement: str, pipe: Path) -> None:
        super().__init__(name="dragoman-load", daemon=True)
        self.error: pymysql.err.MySQLError | OSError | None = None
        self.rows = 0
        self.warnings = 0
        self._connection = connection
        self._statement = statement
        self._pipe = pipe

    def run(self) -> None:
        self._connection.offered = str(self._pipe)
        try:
            with self._connection.cursor() as cursor:
                cursor.execute(self._statement)
                self.rows = int(cursor.rowcount)
                self.warnings = _warnings_of(cursor)
        except (pymysql.err.MySQLError, OSError) as error:
            self.error = error
        finally:
            self._connection.offered = None
            # Whoever waits to write finds a reader that is gone, and stops.
            with suppress(OSError):
                os.close(os.open(self._pipe, os.O_RDONLY | os.O_NONBLOCK))

    def finish(self) -> None:
        """Wait for the statement; where nobody ever wrote, let it find the end of the pipe."""
        while self.is_alive():
            self.join(0.02)
            with suppress(OSError):
                os.close(os.open(self._pipe, os.O_WRONLY | os.O_NONBLOCK))


def _warnings_of(cursor: Any) -> int:
    return int(cursor._result.warning_count)


def _texts(flow: Flow, context: StepContext) -> str:
    """A query on the lane that gives every value as the text MySQL reads, bytes in hexadecimal."""
    written = ", ".join(f"{_written(column)} AS {quoted_for_duckdb(column.name)}" for column in flow.columns)
    return f"SELECT {written} FROM ({flow.sql(context.lane)}) AS flow"


def _written(column: FlowColumn) -> str:
    name = quoted_for_duckdb(column.name)
    match column.type:
        case ValueType.BYTES:
            return f"hex({name})"
        case ValueType.BOOLEAN:
            return f"CAST(CAST({name} AS TINYINT) AS VARCHAR)"
        case ValueType.INSTANT:
            return f"CAST({name} AT TIME ZONE 'UTC' AS VARCHAR)"
        case ValueType.FLOAT:
            # The shortest digits of a FLOAT can lie beyond the largest one when they are read as a double.
            return f"CAST(CAST({name} AS DOUBLE) AS VARCHAR)"
        case _:
            return f"CAST({name} AS VARCHAR)"


def _copy_statement(pipe: Path, flow: Flow, context: StepContext) -> str:
    return (
        f"COPY ({_texts(flow, context)}) TO {literal(str(pipe))} (FORMAT csv, HEADER false, "
        "DELIMITER ',', QUOTE '\"', ESCAPE '\"', NULLSTR 'NULL', FORCE_QUOTE *, "
        "USE_TMP_FILE false, PRESERVE_ORDER false)"
    )


def _load_statement(pipe: Path, table: str, columns: tuple[FlowColumn, ...], charset: str) -> str:
    places = [
        f"@v{number}" if column.type is ValueType.BYTES else quoted(column.name)
        for number, column in enumerate(columns)
    ]
    made = [
        f"{quoted(column.name)} = UNHEX(@v{number})"
        for number, column in enumerate(columns)
        if column.type is ValueType.BYTES
    ]
    name = str(pipe).replace("\\", "\\\\").replace("'", "''")
    return (
        f"LOAD DATA LOCAL INFILE '{name}' INTO TABLE {table} CHARACTER SET {charset} "
        "FIELDS TERMINATED BY ',' OPTIONALLY ENCLOSED BY '\"' ESCAPED BY '' LINES TERMINATED BY '\\n' "
        f"({', '.join(places)})" + (f" SET {', '.join(made)}" if made else "")
    )


def _statements(
    fetched: Iterator[list[tuple[str | None, ...]]], binary: list[bool]
) -> Iterator[tuple[str, int]]:
    """The values of an INSERT, as many as fit one."""
    gathered: list[str] = []
    size = 0
    for rows in fetched:
        for row in rows:
            cells = (_literal(cell, is_hex) for cell, is_hex in zip(row, binary, strict=True))
            text = f"({', '.join(cells)})"
            if gathered and size + len(text) > _STATEMENT_BYTES:
                yield ", ".join(gathered), len(gathered)
                gathered, size = [], 0
            gathered.append(text)
            size += len(text)
    if gathered:
        yield ", ".join(gathered), len(gathered)


def _literal(cell: str | None, is_hex: bool) -> str:
    if cell is None:
        return "NULL"
    return f"x'{cell}'" if is_hex else text_literal(cell)


def _refuse_warnings(connection: Connection, count: int, columns: tuple[FlowColumn, ...]) -> None:
    if not count:
        return
    found = rows_of(connection, "SHOW WARNINGS LIMIT 1")
    raise (
        refusal_of(int(found[0][1] or 0), str(found[0][2]), columns)
        if found
        else TargetFailed("the server warned and does not say of what", hint="see the server's log")
    )


def refusal_of(number: int, text: str, columns: tuple[FlowColumn, ...]) -> EngineError:
    """What a server says of a value it would not take as it is."""
    if number == _DUPLICATE:
        return TargetFailed(
            f"two rows have one key: {text}", hint="leave one of them out before they are written"
        )
    named = _COLUMN.search(text)
    told = (named[1] or named[3]) if named else ""
    name = next((column.name for column in columns if column.name.lower() == told.lower()), "")
    if not name:
        return TargetFailed(
            f"the table does not take a row as it is: {text}", hint="see what the table checks"
        )
    return ColumnRefused(
        f"column {name} has a value that the table cannot keep as it is: {text}",
        hint="widen the column, or leave such values out",
        column=name,
    )
