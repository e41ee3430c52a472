"""How programs speak of numbers that a database keeps as texts.

Planners read such a column as one of numbers, and write `:staff {:above 20}`. The program says what it does:
`:staff {:number {:above 20}}`. What rows show stays the text that the database has.
"""

from collections.abc import Callable, Mapping
from typing import Final

from msgspec.structs import replace

from dragoman.contracts.program import Argument, Call, Entry, Map, Sequence, Statement, Text, Value
from dragoman.tables.computation import OPERATORS, Operator
from dragoman.tables.findings import Findings
from dragoman.tables.graph import Column, Graph, Table, TableKey
from dragoman.tables.paths import ColumnPath, Paths
from dragoman.tables.request_reader import requests_of
from dragoman.tables.verbs import ALL, COMPARISONS, HOW_MANY, MEASURING, NUMBER, TableVerb, Word

_MEASURING: Final = frozenset(verb.value for verb in MEASURING)
_CONDITIONS: Final = (Word.WHERE.value, Word.THAT.value)
_ORDERED: Final = (Word.OF.value, Word.ALSO.value, Word.ORDER.value, Word.COLUMNS.value)
_WORDS: Final = frozenset(word.value for word in Word)
_DIRECTIONS: Final = ("asc", "desc")

Marked = Mapping[TableKey, frozenset[str]]
"""The columns of each table whose texts are numbers, by their real names."""


class NumberSpelling:
    """Spells the numbers of one database, and reads them back. `graph` has its tables, with the columns as
    planners see them; `real` as they are."""

    def __init__(self, graph: Graph | None, marked: Marked, real: Graph | None = None) -> None:
        self._graph = graph
        self._marked = marked
        self._real = real

    def said(self, statement: Statement) -> Statement | None:
        """A statement of a planner, as a program says it; None where no program can."""
        spelled = self.spelled(statement)
        if self._real is None or requests_of(self._real, (spelled,)) != [None]:
            return spelled
        return None

    def spelled(self, statement: Statement) -> Statement:
        """A statement of a planner, as a program says it. One that is spelled already stays as it is."""
        return self._changed(statement, _Spelled)

    def plain(self, statement: Statement) -> Statement:
        """A statement of a program, as planners write it."""
        return self._changed(statement, _Plain)

    def _changed(self, statement: Statement, writing: "type[_Writing]") -> Statement:
        if not self._marked or self._graph is None:
            return statement
        base = self._graph.by_name.get(statement.verb.rpartition(".")[0])
        return statement if base is None else writing(self._graph, self._marked, base, statement).statement()


NO_NUMBERS: Final = NumberSpelling(None, {})
"""That of a database that keeps no numbers as texts."""


