"""Values and names as PostgREST reads them in an address, and which value may stand against which column.

A value in an address has no type: it takes that of the column it is compared with. So a value is only taken
where that is what PostgreSQL itself would compare.
"""

import datetime as dt
import decimal
import re
import struct
import uuid

from dragoman.contracts.errors import ParameterRefused, RestCannot
from dragoman.contracts.query import Value
from dragoman.contracts.schema import ValueType
from dragoman.databases.access.values import iso_interval, to_date, to_datetime, to_instant
from dragoman.databases.families.supabase.answers import SQL_HINT
from dragoman.databases.families.supabase.description import RestColumn

_SPECIAL = re.compile(r'["\\]')
_REAL = frozenset({"real", "float4"})
_TIMES = frozenset({ValueType.DATE, ValueType.DATETIME, ValueType.INSTANT})
_OPEN_TIMES = frozenset({"infinity", "-infinity"})
_WILD = {"%": ".*", "_": "."}


def cannot(part: str, why: str) -> RestCannot:
    return RestCannot(f"over REST one cannot ask {why}", hint=SQL_HINT, part=part)


def quoted(text: str) -> str:
    """A text between quotes, in which only the quote and the backslash mean anything."""
    return '"' + _SPECIAL.sub(r"\\\g<0>", text) + '"'


def operand(column: RestColumn, value: Value) -> str:
    """A value that is compared with a column, quoted. Raises RestCannot, ParameterRefused."""
    text = _text(column, value)
    if text is None:
        raise cannot("value", f"how {column.name!r} ({column.native}) compares with {_kind(value)}")
    if "\0" in text:
        raise ParameterRefused("PostgreSQL takes no NUL character in a text", hint="leave it out")
    return quoted(text)


def pattern(column: RestColumn, value: Value, *, fold: bool) -> str:
    """The operator and operand of LIKE, or of ILIKE. PostgREST reads a star as a percent sign; a pattern that
    has one is asked for as a regular expression."""
    if not isinstance(value, str) or column.type is not ValueType.TEXT:
        raise cannot("like", f"for a pattern in {column.name!r} ({column.native})")
    if "\0" in value:
        raise ParameterRefused("PostgreSQL takes no NUL character in a text", hint="leave it out")
    if "*" not in value:
        return f"{'ilike' if fold else 'like'}.{quoted(value)}"
    return f"{'imatch' if fold else 'match'}.{quoted(_expression(value))}"


def _expression(like: str) -> str:
    parts, escaped = list[str](), False
    for character in like:
        if escaped or (character not in _WILD and character != "\\"):
            parts.append(character if character.isalnum() or not character.isascii() else f"\\{character}")
            escaped = False
        elif character == "\\":
            escaped = True
        else:
            parts.append(_WILD[character])
    if escaped:
        raise cannot("like", "for a pattern that ends in a backslash")
    return f"^{''.join(parts)}$"


def _text(column: RestColumn, value: Value) -> str | None:
    """The value as the column's type reads it; nothing where PostgreSQL would compare otherwise."""
    match value, column.type:
        case str(), held if held in _TIMES:
            return _told_time(value, held)
        case str(), _:
            return value
        case bool(), ValueType.BOOLEAN:
            return "true" if value else "false"
        case bool() | None, _:
            return None
        case ((int() | float() | decimal.Decimal()), _):
            return _number(column, value)
        case dt.date(), held:
            return _moment(value, held)
        case dt.time(), ValueType.TIME:
            return value.isoformat()
        case dt.timedelta(), ValueType.INTERVAL:
            seconds = value.seconds * 1_000_000 + value.microseconds
            return iso_interval(0, value.days, seconds)
        case uuid.UUID(), ValueType.UUID:
            return str(value)
        case bytes(), ValueType.BYTES:
            return "\\x" + value.hex()
        case _:
            return None


def _number(column: RestColumn, value: float | decimal.Decimal) -> str | None:
    match column.type:
        case ValueType.INTEGER if not isinstance(value, float):
            return str(int(value)) if _is_whole(value) else None
        case ValueType.DECIMAL if not isinstance(value, float) and column.native != "money":
            return str(value)
        case ValueType.FLOAT:
            return str(value) if column.native not in _REAL or _fits_real(value) else None
        case _:
            return None


def _moment(value: dt.date, held: ValueType) -> str | None:
    match value, held:
        case dt.datetime(), ValueType.DATETIME:
            return (value.astimezone(dt.UTC).replace(tzinfo=None) if value.tzinfo else value).isoformat(" ")
        case dt.datetime(), ValueType.INSTANT:
            return (value if value.tzinfo else value.replace(tzinfo=dt.UTC)).isoformat(" ")
        case dt.datetime(), _:
            return None
        case _, ValueType.DATE | ValueType.DATETIME:
            return value.isoformat()
        case _, ValueType.INSTANT:
            return f"{value.isoformat()} 00:00:00+00:00"
        case _:
            return None


def _told_time(text: str, held: ValueType) -> str | None:
    """A text against a time. How another than the ISO form is read is a setting that is not ours here, and so
    is the zone that stands for none."""
    if text in _OPEN_TIMES:
        return text
    is_day = not isinstance(to_date(text), str)
    is_moment = is_day or not isinstance(to_datetime(text), str)
    match held:
        case ValueType.DATE:
            return text if is_day else None
        case ValueType.DATETIME:
            return text if is_moment else None
        case _ if not isinstance(to_instant(text), str):
            return text
        case _:
            return f"{text}{' 00:00:00' if is_day else ''}+00:00" if is_moment else None


def _is_whole(value: int | decimal.Decimal) -> bool:
    return isinstance(value, int) or (value.is_finite() and value == value.to_integral_value())


def _fits_real(value: float | decimal.Decimal) -> bool:
    """Whether a number is the same in four bytes: PostgreSQL compares in eight."""
    try:
        return bool(struct.unpack("f", struct.pack("f", float(value)))[0] == float(value))
    except OverflowError:
        return False


def _kind(value: Value) -> str:
    return "nothing (ask with IS NULL)" if value is None else f"a value of this kind: {type(value).__name__}"
