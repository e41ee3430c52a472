"""Sums, averages and the like as SQL, exact wherever the engine lets them be.

A measure is worked out in levels: the first over the rows of a group, each next one over the one before.
SQLite has no decimals and no integers beyond 64 bits, so there a sum is kept in two parts, billions and the
rest, and written down at the end.
"""

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

from dragoman.contracts.schema import Dialect, ValueType
from dragoman.tables.graph import Column
from dragoman.tables.verbs import TableVerb

PLACES = 9
"""How many decimal places an average has, unless its column has more."""
MOST_SCALE = 9
"""So many places fit below a billion."""
_SCALE = re.compile(r"\(\s*\d+\s*(?:,\s*(\d+)\s*)?\)")

Level = Mapping[str, str]


class Measure(NamedTuple):
    """`levels`: what each level works out, by name, as templates. A name in them is what the level before has
    called so; in the first one `x` is the column; `numbers` may stand anywhere. The last level has a `value`,
    and perhaps `rank` and `rank_low` to order by."""

    levels: tuple[Level, ...]
    type: ValueType
    numbers: Mapping[str, int]
    exact: bool = True


def scale_of(column: Column) -> int | None:
    """How many decimal places a column has, as far as its type says."""
    if column.type is ValueType.INTEGER:
        return 0
    return scale_in(column.info.native)


def scale_in(native: str) -> int | None:
    """How many decimal places a database's own name of a type gives it; None where it does not say."""
    found = _SCALE.search(native)
    return int(found[1] or 0) if found else None


def measure_of(
    verb: TableVerb, column: Column | None, dialect: Dialect, *, distinct: bool, units: bool = False
) -> Measure:
    """How a verb measures a column; without one it counts rows. `units`: it is in whole numbers of its
    smallest unit already."""
    if column is None:
        return _plain("COUNT(*)", ValueType.INTEGER)
    match verb:
        case TableVerb.COUNT:
            return _plain("COUNT(DISTINCT x)" if distinct else "COUNT(x)", ValueType.INTEGER)
        case TableVerb.MIN:
            return _plain("MIN(x)", column.type)
        case TableVerb.MAX:
            return _plain("MAX(x)", column.type)
        case TableVerb.AVERAGE:
            return _average(column, dialect, units=units)
        case TableVerb.SUM | TableVerb.TOP | TableVerb.LIST | TableVerb.SHARE:
            return _sum(column, dialect, units=units)


def _plain(template: str, kind: ValueType, *, exact: bool = True) -> Measure:
    return Measure(({"value": template},), kind, {}, exact)


def _sum(column: Column, dialect: Dialect, *, units: bool) -> Measure:
    scale = scale_of(column)
    if column.type is ValueType.FLOAT:
        return _plain("SUM(x)", ValueType.FLOAT, exact=False)
    # Typed engines add decimals exactly, beyond 64 bits too.
    if not dialect.is_untyped:
        return _plain("SUM(x)", column.type)
    # Without a known scale there is no smallest unit to count in. The sum is then what SQLite adds, and is
    # said to be approximate.
    if scale is None or (scale > MOST_SCALE and not units):
        return _plain("SUM(x)", column.type, exact=False)
    return Measure(
        (*_parts(scale, units=units), _SUM_WHOLE if scale == 0 else _SUM_SCALED),
        column.type,
        _numbers(scale, scale),
    )


def _average(column: Column, dialect: Dialect, *, units: bool) -> Measure:
    scale = scale_of(column)
    if column.type is ValueType.FLOAT:
        return _plain("AVG(x)", ValueType.FLOAT, exact=False)
    if units and scale is not None:
        return _average_of_parts(scale, max(PLACES, scale), units=True)
    return _AVERAGES[dialect](scale, max(PLACES, scale or 0))


def _average_rounded(digits: int) -> "_Average":
    def average(scale: int | None, places: int) -> Measure:
        # Four places more than are kept: what is rounded has been cut far behind the last of them.
        working = f"DECIMAL({digits}, {min(places + 4, 30)})"
        template = f"ROUND(CAST(SUM(x) AS {working}) / COUNT(x), {min(places, 30)})"
        return _plain(template, ValueType.DECIMAL)

    return average


def _average_in_units(scale: int | None, places: int) -> Measure:
    if scale is None or scale > MOST_SCALE:
        return _plain("AVG(x)", ValueType.DECIMAL, exact=False)
    written = {
        "value": f"CAST(u AS DECIMAL({37 - places}, 0)) * CAST(smallest AS DECIMAL({places + 1}, {places}))",
    }
    first = {"s": "SUM(CAST(x * unit AS HUGEINT))", "n": "CAST(COUNT(x) AS HUGEINT)"}
    return Measure((first, _UNITS_DUCKDB, written), ValueType.DECIMAL, _numbers(scale, places))


def _average_in_parts(scale: int | None, places: int) -> Measure:
    if scale is None or scale > MOST_SCALE:
        return _plain("AVG(x)", ValueType.DECIMAL, exact=False)
    return _average_of_parts(scale, places, units=False)


def _average_of_parts(scale: int, places: int, *, units: bool) -> Measure:
    levels = (*_parts(scale, units=units), _SHARE, _QUOTIENT, _average_written(scale, places))
    return Measure(levels, ValueType.DECIMAL, _numbers(scale, places))


