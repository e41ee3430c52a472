"""Periods in messages about a row: what belongs to the row is kept to them by the only date that it has."""

from msgspec.structs import replace

from dragoman.contracts.program import Argument, Date, Entry, Map, Sequence, Statement
from dragoman.contracts.state import DateScope
from dragoman.planning.database.knowledge import Knowledge
from dragoman.planning.rows.row_words import Part, Said


def within(statement: Statement | None, said: Said, knowledge: Knowledge) -> Statement | None:
    """The statement kept to the period that a message names, where it names one; None where rows have no
    date, or several, or where the period is not a whole one by itself."""
    if statement is None or not said.has(Part.PERIOD):
        return statement
    table = knowledge.things.graph.by_name[statement.verb.rpartition(".")[0]]
    dates = knowledge.dates(table)
    column, span = dates[0].column if len(dates) == 1 else None, _span(said)
    if column is None or span is None or statement.argument(column.name) is not None:
        return None
    between = Map((Entry("between", Sequence((Date(span.start), Date(span.end)))),))
    return replace(statement, arguments=(*statement.arguments, Argument(column.name, between)))


def _span(said: Said) -> DateScope | None:
    """The only period of a message, where it says its days by itself and leaves no end open."""
    if len(said.dates) != 1:
        return None
    (period,) = said.dates
    whole = period.absolute and not period.is_day and not period.open_ended and period.bound is None
    return period.scope() if whole else None
