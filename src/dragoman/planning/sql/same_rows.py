"""Whether a statement gives the rows of a query: both are read, and every cell is compared.

It is asked where collations, dates kept as texts or ties at a limit could make a difference. What is not
proven, since there are too many rows or one of the two fails, is not the same.
"""

import decimal
from collections.abc import Iterable, Sequence
from typing import Final

from msgspec.structs import replace

from dragoman.catalog.catalog import Catalog
from dragoman.catalog.cells import plain_cell
from dragoman.catalog.lookup import workspace_limits
from dragoman.catalog.query_reads import typed_read
from dragoman.catalog.reads import read_for
from dragoman.catalog.verb_read import VerbRead
from dragoman.contracts.answer import Cell
from dragoman.contracts.errors import DragomanError
from dragoman.contracts.program import Statement
from dragoman.contracts.query import ReadLimits
from dragoman.databases.connections import read_all
from dragoman.planning.sql.shown import Shown
from dragoman.planning.sql.typed_query import TypedQuery

MOST_ROWS: Final = 20_000
_PLACES: Final = decimal.Decimal("1e-9")
"""Verbs give averages nine decimal places, and sums without the noise of floating point."""

Row = tuple[Cell, ...]


def gives_the_same(
    typed: TypedQuery,
    statement: Statement,
    sorted_by: Sequence[Shown],
    shown: Sequence[Shown],
    catalog: Catalog,
) -> bool:
    """Whether both give the same rows now, in the order that the query asks for."""
    limits = replace(workspace_limits(catalog), rows=MOST_ROWS)
    try:
        one = _rows(typed_read(catalog, typed.place.spec, typed.text), catalog, limits)
        other = _rows(read_for(catalog, statement), catalog, limits)
    except DragomanError:
        # The turn itself will say why, with the query as it was typed.
        return False
    if one is None or other is None:
        return False
    places = [shown.index(key) for key in sorted_by if key in shown]
    return same_rows(one, other, places if len(places) == len(sorted_by) else None)


def same_rows(one: Sequence[Row], other: Sequence[Row], order: Sequence[int] | None = ()) -> bool:
    """Whether two results are the same. `order`: the columns they are sorted by, none where the order is
    free, None where it is by something that is not shown."""
    if len(one) != len(other):
        return False
    if order is None:
        return all(_same_row(a, b) for a, b in zip(one, other, strict=True))
    keys = [[tuple(row[place] for place in order) for row in rows] for rows in (one, other)]
    if not all(_same_row(a, b) for a, b in zip(*keys, strict=True)):
        return False
    # Rows that are equal by what they are sorted by stand in any order.
    return all(_same_row(a, b) for a, b in zip(_sorted(one), _sorted(other), strict=True))


def _rows(read: VerbRead, catalog: Catalog, limits: ReadLimits) -> list[Row] | None:
    (result,) = read_all(read.spec, catalog.folder, (read.query,), limits, of_person=read.of_person)
    if result.truncated:
        return None
    return [tuple(plain_cell(value) for value in row) for row in result.rows]


def _sorted(rows: Iterable[Row]) -> list[Row]:
    return sorted(rows, key=lambda row: [_key(cell) for cell in row])


def _key(cell: Cell) -> tuple[int, decimal.Decimal, str]:
    number = _number(cell)
    if number is not None:
        return 1, number.quantize(_PLACES) if abs(number) < 10**15 else number, ""
    return (0, decimal.Decimal(0), "") if cell is None else (2, decimal.Decimal(0), str(cell))


def _same_row(one: Row, other: Row) -> bool:
    return len(one) == len(other) and all(_same_cell(a, b) for a, b in zip(one, other, strict=True))


def _same_cell(one: Cell, other: Cell) -> bool:
    if one == other:
        return True
    left, right = _number(one), _number(other)
    if left is None or right is None:
        return False
    return abs(left - right) <= _PLACES * max(decimal.Decimal(1), abs(left), abs(right))


def _number(cell: Cell) -> decimal.Decimal | None:
    """A number, however its engine gives it: SQLite has a sum of decimals as text."""
    if cell is None or isinstance(cell, bool):
        return None
    try:
        number = decimal.Decimal(str(cell))
    except decimal.InvalidOperation:
        return None
    return number if number.is_finite() else None
