"""`sqlite.extractor`: rows of a SQLite file, every cell checked against what its column promises.

SQL that somebody wrote runs in a process that can be killed. A plain table, and what a verb asks for, is
read here.
"""

import dataclasses
import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import cast

import pyarrow as pa

from dragoman.catalog.components import component_signatures
from dragoman.contracts.errors import EngineError, SourceFailed
from dragoman.contracts.flow import CursorValue, KeyRange
from dragoman.contracts.verb import VerbSignature
from dragoman.engine.carriers import arrow_schema
from dragoman.engine.component import Config, Extraction, StepContext
from dragoman.engine.components.confined import confined, not_understood
from dragoman.engine.components.interruption import FLOW_ERRORS
from dragoman.engine.components.sqlite.extraction import batches, planned
from dragoman.engine.components.sqlite.faults import translated
from dragoman.engine.components.sqlite.messages import REPLIES, Plan, Planned, Read, Setting
from dragoman.engine.components.sqlite.source_query import opened, remembered, runs_text, sqlite_file
from dragoman.engine.components.worker_frames import Ended, Rows
from dragoman.engine.flow import Flow

_MODULE = "dragoman.engine.components.sqlite.worker"


@dataclasses.dataclass(frozen=True)
class SqliteExtractor:
    """`of_verbs`: its queries were built by verbs, and need no process."""

    of_verbs: bool = False

    @property
    def signature(self) -> VerbSignature:
        return component_signatures()["sqlite.extractor"]

    def plan(
        self, config: Config, after: CursorValue | None, bound: CursorValue | None, context: StepContext
    ) -> Extraction:
        path = sqlite_file(config, context).path
        if self._is_ours(config, path):
            return planned(path, config, after, bound, lambda line: translated(context, line, SourceFailed))
        with confined(_MODULE, REPLIES, context) as (worker, _):
            worker.tell(Plan(os.fsencode(path), _seconds(context), _plain(config), after, bound))
            reply = worker.answer()
        if not isinstance(reply, Planned):
            raise not_understood()
        return reply.extraction

    @contextmanager
    def open(
        self, config: Config, extraction: Extraction, part: KeyRange | None, context: StepContext
    ) -> Iterator[Flow]:
        path = sqlite_file(config, context).path
        is_query = config.get("query") is not None
        reading = _here if self._is_ours(config, path) else _elsewhere
        trouble = list[EngineError]()
        with reading(path, extraction, is_query, context) as rows:
            counted = _counted(rows, context, trouble)
            schema = arrow_schema(extraction.columns)
            try:
                yield Flow(extraction.columns, reader=pa.RecordBatchReader.from_batches(schema, counted))
            except FLOW_ERRORS as error:
                # What a stream raises comes through DuckDB as a text.
                if not trouble:
                    raise
                raise trouble[0] from error

    def _is_ours(self, config: Config, path: Path) -> bool:
        return self.of_verbs or not runs_text(config, path)


@contextmanager
def _here(
    path: Path, extraction: Extraction, is_query: bool, context: StepContext
) -> Iterator[Iterator[pa.RecordBatch]]:
    connection = opened(path, user_sql=is_query)
    clock = _deadline(connection, context.limits.seconds)

    def guard(line: sqlite3.Connection) -> AbstractContextManager[None]:
        return translated(context, line, SourceFailed)

    try:
        yield batches(connection, remembered(extraction.facts), extraction.columns, guard)
    finally:
        clock.cancel()
        connection.close()


@contextmanager
def _elsewhere(
    path: Path, extraction: Extraction, is_query: bool, context: StepContext
) -> Iterator[Iterator[pa.RecordBatch]]:
    schema = arrow_schema(extraction.columns)
    with confined(_MODULE, REPLIES, context) as (worker, _):
        question = remembered(extraction.facts)
        worker.tell(
            Read(os.fsencode(path), _seconds(context), question, extraction.columns, user_sql=is_query)
        )

        def heard() -> Iterator[pa.RecordBatch]:
            while not isinstance(reply := worker.answer(), Ended):
                if not isinstance(reply, Rows):
                    raise not_understood()
                yield pa.ipc.read_record_batch(pa.py_buffer(reply.batch), schema)

        yield heard()


def _counted(
    rows: Iterator[pa.RecordBatch], context: StepContext, trouble: list[EngineError]
) -> Iterator[pa.RecordBatch]:
    try:
        for batch in rows:
            context.rows(batch.num_rows)
            yield batch
    except EngineError as error:
        trouble.append(error)
        raise


def _seconds(context: StepContext) -> float:
    return context.limits.seconds or 0.0


def _plain(config: Config) -> dict[str, Setting]:
    return {name: cast(Setting, value) for name, value in config.items()}


def _deadline(connection: sqlite3.Connection, seconds: float | None) -> threading.Timer:
    timer = threading.Timer(seconds or threading.TIMEOUT_MAX, connection.interrupt)
    timer.daemon = True
    if seconds is not None:
        timer.start()
    return timer