class _Writing:
    """One statement, changed wherever it speaks of such a column."""

    def __init__(self, graph: Graph, marked: Marked, base: Table, statement: Statement) -> None:
        self._graph = graph
        self._marked = marked
        self._base = base
        self._statement = statement
        self._paths = Paths(graph, Findings())
        joined = statement.argument(Word.WITH)
        if joined is not None and isinstance(joined.value, Text):
            self._paths = self._paths.joined(base, joined.value.value, Word.WITH)

    def statement(self) -> Statement:
        arguments = tuple(replace(each, value=self._argument(each)) for each in self._statement.arguments)
        return (
            self._statement
            if arguments == self._statement.arguments
            else replace(self._statement, arguments=arguments)
        )

    def _argument(self, argument: Argument) -> Value:
        if argument.name in _CONDITIONS:
            return self._where(self._base, argument.value)
        if argument.name in _ORDERED:
            shown = argument.name == Word.COLUMNS
            return _each(argument.value, lambda item: self._item(item, argument.name, shown=shown))
        if argument.name in _WORDS:
            return self._inner(argument.value)
        column = self._base.columns.get(argument.name)
        return self._condition(self._base, column, argument.value)

    # Columns

    def _item(self, value: Value, word: str, *, shown: bool) -> Value:
        """What is measured, ordered by or shown. What a row shows is no figure."""
        match value:
            case Text(value=path) if (verb := path.partition("/")[0]) in _MEASURING and "/" in path:
                return self._figure(value, verb, path.partition("/")[2])
            case Text():
                return value if shown else self._column(value)
            case Map(entries=(Entry(key=key, value=inner),)) if key in _DIRECTIONS:
                return Map((Entry(key, self._item(inner, word, shown=shown)),))
            case Map(entries=(Entry(key=key, value=of), *rest)) if key in _MEASURING:
                return self._measured(key, self._expressed(of), rest, named=word != Word.ALSO)
            case _:
                return self._expressed(value)

    def _figure(self, value: Text, verb: str, path: str) -> Value:
        """A figure that is called by its verb and column, `average/staff`."""
        return value

    def _measured(self, key: str, of: Value, rest: list[Entry], *, named: bool) -> Value:
        return Map((Entry(key, of), *rest))

    def _expressed(self, value: Value) -> Value:
        match value:
            case Text():
                return self._column(value)
            case Map(entries=(Entry(key=key, value=Text() as path),)) if key == Operator.NUMBER:
                return self._number(value, path)
            case Map(entries=(Entry(key=key, value=inner),)) if key in OPERATORS:
                return Map((Entry(key, _each(inner, self._expressed)),))
            case _:
                return self._inner(value)

    def _column(self, path: Text) -> Value:
        return path

    def _number(self, value: Map, path: Text) -> Value:
        """The number that a text has written, where a program says so."""
        return value

    def _is_marked(self, path: str) -> bool:
        found = self._paths.column(self._base, path, "", parts=False)
        return found is not None and self._has(found)

    def _has(self, path: ColumnPath) -> bool:
        table = path.links[-1].target if path.links else self._base.key
        return path.column.info.name in self._marked.get(table, frozenset())

    # Conditions

    def _where(self, table: Table, value: Value) -> Value:
        match value:
            case Sequence(items=items):
                return Sequence(tuple(self._where(table, item) for item in items))
            case Map(entries=entries):
                return Map(tuple(replace(each, value=self._entry(table, each)) for each in entries))
            case _:
                return self._inner(value)

    def _entry(self, table: Table, entry: Entry) -> Value:
        column = table.column(entry.key)
        if column is not None and self._marks(table, column):
            return self._condition(table, column, entry.value)
        if entry.key == ALL and column is None:
            return self._where(table, entry.value)
        target = self._target(table, entry.key)
        if target is None or not isinstance(entry.value, Map | Sequence):
            return self._condition(table, column, entry.value)
        return self._linked(target, entry.value)

    def _target(self, table: Table, key: str) -> Table | None:
        link = self._graph.links(table).get(key)
        return self._graph.by_name.get(key) if link is None else self._graph.tables[link.target]

    def _linked(self, target: Table, value: Map | Sequence) -> Value:
        match value:
            case Map(entries=(Entry(key="not", value=Map() | Sequence() as inner),)):
                return Map((Entry("not", self._linked(target, inner)),))
            case Map(entries=entries):
                return Map(
                    tuple(
                        replace(
                            each,
                            value=self._inner(each.value)
                            if each.key == HOW_MANY
                            else self._entry(target, each),
                        )
                        for each in entries
                    )
                )
            case _:
                return self._where(target, value)

    def _condition(self, table: Table, column: Column | None, value: Value) -> Value:
        if column is None or not self._marks(table, column) or _is_of_texts(value):
            return self._inner(value)
        return self._test(column, value)

    def _marks(self, table: Table, column: Column) -> bool:
        return column.info.name in self._marked.get(table.key, frozenset())

    def _test(self, column: Column, value: Value) -> Value:
        return self._inner(value)

    def _inner(self, value: Value) -> Value:
        """The calls in a value, which are statements of their own."""
        match value:
            case Call(statement=statement):
                base = self._graph.by_name.get(statement.verb.rpartition(".")[0])
                if base is None:
                    return value
                return Call(type(self)(self._graph, self._marked, base, statement).statement())
            case Map(entries=entries):
                return Map(tuple(replace(each, value=self._inner(each.value)) for each in entries))
            case Sequence(items=items):
                return Sequence(tuple(map(self._inner, items)))
            case _:
                return value


