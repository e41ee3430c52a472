"""Programs that read well and are wrong: one thing of a right program is changed, as a fluent model errs.

Another column, a lost negation, a shifted period, a reversed direction, a swapped role. Whether a change
makes the answer wrong is not known here: another column may hold the same.
"""

import datetime as dt
from collections.abc import Callable, Iterator
from enum import StrEnum
from typing import Final

from msgspec.structs import replace

from dragoman.contracts.program import (
    Argument,
    Call,
    Date,
    Entry,
    Integer,
    Map,
    Nil,
    Sequence,
    Statement,
    Text,
    Value,
)
from dragoman.tables.graph import Graph, Table

_NAMING: Final = frozenset({"of", "columns", "by", "order", "per", "on", "column", "desc", "also", "number"})
"""Arguments and keys whose texts are names of columns, and not values."""
_OPPOSITES: Final = {"above": "below", "below": "above", "at-least": "at-most", "at-most": "at-least"}
_EXTREMES: Final = {"max": "min", "min": "max"}
_GROUPED: Final = frozenset({"count", "sum", "average"})


class Mutation(StrEnum):
    """What was done to the program."""

    COLUMN = "another column"
    NEGATION = "lost negation"
    PERIOD = "shifted period"
    DIRECTION = "reversed direction"
    ROLE = "swapped role"


Change = Callable[[Value, Table, bool], Iterator[Value]]
"""What one value may become. Told are the table whose rows it is about, and whether it names a column."""


def mutants(statement: Statement, graph: Graph) -> Iterator[tuple[Mutation, Statement]]:
    """Every statement that is one change away."""
    table = graph.by_name.get(statement.verb.partition(".")[0])
    if table is None:
        return
    names = _Names(graph)
    for changed in _anywhere(statement, table, graph, names.columns):
        yield Mutation.COLUMN, changed
    for changed in _anywhere(statement, table, graph, names.links):
        yield Mutation.ROLE, changed
    for changed in _anywhere(statement, table, graph, _without_negation):
        yield Mutation.NEGATION, changed
    for changed in _shifted(statement, table, graph):
        yield Mutation.PERIOD, changed
    for changed in (*_anywhere(statement, table, graph, _turned), *_turned_whole(statement)):
        yield Mutation.DIRECTION, changed


