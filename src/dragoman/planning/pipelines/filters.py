"""Conditions on the rows of one table, where the schema and its values say what they mean.

A value, a period, a comparison with a number; what is not one of these is for the planners of questions.
"""

import datetime as dt
from typing import Final

from msgspec.structs import replace

from dragoman.contracts.program import (
    Argument,
    Date,
    Entry,
    Integer,
    Map,
    Number,
    Sequence,
    Statement,
    Text,
    Value,
)
from dragoman.contracts.record import Record
from dragoman.contracts.schema import ColumnInfo, TableInfo, ValueType
from dragoman.planning.contract import Asked
from dragoman.planning.pipelines.items import Item
from dragoman.planning.pipelines.names_of_rows import Values
from dragoman.planning.pipelines.request import Request
from dragoman.planning.pipelines.table_names import NamesSaid, Place, stems_of
from dragoman.planning.pipelines.words import Cue
from dragoman.reading.period_grammar import period_grammar
from dragoman.reading.tokens import tokens_of

_DAYS: Final = (ValueType.DATE, ValueType.DATETIME, ValueType.INSTANT)
_NUMBERS: Final = (ValueType.INTEGER, ValueType.DECIMAL, ValueType.FLOAT)
_AMOUNTS: Final = (ValueType.DECIMAL, ValueType.FLOAT)
_LONGEST: Final = 4


class Filtered(Record, frozen=True):
    """Conditions, and the words of the message that they account for."""

    arguments: tuple[Argument, ...]
    covered: frozenset[int]


class Conditions:
    """Reads the conditions of one message on the rows of one table."""

    def __init__(self, request: Request, place: Place, asked: Asked, values: Values) -> None:
        self._request = request
        self._place = place
        self._asked = asked
        self._values = values(place)
        self._tokens = request.pieces.tokens
        self._free = {at for each in request.left for at in _span(request.items[each])}
        self._covered: set[int] = set()
        self._found: dict[str, Value] = {}
        self._turned: dict[str, bool] = {}

    def read(self, *, partly: bool = False) -> Filtered | None:
        """The conditions; None where a word is for somebody else to read, unless `partly` will do."""
        if not (self._period() and self._compared()):
            return None
        self._take_values()
        if not self._found or (not partly and not self._free <= self._covered):
            return None
        arguments = tuple(Argument(name, value) for name, value in self._found.items())
        return Filtered(arguments, frozenset(self._covered))

    # Periods.

    def _period(self) -> bool:
        """Take the period that is said; False where one is said that this cannot say."""
        request = self._request
        # "From 2023" is of that year, where it is said of rows.
        text = request.pieces.rest(set(request.read.used))
        found = period_grammar(request.spoken).find(text)
        if not found:
            return True
        if len(found) > 1:
            return False
        mention = found[0]
        if mention.bound is not None and mention.bound.value == "from" and not mention.is_day:
            mention = replace(mention, bound=None, open_ended=False)
        days = mention.days(None, self._asked.today)
        if days is None:
            return False
        words = {token.form for token in tokens_of(found[0].text)}
        self._covered |= {at for at in self._free if self._tokens[at].form in words}
        column = self._day_column()
        if column is None:
            return False
        self._found[column] = _between(days.first, days.last)
        return True

    def _day_column(self) -> str | None:
        """The date that is meant: the one that is named, or the only one that is no date of bookkeeping."""
        days = [column for column in self._place.table.columns if column.type in _DAYS]
        named = [
            span
            for span in NamesSaid(self._tokens, self._request.spoken).columns(days, self._place.table.name)
            if len(span.columns) == 1 and self._free.intersection(range(span.start, span.end))
        ]
        if len({span.columns for span in named}) == 1:
            self._covered |= set(range(named[0].start, named[0].end))
            return named[0].columns[0]
        return days[0].name if len(days) == 1 else None

    # Comparisons.

    def _compared(self) -> bool:
        for at, item in enumerate(self._request.items):
            if not item.is_a(Cue.COMPARISON) or item.start in self._request.read.used:
                continue
            number = next((n for n in self._request.items[at + 1 : at + 4] if _number(n) is not None), None)
            if number is None:
                return False
            value = _number(number)
            column = self._amount(item, number)
            if column is None or value is None:
                return False
            name = item.means
            written = Integer(int(value)) if value.isdecimal() else Number(value)
            self._found[column.name] = Map((Entry(name, written),))
            self._covered |= {*_span(item), *_span(number)}
        return True

    def _amount(self, comparison: Item, number: Item) -> ColumnInfo | None:
        """The number that is compared: the one that is named, or the only amount there is."""
        columns = [c for c in self._place.table.columns if c.type in _NUMBERS]
        spans = NamesSaid(self._tokens, self._request.spoken).columns(columns, self._place.table.name)
        near = [
            span
            for span in spans
            if len(span.columns) == 1
            and self._free.intersection(range(span.start, span.end))
            and comparison.start - 4 <= span.start <= number.end + 2
        ]
        if near:
            self._covered |= set(range(near[0].start, near[0].end))
            return next(c for c in columns if c.name == near[0].columns[0])
        keys = {
            *self._place.table.primary_key,
            *(n for k in self._place.table.foreign_keys for n in k.columns),
        }
        amounts = [c for c in columns if c.type in _AMOUNTS and c.name not in keys]
        return amounts[0] if len(amounts) == 1 else None

    # Values.

    def _take_values(self) -> None:
        at = 0
        while at < len(self._tokens):
            if at not in self._free or at in self._covered:
                at += 1
                continue
            size = next((n for n in range(_LONGEST, 0, -1) if self._value(at, at + n)), 0)
            at += max(size, 1)

    def _value(self, start: int, end: int) -> bool:
        """Take the words as a value of one column; False where they are none, or of several columns."""
        if end > len(self._tokens) or any(at in self._covered for at in range(start, end)):
            return False
        if any(at not in self._free and at in self._request.read.used for at in range(start, end)):
            return False
        found = self._places_of(start, end)
        columns = {column for column, _ in found}
        named = [column for column in columns if self._is_named(column)]
        if len(columns) > 1 and len(named) == 1:
            columns = set(named)
        if len(columns) != 1:
            return False
        column = columns.pop()
        value = next(value for name, value in found if name == column)
        return self._add(column, value, start, end)

    def _places_of(self, start: int, end: int) -> list[tuple[str, str]]:
        """The columns of the table that have these words for a value, and the value as it is there."""
        table = self._place.table
        text = self._request.pieces.text[self._tokens[start].start : self._tokens[end - 1].end]
        said = {text, " ".join(token.form for token in self._tokens[start:end])}
        if end - start == 1:
            said |= stems_of(self._tokens[start], self._request.spoken)
        found: list[tuple[str, str]] = []
        for word in sorted(said):
            places = self._values.exactly(word) if self._values is not None else ()
            found += [
                (p.column, p.value)
                for p in places
                if p.table == table.name and p.schema in ("", table.schema)
            ]
        folded = {word.casefold() for word in said}
        for column in table.columns:
            known = (*column.options, *column.samples) if column.type is ValueType.TEXT else ()
            found += [(column.name, value) for value in known if value.casefold() in folded]
            if end - start == 1:
                found += [(column.name, value) for value in known if _stem(value) in folded]
        return found

    def _is_named(self, column: str) -> bool:
        infos = [c for c in self._place.table.columns if c.name == column]
        return bool(NamesSaid(self._tokens, self._request.spoken).columns(infos, self._place.table.name))

    def _add(self, column: str, value: str, start: int, end: int) -> bool:
        turned = self._is_turned(start)
        if column in self._found:
            if self._turned.get(column) is not turned:
                return False
            held = self._found[column]
            inner = held.entries[0].value if isinstance(held, Map) and turned else held
            items = inner.items if isinstance(inner, Sequence) else (inner,)
            several: Value = Sequence((*items, Text(value)))
            self._found[column] = Map((Entry("not", several),)) if turned else several
        else:
            self._found[column] = Map((Entry("not", Text(value)),)) if turned else Text(value)
        self._turned[column] = turned
        self._covered.update(range(start, end))
        return True

    def _is_turned(self, start: int) -> bool:
        """Whether a word that turns it around stands before a value, or before the values beside it."""
        at = next(n for n, item in enumerate(self._request.items) if item.start <= start < item.end)
        step = at - 1
        while step >= 0:
            item = self._request.items[step]
            if item.is_a(Cue.NEGATION, Cue.EXCEPT):
                return True
            beside = item.is_a(Cue.FILLER, Cue.FROM, Cue.TO) or self._covered.issuperset(_span(item))
            if not beside:
                return False
            step -= 1
        return False


