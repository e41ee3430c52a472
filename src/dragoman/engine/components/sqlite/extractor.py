"""`sqlite.extractor`: rows of a SQLite file, every cell checked against what its column promises."""

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import msgspec
import pyarrow as pa

from dragoman.catalog.components import component_signatures
from dragoman.contracts.errors import EngineError, SourceFailed
from dragoman.contracts.flow import CursorValue, FlowColumn, KeyRange
from dragoman.contracts.verb import VerbSignature
from dragoman.engine.carriers import arrow_schema
from dragoman.engine.component import Config, Extraction, StepContext
from dragoman.engine.components.interruption import FLOW_ERRORS
from dragoman.engine.components.sqlite.columns import carried
from dragoman.engine.components.sqlite.faults import translated
from dragoman.engine.components.sqlite.source_query import (
    Asked,
    asked,
    bounded,
    cursor_columns,
    cursor_warnings,
    described,
    held_by_readers,
    opened,
    remembered,
    sqlite_file,
    upper_bound,
)
from dragoman.engine.flow import Flow

_BATCH_ROWS = 8_192


class SqliteExtractor:
    @property
    def signature(self) -> VerbSignature:
        return component_signatures()["sqlite.extractor"]

    def plan(
        self, config: Config, after: CursorValue | None, bound: CursorValue | None, context: StepContext
    ) -> Extraction:
        connection = opened(config, context, user_sql=config.get("query") is not None)
        try:
            with translated(context, connection, SourceFailed):
                sql = asked(config, connection)
                columns = described(config, sql, connection, context)
                names = cursor_columns(config)
                upto = bound or (upper_bound(sql, names, connection) if names else None)
        finally:
            connection.close()
        # Without a row there is nothing to read up to, and nothing new.
        question = bounded(sql, columns, after, upto or (after if names else None))
        given = config.get("columns")
        shown = set(map(str, given)) if isinstance(given, list | tuple) and given else None
        kept = tuple(column for column in columns if shown is None or column.name in shown)
        return Extraction(
            columns=kept,
            target=_told(config),
            path="sqlite",
            warnings=cursor_warnings(config, columns),
            cursor=upto or (after if names else None),
            facts=msgspec.json.encode(question).decode(),
            holds=held_by_readers(sqlite_file(config, context).path),
        )

    @contextmanager
    def open(
        self, config: Config, extraction: Extraction, part: KeyRange | None, context: StepContext
    ) -> Iterator[Flow]:
        connection = opened(config, context, user_sql=config.get("query") is not None)
        trouble = list[EngineError]()
        clock = _deadline(connection, context.limits.seconds)
        try:
            batches = _batches(connection, remembered(extraction.facts), extraction.columns, context, trouble)
            schema = arrow_schema(extraction.columns)
            yield Flow(extraction.columns, reader=pa.RecordBatchReader.from_batches(schema, batches))
        except FLOW_ERRORS as error:
            # What a stream raises comes through DuckDB as a text.
            if not trouble:
                raise
            raise trouble[0] from error
        finally:
            clock.cancel()
            connection.close()


def _batches(
    connection: sqlite3.Connection,
    question: Asked,
    columns: tuple[FlowColumn, ...],
    context: StepContext,
    trouble: list[EngineError],
) -> Iterator[pa.RecordBatch]:
    schema = arrow_schema(columns)
    try:
        with translated(context, connection, SourceFailed):
            cursor = connection.execute(question.sql, question.values)
            places = _places(cursor, columns)
            while rows := cursor.fetchmany(_BATCH_ROWS):
                cells = list(zip(*rows, strict=True))
                arrays = [carried(column, cells[at]) for column, at in zip(columns, places, strict=True)]
                context.rows(len(rows))
                yield pa.RecordBatch.from_arrays(arrays, schema=schema)
    except EngineError as error:
        trouble.append(error)
        raise


def _places(cursor: sqlite3.Cursor, columns: tuple[FlowColumn, ...]) -> list[int]:
    names = [each[0] for each in cursor.description or ()]
    missing = next((column.name for column in columns if column.name not in names), None)
    if missing is not None:
        raise SourceFailed(f"the column {missing} is gone", hint="plan the run anew", column=missing)
    return [names.index(column.name) for column in columns]


def _deadline(connection: sqlite3.Connection, seconds: float | None) -> threading.Timer:
    timer = threading.Timer(seconds or threading.TIMEOUT_MAX, connection.interrupt)
    timer.daemon = True
    if seconds is not None:
        timer.start()
    return timer


def _told(config: Config) -> str:
    if config.get("query") is not None:
        return f"a query of {config['connection']}"
    return f"the table {config['table']} of {config['connection']}"
