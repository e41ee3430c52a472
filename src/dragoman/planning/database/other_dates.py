"""A reading with its period on another date: which of two dates is meant, a message often leaves open."""

from collections.abc import Callable, Iterator

from msgspec.structs import replace

from dragoman.contracts.program import Argument, Call, Date, Entry, Map, Sequence, Statement, Text, Value
from dragoman.language.types import parts
from dragoman.planning.database.knowledge import Knowledge
from dragoman.planning.database.sameness import place_of
from dragoman.planning.tables.table_reading import TableReading
from dragoman.tables.graph import Table

_CONDITIONS = ("where", "that")
_LESS, _LEAST = 0.45, 0.44
"""So much of its probability the best reading has on another date of the same rows, and other questions at
most: where a reading with a date is not what is meant, others seldom are."""
_MOST = 2


class OtherDates:
    """Writes statements over one database again, each with one of its dates another one of the same rows."""

    def __init__(self, knowledge: Knowledge) -> None:
        self._knowledge = knowledge
        self._graph = knowledge.things.graph

    def of(self, statement: Statement) -> Iterator[Statement]:
        table = self._graph.by_name.get(statement.verb.rpartition(".")[0])
        for argument in statement.arguments if table is not None else ():
            for changed in self._arguments(argument, table) if table is not None else ():
                others = (changed if each is argument else each for each in statement.arguments)
                if changed.name == argument.name or statement.argument(changed.name) is None:
                    yield replace(statement, arguments=tuple(others))

    def _arguments(self, argument: Argument, table: Table) -> Iterator[Argument]:
        if argument.name == "on" and isinstance(argument.value, Text):
            *links, last = argument.value.value.split("/")
            for other in self._others(self._end(table, links), last):
                yield replace(argument, value=Text("/".join([*links, other])))
        elif argument.name in _CONDITIONS:
            yield from (replace(argument, value=each) for each in self._inside(argument.value, table))
        elif argument.name in table.columns and _speaks_of_days(argument.value):
            yield from (replace(argument, name=each) for each in self._others(table, argument.name))

    def _inside(self, value: Value, table: Table) -> Iterator[Value]:
        """Conditions with one of their dates another one."""
        if isinstance(value, Sequence):
            for place, item in enumerate(value.items):
                for other in self._inside(item, table):
                    yield Sequence((*value.items[:place], other, *value.items[place + 1 :]))
        elif isinstance(value, Map):
            for place, entry in enumerate(value.entries):
                for changed in self._entries(entry, table):
                    yield Map((*value.entries[:place], changed, *value.entries[place + 1 :]))

    def _entries(self, entry: Entry, table: Table) -> Iterator[Entry]:
        if entry.key in table.columns and _speaks_of_days(entry.value):
            yield from (Entry(each, entry.value) for each in self._others(table, entry.key))
            return
        link = self._graph.link(table, entry.key)
        if link is not None or entry.key not in table.columns:
            inner = table if link is None else self._graph.tables[link.target]
            yield from (Entry(entry.key, each) for each in self._inside(entry.value, inner))

    def _others(self, table: Table | None, name: str) -> list[str]:
        dates = self._knowledge.dates(table) if table is not None else []
        names = [each.column.name for each in dates if each.column is not None]
        return [each for each in names if each != name] if name in names else []

    def _end(self, table: Table, links: list[str]) -> Table | None:
        for name in links:
            link = self._graph.link(table, name)
            if link is None:
                return None
            table = self._graph.tables[link.target]
        return table


def on_other_dates(
    found: tuple[TableReading, ...], dates: OtherDates, will_do: Callable[[Statement], bool]
) -> tuple[TableReading, ...]:
    """The readings with the best one on other dates of the same rows behind it, as far as those will do."""
    if not found:
        return found
    best = found[0]
    others = [
        replace(best, statement=each, score=round(best.score * _LESS, 4))
        for each in dates.of(best.statement)
        if place_of(each, [best.statement]) is None and will_do(each)
    ][:_MOST]
    known = [each.statement for each in others]
    behind = [each for each in found[1:] if place_of(each.statement, known) is None]
    if others:
        most = round(best.score * _LEAST, 4)
        behind = [replace(each, score=min(each.score, most)) for each in behind]
    return (best, *others, *behind)


def _speaks_of_days(value: Value) -> bool:
    values = [value]
    while values:
        each = values.pop()
        if isinstance(each, Date):
            return True
        # The days of what a call works out are its own.
        values.extend(() if isinstance(each, Call) else parts(each))
    return False
