"""Values out of DuckDB: what its Python driver would round or refuse comes as text, and is read here."""

import re
from collections.abc import Callable
from typing import Any

from dragoman.contracts.query import Value
from dragoman.contracts.schema import Dialect, ValueType
from dragoman.databases.access.native_types import value_type
from dragoman.databases.access.values import DECODERS, iso_interval, to_interval

_AS_TEXT = frozenset(
    {
        ValueType.DATE,
        ValueType.TIME,
        ValueType.DATETIME,
        ValueType.INSTANT,
        ValueType.INTERVAL,
        ValueType.OTHER,
    }
)
_INTERVAL = re.compile(
    r"(?:(-?\d+) years? ?)?(?:(-?\d+) months? ?)?(?:(-?\d+) days? ?)?"
    r"(?:(-?)(\d+):(\d\d):(\d\d)(?:\.(\d{1,6}))?)?"
)
_PLAIN_JSON = "JSON"


def expression(native: str, column: str) -> str:
    """What is selected in the place of a column of this type."""
    held = value_type(Dialect.DUCKDB, native)
    if held is ValueType.JSON and native != _PLAIN_JSON:
        return f"CAST(to_json({column}) AS VARCHAR)"
    if held in _AS_TEXT or native == "FLOAT" or native == "BIGNUM":
        return f"CAST({column} AS VARCHAR)"
    return column


def decoder(native: str) -> Callable[[Any], Value]:
    """How the cells of a type are read, once they were selected as above."""
    held = value_type(Dialect.DUCKDB, native)
    match held:
        case ValueType.INTERVAL:
            return _interval
        case _ if held in _AS_TEXT or native in ("FLOAT", "BIGNUM"):
            return DECODERS[held]
        case _:
            return lambda cell: cell


def _interval(text: str) -> Value:
    found = _INTERVAL.fullmatch(text)
    if not found or not text:
        return text
    years, months, days = (int(part or 0) for part in found.groups()[:3])
    hours, minutes, seconds = (int(part or 0) for part in found.groups()[4:7])
    clock = ((hours * 60 + minutes) * 60 + seconds) * 1_000_000 + int((found[8] or "").ljust(6, "0"))
    return to_interval(iso_interval(years * 12 + months, days, -clock if found[4] else clock))
