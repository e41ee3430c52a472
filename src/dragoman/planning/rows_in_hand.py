"""The rows of an answer that shows only the first of them: "how many visits has each of them made" after the
top three guests.

A verb cuts its rows after everything else, so a top is another one as soon as something else is held or
measured. Which rows it was is known: they were shown. So they are held by their keys, and what is asked of
them is read upon a list of just those.
"""

from collections.abc import Callable
from typing import Final

from msgspec.structs import replace

from dragoman.contracts.errors import DragomanError
from dragoman.contracts.program import Argument, Program, Sequence, Statement, Text, Value
from dragoman.planning.contract import Asked
from dragoman.planning.database.hearing import is_sure
from dragoman.planning.database.knowledge import Knowledge
from dragoman.planning.database.lean import lean_of
from dragoman.planning.rows.row_object import RowObject, value_of
from dragoman.planning.rows.shown_rows import Shown, keyed, named, shown_rows
from dragoman.planning.tables.table_reading import TableReading

_MOST: Final = 50
"""So many rows are held by their keys; nobody speaks of more as "them"."""
_CUT: Final = "guessed: top"


def upon_rows(
    asked: Asked,
    knowledge: Knowledge,
    found: tuple[TableReading, ...],
    read: Callable[[Program], tuple[TableReading, ...]],
) -> tuple[TableReading, ...]:
    """The readings of a message upon the rows of the last answer themselves, where that is sure and nothing
    that was made of the statement in hand will do: what was `found` is not sure, or cuts other rows."""
    will_do = bool(found) and is_sure(found[0]) and _CUT not in found[0].notes
    rows = None if will_do else rows_in_hand(asked, knowledge)
    of_rows = () if rows is None else read((rows,))
    if not of_rows or not is_sure(of_rows[0]) or not of_rows[0].follow_up:
        return found
    return tuple(replace(each, rows=rows) if each.follow_up else each for each in of_rows)


def rows_in_hand(asked: Asked, knowledge: Knowledge) -> Statement | None:
    """A list of the rows that the last answer shows, by their keys; None where the message does not point at
    several, where the answer is not a top, or where its rows are no things."""
    answer, lean = asked.continuity.last_answer, lean_of(asked.text)
    if answer is None or answer.program != asked.continuity.in_hand or not lean.has("plural"):
        return None
    if not 1 < len(answer.rows) <= _MOST or answer.row_count != len(answer.rows):
        return None
    try:
        shown = shown_rows(answer, asked.catalog, knowledge)
        if shown is None or shown.statement.argument("top") is None:
            return None
        found = keyed(shown, range(len(answer.rows)), asked.catalog, knowledge)
    except DragomanError:
        # A key that cannot be looked up leaves the message as it was read.
        return None
    return _listed(shown, found, knowledge) if len(found) == len(answer.rows) else None


def row_in_hand(asked: Asked, knowledge: Knowledge, place: int) -> Statement | None:
    """A list of the one row that stands at a place of the last answer, from its end where negative."""
    answer = asked.continuity.last_answer
    if answer is None or answer.program != asked.continuity.in_hand or answer.row_count != len(answer.rows):
        return None
    position = place - 1 if place > 0 else len(answer.rows) + place
    if not 0 <= position < len(answer.rows):
        return None
    try:
        shown = shown_rows(answer, asked.catalog, knowledge)
        found = [] if shown is None else keyed(shown, [position], asked.catalog, knowledge)
        if len(found) != 1:
            # Rows that look alike are nobody's to choose from.
            return None
        # What was shown of it may be anything: only its own name says which row it is.
        nameless = not knowledge.has_name(found[0].table)
        row = replace(found[0], name="") if nameless else named(found[0], asked.catalog, knowledge)
    except DragomanError:
        return None
    return Statement(f"{row.table.name}.list", row.conditions(), f"{row.table.name}-list")


def _listed(shown: Shown, rows: list[RowObject], knowledge: Knowledge) -> Statement | None:
    table, names = shown.table, {name for row in rows for name, _ in row.key}
    if len(names) != 1:
        return None
    (name,) = names
    keys = Sequence(tuple(value_of(row.key[0][1], table.columns[name]) for row in rows))
    labels: tuple[Value, ...] = tuple(
        Text(each.column.name) for each in knowledge.labels(table) if each.column is not None
    )
    columns = (Argument("columns", Sequence(labels)),) if knowledge.has_name(table) and labels else ()
    return Statement(f"{table.name}.list", (Argument(name, keys), *columns), f"{table.name}-list")
