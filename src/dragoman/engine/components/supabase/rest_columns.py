"""Columns of a project as it describes itself, and the cells it gives, in their carriers."""

import datetime as dt
import decimal
import uuid
from collections.abc import Collection

from dragoman.contracts.errors import ColumnRefused
from dragoman.contracts.flow import ColumnWarning, FlowColumn
from dragoman.contracts.query import Value
from dragoman.contracts.schema import ValueType
from dragoman.databases.families.supabase.description import RestColumn

INFINITY_TO_NULL = "infinity_to_null"
NAN_TO_NULL = "nan_to_null"
_BITS = {"smallint": 16, "integer": 32, "bigint": 64, "real": 32, "oid": 32}
_EXACT = {
    ValueType.BOOLEAN: bool,
    ValueType.INTEGER: int,
    ValueType.DATE: dt.date,
    ValueType.TIME: dt.time,
    ValueType.DATETIME: dt.datetime,
    ValueType.INSTANT: dt.datetime,
    ValueType.BYTES: bytes,
}
_MOMENTS = frozenset({ValueType.DATE, ValueType.DATETIME, ValueType.INSTANT})
SQL_HINT = "give the PostgreSQL URL of the project: there it can be read exactly"


def flow_column(column: RestColumn) -> FlowColumn:
    """Raises ColumnRefused for what does not come exactly over REST."""
    held = column.type
    if held is ValueType.INTERVAL or column.native in ("time with time zone", "timetz"):
        raise ColumnRefused(
            f"column {column.name} is {column.native}, which REST does not give exactly",
            hint=SQL_HINT,
            column=column.name,
        )
    if held is ValueType.INTEGER and column.native not in _BITS:
        held = ValueType.OTHER
    return FlowColumn(
        column.name,
        held,
        bits=_BITS.get(column.native, 64),
        signed=column.native != "oid",
        nullable=column.nullable,
        native=column.native,
    )


def carried(value: Value, column: FlowColumn, convert: Collection[str]) -> object:
    """A cell in its carrier. Raises ColumnRefused where it has no room there."""
    if value is None:
        return None
    match column.type:
        case ValueType.FLOAT if isinstance(value, int | float):
            return _float(float(value), convert)
        case ValueType.DECIMAL if isinstance(value, decimal.Decimal | int):
            return _decimal(decimal.Decimal(value), convert)
        case ValueType.UUID | ValueType.JSON | ValueType.TEXT | ValueType.OTHER:
            if isinstance(value, str | uuid.UUID | int | decimal.Decimal):
                return str(value)
        case held if held in _EXACT and isinstance(value, _EXACT[held]):
            return value
        case held if held in _MOMENTS and str(value) in ("infinity", "-infinity"):
            if INFINITY_TO_NULL in convert:
                return None
        case _:
            pass
    raise ColumnRefused(
        f"column {column.name} holds a value of {column.native} that REST does not give exactly",
        hint=SQL_HINT,
        column=column.name,
    )


def warnings_of(column: FlowColumn, convert: Collection[str]) -> tuple[ColumnWarning, ...]:
    numbers = column.type in (ValueType.FLOAT, ValueType.DECIMAL)
    rules = [NAN_TO_NULL] if numbers else []
    rules += [INFINITY_TO_NULL] if numbers or column.type in _MOMENTS else []
    return tuple(
        ColumnWarning(column.name, rule, f"{rule.partition('_')[0]} in {column.name} becomes NULL")
        for rule in rules
        if rule in convert
    )


def _float(value: float, convert: Collection[str]) -> float | None:
    bent = (value != value and NAN_TO_NULL in convert) or (
        value in (float("inf"), float("-inf")) and INFINITY_TO_NULL in convert
    )
    return None if bent else value


def _decimal(value: decimal.Decimal, convert: Collection[str]) -> str | None:
    bent = (value.is_nan() and NAN_TO_NULL in convert) or (
        value.is_infinite() and INFINITY_TO_NULL in convert
    )
    return None if bent else f"{value:f}"
