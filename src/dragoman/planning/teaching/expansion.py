"""A statement with taught columns, and what it says without them."""

from collections.abc import Mapping
from typing import Final

from msgspec.structs import replace

from dragoman.contracts.errors import InternalSignal
from dragoman.contracts.program import (
    Argument,
    Boolean,
    Call,
    Entry,
    Map,
    Nil,
    Sequence,
    Statement,
    Text,
    Value,
)
from dragoman.contracts.record import Record
from dragoman.contracts.schema import ColumnInfo
from dragoman.contracts.taught import TaughtKind, TaughtWord
from dragoman.planning.tables.words import stem
from dragoman.planning.teaching.held_rows import both, with_condition
from dragoman.tables.graph import Graph, Table
from dragoman.tables.verbs import ALL, HOW_MANY, Word

_OPPOSITES: Final = {
    "above": "at-most",
    "at-most": "above",
    "below": "at-least",
    "at-least": "below",
}


class Unexpandable(InternalSignal):
    """A taught word stands where programs cannot say what it means."""

    def __init__(self) -> None:
        super().__init__("a taught word stands where no program can say what it means")


class TaughtColumn(Record, frozen=True):
    """A taught word with its meaning read."""

    word: TaughtWord
    meaning: Value
    info: ColumnInfo

    @property
    def is_computed(self) -> bool:
        """Whether it is a figure or a condition: no row has it."""
        return self.is_figure or self.word.kind is TaughtKind.CONDITION

    @property
    def is_figure(self) -> bool:
        return self.word.kind in (TaughtKind.FIGURE, TaughtKind.COUNT)

    @property
    def stems(self) -> frozenset[str]:
        return frozenset(stem(part) for part in self.word.word.casefold().split())


class Expansion:
    """One statement, its taught columns replaced by what they mean."""

    def __init__(
        self, columns: Mapping[tuple[str, str], TaughtColumn], graph: Graph, statement: Statement
    ) -> None:
        """`columns` by table and name, as programs would call them; `graph` has them too."""
        self._columns = columns
        self._graph = graph
        self._statement = statement
        domain, _, _ = statement.verb.rpartition(".")
        self._base = self._graph.by_name.get(domain)

    def statement(self) -> Statement:
        base = self._base
        if base is None:
            return self._statement
        self._statement = self._as_count(base)
        arguments: list[Argument] = []
        conditions: list[Value] = []
        for argument in self._statement.arguments:
            column = self._columns.get((base.name, argument.name))
            if argument.name not in _WORDS and column is not None:
                conditions.append(_tested(column, argument.value))
            elif argument.name in (Word.WHERE, Word.THAT):
                arguments.append(replace(argument, value=self._where(base, argument.value)))
            elif argument.name == Word.COLUMNS and isinstance(argument.value, Sequence):
                arguments.append(replace(argument, value=self._shown(base, argument.value)))
            elif argument.name in _WORDS:
                arguments.append(replace(argument, value=self._value(base, argument.value)))
            else:
                arguments.append(replace(argument, value=self._inner(argument.value)))
        whole = replace(self._statement, arguments=tuple(arguments))
        for condition in conditions:
            whole = _held(whole, condition, base)
        return whole

    def _as_count(self, base: Table) -> Statement:
        """The total of what is a number of rows, as a count of them."""
        domain, _, verb = self._statement.verb.rpartition(".")
        of = self._statement.argument(Word.OF)
        path = of.value.value if of is not None and isinstance(of.value, Text) else ""
        column = self._columns.get((base.name, path))
        if column is None or column.word.kind is not TaughtKind.COUNT:
            return self._statement
        if verb != _SUM:
            raise Unexpandable
        rest = [
            replace(each, value=_renamed(each.value)) if each.name in _MEASURED else each
            for each in self._statement.arguments
            if each is not of
        ]
        return replace(self._statement, verb=f"{domain}.count", arguments=tuple(rest))

    def _shown(self, base: Table, columns: Sequence) -> Value:
        """What is shown, without what only a person knows: that is not in the rows."""
        shown = [item for item in columns.items if not self._is_taught(base, item)]
        return self._value(base, Sequence(tuple(shown)) if shown else columns)

    def _is_taught(self, base: Table, item: Value) -> bool:
        if not isinstance(item, Text):
            return False
        try:
            return self._path(base, item.value) != item
        except Unexpandable:
            return True

    def _where(self, table: Table, value: Value) -> Value:
        match value:
            case Sequence(items=items):
                return Sequence(tuple(self._where(table, item) for item in items))
            case Map(entries=entries):
                plain: list[Entry] = []
                more: list[Value] = []
                for entry in entries:
                    column = self._columns.get((table.name, entry.key))
                    if column is not None:
                        more.append(_tested(column, entry.value))
                    else:
                        plain.append(replace(entry, value=self._behind(table, entry)))
                return _all_of(Map(tuple(plain)), more)
            case _:
                return self._inner(value)

    def _behind(self, table: Table, entry: Entry) -> Value:
        """What a link leads to is tested there; a column only compares."""
        link = self._graph.link(table, entry.key)
        target = self._graph.by_name.get(entry.key) if link is None else self._graph.tables[link.target]
        if entry.key == ALL:
            return self._where(table, entry.value)
        if target is None or not isinstance(entry.value, Map | Sequence):
            return self._inner(entry.value)
        match entry.value:
            case Map(entries=(Entry(key="not", value=inner),)) if not isinstance(inner, Nil):
                return Map((Entry("not", self._where(target, inner)),))
            case _:
                return self._where(target, entry.value)

    def _value(self, base: Table, value: Value) -> Value:
        """A column, an order, a figure: wherever a path may stand."""
        match value:
            case Text(value=path):
                return self._path(base, path)
            case Sequence(items=items):
                return Sequence(tuple(self._value(base, item) for item in items))
            case Map(entries=entries):
                self._refuse_named(base, entries)
                return Map(tuple(replace(entry, value=self._value(base, entry.value)) for entry in entries))
            case _:
                return self._inner(value)

    def _refuse_named(self, base: Table, entries: tuple[Entry, ...]) -> None:
        if any((base.name, entry.key) in self._columns for entry in entries):
            raise Unexpandable

    def _path(self, base: Table, path: str) -> Value:
        table, before = base, list[str]()
        for step in path.split("/")[:-1]:
            link = self._graph.link(table, step)
            if link is None:
                break
            table, before = self._graph.tables[link.target], [*before, step]
        rest = path.split("/")[len(before) :]
        column = self._columns.get((table.name, rest[0])) if rest else None
        if column is None:
            return Text(path)
        if len(rest) > 1 or column.word.kind in (TaughtKind.CONDITION, TaughtKind.COUNT):
            raise Unexpandable
        return _moved(column.meaning, before)

    def _inner(self, value: Value) -> Value:
        match value:
            case Call(statement=inner):
                return Call(Expansion(self._columns, self._graph, inner).statement())
            case Map(entries=entries):
                return Map(tuple(replace(entry, value=self._inner(entry.value)) for entry in entries))
            case Sequence(items=items):
                return Sequence(tuple(map(self._inner, items)))
            case _:
                return value