def _span(item: Item) -> range:
    return range(item.start, item.end)


def _stem(value: str) -> str:
    from dragoman.planning.tables.words import stem

    return stem(value.casefold()) if value.isalpha() else ""


def _number(item: Item) -> str | None:
    text = item.text.replace(",", "")
    return text if text.replace(".", "", 1).isdecimal() else None


def _between(first: dt.date | None, last: dt.date | None) -> Value:
    if first is not None and last is not None:
        return Map((Entry("between", Sequence((Date(first), Date(last)))),))
    if first is not None:
        return Map((Entry("at-least", Date(first)),))
    assert last is not None  # noqa: S101
    return Map((Entry("at-most", Date(last)),))


def kept_to(step: Statement, found: Filtered, table: TableInfo, *, adds: bool = False) -> Statement:
    """The statement with the conditions; a condition on the same column is replaced, or with `adds` one more
    value of it taken, too."""
    if adds:
        found = replace(found, arguments=tuple(added(step, each) for each in found.arguments))
    arguments = [each for each in step.arguments if each.name not in {one.name for one in found.arguments}]
    days = [column.name for column in table.columns if column.type in _DAYS]
    if any(one.name in days for one in found.arguments) and len(days) == 1:
        arguments = [each for each in arguments if each.name != "during"]
    return replace(step, arguments=(*arguments, *found.arguments))


def added(step: Statement, argument: Argument) -> Argument:
    """A value beside those that a column is kept to already."""
    held = step.argument(argument.name)
    if held is None or not isinstance(argument.value, Text) or not isinstance(held.value, Text | Sequence):
        return argument
    before = held.value.items if isinstance(held.value, Sequence) else (held.value,)
    if argument.value in before or argument.name in ("connection", "columns", "of", "by"):
        return argument
    return replace(argument, value=Sequence((*before, argument.value)))