class _Names:
    """Names of columns and of links, and what else might stand in their place."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph

    def columns(self, value: Value, table: Table, naming: bool) -> Iterator[Value]:
        yield from self._of_value(value, table, naming, self.other_columns)

    def links(self, value: Value, table: Table, naming: bool) -> Iterator[Value]:
        yield from self._of_value(value, table, naming, self.other_links)

    def _of_value(
        self, value: Value, table: Table, naming: bool, others: Callable[[str, Table], Iterator[str]]
    ) -> Iterator[Value]:
        match value:
            case Text(value=path) if naming:
                yield from map(Text, self._of_path(path, table, others))
            case Map(entries=entries):
                for place, entry in enumerate(entries):
                    for other in others(entry.key, table):
                        changed = (*entries[:place], Entry(other, entry.value), *entries[place + 1 :])
                        yield Map(changed)

    def _of_path(
        self, path: str, table: Table, others: Callable[[str, Table], Iterator[str]]
    ) -> Iterator[str]:
        steps, here = path.split("/"), table
        for place, step in enumerate(steps):
            for other in others(step, here):
                yield "/".join((*steps[:place], other, *steps[place + 1 :]))
            target = self.target(step, here)
            if target is None:
                return
            here = target

    def target(self, name: str, table: Table) -> Table | None:
        link = self._graph.link(table, name)
        return self._graph.by_name.get(name) if link is None else self._graph.tables[link.target]

    def other_columns(self, name: str, table: Table) -> Iterator[str]:
        """Columns of the same type: what a model that guesses writes in its place."""
        column = table.column(name)
        if column is None or self._graph.link(table, name) is not None:
            return
        for other in table.columns.values():
            if other.type is column.type and other.name != column.name:
                yield other.name

    def other_links(self, name: str, table: Table) -> Iterator[str]:
        """Other ways to the same table: who flies from a place, and who flies to it."""
        column = table.column(name)
        for link in self._graph.links(table).values():
            mine = self._graph.links(table).get(name)
            if mine is not None and link.target == mine.target and link.name != mine.name:
                yield link.name
            if mine is None and column is not None and column.info.name in _keys(table):
                same = _keys(table)[column.info.name]
                for real, target in _keys(table).items():
                    if target == same and real != column.info.name:
                        yield table.by_real_name[real].name
                return


def _keys(table: Table) -> dict[str, tuple[str, ...]]:
    return {
        key.columns[0]: (key.table, *key.target_columns)
        for key in table.info.foreign_keys
        if len(key.columns) == 1
    }


def _anywhere(statement: Statement, table: Table, graph: Graph, change: Change) -> Iterator[Statement]:
    """The statement with one value changed, wherever it stands. Its arguments are a map, too."""
    entries = tuple(Entry(each.name, each.value) for each in statement.arguments)
    for changed in _changed(Map(entries), table, graph, change, naming=False):
        if isinstance(changed, Map):
            arguments = tuple(Argument(each.key, each.value) for each in changed.entries)
            if len({each.name for each in arguments}) == len(arguments):
                yield replace(statement, arguments=arguments)


def _changed(value: Value, table: Table, graph: Graph, change: Change, *, naming: bool) -> Iterator[Value]:
    yield from change(value, table, naming)
    match value:
        case Sequence(items=items):
            for place, item in enumerate(items):
                for other in _changed(item, table, graph, change, naming=naming):
                    yield Sequence((*items[:place], other, *items[place + 1 :]))
        case Map(entries=entries):
            for place, entry in enumerate(entries):
                there = _Names(graph).target(entry.key, table) if isinstance(entry.value, Map) else None
                names = entry.key in _NAMING or (naming and table.column(entry.key) is None)
                for other in _changed(entry.value, there or table, graph, change, naming=names):
                    yield Map((*entries[:place], Entry(entry.key, other), *entries[place + 1 :]))
        case Call(statement=inner):
            own = graph.by_name.get(inner.verb.partition(".")[0])
            if own is not None:
                yield from (Call(other) for other in _anywhere(inner, own, graph, change))


def _without_negation(value: Value, table: Table, naming: bool) -> Iterator[Value]:
    match value:
        case Map(entries=(Entry(key="not", value=inner),)):
            yield inner
        case Map(entries=entries):
            for place, entry in enumerate(entries):
                if entry.value == Nil():
                    there = Entry(entry.key, Map((Entry("not", Nil()),)))
                    yield Map((*entries[:place], there, *entries[place + 1 :]))
                if entry == Entry("how-many", Integer(0)):
                    some = Entry(entry.key, Map((Entry("at-least", Integer(1)),)))
                    yield Map((*entries[:place], some, *entries[place + 1 :]))


def _shifted(statement: Statement, table: Table, graph: Graph) -> Iterator[Statement]:
    """Every date of it moved by a year, or by a month; parts of dates are counted on."""
    for months in (12, -12, 1):

        def moved(value: Value, months: int = months) -> Value:
            match value:
                case Date(value=day):
                    return Date(_moved(day, months))
                case Sequence(items=items):
                    return Sequence(tuple(map(moved, items)))
                case Map(entries=entries):
                    return Map(tuple(Entry(each.key, moved(each.value)) for each in entries))
                case _:
                    return value

        arguments = tuple(replace(each, value=moved(each.value)) for each in statement.arguments)
        if arguments != statement.arguments:
            yield replace(statement, arguments=arguments)
    yield from _anywhere(statement, table, graph, _next_part)


def _moved(day: dt.date, months: int) -> dt.date:
    """The same day of another month; its last day stays the last."""
    last = (day + dt.timedelta(days=1)).day == 1
    total = day.year * 12 + day.month - 1 + months
    year, month = divmod(total, 12)
    after = dt.date(year + (month + 1) // 12, (month + 1) % 12 + 1, 1) - dt.timedelta(days=1)
    return after if last else dt.date(year, month + 1, min(day.day, after.day))


def _next_part(value: Value, table: Table, naming: bool) -> Iterator[Value]:
    match value:
        case Map(entries=(Entry(key="year", value=Integer(value=year)),)):
            yield Map((Entry("year", Integer(year + 1)),))
        case Map(entries=(Entry(key="month" | "quarter" | "weekday" as part, value=Integer(value=number)),)):
            most = {"month": 12, "quarter": 4, "weekday": 7}[part]
            yield Map((Entry(part, Integer(number % most + 1)),))


def _turned(value: Value, table: Table, naming: bool) -> Iterator[Value]:
    match value:
        case Map(entries=(Entry(key="desc", value=inner),)):
            yield inner
        case Map(entries=entries):
            for place, entry in enumerate(entries):
                if entry.key in _OPPOSITES:
                    turned = Entry(_OPPOSITES[entry.key], entry.value)
                    yield Map((*entries[:place], turned, *entries[place + 1 :]))
                if entry.key == "order" and isinstance(entry.value, Text):
                    turned = Entry("order", Map((Entry("desc", entry.value),)))
                    yield Map((*entries[:place], turned, *entries[place + 1 :]))


def _turned_whole(statement: Statement) -> Iterator[Statement]:
    domain, _, action = statement.verb.partition(".")
    if action in _EXTREMES:
        yield replace(statement, verb=f"{domain}.{_EXTREMES[action]}")
    said = {each.name for each in statement.arguments}
    if action in _GROUPED and {"by", "top"} <= said and "order" not in said:
        yield replace(statement, arguments=(*statement.arguments, Argument("order", Text(action))))
