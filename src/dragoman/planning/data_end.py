"""Where the data end: whether a period lies behind the last day that its date has.

Nothing can be found in such a period, and whoever asks for the last month of a database that ended a year ago
may mean its last month. That is a question to a person, and no guess.
"""

import datetime as dt
from collections.abc import Iterator
from typing import Final

from dragoman.catalog.catalog import Catalog
from dragoman.catalog.lookup import look_up
from dragoman.contracts.answer import Cell
from dragoman.contracts.errors import DragomanError
from dragoman.contracts.program import Argument, Date, Entry, Integer, Map, Program, Statement, Text, Value
from dragoman.contracts.record import Record
from dragoman.planning.rivals import LIMITS, rows_of
from dragoman.reading.periods import EARLIEST_YEAR, LATEST_YEAR
from dragoman.review.case import is_moment
from dragoman.review.collector import committed
from dragoman.review.commitments import Atom, number_of
from dragoman.review.demanded_periods import day_of, span_of
from dragoman.review.names import words_of
from dragoman.review.vocabulary import column_words
from dragoman.tables.graph import Column, Graph, Table

_ONE: Final = dt.timedelta(days=1)


class _Held(Record, frozen=True):
    """Days that a program keeps a column to."""

    table: Table
    column: Column
    first: dt.date
    last: dt.date | None
    by_years: bool = False
    """The column holds years, and no days."""


def end_before(program: Program, graph: Graph, catalog: Catalog, today: dt.date) -> dt.date | None:
    """The last day up to today that the data have, where a period of the program begins behind it. None where
    there is no such period, or the database does not tell."""
    for held in _held(program, graph):
        if held.first > today:
            # What is planned is not asked of what was.
            continue
        # This week may have days to come, and rows that are planned for them.
        last = _last_day(catalog, held, max(today, held.last or today))
        if last is not None and last < held.first:
            return last
    return None


def telling_rows(statement: Statement, graph: Graph, catalog: Catalog) -> int | None:
    """How many rows a statement gives, as far as that says anything of it: behind the end of the data any
    reading finds nothing."""
    rows = rows_of(statement, catalog)
    if rows == 0 and any(
        (last := _last_day(catalog, held, None)) is not None and last < held.first
        for held in _held((statement,), graph)
    ):
        return None
    return rows


def _held(program: Program, graph: Graph) -> Iterator[_Held]:
    for atom in committed(program, graph).atoms:
        if atom.column is None or atom.table is None:
            continue
        table, span = graph.tables[atom.table], span_of(atom)
        if span is not None and span.first is not None:
            yield _Held(table, atom.column, span.first, span.last)
        elif (years := _years(atom, atom.column)) is not None:
            first, last = years
            yield _Held(table, atom.column, dt.date(first, 1, 1), dt.date(last, 12, 31), by_years=True)


def _years(atom: Atom, column: Column) -> tuple[int, int] | None:
    """The first and the last year that a column of years is held to."""
    if not words_of(column.info.name) & column_words("year"):
        return None
    values = atom.value if isinstance(atom.value, tuple) else (atom.value, atom.value)
    years = [int(number) for value in values if (number := number_of(value)) is not None]
    if len(years) != len(values) or atom.sign not in ("equal", "within"):
        return None
    return (years[0], years[-1]) if all(EARLIEST_YEAR <= each <= LATEST_YEAR for each in years) else None


def _last_day(catalog: Catalog, held: _Held, until: dt.date | None) -> dt.date | None:
    """The last day that a column has; up to a day, where one is given. Days to come are no end of the data:
    a plan, or a row that is valid for ever."""
    name = held.column.name
    arguments: tuple[Argument, ...] = (Argument("of", Text(name)),)
    if until is not None:
        arguments = (*arguments, Argument(name, Map((_until(held, until),))))
    try:
        rows = look_up(catalog, Statement(f"{held.table.name}.max", arguments), limits=LIMITS).rows
    except DragomanError:
        # A date that cannot be looked up in time decides nothing: the question is read as it stands.
        return None
    return _day(rows[0][0], by_years=held.by_years) if rows and rows[0] else None


def _until(held: _Held, day: dt.date) -> Entry:
    if held.by_years:
        return Entry("at-most", Integer(day.year))
    value: Value = Date(day) if is_moment(held.column.type) else Text((day + _ONE).isoformat())
    return Entry("at-most" if is_moment(held.column.type) else "below", value)


def _day(cell: Cell, *, by_years: bool) -> dt.date | None:
    if not by_years:
        return day_of(cell)
    year = number_of(cell)
    return dt.date(int(year), 12, 31) if year is not None and 1 <= year <= dt.MAXYEAR else None
