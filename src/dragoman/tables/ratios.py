"""How many there are, or how much, for each of something, as SQL: a number of rows or a sum, divided by how
many different values a column has.

In the templates `x` is what is added or counted and `y` what it is divided by the number of. Rows that have
no such value count on neither side.
"""

from dragoman.contracts.schema import Dialect, ValueType
from dragoman.tables.graph import Column
from dragoman.tables.measures import MOST_SCALE, Level, Measure, scale_of
from dragoman.tables.quotients import DIGITS, IN_DUCKDB, IN_SQLITE, QUOTIENT_PLACES
from dragoman.tables.verbs import TableVerb

_HELD = "CASE WHEN y IS NULL THEN NULL ELSE {} END"
_EACH = "COUNT(DISTINCT y)"
_FLOATS: Level = {"value": "s * 1.0 / NULLIF(n, 0)"}
_SHOWN: Level = {"value": DIGITS, "rank": "x"}
_DIGITS = {Dialect.POSTGRES: 300, Dialect.MYSQL: 65}


def ratio_of(verb: TableVerb, column: Column | None, dialect: Dialect, *, units: bool) -> Measure:
    """The number of rows or of values, or the sum of a column, for each. `units`: it is in whole numbers of
    its smallest unit already."""
    adds = column is not None and verb is TableVerb.SUM
    scale = scale_of(column) if adds and column is not None else 0
    counted = _HELD.format("1" if column is None else "x")
    first = {"s": f"COUNT({counted})", "n": _EACH}
    if adds:
        untold = scale is None or (scale > MOST_SCALE and not units)
        if column is not None and (column.type is ValueType.FLOAT or (untold and dialect not in _DIGITS)):
            kind = ValueType.FLOAT if column.type is ValueType.FLOAT else ValueType.DECIMAL
            return Measure(({"s": f"SUM({counted})", "n": _EACH}, _FLOATS), kind, {}, exact=False)
        first = {"s": _SUMS[dialect](scale or 0, units), "n": _EACH}
    finer = 10**QUOTIENT_PLACES
    numbers = {"unit": 10 ** (scale or 0), "finer": finer, "whole": finer, "places": QUOTIENT_PLACES}
    return Measure((first, *_QUOTIENTS[dialect]), ValueType.DECIMAL, numbers)


def _sum_in_sqlite(scale: int, units: bool) -> str:
    # TOTAL adds whole numbers exactly up to two to the 53rd, and unlike SUM does not fail beyond 64 bits.
    whole = _HELD.format("x" if units or not scale else "CAST(ROUND(x * unit) AS INTEGER)")
    return f"CASE WHEN COUNT({_HELD.format('x')}) = 0 THEN NULL ELSE TOTAL({whole}) END"


def _sum_in_duckdb(scale: int, units: bool) -> str:
    return f"SUM(CAST({_HELD.format('x')} * unit AS HUGEINT))"


def _sum_in_decimals(scale: int, units: bool) -> str:
    return f"SUM({_HELD.format('x')})"


_SUMS = {
    Dialect.SQLITE: _sum_in_sqlite,
    Dialect.DUCKDB: _sum_in_duckdb,
    Dialect.POSTGRES: _sum_in_decimals,
    Dialect.MYSQL: _sum_in_decimals,
}


def _in_decimals(dialect: Dialect) -> tuple[Level, ...]:
    working = f"DECIMAL({_DIGITS[dialect]}, {QUOTIENT_PLACES + 4})"
    return ({"value": f"ROUND(CAST(s AS {working}) / NULLIF(n, 0), {QUOTIENT_PLACES})"},)


_QUOTIENTS: dict[Dialect, tuple[Level, ...]] = {
    Dialect.SQLITE: (
        {"x": "CASE WHEN ABS(s) < 9000000000000000 THEN CAST(s AS INTEGER) ELSE s END", "y": "n * unit"},
        {"x": IN_SQLITE},
        _SHOWN,
    ),
    Dialect.DUCKDB: (
        {"x": "CAST(s AS HUGEINT)", "y": "CAST(n * unit AS HUGEINT)"},
        {"value": IN_DUCKDB},
    ),
    Dialect.POSTGRES: _in_decimals(Dialect.POSTGRES),
    Dialect.MYSQL: _in_decimals(Dialect.MYSQL),
}
"""How each engine divides, level by level."""
