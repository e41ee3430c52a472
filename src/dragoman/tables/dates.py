"""Reads of which days a statement speaks, and of which date."""

from collections.abc import Iterator, Mapping

from dragoman.contracts import program
from dragoman.contracts.program import Statement
from dragoman.tables.conditions import Within
from dragoman.tables.findings import Findings, listed
from dragoman.tables.graph import Table
from dragoman.tables.paths import ColumnPath, Paths
from dragoman.tables.request import Dated
from dragoman.tables.verbs import DATES, Word

Words = Mapping[Word, program.Value]


def read_dated(
    table: Table, statement: Statement, words: Words, paths: Paths, findings: Findings
) -> Iterator[Dated]:
    """What :during and :as-of ask of a date."""
    during, as_of = words.get(Word.DURING), words.get(Word.AS_OF)
    spans: list[Within] = []
    match during:
        case program.Sequence(items=(program.Date(value=first), program.Date(value=last))):
            spans.append(Within(first, last))
    if isinstance(as_of, program.Date):
        spans.append(Within(None, as_of.value))
    on = _on(table, statement, words, paths, findings, asked=bool(spans))
    if on is not None:
        yield from (Dated(on, days) for days in spans)


def _on(
    table: Table, statement: Statement, words: Words, paths: Paths, findings: Findings, *, asked: bool
) -> ColumnPath | None:
    """The date that a period speaks of. When there are several it has to be said."""
    value = words.get(Word.ON)
    if isinstance(value, program.Text):
        path = paths.column(table, value.value, Word.ON, parts=False)
        if path is not None and path.type not in DATES:
            message = f"{path.written} in :on is no date: it is of type {path.type}"
            hint = f"the dates here are: {listed(column.name for column in table.dates)}"
            findings.error("argument_type", message, hint)
            return None
        return path
    # Without a period nobody asks for a date; an :on that is not a text was reported already.
    if not asked or any(argument.name == Word.ON for argument in statement.arguments):
        return None
    match table.dates:
        case (column,):
            return ColumnPath((), column)
        case ():
            message = f"{table.name} has no date that a period could speak of"
            hint = 'name a date of a linked table, :on "order/order-date", or leave the period out'
            findings.error("no_date_column", message, hint)
        case several:
            message = f"{table.name} has several dates, and a period speaks of one"
            hint = f"add :on with one of {listed(column.name for column in several)}"
            findings.error("ambiguous_date", message, hint)
    return None
