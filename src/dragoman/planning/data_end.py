"""Where the data end: whether a period lies behind the last day that its date has.

Nothing can be found in such a period, and whoever asks for the last month of a database that ended a year ago
means its last month. That is a question to a person, and no guess.
"""

import datetime as dt
from collections.abc import Iterator
from typing import Final

from dragoman.catalog.catalog import Catalog
from dragoman.catalog.lookup import look_up
from dragoman.contracts.errors import DragomanError
from dragoman.contracts.program import Argument, Date, Entry, Map, Program, Statement, Text, Value
from dragoman.planning.rivals import LIMITS, rows_of
from dragoman.review.case import is_moment
from dragoman.review.collector import committed
from dragoman.review.demanded_periods import day_of, span_of
from dragoman.tables.graph import Column, Graph, Table

_ONE: Final = dt.timedelta(days=1)


def end_before(program: Program, graph: Graph, catalog: Catalog, today: dt.date) -> dt.date | None:
    """The last day up to today that the data have, where a period of the program begins behind it. None where
    there is no such period, or the database does not tell."""
    for table, column, first in _beginnings(program, graph):
        if first > today:
            # What is planned is not asked of what was.
            continue
        last = _last_day(catalog, table, column, today)
        if last is not None and last < first:
            return last
    return None


def telling_rows(statement: Statement, graph: Graph, catalog: Catalog) -> int | None:
    """How many rows a statement gives, as far as that says anything of it: behind the end of the data any
    reading finds nothing."""
    rows = rows_of(statement, catalog)
    if rows == 0 and any(
        (last := _last_day(catalog, table, column)) is not None and last < first
        for table, column, first in _beginnings((statement,), graph)
    ):
        return None
    return rows


def _beginnings(program: Program, graph: Graph) -> Iterator[tuple[Table, Column, dt.date]]:
    """The dates that a program keeps to, each with the first day that it takes."""
    for atom in committed(program, graph).atoms:
        span = span_of(atom)
        if span is not None and span.first is not None and atom.column is not None and atom.table is not None:
            yield graph.tables[atom.table], atom.column, span.first


def _last_day(catalog: Catalog, table: Table, column: Column, today: dt.date | None = None) -> dt.date | None:
    arguments: tuple[Argument, ...] = (Argument("of", Text(column.name)),)
    if today is not None:
        # Days to come are no end: a plan, or a row that is valid for ever.
        moment = is_moment(column.type)
        upper: Value = Date(today) if moment else Text((today + _ONE).isoformat())
        held = Map((Entry("at-most" if moment else "below", upper),))
        arguments = (*arguments, Argument(column.name, held))
    try:
        rows = look_up(catalog, Statement(f"{table.name}.max", arguments), limits=LIMITS).rows
    except DragomanError:
        # A date that cannot be looked up in time decides nothing: the question is read as it stands.
        return None
    return day_of(rows[0][0]) if rows and rows[0] else None