_Average = Callable[[int | None, int], Measure]
_AVERAGES: Mapping[Dialect, _Average] = {
    Dialect.POSTGRES: _average_rounded(300),
    Dialect.MYSQL: _average_rounded(65),
    Dialect.DUCKDB: _average_in_units,
    Dialect.SQLITE: _average_in_parts,
}
"""By the scale of the column and the places that are kept."""


def _numbers(scale: int, places: int) -> dict[str, int]:
    return {
        "unit": 10**scale,
        "scale": scale,
        "finer": 10 ** (places - scale),
        "whole": 10**places,
        "places": places,
    }


def _parts(scale: int, *, units: bool) -> tuple[Level, ...]:
    """A sum of whole numbers in billions (`hi`) and the rest (`lo`, never negative). `v` is all of it where
    64 bits hold it, `d` its digits where they do not. `k`: something in the column is not what its type says,
    and only `t`, the sum as SQLite adds, is left."""
    whole, odd, total = "x", "MAX(TYPEOF(x)) IN ('real', 'text')", "TOTAL(x)"
    if units:
        total = "TOTAL(x) / unit"
    elif scale:
        whole, odd = "CAST(ROUND(x * unit) AS INTEGER)", "MAX(ABS(x * 1.0)) * unit > 9000000000000000000"
    kept = {"t": "t", "k": "k", "n": "n"}
    return (
        {
            "hi": f"SUM({whole} >> 32)",
            "lo": f"SUM({whole} & 4294967295)",
            "t": total,
            "k": odd,
            "n": "COUNT(x)",
        },
        # 2 to the 32nd is four billions and 294967296.
        {"b": "hi * 4 + hi / 1000000000 * 294967296", "m": "hi % 1000000000 * 294967296 + lo", **kept},
        {
            "hi": "b + m / 1000000000 - (m % 1000000000 < 0)",
            "lo": "m % 1000000000 + 1000000000 * (m % 1000000000 < 0)",
            **kept,
        },
        {
            "v": "CASE WHEN hi BETWEEN -9000000000 AND 9000000000 THEN hi * 1000000000 + lo END",
            "d": "CASE WHEN hi >= 0 OR lo = 0 THEN PRINTF('%d%09d', ABS(hi), lo) "
            "ELSE PRINTF('%d%09d', -hi - 1, 1000000000 - lo) END",
            "hi": "hi",
            "lo": "lo",
            **kept,
        },
    )


_SUM_WHOLE: Level = {
    "value": "CASE WHEN n = 0 THEN NULL WHEN k THEN t WHEN v IS NOT NULL THEN v "
    "ELSE CASE WHEN hi < 0 THEN '-' ELSE '' END || d END",
    "rank": "CASE WHEN n = 0 THEN NULL WHEN k THEN t / 1000000000 ELSE hi END",
    "rank_low": "CASE WHEN k THEN 0 ELSE lo END",
}
_SUM_SCALED: Level = {
    "value": "CASE WHEN n = 0 THEN NULL WHEN k THEN t ELSE CASE WHEN hi < 0 THEN '-' ELSE '' END || "
    "CASE WHEN v IS NOT NULL THEN PRINTF('%d.%0*d', ABS(v) / unit, scale, ABS(v) % unit) "
    "ELSE SUBSTR(d, 1, LENGTH(d) - scale) || '.' || SUBSTR(d, LENGTH(d) - scale + 1) END END",
    "rank": "CASE WHEN n = 0 THEN NULL WHEN k THEN t * unit / 1000000000 ELSE hi END",
    "rank_low": "CASE WHEN k THEN 0 ELSE lo END",
}
# The quotient and what is left of the division stay apart: together, made finer, they may be more than 64
# bits hold. A half is rounded away from zero.
_SHARE: Level = {"r": "CASE WHEN k OR v IS NULL THEN t / n END", "v": "v", "n": "n"}
_QUOTIENT: Level = {
    "r": "r",
    "v": "v",
    "q": "ABS(v) / n",
    "f": "((ABS(v) % n) * finer * 2 + n) / (2 * n)",
}
_UNITS_DUCKDB: Level = {
    "u": "s // n * finer + ((s % n) * finer * 2 + CASE WHEN s < 0 THEN -n ELSE n END) // (2 * n)",
}


def _average_written(scale: int, places: int) -> Level:
    """An average as its digits: the whole part, the places of the column, and those beyond them."""
    whole = "(q + f / finer)"
    digits = [f"PRINTF('%d.', {whole} / unit)"]
    digits += [f"PRINTF('%0*d', scale, {whole} % unit)"] if scale else []
    digits += ["PRINTF('%0*d', places - scale, f % finer)"] if places > scale else []
    sign = "CASE WHEN v < 0 AND q + f > 0 THEN '-' ELSE '' END"
    amount = f"({whole} * 1.0 / unit + (f % finer) * 1.0 / whole)"
    return {
        "value": "CASE WHEN r IS NOT NULL THEN r WHEN q IS NULL THEN NULL "
        f"ELSE {sign} || {' || '.join(digits)} END",
        "rank": f"CASE WHEN r IS NOT NULL THEN r WHEN v < 0 THEN -{amount} ELSE {amount} END",
    }
