"""A value of a program as a value of a column's type, or why it cannot be one."""

import datetime as dt
import decimal
import uuid

from dragoman.contracts import program
from dragoman.contracts.query import Value
from dragoman.contracts.record import Record
from dragoman.contracts.schema import ValueType
from dragoman.language.verbs.limits import MAX_INTEGER, MIN_INTEGER
from dragoman.tables.verbs import DATES, NUMBERS, OPAQUE

MOST_DIGITS = 38
"""What every engine can hold exactly."""


class Refused(Record, frozen=True):
    code: str
    message: str
    hint: str


class Day(Record, frozen=True):
    """A whole day, where a column holds moments."""

    value: dt.date


_WANTED: dict[ValueType, str] = {
    ValueType.TEXT: 'a text in quotes, "…"',
    ValueType.INTEGER: "a number, 12",
    ValueType.DECIMAL: "a number, 12.50",
    ValueType.FLOAT: "a number, 12.5",
    ValueType.BOOLEAN: "true or false",
    ValueType.DATE: "a date without quotes, 2020-03-31",
    ValueType.TIME: 'a time in quotes, "12:30"',
    ValueType.DATETIME: 'a date, 2020-03-31, or a moment in quotes, "2020-03-31T12:30:00"',
    ValueType.INSTANT: 'a date, 2020-03-31, or a moment in quotes, "2020-03-31T12:30:00Z"',
    ValueType.UUID: 'a UUID in quotes, "8a6e0804-2bd0-4672-b79d-d97027f9071a"',
    ValueType.OTHER: "a text, a number, a boolean or a date",
}


def wanted(kind: ValueType) -> str:
    return _WANTED.get(kind, "nil, or {:not nil}")


def column_value(value: program.Value, kind: ValueType) -> Value | Day | Refused:
    """What the value is for a column of this type."""
    match value, kind:
        case program.Text(value=text), _:
            unfit = why_unfit(text)
            return unfit if unfit is not None else _of_text(text, kind)
        case (
            program.Integer(value=number),
            ValueType.INTEGER | ValueType.DECIMAL | ValueType.FLOAT | ValueType.OTHER,
        ):
            return number if MIN_INTEGER <= number <= MAX_INTEGER else _too_great()
        case (
            program.Number(value=digits),
            ValueType.INTEGER | ValueType.DECIMAL | ValueType.FLOAT | ValueType.OTHER,
        ):
            return _decimal(digits, kind)
        case program.Boolean(value=truth), ValueType.BOOLEAN | ValueType.OTHER:
            return truth
        case program.Date(value=day), ValueType.DATE | ValueType.OTHER:
            return day
        case program.Date(value=day), ValueType.DATETIME | ValueType.INSTANT:
            # Midnight would be a wrong reading of a day: "on 31 March" is all of its moments.
            return Day(day)
        case _:
            return _misfit(kind)


def comparable(one: ValueType, other: ValueType) -> bool:
    """Whether values of two columns can be held against each other."""
    if one is other:
        return one not in OPAQUE
    # Nobody knows in which zone a moment without one was: it cannot be held against a moment that has one.
    return {one, other} <= NUMBERS or (ValueType.DATE in (one, other) and {one, other} <= DATES)


def why_unfit(text: str) -> Refused | None:
    """A text that no database takes."""
    if "\0" in text or any("\ud800" <= each <= "\udfff" for each in text):
        return Refused("bad_text", "a text has a NUL or half of a character in it", "leave it out")
    return None


def _misfit(kind: ValueType) -> Refused:
    return Refused("argument_type", f"the value is not {_article(kind)}", f"write {wanted(kind)}")


def _article(kind: ValueType) -> str:
    return f"{'an' if kind.value[0] in 'aeio' else 'a'} {kind.value}"


def _too_great() -> Refused:
    hint = f"write a whole number of 64 bits, or a decimal of at most {MOST_DIGITS} digits"
    return Refused("number_out_of_range", "the number is too great", hint)


def _of_text(text: str, kind: ValueType) -> Value | Refused:
    try:
        match kind:
            case ValueType.TEXT | ValueType.OTHER:
                return text
            case ValueType.TIME:
                moment = dt.time.fromisoformat(text)
                return moment if moment.tzinfo is None else _misfit(kind)
            case ValueType.DATETIME:
                return _naive(dt.datetime.fromisoformat(text))
            case ValueType.INSTANT:
                read = dt.datetime.fromisoformat(text)
                return read.replace(tzinfo=dt.UTC) if read.tzinfo is None else read.astimezone(dt.UTC)
            case ValueType.UUID:
                return uuid.UUID(text)
            case _:
                return _misfit(kind)
    except (ValueError, OverflowError):
        return _misfit(kind)


def _naive(moment: dt.datetime) -> dt.datetime | Refused:
    """A column without zones cannot be compared with a moment in one: nobody knows which zone it is in."""
    return moment if moment.tzinfo is None else _misfit(ValueType.DATETIME)


def _decimal(digits: str, kind: ValueType) -> Value | Refused:
    try:
        number = decimal.Decimal(digits)
    except decimal.InvalidOperation:
        return _misfit(kind)
    _, figures, exponent = number.as_tuple()
    if not isinstance(exponent, int):
        return _misfit(kind)
    if len(figures) + max(exponent, 0) > MOST_DIGITS or -exponent > MOST_DIGITS:
        return _too_great()
    if kind is not ValueType.INTEGER or number != number.to_integral_value():
        return number
    whole = int(number)
    return whole if MIN_INTEGER <= whole <= MAX_INTEGER else _too_great()
