"""Columns of SQLite as columns of a flow, and their cells in its carriers.

A declared type says what is meant, yet any cell may hold anything. So every cell is checked on its way: one
that is not what its column promises ends the reading, with the column named.
"""

import datetime as dt
import decimal
import re
import uuid
from collections.abc import Callable, Sequence
from typing import Any

import pyarrow as pa

from dragoman.contracts.errors import ColumnRefused
from dragoman.contracts.flow import FlowColumn
from dragoman.contracts.query import Value
from dragoman.contracts.schema import Dialect, ValueType
from dragoman.databases.access.native_types import value_type
from dragoman.databases.families.sqlite.values import Stored, decoder
from dragoman.engine.carriers import MAX_DIGITS, arrow_type, carried_as_text
from dragoman.engine.components.sqlite.quick import carried_quickly

_DIGITS = re.compile(r"\(\s*(\d+)\s*(?:,\s*(\d+)\s*)?\)")
_EXACT = 2**53

_HELD: dict[ValueType, type | tuple[type, ...]] = {
    ValueType.INTEGER: int,
    ValueType.FLOAT: float,
    ValueType.BOOLEAN: bool,
    ValueType.DECIMAL: decimal.Decimal,
    ValueType.DATE: dt.date,
    ValueType.TIME: dt.time,
    ValueType.DATETIME: dt.datetime,
    ValueType.INSTANT: dt.datetime,
    ValueType.UUID: uuid.UUID,
    ValueType.TEXT: str,
    ValueType.JSON: str,
    ValueType.BYTES: bytes,
}


def declared_column(name: str, native: str, *, nullable: bool = True) -> FlowColumn | None:
    """A column by its declared type; None where that says nothing and its values have to."""
    held = value_type(Dialect.SQLITE, native) if native else ValueType.OTHER
    if held is ValueType.OTHER or held not in _HELD:
        return None
    precision = scale = None
    if held is ValueType.DECIMAL and (found := _DIGITS.search(native)):
        digits = int(found[1]), int(found[2] or 0)
        if 0 < digits[0] <= MAX_DIGITS and digits[1] <= digits[0]:
            precision, scale = digits
    return FlowColumn(name, held, precision=precision, scale=scale, nullable=nullable, native=native)


def column_by_values(name: str, kinds: set[str], largest: int) -> FlowColumn:
    """A column that nobody declared, by the storage classes of its values. Raises ColumnRefused."""
    match sorted(kinds - {"null"}):
        case [] | ["text"]:
            return FlowColumn(name, ValueType.TEXT)
        case ["integer"]:
            return FlowColumn(name, ValueType.INTEGER)
        case ["real"]:
            return FlowColumn(name, ValueType.FLOAT)
        case ["integer", "real"] if largest <= _EXACT:
            return FlowColumn(name, ValueType.FLOAT)
        case ["blob"]:
            return FlowColumn(name, ValueType.BYTES)
        case several:
            raise ColumnRefused(
                f"the column {name} holds values of different kinds: {', '.join(several)}",
                hint=f"read it as CAST({name} AS TEXT) in a query",
                column=name,
            )


def carried(column: FlowColumn, cells: Sequence[Stored]) -> pa.Array:
    """Cells as they came, in the column's carrier. Raises ColumnRefused."""
    quick = carried_quickly(column, cells)
    return quick if quick is not None else carried_singly(column, cells)


def carried_singly(column: FlowColumn, cells: Sequence[Stored]) -> pa.Array:
    decode = decoder(column.type, column.native)
    expected = _HELD[column.type]
    spell = _spelling(column)
    values = [
        None if cell is None else spell(_fitting(decode(cell), expected, cell, column)) for cell in cells
    ]
    try:
        return pa.array(values, arrow_type(column))
    except (pa.ArrowInvalid, OverflowError, pa.ArrowTypeError) as error:
        raise _refused(column, f"has a value beyond {column.native or column.type.value}") from error


def _fitting(value: Value, expected: type | tuple[type, ...], cell: Stored, column: FlowColumn) -> Value:
    if type(value) is expected:
        return value
    shown = {int: "a number", float: "a number", str: "a text", bytes: "bytes"}.get(type(cell), "a value")
    raise _refused(column, f"is {column.native or column.type.value} and holds {shown} that is none")


def _spelling(column: FlowColumn) -> Callable[[Any], Any]:
    match column.type:
        case ValueType.UUID:
            return str
        case ValueType.DECIMAL if carried_as_text(column):
            return lambda value: f"{value:f}" if value.is_finite() else str(value)
        case ValueType.TIME:
            return lambda value: _plain_time(value, column)
        case _:
            return lambda value: value


def _plain_time(value: dt.time, column: FlowColumn) -> dt.time:
    if value.tzinfo is not None:
        raise _refused(column, "has a time with a zone")
    return value


def _refused(column: FlowColumn, problem: str) -> ColumnRefused:
    return ColumnRefused(
        f"the column {column.name} {problem}",
        hint=f"mend the rows, or read CAST({column.name} AS TEXT) in a query",
        column=column.name,
    )
