"""Texts that a program reads numbers in, and that are no numbers: rows that its figures leave out.

That a column holds numbers is only known of the rows that discovery looked at. So the database is asked once
more, of all of its rows.
"""

from dragoman.catalog.catalog import Catalog
from dragoman.catalog.lookup import look_up, workspace_limits
from dragoman.catalog.verbs import connection_in
from dragoman.contracts.cancellation import Cancellation
from dragoman.contracts.errors import DragomanError, QueryCancelled
from dragoman.contracts.program import (
    Argument,
    Entry,
    Map,
    Nil,
    Program,
    Sequence,
    Statement,
    Text,
)
from dragoman.contracts.query import ReadLimits
from dragoman.contracts.record import Record

_NUMBER = "number"
_SECONDS = 10.0
"""For one column: the answer itself is there already, and waits for it."""


class UnreadTexts(Record, frozen=True):
    """A column, and how many of its texts are no numbers; None where that could not be counted."""

    column: str
    count: int | None


def unread_texts(
    catalog: Catalog, program: Program, cancel: Cancellation | None = None
) -> tuple[UnreadTexts, ...]:
    """The columns of which some texts could not be read as numbers."""
    found: dict[Statement, UnreadTexts] = {}
    for statement in program:
        for count, column in _counts(catalog, statement):
            if count not in found:
                found[count] = UnreadTexts(column, _counted(catalog, count, cancel))
    return tuple(each for each in found.values() if each.count != 0)


def _counts(catalog: Catalog, statement: Statement) -> list[tuple[Statement, str]]:
    """What counts the texts of each column that are no numbers, and what the column is called."""
    from dragoman.tables.number_texts import number_texts
    from dragoman.tables.request_reader import requests_of

    tables = catalog.tables_for(statement.verb, connection_in(statement))
    if tables is None:
        return []
    connection = tuple(each for each in statement.arguments if each.name == "connection")
    found = []
    for request in requests_of(tables.graph, (statement,)):
        for key, column in () if request is None else number_texts(request):
            test = Map((Entry("not", Sequence((Nil(), Text("")))), Entry(_NUMBER, Nil())))
            verb = f"{tables.graph.tables[key].name}.count"
            found.append((Statement(verb, (Argument(column.name, test), *connection)), column.info.name))
    return found


def _counted(catalog: Catalog, count: Statement, cancel: Cancellation | None) -> int | None:
    try:
        seconds = min(_SECONDS, workspace_limits(catalog).seconds)
        rows = look_up(catalog, count, limits=ReadLimits(rows=1, seconds=seconds), cancel=cancel).rows
    except QueryCancelled:
        raise
    except DragomanError:
        # The answer stands, as far as it goes: whoever reads it is told that this is not known.
        return None
    return int(str(rows[0][0]))
