"""Parquet files as a source: by DuckDB, or by Arrow where DuckDB would bend a value."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from decimal import Decimal
from typing import Any

import msgspec
import pyarrow as pa

from dragoman.contracts.errors import ColumnRefused, EngineError, SourceFailed, StepRefused
from dragoman.contracts.flow import FlowColumn
from dragoman.contracts.schema import ValueType
from dragoman.engine.carriers import arrow_schema, carried_as_text, duckdb_type
from dragoman.engine.component import Config, StepContext
from dragoman.engine.components.files.file_plan import (
    FilePlan,
    check_names,
    check_same,
    plain_links,
    told,
)
from dragoman.engine.components.files.file_search import SourceFile
from dragoman.engine.components.interruption import FLOW_ERRORS, complaint
from dragoman.engine.flow import BATCH_ROWS, Flow
from dragoman.engine.run_database import literal, quoted


def plan(config: Config, files: tuple[SourceFile, ...], context: StepContext) -> FilePlan:
    """Raises SourceFailed, ColumnRefused, StepRefused."""
    if config.get("types") is not None:
        raise StepRefused("Parquet files have types of their own", hint="leave :types out")
    schema = _schema(files[0])
    check_names(schema.names, files[0])
    for file in files[1:]:
        other = _schema(file)
        check_same(files[0], schema.names, file, other.names)
        for mine, its in zip(schema, other, strict=True):
            if mine.type != its.type:
                raise SourceFailed(
                    f"the column {mine.name} is {its.type} in {file.name} and {mine.type} in {files[0].name}",
                    hint="read files with different columns in steps of their own",
                    column=mine.name,
                )
    wanted = config.get("columns") or schema.names
    kept = [field for field in schema if field.name in wanted] if isinstance(wanted, list | tuple) else schema
    columns = tuple(_column(field) for field in kept)
    collide = len({name.casefold() for name in schema.names}) < len(schema.names)
    return FilePlan(files, columns, by_arrow=collide or any(_is_bent(field.type) for field in kept))


@contextmanager
def opened(
    config: Config, plan: FilePlan, chosen: tuple[FlowColumn, ...], context: StepContext
) -> Iterator[Flow]:
    if plan.by_arrow:
        trouble = list[EngineError]()
        batches = _batches(plan.files, chosen, context, trouble)
        try:
            yield Flow(chosen, reader=pa.RecordBatchReader.from_batches(arrow_schema(chosen), batches))
        except FLOW_ERRORS as error:
            # What a stream raises comes through DuckDB as a text.
            if not trouble:
                raise
            raise trouble[0] from error
        return
    with plain_links(plan.files, ".parquet", context) as links:
        listed = ", ".join(map(literal, links))
        values = ", ".join(f"{_value(column)} AS {quoted(column.name)}" for column in chosen)
        source = f"read_parquet([{listed}], hive_partitioning=false, union_by_name=false)"
        try:
            yield Flow(chosen, relation=f"SELECT {values} FROM {source}")
        except FLOW_ERRORS as error:
            if not any(link in complaint(error) for link in links):
                raise
            raise SourceFailed(told(error, links, plan.files), hint="check the files") from error


def _schema(file: SourceFile) -> pa.Schema:
    from pyarrow import parquet

    try:
        return parquet.read_schema(file.path)
    except (pa.ArrowException, OSError) as error:
        raise SourceFailed(
            f"{file.name} cannot be read as Parquet: {str(error).splitlines()[0]}", hint="check the file"
        ) from error


def _plain(kind: pa.DataType) -> pa.DataType:
    """What is held, however it is stored."""
    if pa.types.is_dictionary(kind):
        return _plain(kind.value_type)
    return kind


def _is_bent(kind: pa.DataType) -> bool:
    """Whether DuckDB would lose digits of it, or take it for something else."""
    plain = _plain(kind)
    finer = (pa.types.is_timestamp(plain) or pa.types.is_time64(plain)) and plain.unit == "ns"
    others = (pa.types.is_decimal256, pa.types.is_null, pa.types.is_float16)
    return bool(finer) or any(test(plain) for test in others)


def _column(field: pa.Field) -> FlowColumn:
    """Raises ColumnRefused."""
    kind = _plain(field.type)
    column = FlowColumn(field.name, ValueType.OTHER, nullable=field.nullable, native=str(field.type))

    def held(value_type: ValueType, **details: Any) -> FlowColumn:
        return msgspec.structs.replace(column, type=value_type, **details)

    if pa.types.is_integer(kind):
        return held(ValueType.INTEGER, bits=kind.bit_width, signed=pa.types.is_signed_integer(kind))
    if pa.types.is_decimal(kind) and 0 <= kind.scale <= kind.precision:
        return held(ValueType.DECIMAL, precision=kind.precision, scale=kind.scale)
    if pa.types.is_timestamp(kind):
        return held(ValueType.DATETIME if kind.tz is None else ValueType.INSTANT)
    if isinstance(kind, pa.BaseExtensionType):
        named = {"arrow.json": ValueType.JSON, "arrow.uuid": ValueType.UUID}.get(kind.extension_name)
        if named is not None:
            return held(named)
    for test, value_type, bits in _KINDS:
        if test(kind):
            return held(value_type, bits=bits)
    raise ColumnRefused(
        f"the column {field.name} is a {field.type}, which no target could be given",
        hint="leave it out: name the others in :columns",
        column=field.name,
    )


_KINDS: tuple[tuple[Callable[[pa.DataType], bool], ValueType, int], ...] = (
    (pa.types.is_string, ValueType.TEXT, 64),
    (pa.types.is_large_string, ValueType.TEXT, 64),
    (pa.types.is_string_view, ValueType.TEXT, 64),
    (pa.types.is_null, ValueType.TEXT, 64),
    (pa.types.is_boolean, ValueType.BOOLEAN, 64),
    (pa.types.is_float16, ValueType.FLOAT, 32),
    (pa.types.is_float32, ValueType.FLOAT, 32),
    (pa.types.is_float64, ValueType.FLOAT, 64),
    (pa.types.is_date, ValueType.DATE, 64),
    (pa.types.is_time, ValueType.TIME, 64),
    (pa.types.is_binary, ValueType.BYTES, 64),
    (pa.types.is_large_binary, ValueType.BYTES, 64),
    (pa.types.is_binary_view, ValueType.BYTES, 64),
    (pa.types.is_fixed_size_binary, ValueType.BYTES, 64),
)


def _value(column: FlowColumn) -> str:
    return f"CAST({quoted(column.name)} AS {duckdb_type(column)})"


def _batches(
    files: tuple[SourceFile, ...],
    chosen: tuple[FlowColumn, ...],
    context: StepContext,
    trouble: list[EngineError],
) -> Iterator[pa.RecordBatch]:
    from pyarrow import parquet

    schema, names = arrow_schema(chosen), [column.name for column in chosen]
    try:
        for file in files:
            with parquet.ParquetFile(file.path) as opened_file:
                for batch in opened_file.iter_batches(BATCH_ROWS, columns=names):
                    arrays = [
                        _carried(batch.column(column.name), column, field.type)
                        for column, field in zip(chosen, schema, strict=True)
                    ]
                    context.rows(batch.num_rows)
                    yield pa.RecordBatch.from_arrays(arrays, schema=schema)
    except EngineError as error:
        trouble.append(error)
        raise


def _carried(array: pa.Array, column: FlowColumn, kind: pa.DataType) -> pa.Array:
    """Raises ColumnRefused where digits would be lost."""
    if isinstance(array, pa.ExtensionArray):
        if column.type is ValueType.UUID:
            return pa.array([None if value is None else str(value) for value in array.to_pylist()], kind)
        array = array.storage
    if column.type is ValueType.DECIMAL and carried_as_text(column):
        values: list[Decimal | None] = array.to_pylist()
        return pa.array([None if value is None else f"{value:f}" for value in values], kind)
    try:
        return array.cast(kind)
    except pa.ArrowInvalid as error:
        raise ColumnRefused(
            f"the column {column.name} has a value finer than a microsecond, or beyond {kind}",
            hint="leave the column out, or write the files with microseconds",
            column=column.name,
        ) from error
