"""`duckdb.extractor`: rows of a DuckDB file, read in a process of its own.

A file may hold views, and a view may hold anything. So nothing out of a file runs in the run's database.
"""

from collections.abc import Iterator
from contextlib import contextmanager

import pyarrow as pa

from dragoman.catalog.components import component_signatures
from dragoman.contracts.errors import EngineError, StepRefused
from dragoman.contracts.flow import ColumnWarning, CursorValue, FlowColumn, KeyRange
from dragoman.contracts.verb import VerbSignature
from dragoman.engine.carriers import arrow_schema
from dragoman.engine.component import Config, Extraction, StepContext
from dragoman.engine.components.duckdb.process import columns_heard, duckdb_process, rows_heard, work
from dragoman.engine.components.duckdb.source_query import (
    asked,
    bounded,
    cursor_columns,
    duckdb_file,
    shown_columns,
    upper_bound,
)
from dragoman.engine.components.interruption import FLOW_ERRORS
from dragoman.engine.flow import Flow


class DuckdbExtractor:
    @property
    def signature(self) -> VerbSignature:
        return component_signatures()["duckdb.extractor"]

    def plan(
        self, config: Config, after: CursorValue | None, bound: CursorValue | None, context: StepContext
    ) -> Extraction:
        sql, database = asked(config), duckdb_file(config, context)
        columns = _described(sql, database, context)
        names = cursor_columns(config)
        known = {column.name for column in columns}
        if missing := next((name for name in names if name not in known), None):
            raise StepRefused(f"there is no column {missing} to go by", hint="choose another cursor")
        upto = (
            bound or (_bound(sql, names, database, context) if names else None) or (after if names else None)
        )
        chosen = bounded(sql, columns, after, upto)
        if shown := shown_columns(config):
            listed = ", ".join('"' + name.replace('"', '""') + '"' for name in shown)
            chosen = f"SELECT {listed} FROM ({chosen}) AS shown"
            columns = tuple(next(c for c in columns if c.name == name) for name in shown)
        return Extraction(
            columns=columns,
            target=_told(config),
            path="duckdb_process",
            warnings=tuple(
                ColumnWarning(name, "null_cursor_not_read", f"rows where {name} is NULL are never read")
                for name in names
            ),
            cursor=upto,
            facts=chosen,
        )

    @contextmanager
    def open(
        self, config: Config, extraction: Extraction, part: KeyRange | None, context: StepContext
    ) -> Iterator[Flow]:
        trouble = list[EngineError]()
        with _reading(extraction.facts, duckdb_file(config, context), context, trouble) as (columns, batches):
            if columns != extraction.columns:
                raise StepRefused("the columns changed since the run was planned", hint="run it anew")
            try:
                yield Flow(columns, reader=pa.RecordBatchReader.from_batches(arrow_schema(columns), batches))
            except FLOW_ERRORS as error:
                # What a stream raises comes through DuckDB as a text.
                if not trouble:
                    raise
                raise trouble[0] from error


@contextmanager
def _reading(
    sql: str, database: str, context: StepContext, trouble: list[EngineError]
) -> Iterator[tuple[tuple[FlowColumn, ...], Iterator[pa.RecordBatch]]]:
    with duckdb_process(context) as (worker, folder):
        worker.tell(work(sql, folder, context, database=database))
        columns = columns_heard(worker)
        yield columns, rows_heard(worker, columns, context, trouble)


def _described(sql: str, database: str, context: StepContext) -> tuple[FlowColumn, ...]:
    with duckdb_process(context) as (worker, folder):
        worker.tell(work(sql, folder, context, database=database, describe=True))
        return columns_heard(worker)


def _bound(sql: str, names: tuple[str, ...], database: str, context: StepContext) -> CursorValue | None:
    with _reading(upper_bound(sql, names), database, context, []) as (_, batches):
        rows = [row for batch in batches for row in batch.to_pylist()]
    return CursorValue(names, tuple(rows[0][name] for name in names)) if rows else None


def _told(config: Config) -> str:
    if config.get("query") is not None:
        return f"a query of {config['connection']}"
    return f"the table {config['table']} of {config['connection']}"