_WORDS: Final = frozenset(word.value for word in Word)
_SUM: Final = "sum"
_MEASURED: Final = frozenset({Word.ORDER.value, Word.HAVING.value, Word.COLUMNS.value})
"""Where a measure is called by its verb."""


def _renamed(value: Value) -> Value:
    """What speaks of the sum, speaking of the count."""
    match value:
        case Text(value="sum"):
            return Text("count")
        case Sequence(items=items):
            return Sequence(tuple(map(_renamed, items)))
        case Map(entries=entries):
            return Map(
                tuple(
                    Entry("count" if entry.key == _SUM else entry.key, _renamed(entry.value))
                    for entry in entries
                )
            )
        case _:
            return value


def _tested(column: TaughtColumn, value: Value) -> Value:
    """The condition of a taught word as a map for `:where`."""
    if column.word.kind is TaughtKind.COLUMN and isinstance(column.meaning, Text):
        return Map((Entry(column.meaning.value, value),))
    if column.word.kind is not TaughtKind.CONDITION:
        raise Unexpandable
    match value:
        case Boolean(value=True):
            return column.meaning
        case Boolean(value=False) | Map(entries=(Entry(key="not", value=Boolean(value=True)),)):
            return _opposite(column.meaning)
        case _:
            raise Unexpandable


def _opposite(meaning: Value) -> Value:
    match meaning:
        case Map(entries=(Entry(key=column, value=Map(entries=(Entry(key=test, value=value),))),)):
            if test == "not":
                return Map((Entry(column, value),))
            if test in _OPPOSITES:
                return Map((Entry(column, Map((Entry(_OPPOSITES[test], value),))),))
            if test == HOW_MANY:
                return Map((Entry(column, _opposite(Map((Entry(HOW_MANY, value),)))),))
            raise Unexpandable
        case Map(entries=(Entry(key=column, value=value),)) if not isinstance(value, Map | Sequence):
            return Map((Entry(column, Map((Entry("not", value),))),))
        case _:
            raise Unexpandable


def _all_of(plain: Map, more: list[Value]) -> Value:
    value: Value = plain
    for condition in more:
        if isinstance(value, Map) and not value.entries:
            value = condition
        elif isinstance(condition, Map):
            value = both(value, condition)
        else:
            value = Map((Entry(ALL, Sequence((value, condition))),))
    return value


def _held(statement: Statement, condition: Value, table: Table) -> Statement:
    if isinstance(condition, Map):
        return with_condition(statement, condition, table)
    where = next((each for each in statement.arguments if each.name == Word.WHERE), None)
    others = [each for each in statement.arguments if each is not where]
    value = condition if where is None else Map((Entry(ALL, Sequence((where.value, condition))),))
    return replace(statement, arguments=(*others, Argument(Word.WHERE, value)))


def _moved(meaning: Value, before: list[str]) -> Value:
    """A meaning as it is said from another table: its columns stand behind the way there."""
    match meaning:
        case Text(value=path):
            return Text("/".join([*before, path]))
        case Sequence(items=items):
            return Sequence(tuple(_moved(item, before) for item in items))
        case Map(entries=entries):
            return Map(tuple(replace(entry, value=_moved(entry.value, before)) for entry in entries))
        case _:
            return meaning
