"""The query of a table's verb over CSV, Parquet and JSON files, read as a conversation reads it.

It has no name in a program: files are extracted by their path, and only a verb asks a query of them.
"""

import datetime as dt
import decimal
from collections.abc import Iterator
from contextlib import contextmanager

import pyarrow as pa

from dragoman.catalog.components import component_signatures
from dragoman.contracts.errors import AccessError, ColumnRefused, SourceFailed, StepRefused
from dragoman.contracts.flow import CursorValue, FlowColumn, KeyRange
from dragoman.contracts.query import Query, ReadLimits, ResultSet, Value
from dragoman.contracts.verb import VerbSignature
from dragoman.databases.connections import open_connection
from dragoman.engine.carriers import arrow_schema, carried_as_text
from dragoman.engine.component import Config, Extraction, StepContext
from dragoman.engine.components.duckdb.types import column_of
from dragoman.engine.flow import Flow

MOST_ROWS = 1_000_000
"""More are not held in memory at once; whole files are moved by filesystem.extractor."""
_SECONDS = 600.0
_CELL_BYTES = 16_000_000
_BATCH_ROWS = 16_384


class FilesQueryExtractor:
    @property
    def signature(self) -> VerbSignature:
        return component_signatures()["duckdb.extractor"]

    def plan(
        self, config: Config, after: CursorValue | None, bound: CursorValue | None, context: StepContext
    ) -> Extraction:
        if after is not None or bound is not None:
            raise StepRefused("files are read whole, without a cursor", hint="leave the cursor out")
        columns = _columns(_read(config, context, rows=1))
        return Extraction(columns=columns, target=f"a query of {config['connection']}", path="files_query")

    @contextmanager
    def open(
        self, config: Config, extraction: Extraction, part: KeyRange | None, context: StepContext
    ) -> Iterator[Flow]:
        found = _read(config, context, rows=MOST_ROWS)
        if found.truncated:
            raise StepRefused(
                f"the query gives more than {MOST_ROWS:,} rows", hint="begin with filesystem.extractor"
            )
        if _columns(found) != extraction.columns:
            raise StepRefused("the columns changed since the run was planned", hint="run it anew")
        schema = arrow_schema(extraction.columns)
        # All at once, before anything flows: what does not fit is known by its column here.
        batches = [
            pa.RecordBatch.from_arrays(_arrays(found.rows[at : at + _BATCH_ROWS], extraction), schema=schema)
            for at in range(0, len(found.rows), _BATCH_ROWS)
        ]
        context.rows(len(found.rows))
        yield Flow(extraction.columns, reader=pa.RecordBatchReader.from_batches(schema, batches))


def _read(config: Config, context: StepContext, *, rows: int) -> ResultSet:
    limits = ReadLimits(rows=rows, seconds=context.limits.seconds or _SECONDS, cell_bytes=_CELL_BYTES)
    try:
        with open_connection(context.connect(str(config["connection"])), limits) as reader:
            return reader.read(Query(str(config["query"])), limits, context.cancel)
    except AccessError as error:
        raise SourceFailed(error.message, hint=error.hint) from error


def _columns(found: ResultSet) -> tuple[FlowColumn, ...]:
    return tuple(column_of(column.name, column.native) for column in found.columns)


def _arrays(rows: list[tuple[Value, ...]], extraction: Extraction) -> list[pa.Array]:
    arrays = []
    for place, column in enumerate(extraction.columns):
        values = [_carried(row[place], column) for row in rows]
        try:
            arrays.append(pa.array(values, type=arrow_schema((column,)).field(0).type))
        except (pa.ArrowException, OverflowError, TypeError, ValueError) as error:
            raise ColumnRefused(
                f"the column {column.name} has a value that does not flow exactly",
                hint="ask for other columns",
                column=column.name,
            ) from error
    return arrays


def _carried(value: Value, column: FlowColumn) -> object:
    if value is None or not carried_as_text(column):
        if isinstance(value, int) and not isinstance(value, bool) and column.scale is not None:
            return decimal.Decimal(value)
        return value
    if isinstance(value, decimal.Decimal):
        return f"{value:f}"
    return value.isoformat() if isinstance(value, dt.date | dt.time) else str(value)


QUERIES = FilesQueryExtractor()
