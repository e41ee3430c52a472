"""Components of the tests' own: a source that counts, and a shelf that keeps what is published to it.

They fail when a test tells them to, which no database does on demand. The rules of staging, the ledger and
publishing are the real ones.
"""

import dataclasses
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import pyarrow as pa

from dragoman.catalog.components import component_signatures
from dragoman.contracts.errors import DragomanError, StepRefused
from dragoman.contracts.flow import ColumnWarning, CursorValue, FlowColumn, KeyRange
from dragoman.contracts.schema import ValueType
from dragoman.contracts.verb import VerbSignature
from dragoman.engine.carriers import arrow_schema
from dragoman.engine.component import (
    Component,
    Config,
    Extraction,
    Staged,
    StepContext,
    Transformation,
    Writing,
)
from dragoman.engine.flow import Flow

COLUMNS = (FlowColumn("n", ValueType.INTEGER, nullable=False), FlowColumn("word", ValueType.TEXT))

Trouble = Callable[[str, str], None]
"""Told of every deed (`plan`, `open`, `stage`, `publish` …) and its step; it may raise."""


def no_trouble(deed: str, step: str) -> None:
    pass


@dataclasses.dataclass
class Shelf:
    """Everything that was published, by the path the writer names; and what was ever staged."""

    trouble: Trouble = no_trouble
    published: dict[str, list[tuple[Any, ...]]] = dataclasses.field(default_factory=dict)
    ledger: dict[tuple[str, str], int] = dataclasses.field(default_factory=dict)
    cursors: dict[tuple[str, str], CursorValue] = dataclasses.field(default_factory=dict)
    staging: dict[str, list[tuple[object, ...]]] = dataclasses.field(default_factory=dict)
    deeds: list[tuple[str, str]] = dataclasses.field(default_factory=list)
    lock: threading.Lock = dataclasses.field(default_factory=threading.Lock)

    def did(self, deed: str, step: str) -> None:
        with self.lock:
            self.deeds.append((deed, step))
        self.trouble(deed, step)

    def component(self, verb: str) -> Component:
        found: dict[str, Component] = {
            "filesystem.extractor": Counting(self),
            "sqlite.extractor": Counting(self),
            "duckdb.transform": Doubling(self),
            "duckdb.writer": Shelving(self),
        }
        return found[verb]


@dataclasses.dataclass(frozen=True)
class Counting:
    """`filesystem.extractor` of the tests: the path, or the table, is how many numbers it gives."""

    shelf: Shelf

    @property
    def signature(self) -> VerbSignature:
        return component_signatures()["filesystem.extractor"]

    def plan(
        self, config: Config, after: CursorValue | None, bound: CursorValue | None, context: StepContext
    ) -> Extraction:
        self.shelf.did("plan", context.step)
        start = int(after.values[0]) if after else 0
        end = bound or CursorValue(("n",), (str(_count(config)),))
        parts = int(str(config.get("delimiter") or 1))
        count = int(end.values[0]) - start
        ranges = [(start + count * i // parts, start + count * (i + 1) // parts) for i in range(parts)]
        return Extraction(
            COLUMNS,
            f"{count} numbers",
            "counting",
            (ColumnWarning("word", "said", "numbers are spelled"),),
            tuple(KeyRange("n", *each) for each in ranges) if parts > 1 else (),
            end if config.get("cursor") else None,
            facts=str(start),
        )

    @contextmanager
    def open(
        self, config: Config, extraction: Extraction, part: KeyRange | None, context: StepContext
    ) -> Iterator[Flow]:
        self.shelf.did("open", context.step)
        start = int(extraction.facts)
        low = part.low if part and part.low is not None else start
        high = part.high if part and part.high is not None else _count(config)
        schema = arrow_schema(COLUMNS)

        def batches() -> Iterator[pa.RecordBatch]:
            for begin in range(low, high, 1000):
                self.shelf.did("read", context.step)
                numbers = range(begin, min(begin + 1000, high))
                yield pa.record_batch([list(numbers), [f"no {n}" for n in numbers]], schema=schema)

        yield Flow(COLUMNS, reader=pa.RecordBatchReader.from_batches(schema, batches()))


@dataclasses.dataclass(frozen=True)
class Doubling:
    """`duckdb.transform` of the tests: every input, one after the other, its numbers doubled."""

    shelf: Shelf

    @property
    def signature(self) -> VerbSignature:
        return component_signatures()["duckdb.transform"]

    def reshape(
        self, config: Config, inputs: Mapping[str, tuple[FlowColumn, ...]], context: StepContext
    ) -> Transformation:
        self.shelf.did("plan", context.step)
        return Transformation(COLUMNS)

    @contextmanager
    def apply(self, config: Config, inputs: Mapping[str, Flow], context: StepContext) -> Iterator[Flow]:
        self.shelf.did("open", context.step)
        parts = [f"({flow.sql(context.lane)})" for flow in inputs.values()]
        yield Flow(COLUMNS, relation=f"SELECT n * 2 AS n, word FROM ({' UNION ALL '.join(parts)})")


@dataclasses.dataclass(frozen=True)
class Shelving:
    """`duckdb.writer` of the tests."""

    shelf: Shelf

    @property
    def signature(self) -> VerbSignature:
        return component_signatures()["duckdb.writer"]

    def prepare(self, config: Config, columns: tuple[FlowColumn, ...], context: StepContext) -> Writing:
        self.shelf.did("plan", context.step)
        if config["path"] == "forbidden":
            raise StepRefused("this shelf is locked", hint="take another")
        return Writing(f"shelf {config['path']}", f"{context.run_id}/{context.step}")

    def cursor(self, config: Config, context: StepContext) -> CursorValue | None:
        return self.shelf.cursors.get((context.pipeline, context.step))

    def published(self, config: Config, staged: Staged | None, context: StepContext) -> int | None:
        return self.shelf.ledger.get((context.run_id, context.step))

    def stage(self, config: Config, writing: Writing, flow: Flow, context: StepContext) -> Staged:
        self.shelf.staging[writing.staging] = []
        self.shelf.did("stage", context.step)
        for batch in flow.batches(context.lane):
            rows = zip(*(column.to_pylist() for column in batch.columns), strict=True)
            self.shelf.staging[writing.staging] += rows
        self.shelf.did("staged", context.step)
        return Staged(len(self.shelf.staging[writing.staging]), token="shelf")

    def publish(
        self,
        config: Config,
        writing: Writing,
        staged: Staged,
        cursor: CursorValue | None,
        context: StepContext,
    ) -> None:
        self.shelf.did("publish", context.step)
        rows = self.shelf.staging.pop(writing.staging)
        if len(rows) != staged.rows:
            raise AssertionError("staged rows were lost")
        self.shelf.published.setdefault(str(config["path"]), []).extend(rows)
        self.shelf.ledger[context.run_id, context.step] = staged.rows
        if cursor is not None:
            self.shelf.cursors[context.pipeline, context.step] = cursor
        self.shelf.did("published", context.step)

    def discard(self, config: Config, staging: str, context: StepContext) -> None:
        self.shelf.did("discard", context.step)
        self.shelf.staging.pop(staging, None)


def _count(config: Config) -> int:
    return int(str(config.get("path") or config["table"]))


def failing(deed: str, step: str, *errors: DragomanError | type[BaseException]) -> Trouble:
    """Trouble at a deed of a step, once for each of the errors, then none."""
    left = list(errors)
    lock = threading.Lock()

    def trouble(done: str, where: str) -> None:
        with lock:
            error = left.pop(0) if (done, where) == (deed, step) and left else None
        if error is not None:
            raise error

    return trouble
