"""Values written into SQL for MariaDB and MySQL, whose Python driver does not bind them on the server.

Text is written in hexadecimal: there is nothing to escape, so no setting of the server can end it early.
"""

import datetime as dt
import decimal
import uuid

from dragoman.contracts.errors import ParameterRefused
from dragoman.contracts.query import Query, Value
from dragoman.contracts.schema import Dialect
from dragoman.databases.access.placeholders import pieces

_LONGEST_TIME = dt.timedelta(hours=838, minutes=59, seconds=59)


def with_values(query: Query) -> str:
    """The SQL with every value in the place of its `?`. Raises ParameterRefused."""
    first, *others = pieces(query, Dialect.MYSQL)
    values = (literal(value) for value in query.parameters)
    return first + "".join(value + piece for value, piece in zip(values, others, strict=True))


def text_literal(text: str) -> str:
    return f"_utf8mb4 x'{text.encode().hex()}'"


def literal(value: Value) -> str:
    """A value as a literal of its own type. Raises ParameterRefused."""
    match value:
        case None:
            return "NULL"
        case bool():
            return "TRUE" if value else "FALSE"
        case int():
            return _number(str(value))
        case float():
            return _finite(repr(value), value == value and abs(value) != float("inf"), exponent=True)
        case decimal.Decimal():
            return _finite(f"{value:f}", value.is_finite(), exponent=False)
        case str():
            return text_literal(value)
        case bytes():
            return f"_binary x'{value.hex()}'"
        case dt.datetime():
            told = value.astimezone(dt.UTC).replace(tzinfo=None) if value.tzinfo else value
            return f"TIMESTAMP'{told.isoformat(' ')}'"
        case dt.date():
            return f"DATE'{value.isoformat()}'"
        case dt.time():
            return f"TIME'{value.replace(tzinfo=None).isoformat()}'"
        case dt.timedelta():
            return _span(value)
        case uuid.UUID():
            return text_literal(str(value))


def _number(text: str) -> str:
    """In brackets where it has a sign: two minus signs would begin a comment."""
    return f"({text})" if text.startswith("-") else text


def _finite(text: str, finite: bool, *, exponent: bool) -> str:
    if not finite:
        raise ParameterRefused("MySQL has neither NaN nor infinity", hint="leave the value out")
    return _number(text if not exponent or "e" in text else f"{text}e0")


def _span(value: dt.timedelta) -> str:
    if abs(value) > _LONGEST_TIME:
        raise ParameterRefused("MySQL has no TIME beyond 838:59:59", hint="use a shorter duration")
    whole = abs(value)
    minutes, seconds = divmod(whole.days * 86_400 + whole.seconds, 60)
    fraction = f".{whole.microseconds:06}" if whole.microseconds else ""
    sign = "-" if value < dt.timedelta(0) else ""
    return f"TIME'{sign}{minutes // 60:02}:{minutes % 60:02}:{seconds:02}{fraction}'"
