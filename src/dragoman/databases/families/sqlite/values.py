"""Values to and from SQLite, which has five kinds of them. The declared type says what they mean."""

import datetime as dt
import decimal
import uuid
from collections.abc import Callable, Sequence

from dragoman.contracts.errors import ParameterRefused
from dragoman.contracts.query import Value
from dragoman.contracts.schema import ValueType
from dragoman.databases.access.values import (
    to_date,
    to_datetime,
    to_decimal,
    to_instant,
    to_time,
    to_uuid,
)

_SMALLEST, _LARGEST = -(2**63), 2**63 - 1
Stored = None | int | float | str | bytes


def bound(value: Value) -> Stored:
    """A parameter as SQLite compares it rightly. Raises ParameterRefused.

    A decimal goes as a whole number or a float: as text it would equal nothing in an expression, which has no
    affinity that could turn it into a number.
    """
    match value:
        case None | str() | bytes():
            return value
        case bool():
            return int(value)
        case int():
            return value if _SMALLEST <= value <= _LARGEST else _float(value)
        case float():
            return _float(value)
        case decimal.Decimal():
            whole = value.is_finite() and value == value.to_integral_value()
            return bound(int(value)) if whole and abs(value) < 10**30 else _float(value)
        case dt.datetime():
            return told(value)
        case dt.date() | dt.time():
            return value.isoformat()
        case dt.timedelta():
            return value.total_seconds() if value.microseconds else value.days * 86_400 + value.seconds
        case uuid.UUID():
            return str(value)


def told(value: dt.datetime) -> str:
    """As SQLite's own functions write it, with a space; a point in time in UTC, and it says so."""
    return (value.astimezone(dt.UTC) if value.tzinfo else value).isoformat(" ")


def _float(value: float | int | decimal.Decimal) -> float:
    try:
        number = float(value)
    except (OverflowError, ValueError) as error:
        raise ParameterRefused("SQLite has no such number", hint="use another one") from error
    if number != number:
        raise ParameterRefused("SQLite has no NaN; it would become NULL", hint="leave it out")
    return number


def decoder(held: ValueType, native: str) -> Callable[[Stored], Value]:
    """How cells of a column are read. A value that does not fit what was declared is given as it is."""
    match held:
        case ValueType.BOOLEAN:
            return lambda cell: bool(cell) if cell in (0, 1) and isinstance(cell, int) else cell
        case ValueType.DECIMAL:
            scale = _scale(native)
            return lambda cell: _decimal(cell, scale)
        case ValueType.FLOAT:
            return lambda cell: float(cell) if isinstance(cell, int) and abs(cell) <= 2**53 else cell
        case ValueType.DATE:
            return _of_text(to_date)
        case ValueType.TIME:
            return _of_text(to_time)
        case ValueType.DATETIME:
            return _of_text(to_datetime)
        case ValueType.INSTANT:
            return _of_text(to_instant)
        case ValueType.UUID:
            return _uuid
        case _:
            return lambda cell: cell


def held_by(cells: Sequence[Stored]) -> ValueType:
    """What a column holds whose type nobody declared: an expression, or a column without one."""
    kinds = {type(cell) for cell in cells if cell is not None}
    if kinds == {int}:
        return ValueType.INTEGER
    if kinds and kinds <= {int, float}:
        return ValueType.FLOAT
    if kinds == {str}:
        return ValueType.TEXT
    if kinds == {bytes}:
        return ValueType.BYTES
    return ValueType.OTHER


def _of_text(read: Callable[[str], Value]) -> Callable[[Stored], Value]:
    return lambda cell: read(cell) if isinstance(cell, str) else cell


def _uuid(cell: Stored) -> Value:
    match cell:
        case str():
            return to_uuid(cell)
        case bytes() if len(cell) == 16:
            return uuid.UUID(bytes=cell)
        case _:
            return cell


def _decimal(cell: Stored, scale: int | None) -> Value:
    """A number as a decimal. SQLite keeps no noughts at its end, so the declared scale gives them back."""
    match cell:
        case int():
            number: Value = decimal.Decimal(cell)
        case float():
            number = decimal.Decimal(repr(cell))
        case str():
            number = to_decimal(cell)
        case _:
            return cell
    if not isinstance(number, decimal.Decimal) or not number.is_finite() or scale is None:
        return number
    exponent = number.as_tuple().exponent
    if isinstance(exponent, int) and -scale <= exponent <= 30:
        return decimal.Decimal(f"{number:.{scale}f}")
    return number


def _scale(native: str) -> int | None:
    """The second number in the brackets; one number alone means whole numbers."""
    _, bracket, inside = native.partition("(")
    numbers = [part.strip() for part in inside.partition(")")[0].split(",")]
    if not bracket or not all(part.isascii() and part.isdecimal() for part in numbers):
        return None
    return int(numbers[1]) if len(numbers) == 2 else 0
