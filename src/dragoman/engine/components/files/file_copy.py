"""Writing a flow into one file: Parquet and lines of JSON by DuckDB, CSV by Arrow."""

import errno
import os
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.compute as pc

from dragoman.contracts.errors import DiskFull, EngineError, TargetFailed
from dragoman.contracts.flow import FlowColumn
from dragoman.contracts.schema import ValueType
from dragoman.engine.carriers import arrow_schema
from dragoman.engine.component import StepContext
from dragoman.engine.components.files.csv_lines import Copied, write_csv
from dragoman.engine.components.files.file_values import (
    named_once,
    refusal,
    selected,
)
from dragoman.engine.components.files.kinds import Compression, FileFormat, FileShape
from dragoman.engine.components.interruption import STREAM_ERRORS, cancelled, interruptible
from dragoman.engine.flow import Flow
from dragoman.engine.run_database import literal

_FULL = tuple(os.strerror(code) for code in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG))

_WORTH_A_DICTIONARY = 10
"""How often a value has to come, on the average, to be written once and referred to."""

_BETWEEN_LINES = "\x01"
"""What no line of JSON has in it."""


def copy_flow(flow: Flow, shape: FileShape, path: Path, context: StepContext) -> Copied:
    """Write all rows. Raises DiskFull, ColumnRefused, RunCancelled, duckdb.Error."""
    with interruptible(context):
        try:
            if shape.format is FileFormat.CSV:
                return write_csv(_batches(flow, context), flow.columns, shape, path)
            if shape.format is FileFormat.PARQUET and _is_for_arrow(flow):
                return Copied(_by_arrow(flow, shape, path, context))
            source = selected(flow.columns, shape.format, flow.sql(context.lane))
            statement = f"COPY ({source}) TO {literal(str(path))} ({_options(shape)})"
            counted = context.lane.execute(statement).fetchone()
            return Copied(int(counted[0]) if counted else 0)
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


def _is_for_arrow(flow: Flow) -> bool:
    """Arrow tells names apart that differ by case alone; and what flows in its form already, it writes with
    less work. Only DuckDB has the types of Parquet for UUIDs and JSON."""
    named = any(column.type in (ValueType.UUID, ValueType.JSON) for column in flow.columns)
    return not named_once(flow.columns) or (flow.reader is not None and not named)


def _by_arrow(flow: Flow, shape: FileShape, path: Path, context: StepContext) -> int:
    from pyarrow import parquet

    schema, rows = arrow_schema(flow.columns), 0
    packed = "none" if shape.compression is Compression.NONE else shape.compression.value
    batches = _batches(flow, context)
    first = next(batches, None)
    repeated = _repeated(first) if first is not None else []
    with parquet.ParquetWriter(path, schema, compression=packed, use_dictionary=repeated) as file:
        for batch in chain(() if first is None else (first,), batches):
            file.write_batch(pa.RecordBatch.from_arrays(batch.columns, schema=schema))
            rows += batch.num_rows
    return rows


def _repeated(batch: pa.RecordBatch) -> list[str]:
    """The columns whose values come again and again: only those are worth a dictionary."""
    most = batch.num_rows // _WORTH_A_DICTIONARY
    names = zip(batch.schema.names, batch.columns, strict=True)
    return [name for name, values in names if pc.count_distinct(values, mode="all").as_py() <= most]