class _Spelled(_Writing):
    """A statement as programs say it."""

    def _column(self, path: Text) -> Value:
        return _number_of(path) if self._is_marked(path.value) else path

    def _figure(self, value: Text, verb: str, path: str) -> Value:
        return Map((Entry(verb, _number_of(Text(path))),)) if self._is_marked(path) else value

    def _test(self, column: Column, value: Value) -> Value:
        if isinstance(value, Map) and [each.key for each in value.entries] == [NUMBER]:
            return value
        return Map((Entry(NUMBER, self._as_number(self._inner(value))),))

    def _as_number(self, value: Value) -> Value:
        """A test whose calls give the number that their row shows."""
        match value:
            case Call(statement=statement) if statement.verb.endswith(f".{TableVerb.LIST}"):
                base = self._graph.by_name.get(statement.verb.rpartition(".")[0])
                shown = statement.argument(Word.COLUMNS)
                if base is None or shown is None or not isinstance(shown.value, Text):
                    return value
                inner = _Spelled(self._graph, self._marked, base, statement)
                told = replace(shown, value=inner._column(shown.value))
                arguments = tuple(told if each is shown else each for each in statement.arguments)
                return Call(replace(statement, arguments=arguments))
            case Map(entries=entries):
                return Map(tuple(replace(each, value=self._as_number(each.value)) for each in entries))
            case Sequence(items=items):
                return Sequence(tuple(map(self._as_number, items)))
            case _:
                return value


class _Plain(_Writing):
    """A statement as planners write it."""

    def _item(self, value: Value, word: str, *, shown: bool) -> Value:
        # A number that a program shows is no text: planners have no word for it, and leave it as it is.
        if shown and isinstance(value, Map) and [each.key for each in value.entries] == [Operator.NUMBER]:
            return value
        return super()._item(value, word, shown=shown)

    def _number(self, value: Map, path: Text) -> Value:
        return path if self._is_marked(path.value) else value

    def _measured(self, key: str, of: Value, rest: list[Entry], *, named: bool) -> Value:
        if named and not rest and isinstance(of, Text) and self._is_marked(of.value):
            return Text(f"{key}/{of.value}")
        return super()._measured(key, of, rest, named=named)

    def _test(self, column: Column, value: Value) -> Value:
        match value:
            case Map(entries=(Entry(key=key, value=inner),)) if key == NUMBER:
                return self._shown_plain(self._inner(inner))
            case _:
                return self._inner(value)

    def _shown_plain(self, value: Value) -> Value:
        """A test whose calls show the column and not its number."""
        match value:
            case Call(statement=statement) if statement.verb.endswith(f".{TableVerb.LIST}"):
                shown = statement.argument(Word.COLUMNS)
                match shown:
                    case Argument(value=Map(entries=(Entry(key=key, value=Text() as path),))) if (
                        key == Operator.NUMBER
                    ):
                        told = replace(shown, value=path)
                        arguments = tuple(told if each is shown else each for each in statement.arguments)
                        return Call(replace(statement, arguments=arguments))
                    case _:
                        return value
            case Map(entries=entries):
                return Map(tuple(replace(each, value=self._shown_plain(each.value)) for each in entries))
            case Sequence(items=items):
                return Sequence(tuple(map(self._shown_plain, items)))
            case _:
                return value


def _number_of(path: Text) -> Map:
    return Map((Entry(Operator.NUMBER, path),))


def _each(value: Value, change: Callable[[Value], Value]) -> Value:
    return Sequence(tuple(map(change, value.items))) if isinstance(value, Sequence) else change(value)


def _is_of_texts(value: Value) -> bool:
    """Whether a test compares texts: it says nothing of numbers."""
    match value:
        case Text():
            return True
        case Sequence(items=items):
            return any(map(_is_of_texts, items))
        case Map(entries=entries):
            texts = (each for each in entries if each.key in COMPARISONS)
            return any(_is_of_texts(each.value) for each in texts)
        case _:
            return False
