"""Conditions on the rows of one table, where the schema alone says what they mean: a value, a period."""

import datetime as dt

from dragoman.contracts.program import Argument, Date, Sequence, Statement, Text
from dragoman.contracts.record import Record
from dragoman.contracts.schema import ValueType
from dragoman.planning.contract import Asked
from dragoman.planning.pipelines.request import Request
from dragoman.planning.pipelines.table_names import Place, stems_of
from dragoman.planning.pipelines.words import Cue
from dragoman.planning.tables.words import stem
from dragoman.reading.period_grammar import period_grammar
from dragoman.reading.tokens import tokens_of

_DAYS = (ValueType.DATE, ValueType.DATETIME, ValueType.INSTANT)


class Filtered(Record, frozen=True):
    """The rows of a table by the verb of it, and the items of the message that it accounts for."""

    step: Statement
    covered: frozenset[int]


def filtered(request: Request, place: Place, name: str, asked: Asked, connection: str) -> Filtered | None:
    """The rows that the words which are left ask for; None where a word is for somebody else to read.
    `name` is what programs call the table."""
    arguments: list[Argument] = []
    covered: set[int] = set()
    period = _period(request, asked)
    if period is not None:
        (start, end), items = period
        days = [column for column in place.table.columns if column.type in _DAYS]
        if len(days) != 1:
            return None
        between = Sequence((Date(start), Date(end)))
        arguments.append(Argument("during", between))
        covered |= items
    for at in request.left:
        if at in covered:
            continue
        value = _value(request, at, place)
        if value is None:
            return None
        column, text = value
        if any(each.name == column for each in arguments):
            return None
        arguments.append(Argument(column, Text(text)))
        covered.add(at)
    if not arguments:
        return None
    where = (Argument("connection", Text(connection)),) if connection else ()
    return Filtered(Statement(f"{name}.list", (*where, *arguments), ""), frozenset(covered))


def _value(request: Request, at: int, place: Place) -> tuple[str, str] | None:
    """The one column that has this word for a value, and the value as it is there."""
    item = request.items[at]
    said = {item.text.casefold()}
    if item.end - item.start == 1:
        said |= {word for word in stems_of(request.pieces.tokens[item.start], request.spoken) if word.isascii()}
    found: dict[str, str] = {}
    for column in place.table.columns:
        if column.type is not ValueType.TEXT:
            continue
        for known in (*column.options, *column.samples):
            if known.casefold() in said or (known.isalpha() and stem(known.casefold()) in said):
                found.setdefault(column.name, known)
    return next(iter(found.items())) if len(found) == 1 else None


def _period(request: Request, asked: Asked) -> tuple[tuple[dt.date, dt.date], frozenset[int]] | None:
    """The one period that is said, and the items that say it."""
    # "From 2023" is of that year, where it is said of rows.
    froms = {at for item in request.items if item.is_a(Cue.FROM) for at in range(item.start, item.end)}
    found = period_grammar(request.spoken).find(request.pieces.rest(set(request.read.used) | froms))
    # A day stands for its month up to that day; that is no condition on rows.
    if len(found) != 1 or found[0].day is not None or found[0].until is not None:
        return None
    scope = found[0].scope(None, asked.today)
    if scope is None:
        return None
    words = {token.form for token in tokens_of(found[0].text)}
    items = frozenset(at for at in request.left if request.items[at].text.casefold() in words)
    return (scope.start, scope.end), items
