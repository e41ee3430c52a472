"""From what the drivers give to the carriers of a flow, exactly or not at all."""

import datetime as dt
from collections.abc import Iterator

import pyarrow as pa
import pyarrow.compute as pc

from dragoman.contracts.errors import ColumnRefused
from dragoman.contracts.flow import FlowColumn
from dragoman.contracts.schema import ValueType
from dragoman.engine.carriers import arrow_schema, arrow_type

ZERO_DATES = "zero_date_to_null"
_NO_DATE = r"^0000-|-00"
"""Neither a year, nor a month, nor a day is nought."""

_FIRST_DAY = dt.datetime(1, 1, 1)  # noqa: DTZ001
_DATES = frozenset({ValueType.DATE, ValueType.DATETIME, ValueType.INSTANT})


def carried(
    batches: Iterator[pa.RecordBatch], columns: tuple[FlowColumn, ...], convert: frozenset[str]
) -> pa.RecordBatchReader:
    """The batches in their carriers. What cannot be kept raises ColumnRefused when it is met."""
    schema = arrow_schema(columns)

    def each() -> Iterator[pa.RecordBatch]:
        for batch in batches:
            arrays = [
                _carried(batch.column(number), column, convert) for number, column in enumerate(columns)
            ]
            yield pa.RecordBatch.from_arrays(arrays, schema=schema)

    return pa.RecordBatchReader.from_batches(schema, each())


def _carried(array: pa.Array, column: FlowColumn, convert: frozenset[str]) -> pa.Array:
    wanted = arrow_type(column)
    if column.type in _DATES:
        return _dates(_as_text(array), column, wanted, convert)
    if array.type == wanted:
        return array
    if column.type is ValueType.BOOLEAN:
        return _truth(array, column)
    if column.type is ValueType.FLOAT and pa.types.is_float64(array.type):
        # The server made a double of a float. The other way is exact, and no cast of Arrow's says so.
        return array.cast(wanted, safe=False)
    if pa.types.is_string(wanted) and pa.types.is_string(array.type):
        return array
    if pa.types.is_decimal(wanted):
        array = _as_text(array)
    try:
        return array.cast(wanted)
    except pa.ArrowInvalid as error:
        raise ColumnRefused(
            f"column {column.name} has a value that is no {column.native or column.type.value}: "
            f"{str(error)[:200]}",
            hint="leave the column out, or ask for it in another type in a query",
            column=column.name,
        ) from error


def _as_text(array: pa.Array) -> pa.Array:
    return array if pa.types.is_string(array.type) else array.cast(pa.string())


def _dates(array: pa.Array, column: FlowColumn, wanted: pa.DataType, convert: frozenset[str]) -> pa.Array:
    naive = wanted if pa.types.is_date(wanted) else pa.timestamp("us")
    try:
        found = array.cast(naive)
        first = pc.min(found)
        # Arrow knows a year nought, nobody else does.
        if first.is_valid and pc.less(first, pa.scalar(_FIRST_DAY, pa.timestamp("us")).cast(naive)).as_py():
            found = _without_zero(array, column, convert).cast(naive)
    except pa.ArrowInvalid:
        found = _real_dates(_without_zero(array, column, convert), column, naive)
    return found if found.type == wanted else found.cast(wanted)


def _without_zero(array: pa.Array, column: FlowColumn, convert: frozenset[str]) -> pa.Array:
    none = pc.match_substring_regex(array, _NO_DATE)
    if not pc.any(none).as_py():
        return array
    if ZERO_DATES not in convert:
        value = array.filter(none)[0].as_py()
        raise ColumnRefused(
            f"column {column.name} has the date {value}, which is no day of any calendar",
            hint=f"name {ZERO_DATES} in `convert` to read such dates as missing",
            column=column.name,
        )
    return pc.if_else(none, pa.scalar(None, pa.string()), array)


def _real_dates(array: pa.Array, column: FlowColumn, naive: pa.DataType) -> pa.Array:
    try:
        return array.cast(naive)
    except pa.ArrowInvalid as error:
        raise ColumnRefused(
            f"column {column.name} has a date that no calendar has: {str(error)[:200]}",
            hint="correct it at its source, or ask for the column as text in a query",
            column=column.name,
        ) from error


def _truth(array: pa.Array, column: FlowColumn) -> pa.Array:
    if not pa.types.is_integer(array.type):
        array = array.cast(pa.int64())
    found = pc.min_max(array).as_py()
    if found["min"] is not None and (found["min"] < 0 or found["max"] > 1):
        other = found["min"] if found["min"] < 0 else found["max"]
        raise ColumnRefused(
            f"column {column.name} is a TINYINT(1), a boolean, and has the number {other}",
            hint="ask for it as a number in a query: CAST(… AS SIGNED)",
            column=column.name,
        )
    return array.cast(pa.bool_())
