"""Values out of the text that databases write them in.

What Python cannot hold exactly (a zero date, infinity, a month among days) stays the text it was.
"""

import datetime as dt
import decimal
import re
import uuid
from collections.abc import Callable

from dragoman.contracts.query import Value
from dragoman.contracts.schema import ValueType

_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_CLOCK = r"\d\d:\d\d(?::\d\d(?:\.\d{1,6}0*)?)?"
_OFFSET = r"(?:Z|[+-]\d\d(?::?\d\d(?::?\d\d)?)?)"
_DATETIME = re.compile(rf"\d{{4}}-\d\d-\d\d[ T]{_CLOCK}")
_INSTANT = re.compile(rf"(\d{{4}}-\d\d-\d\d[ T]{_CLOCK}) ?({_OFFSET})")
_TIME = re.compile(_CLOCK)
_TIME_WITH_ZONE = re.compile(rf"({_CLOCK})({_OFFSET})")
_SPAN = re.compile(r"(-?)(\d+):(\d\d):(\d\d)(?:\.(\d{1,6}))?")
_NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?")
_ISO_INTERVAL = re.compile(
    r"P(?:(-?\d+)Y)?(?:(-?\d+)M)?(?:(-?\d+)W)?(?:(-?\d+)D)?"
    r"(?:T(?:(-?\d+)H)?(?:(-?\d+)M)?(?:(-?\d+(?:\.\d{1,6})?)S)?)?"
)
_ODD_NUMBERS = frozenset({"NaN", "Infinity", "-Infinity"})
_MICROSECONDS = 1_000_000


def to_date(text: str) -> dt.date | str:
    if not _DATE.fullmatch(text):
        return text
    try:
        return dt.date.fromisoformat(text)
    except ValueError:
        return text


def to_datetime(text: str) -> dt.datetime | str:
    """A datetime without a zone."""
    if not _DATETIME.fullmatch(text):
        return text
    try:
        return dt.datetime.fromisoformat(_six_digits(text))
    except ValueError:
        return text


def to_instant(text: str) -> dt.datetime | str:
    """A point in time, told in UTC. Text without a zone is none."""
    found = _INSTANT.fullmatch(text)
    if not found:
        return text
    try:
        told = dt.datetime.fromisoformat(_six_digits(found[1]) + found[2])
        return told.astimezone(dt.UTC)
    except (ValueError, OverflowError):
        return text


def to_time(text: str) -> dt.time | str:
    found = _TIME_WITH_ZONE.fullmatch(text)
    if not found and not _TIME.fullmatch(text):
        return text
    try:
        return dt.time.fromisoformat(_six_digits(found[1]) + found[2] if found else _six_digits(text))
    except ValueError:
        return text


def to_span_or_time(text: str) -> dt.time | dt.timedelta | str:
    """A time of day, or a duration where it is none: negative, or a day and more."""
    found = _SPAN.fullmatch(text)
    if not found:
        return text
    sign, hours, minutes, seconds, fraction = found.groups()
    if not sign and int(hours) < 24:
        return to_time(text)
    span = dt.timedelta(
        hours=int(hours),
        minutes=int(minutes),
        seconds=int(seconds),
        microseconds=int((fraction or "").ljust(6, "0")),
    )
    return -span if sign else span


def to_interval(text: str) -> dt.timedelta | str:
    """A duration out of ISO 8601. One with years or months has no fixed length and stays text."""
    found = _ISO_INTERVAL.fullmatch(text)
    if not found or text in ("P", "PT"):
        return text
    years, months, weeks, days, hours, minutes = (int(part or 0) for part in found.groups()[:6])
    if years or months:
        return text
    seconds = int(decimal.Decimal(found[7] or 0) * _MICROSECONDS)
    try:
        return dt.timedelta(weeks=weeks, days=days, hours=hours, minutes=minutes, microseconds=seconds)
    except OverflowError:
        return text


def iso_interval(months: int, days: int, microseconds: int) -> str:
    """An interval in ISO 8601, as PostgreSQL writes it."""
    years, months = _quotient(months, 12)
    hours, rest = _quotient(microseconds, 3600 * _MICROSECONDS)
    minutes, rest = _quotient(rest, 60 * _MICROSECONDS)
    day_part = "".join(f"{n}{unit}" for n, unit in ((years, "Y"), (months, "M"), (days, "D")) if n)
    seconds = decimal.Decimal(rest).scaleb(-6).normalize()
    clock = "".join(f"{n}{unit}" for n, unit in ((hours, "H"), (minutes, "M")) if n)
    clock += f"{seconds:f}S" if rest else ""
    if not day_part and not clock:
        return "PT0S"
    return f"P{day_part}" + (f"T{clock}" if clock else "")


def to_decimal(text: str) -> decimal.Decimal | str:
    if _NUMBER.fullmatch(text) or text in _ODD_NUMBERS:
        return decimal.Decimal(text)
    return text


def to_uuid(text: str) -> uuid.UUID | str:
    try:
        return uuid.UUID(text)
    except ValueError:
        return text


def to_integer(text: str) -> int | str:
    try:
        return int(text)
    except ValueError:
        return text


def to_float(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text


def _as_it_is(text: str) -> str:
    return text


DECODERS: dict[ValueType, Callable[[str], Value]] = {
    ValueType.TEXT: _as_it_is,
    ValueType.INTEGER: to_integer,
    ValueType.DECIMAL: to_decimal,
    ValueType.FLOAT: to_float,
    ValueType.BOOLEAN: _as_it_is,
    ValueType.DATE: to_date,
    ValueType.TIME: to_time,
    ValueType.DATETIME: to_datetime,
    ValueType.INSTANT: to_instant,
    ValueType.INTERVAL: to_interval,
    ValueType.JSON: _as_it_is,
    ValueType.UUID: to_uuid,
    ValueType.BYTES: _as_it_is,
    ValueType.OTHER: _as_it_is,
}
"""What is alike in all databases. Booleans and bytes are written in different ways."""


def _six_digits(text: str) -> str:
    """The clock with microseconds: Python would cut off further digits, here they are noughts."""
    whole, point, fraction = text.partition(".")
    return f"{whole}.{fraction[:6]:0<6}" if point else text


def _quotient(value: int, by: int) -> tuple[int, int]:
    """Division towards nought, so that all parts of a negative interval are negative."""
    sign = -1 if value < 0 else 1
    whole, rest = divmod(abs(value), by)
    return sign * whole, sign * rest
