"""Shares in percent as SQL: a part of a number of rows, or of a sum, divided by all of it.

In the templates `y` is what counts as the part and `x` what counts at all; of rows both are ones.
"""

from dragoman.contracts.schema import Dialect, ValueType
from dragoman.tables.graph import Column
from dragoman.tables.measures import MOST_SCALE, Level, Measure, scale_of
from dragoman.tables.quotients import DIGITS, IN_DUCKDB, IN_SQLITE, QUOTIENT_PLACES

_OF_ALL: Level = {"s": "s", "n": "SUM(s) OVER ()"}
"""The part is a group, and all is all groups together."""
_FLOATS: Level = {"value": "100.0 * s / NULLIF(n, 0)"}
_DIGITS = {Dialect.POSTGRES: 300, Dialect.MYSQL: 65}


def share_of(column: Column | None, dialect: Dialect, *, inside: bool, units: bool) -> Measure:
    """The share of rows, or of the sum of a column. `inside`: of a part of each group in the group, otherwise
    of each group in all of them. `units`: it is in whole numbers of its smallest unit already."""
    scale = 0 if column is None else scale_of(column)
    middle = () if inside else (_OF_ALL,)
    if _is_float(column, scale, dialect, units=units):
        kind = ValueType.DECIMAL if column is None else column.type
        adding = "TOTAL" if dialect.is_untyped else "SUM"
        first = {"s": f"COALESCE({adding}(y), 0)", "n": f"{adding}(x)"}
        levels: tuple[Level, ...] = (first, *middle, _FLOATS)
        return Measure(levels, ValueType.FLOAT if kind is ValueType.FLOAT else ValueType.DECIMAL, {}, False)
    finer = 10**QUOTIENT_PLACES
    numbers = {"unit": 10 ** (scale or 0), "finer": finer, "whole": finer, "places": QUOTIENT_PLACES}
    levels = _LEVELS[dialect](dialect, scale or 0, middle, units)
    return Measure(levels, ValueType.DECIMAL, numbers)


def _is_float(column: Column | None, scale: int | None, dialect: Dialect, *, units: bool) -> bool:
    if column is None or units:
        return False
    if column.type is ValueType.FLOAT:
        return True
    # Without a known scale there is no smallest unit to count in.
    untold = scale is None or scale > MOST_SCALE
    return untold and dialect not in _DIGITS


def _first_in_sqlite(scale: int, *, units: bool) -> Level:
    # TOTAL adds whole numbers exactly up to two to the 53rd, and unlike SUM does not fail beyond 64 bits.
    whole = "TOTAL({})" if units or not scale else "TOTAL(CAST(ROUND({} * unit) AS INTEGER))"
    return {"s": whole.format("y"), "n": whole.format("x")}


_WHOLE: Level = {
    "x": "CASE WHEN ABS(s) < 9000000000000000 THEN CAST(s AS INTEGER) * 100 ELSE s * 100 END",
    "y": "CASE WHEN ABS(n) < 9000000000000000 THEN CAST(n AS INTEGER) ELSE n END",
}
_SHOWN: Level = {"value": DIGITS, "rank": "x"}


def _in_sqlite(_: Dialect, scale: int, middle: tuple[Level, ...], units: bool) -> tuple[Level, ...]:
    return (_first_in_sqlite(scale, units=units), *middle, _WHOLE, {"x": IN_SQLITE}, _SHOWN)


def _in_duckdb(_: Dialect, scale: int, middle: tuple[Level, ...], units: bool) -> tuple[Level, ...]:
    whole = "SUM(CAST({} * unit AS HUGEINT))"
    first = {"s": f"COALESCE({whole.format('y')}, 0)", "n": whole.format("x")}
    hundred = {"x": "s * 100", "y": "CAST(n AS HUGEINT)"}
    return (first, *middle, hundred, {"value": IN_DUCKDB})


def _in_decimals(dialect: Dialect, scale: int, middle: tuple[Level, ...], units: bool) -> tuple[Level, ...]:
    first = {"s": "COALESCE(SUM(y), 0)", "n": "SUM(x)"}
    working = f"DECIMAL({_DIGITS[dialect]}, {QUOTIENT_PLACES + 4})"
    value = f"ROUND(CAST(s * 100 AS {working}) / NULLIF(n, 0), {QUOTIENT_PLACES})"
    return (first, *middle, {"value": value})


_LEVELS = {
    Dialect.SQLITE: _in_sqlite,
    Dialect.DUCKDB: _in_duckdb,
    Dialect.POSTGRES: _in_decimals,
    Dialect.MYSQL: _in_decimals,
}
"""How each engine works a share out, level by level."""
