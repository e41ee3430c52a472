"""Cells as PostgREST gives them, into the values that the PostgreSQL reader gives."""

import decimal
import re
from collections.abc import Callable

from dragoman.contracts.query import Value
from dragoman.contracts.schema import ValueType
from dragoman.databases.access.values import iso_interval, to_interval
from dragoman.databases.families.postgres.values import decoder
from dragoman.databases.families.supabase.answers import Cell

UNCAST = frozenset({ValueType.TEXT, ValueType.BOOLEAN})
"""What JSON holds as it is; a cast would take the blanks off a padded text. All else is asked for as the text
that PostgreSQL writes."""

_INTERVAL = re.compile(
    r"(?:([+-]?\d+) years?)? ?(?:([+-]?\d+) mons?)? ?(?:([+-]?\d+) days?)? ?"
    r"(?:([+-]?)(\d+):(\d\d):(\d\d)(?:\.(\d{1,6}))?)?"
)


_JSON_MOMENT = re.compile(r"(\d+-\d\d-\d\d)T([\d:.]+)(?:([+-]\d\d)(?::00)?)?( BC)?")


def reader_of(native: str, held: ValueType) -> Callable[[Cell], Value]:
    """How the cells of a column are read."""
    decode = _interval if held is ValueType.INTERVAL else decoder(native)
    is_moment = held in (ValueType.DATETIME, ValueType.INSTANT)

    def read(cell: Cell) -> Value:
        match cell:
            case None | bool():
                return cell
            case str():
                return decode(_JSON_MOMENT.sub(r"\1 \2\3\4", cell) if is_moment else cell)
            case int() | decimal.Decimal():
                return decode(str(cell))

    return read


def _interval(text: str) -> Value:
    """An interval in PostgreSQL's own style, in which a server speaks that was not told otherwise."""
    found = _INTERVAL.fullmatch(text)
    if not found or not text.strip():
        return to_interval(text)
    years, months, days = (int(part or 0) for part in found.groups()[:3])
    sign, hours, minutes, seconds, fraction = found.groups()[3:]
    clock = (int(hours or 0) * 60 + int(minutes or 0)) * 60 + int(seconds or 0)
    micro = clock * 1_000_000 + int((fraction or "").ljust(6, "0"))
    return to_interval(iso_interval(years * 12 + months, days, -micro if sign == "-" else micro))
