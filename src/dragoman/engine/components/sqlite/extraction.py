"""The reading itself: what a step will read, and its rows; the same here and in a process of its own."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import msgspec
import pyarrow as pa

from dragoman.contracts.errors import SourceFailed
from dragoman.contracts.flow import CursorValue, FlowColumn
from dragoman.engine.carriers import arrow_schema
from dragoman.engine.component import Config, Extraction
from dragoman.engine.components.sqlite.columns import carried
from dragoman.engine.components.sqlite.source_query import (
    Asked,
    asked,
    bounded,
    cursor_columns,
    cursor_warnings,
    described,
    held_by_readers,
    opened,
    upper_bound,
)

_FIRST_ROWS = 64
_MOST_ROWS = 8_192
_BATCH_BYTES = 8_000_000

Guard = Callable[[sqlite3.Connection], AbstractContextManager[None]]
"""What stands around the use of a connection: it makes SQLite's errors ours, and may interrupt."""


def planned(
    path: Path,
    config: Config,
    after: CursorValue | None,
    bound: CursorValue | None,
    guard: Guard,
) -> Extraction:
    connection = opened(path, user_sql=config.get("query") is not None)
    try:
        with guard(connection):
            sql = asked(config, connection)
            columns = described(path, sql, connection)
            names = cursor_columns(config)
            upto = bound or (upper_bound(sql, names, connection) if names else None)
    finally:
        connection.close()
    # Without a row there is nothing to read up to, and nothing new.
    question = bounded(sql, columns, after, upto or (after if names else None))
    given = config.get("columns")
    shown = set(map(str, given)) if isinstance(given, list | tuple) and given else None
    return Extraction(
        columns=tuple(column for column in columns if shown is None or column.name in shown),
        target=_told(config),
        path="sqlite",
        warnings=cursor_warnings(config, columns),
        cursor=upto or (after if names else None),
        facts=msgspec.json.encode(question).decode(),
        holds=held_by_readers(path),
    )


def batches(
    connection: sqlite3.Connection, question: Asked, columns: tuple[FlowColumn, ...], guard: Guard
) -> Iterator[pa.RecordBatch]:
    """The rows, a batch at a time; large ones are fewer in a batch."""
    schema, size = arrow_schema(columns), _FIRST_ROWS
    with guard(connection):
        cursor = connection.execute(question.sql, question.values)
        places = _places(cursor, columns)
        while rows := cursor.fetchmany(size):
            cells = list(zip(*rows, strict=True))
            arrays = [carried(column, cells[at]) for column, at in zip(columns, places, strict=True)]
            batch = pa.RecordBatch.from_arrays(arrays, schema=schema)
            per_row = max(1, batch.nbytes // len(rows))
            size = max(1, min(_MOST_ROWS, size * 4, _BATCH_BYTES // per_row))
            yield batch


def _places(cursor: sqlite3.Cursor, columns: tuple[FlowColumn, ...]) -> list[int]:
    names = [each[0] for each in cursor.description or ()]
    missing = next((column.name for column in columns if column.name not in names), None)
    if missing is not None:
        raise SourceFailed(f"the column {missing} is gone", hint="plan the run anew", column=missing)
    return [names.index(column.name) for column in columns]


def _told(config: Config) -> str:
    if config.get("query") is not None:
        return f"a query of {config['connection']}"
    return f"the table {config['table']} of {config['connection']}"
