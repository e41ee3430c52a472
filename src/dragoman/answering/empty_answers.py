"""What is there instead, where a period leaves nothing: from when to when the dates run.

“Nothing in March 2012” is a surprise to whoever did not know that the data begin in 2021. One bounded query
for the first and the last date tells them; where it would take long, nothing is said.
"""

import datetime as dt
from collections.abc import Iterator
from typing import Final

from dragoman.answering.phrases import Phrases
from dragoman.answering.words.known import CatalogNames
from dragoman.answering.words.names import as_sentence
from dragoman.answering.words.periods import period_in_words
from dragoman.answering.words.places import Place, own_column, place_of, rows_of
from dragoman.answering.words.plain_names import column_words
from dragoman.answering.words.speaker import Speaker
from dragoman.answering.words.vocabulary import words_of
from dragoman.catalog.catalog import Catalog
from dragoman.catalog.lookup import look_up
from dragoman.contracts.answer import Cell
from dragoman.contracts.cancellation import Cancellation
from dragoman.contracts.errors import DragomanError, QueryCancelled
from dragoman.contracts.program import Argument, Date, Entry, Map, Program, Sequence, Statement, Text, Value
from dragoman.contracts.query import ReadLimits
from dragoman.tables.graph import Column
from dragoman.tables.verbs import Word

_LIMITS: Final = ReadLimits(rows=1, seconds=2.0)
_WORDS: Final = frozenset(word.value for word in Word)

Days = tuple[dt.date, dt.date]


def what_is_there(
    phrases: Phrases,
    catalog: Catalog,
    program: Program,
    rows: tuple[tuple[Cell, ...], ...],
    cancel: Cancellation | None = None,
) -> str:
    """A sentence behind an answer whose period left nothing; empty behind any other."""
    if not is_empty(rows):
        return ""
    during = program[-1].argument(Word.DURING)
    if during is None:
        bound = next(_bounds(program[-1]), None)
        return "" if bound is None else _span(phrases, catalog, program[-1], *bound, cancel)
    days = _between(during.value)
    on = program[-1].argument(Word.ON)
    path = on.value.value if on is not None and isinstance(on.value, Text) else ""
    return "" if days is None else _span(phrases, catalog, program[-1], path, days, cancel)


def is_empty(rows: tuple[tuple[Cell, ...], ...]) -> bool:
    """Whether rows say that there is nothing: none at all, or one with nothing but noughts and gaps."""
    return not rows or (len(rows) == 1 and all(cell is None or cell in _NOTHING for cell in rows[0]))


_NOTHING: Final = (0, "0")


def _bounds(statement: Statement) -> Iterator[tuple[str, Days]]:
    """The columns that are held to days by a condition of their own, with these days."""
    for argument in statement.arguments:
        match argument.value:
            case Map(entries=(Entry(key=key, value=value),)) if argument.name not in _WORDS:
                days = _between(value) if key == "between" else _one_sided(key, value)
                if days is not None:
                    yield argument.name, days


def _between(value: Value) -> Days | None:
    match value:
        case Sequence(items=(Date(value=first), Date(value=last))):
            return first, last
        case _:
            return None


def _one_sided(test: str, value: Value) -> Days | None:
    if not isinstance(value, Date):
        return None
    match test:
        case "above" | "at-least":
            return value.value, dt.date.max
        case "below" | "at-most":
            return dt.date.min, value.value
        case _:
            return None


def _span(
    phrases: Phrases,
    catalog: Catalog,
    statement: Statement,
    path: str,
    asked: Days,
    cancel: Cancellation | None,
) -> str:
    names = CatalogNames(catalog, phrases.language)
    names.learn([(statement,)])
    dated = _dated(place_of(names.known.graph_of(statement), statement.verb.rpartition(".")[0]), path)
    if dated is None:
        return ""
    place, column = dated
    days = _days(catalog, statement, place, column, cancel)
    first, last = asked
    if days is None or (first <= days[1] and last >= days[0]):
        # Within the span it is not the dates alone that leave nothing.
        return ""
    words = words_of(phrases.language)
    said = phrases.say(
        "nothing_in_period_by" if path else "nothing_in_period",
        rows=rows_of(Speaker(words, names.known), place),
        column=column_words(place.table, column.info.name),
        period=period_in_words(first, last, words),
        start=phrases.day(days[0]),
        end=phrases.day(days[1]),
    )
    return f" {as_sentence(said)}"


def _dated(place: Place, path: str) -> tuple[Place, Column] | None:
    """The table and the column of the dates at the end of a path; without one, the only dates there are."""
    if place.graph is None or place.table is None:
        return None
    if not path:
        only = place.table.dates
        return (place, only[0]) if len(only) == 1 else None
    *steps, last = path.split("/")
    table = place.table
    for step in steps:
        link = place.graph.link(table, step)
        if link is None:
            return None
        table = place.graph.tables[link.target]
    column = own_column(table, last)
    return None if column is None else (Place(table.name, place.graph, table), column)


def _days(
    catalog: Catalog, statement: Statement, place: Place, column: Column, cancel: Cancellation | None
) -> Days | None:
    """The first and the last day of a column, as the viewer may see them."""
    connection = statement.argument(Word.CONNECTION)
    asks = Statement(
        f"{place.name}.min",
        (
            Argument(Word.OF, Text(column.name)),
            Argument(Word.ALSO, Map((Entry("max", Text(column.name)),))),
            *(() if connection is None else (connection,)),
        ),
    )
    try:
        found = look_up(catalog, asks, limits=_LIMITS, cancel=cancel)
    except QueryCancelled:
        raise
    except DragomanError:
        # The answer stands without it.
        return None
    days = [_day(cell) for cell in found.rows[0]] if len(found.rows) == 1 else []
    match days:
        case [dt.date() as first, dt.date() as last]:
            return first, last
        case _:
            return None


def _day(cell: Cell) -> dt.date | None:
    try:
        return dt.date.fromisoformat(str(cell)[:10])
    except ValueError:
        return None
