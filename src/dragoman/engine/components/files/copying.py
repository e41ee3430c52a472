"""Writing a flow into one file: Parquet and lines of JSON by DuckDB, CSV by Arrow."""

import errno
import os
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pyarrow as pa

from dragoman.contracts.errors import DiskFull, EngineError, TargetFailed
from dragoman.contracts.flow import FlowColumn
from dragoman.engine.carriers import arrow_schema
from dragoman.engine.component import StepContext
from dragoman.engine.components.files.csv_lines import write_csv
from dragoman.engine.components.files.kinds import Compression, FileFormat, FileShape
from dragoman.engine.components.files.spelling import (
    named_once,
    refusal,
    selected,
)
from dragoman.engine.components.laning import STREAM_ERRORS, cancelled, interruptible
from dragoman.engine.flow import Flow
from dragoman.engine.hub import literal

_FULL = tuple(os.strerror(code) for code in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG))

_BETWEEN_LINES = "\x01"
"""What no line of JSON has in it."""


def copy_flow(flow: Flow, shape: FileShape, path: Path, context: StepContext) -> int:
    """Write all rows; how many there were. Raises DiskFull, ColumnRefused, RunCancelled, duckdb.Error."""
    with interruptible(context):
        try:
            if shape.format is FileFormat.CSV:
                return write_csv(_batches(flow, context), flow.columns, shape, path)
            if shape.format is FileFormat.PARQUET and not named_once(flow.columns):
                return _by_arrow(flow, shape, path, context)
            source = selected(flow.columns, shape.format, flow.sql(context.lane))
            statement = f"COPY ({source}) TO {literal(str(path))} ({_options(shape)})"
            counted = context.lane.execute(statement).fetchone()
            return int(counted[0]) if counted else 0
        except STREAM_ERRORS as error:
            known = said(error, flow.columns) or _of_the_file(error, path)
            if known is None:
                raise
            raise known from error


def _batches(flow: Flow, context: StepContext) -> Iterator[pa.RecordBatch]:
    """The rows. What fails here is the source, and no file: it is told apart from what writing raises."""
    try:
        for batch in flow.batches(context.lane):
            if context.cancel.cancelled:
                raise cancelled()
            yield batch
    except (OSError, pa.ArrowException) as error:
        raise duckdb.Error(str(error)) from error


def said(error: Exception, columns: tuple[FlowColumn, ...]) -> EngineError | None:
    """What a failure means, where it is the file's or a value's; others are the source's to explain."""
    text = str(error)
    if any(reason in text for reason in _FULL):
        return DiskFull("there is no space left for the file", hint="make room, then run it again")
    return refusal(text, columns)


def _of_the_file(error: Exception, path: Path) -> TargetFailed | None:
    """Whether it is the file that failed: DuckDB then names it, and it is known here by another name."""
    if str(path) not in str(error):
        return None
    reason = str(error).splitlines()[0].replace(str(path), "the file")
    return TargetFailed(f"the file cannot be written: {reason}", hint="check the folder and its rights")


def _options(shape: FileShape) -> str:
    match shape.format:
        case FileFormat.PARQUET:
            packed = "uncompressed" if shape.compression is Compression.NONE else shape.compression.value
            return f"FORMAT parquet, USE_TMP_FILE false, COMPRESSION {packed}"
        case FileFormat.JSONL:
            raw = f"DELIMITER {literal(_BETWEEN_LINES)}, QUOTE '', ESCAPE '', HEADER false"
            return f"FORMAT csv, USE_TMP_FILE false, COMPRESSION {shape.compression.value}, {raw}"
        case FileFormat.CSV:
            raise AssertionError("Arrow writes CSV")


def _by_arrow(flow: Flow, shape: FileShape, path: Path, context: StepContext) -> int:
    """Arrow tells names apart that differ by case alone."""
    from pyarrow import parquet

    schema, rows = arrow_schema(flow.columns), 0
    packed = None if shape.compression is Compression.NONE else shape.compression.value
    with parquet.ParquetWriter(path, schema, compression=packed or "none") as file:
        for batch in flow.batches(context.lane):
            file.write_batch(pa.RecordBatch.from_arrays(batch.columns, schema=schema))
            rows += batch.num_rows
    return rows
