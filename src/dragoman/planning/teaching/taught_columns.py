"""Taught words as columns: planners read them like any other, and programs say what they mean.

A name for a column, a figure and a condition are each a column that the database does not have: of the type
of what it means, a condition being true or false. Planners see a schema with these columns. What they write
is expanded before anybody else sees it, so no program depends on what was taught.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any, Final, TypeVar

from msgspec.structs import replace

from dragoman.contracts.program import (
    Argument,
    Call,
    Map,
    Nil,
    Sequence,
    Statement,
    Text,
    Value,
)
from dragoman.contracts.schema import ColumnInfo, DatabaseSchema, TableInfo, ValueType
from dragoman.contracts.taught import TAUGHT, TaughtKind, TaughtWord
from dragoman.planning.tables.table_reading import TableReading
from dragoman.planning.tables.words import tokens_of
from dragoman.planning.teaching.expansion import Expansion, TaughtColumn, Unexpandable
from dragoman.planning.teaching.said_words import meaning_of
from dragoman.planning.teaching.totals import AddsUp, may_be_total, shown_alone, totalled
from dragoman.tables.catalog import TableCatalog
from dragoman.tables.graph import Graph, Table
from dragoman.tables.verbs import Word

_CACHED: Final = 256

Read = TypeVar("Read", bound=Any)
"""A reading of either planner: it has a statement."""


class TaughtColumns:
    """The taught words of one database that fit its schema; the others teach nothing here."""

    def __init__(
        self,
        words: Iterable[TaughtWord],
        tables: TableCatalog,
        schema: DatabaseSchema,
        declared: Iterable[TaughtWord] = (),
    ) -> None:
        """`declared` are words that the database says of itself: they may be meant, `words` are."""
        self._real = Graph(schema)
        self._schema = schema
        self.left_out: list[TaughtWord] = []
        self._columns: dict[tuple[str, str], TaughtColumn] = {}
        self.called: dict[str, tuple[str, ...]] = {}
        """Names for tables, by the names that the database has for them."""
        self._written: dict[Statement, Statement] = {}
        self.adds_up: AddsUp = lambda *_: False
        """What is known of amounts, once the columns were read."""
        for word in words:
            self._add(word, tables)
        self._told = frozenset(self._columns)
        for word in declared:
            if (word.of, word.word.casefold()) not in self._columns:
                self._add(word, tables)

    def __bool__(self) -> bool:
        return bool(self._columns or self.called)

    def _add(self, word: TaughtWord, tables: TableCatalog) -> None:
        table = self._real.by_name.get(word.of)
        if table is not None and word.kind is TaughtKind.VALUE:
            # The value is said in its place before anybody reads the message.
            return
        if table is not None and word.kind is TaughtKind.TABLE:
            name = ".".join(part for part in table.key if part)
            self.called[name] = (*self.called.get(name, ()), word.word)
            return
        if table is not None and word.kind is TaughtKind.COUNT:
            info = ColumnInfo(word.word, ValueType.INTEGER, TAUGHT)
            self._columns[word.of, word.word.casefold()] = TaughtColumn(word, Nil(), info)
            return
        meaning = meaning_of(word) if table is not None else None
        plain = table.column(meaning.value) if table is not None and isinstance(meaning, Text) else None
        if table is not None and plain is not None and word.kind is TaughtKind.COLUMN and word.word.isalpha():
            # Another name for a column: all that is known of it, its unit for example, stays known.
            name = ".".join(part for part in (*table.key, plain.info.name) if part)
            self.called[name] = (*self.called.get(name, ()), word.word)
            return
        if table is None or meaning is None or tables.findings_of([probe(word, meaning)])[0]:
            self.left_out.append(word)
            return
        own = plain.info if plain is not None and word.kind is TaughtKind.COLUMN else None
        info = ColumnInfo(word.word, self._type(word, table, meaning), TAUGHT)
        if own is not None:
            # It is that column under another name: what was seen of it stays known.
            info = replace(own, name=word.word, native=TAUGHT, unique=False, comment="", formula="")
        self._columns[word.of, word.word.casefold()] = TaughtColumn(word, meaning, info)

    def _type(self, word: TaughtWord, table: Table, meaning: Value) -> ValueType:
        match word.kind:
            case TaughtKind.CONDITION:
                return ValueType.BOOLEAN
            case TaughtKind.COLUMN if isinstance(meaning, Text):
                column = table.column(meaning.value)
                return column.type if column is not None else ValueType.DECIMAL
            case _:
                return ValueType.DECIMAL

    @cached_property
    def schema(self) -> DatabaseSchema:
        """The schema with the taught columns."""
        return replace(self._schema, tables=tuple(map(self._with_columns, self._schema.tables)))

    def _with_columns(self, info: TableInfo) -> TableInfo:
        table = self._real.tables.get((info.schema, info.name))
        own = [
            each.info for each in self._columns.values() if table is not None and each.word.of == table.name
        ]
        return replace(info, columns=(*info.columns, *own)) if own else info

    @cached_property
    def graph(self) -> Graph:
        return Graph(self.schema)

    def said_in(self, stems: Iterable[str]) -> list[TaughtColumn]:
        """The columns that a person taught whose words a message has."""
        said = frozenset(stems)
        return [each for key, each in self._columns.items() if key in self._told and each.stems <= said]

    def uses(self, statement: Statement, column: TaughtColumn) -> bool:
        """Whether a statement, as a planner wrote it, has a taught column."""
        name = self._identifier(column)
        return any(name in used for used in _names_in(statement))

    def _identifier(self, column: TaughtColumn) -> str:
        table = self.graph.by_name[column.word.of]
        return table.by_real_name[column.info.name].name

    def expanded(self, statement: Statement) -> Statement | None:
        """What a statement says without taught columns; None where that cannot be said."""
        if not self._columns:
            return statement
        try:
            whole = Expansion(self.by_identifier, self.graph, statement).statement()
        except Unexpandable:
            return None
        if whole != statement:
            # What was written is judged as it was written: the words of the message are in there.
            if len(self._written) >= _CACHED:
                self._written.clear()
            self._written[replace(whole, binds="")] = statement
        return whole

    def meant(self, text: str, found: tuple[Read, ...], follows: Callable[[Read], bool]) -> tuple[Read, ...]:
        """The readings of a message that can be said. A taught word means what was taught: what reads it
        otherwise is left out, unless it only changes what was asked before."""
        said = self._by_word(self.said_in(token.stem for token in tokens_of(text)))
        kept: dict[Statement, Read] = {}
        for each in found:
            statement = self._totalled(self._without_shown(each.statement))
            used = follows(each) or all(any(self.uses(statement, one) for one in alike) for alike in said)
            if used and self.expanded(statement) is not None:
                kept.setdefault(statement, replace(each, statement=statement))
        return tuple(kept.values())

    def _by_word(self, columns: Iterable[TaughtColumn]) -> list[list[TaughtColumn]]:
        """Columns of several tables under one name: one of them is meant."""
        found: dict[str, list[TaughtColumn]] = {}
        for each in columns:
            own = (
                each.word.word if each.word.kind is TaughtKind.COLUMN else f"{each.word.of}.{each.word.word}"
            )
            found.setdefault(own.casefold(), []).append(each)
        return list(found.values())

    def _without_shown(self, statement: Statement) -> Statement:
        """A statement that shows several columns, without those that no row has: what is not shown in the
        end must not count as shown for whoever reviews it."""
        shown = statement.argument(Word.COLUMNS)
        table = self.graph.by_name.get(statement.verb.rpartition(".")[0])
        if shown is None or table is None or not isinstance(shown.value, Sequence):
            return statement
        hidden = {
            name for (of, name), each in self.by_identifier.items() if of == table.name and each.is_computed
        }
        kept = tuple(
            item for item in shown.value.items if not isinstance(item, Text) or item.value not in hidden
        )
        if not kept or len(kept) == len(shown.value.items):
            return statement
        rest = replace(shown, value=Sequence(kept))
        return replace(
            statement, arguments=tuple(rest if each is shown else each for each in statement.arguments)
        )

    def _totalled(self, statement: Statement) -> Statement:
        """A statement that shows a figure and nothing else, as its total: of what is computed nobody wants
        to see every row."""
        path = shown_alone(statement)
        for each in self._columns.values() if path else ():
            named = each.meaning.value if isinstance(each.meaning, Text) else ""
            amount = named and may_be_total(statement) and self.adds_up(each.word.of, named)
            if self._identifier(each) == path.rpartition("/")[2] and (each.is_figure or amount):
                return totalled(statement)
        return statement

    def without(self, found: tuple[TableReading, ...]) -> tuple[TableReading, ...]:
        """The readings without taught columns."""
        told = [(each, self.expanded(each.statement)) for each in found]
        return tuple(replace(each, statement=whole) for each, whole in told if whole is not None)

    def as_written(self, statement: Statement) -> Statement:
        """A statement as its planner wrote it, with taught columns."""
        found = self._written.get(replace(statement, binds=""))
        return statement if found is None else replace(found, binds=statement.binds)

    @cached_property
    def by_identifier(self) -> Mapping[tuple[str, str], TaughtColumn]:
        """By table and column, as programs would call them."""
        return {(each.word.of, self._identifier(each)): each for each in self._columns.values()}


def probe(word: TaughtWord, meaning: Value) -> Statement:
    """A statement that is right where the meaning is."""
    match word.kind:
        case TaughtKind.CONDITION:
            return Statement(f"{word.of}.count", (Argument(Word.WHERE, meaning),))
        case TaughtKind.COLUMN:
            return Statement(f"{word.of}.list", (Argument(Word.COLUMNS, Sequence((meaning,))),))
        case _:
            return Statement(f"{word.of}.sum", (Argument(Word.OF, meaning),))


def _names_in(statement: Statement) -> Iterator[set[str]]:
    """The names that stand in a statement, piece by piece."""
    for argument in statement.arguments:
        yield {argument.name}
        yield from _names_of(argument.value)


def _names_of(value: Value) -> Iterator[set[str]]:
    match value:
        case Text(value=path):
            yield set(path.split("/"))
        case Sequence(items=items):
            for item in items:
                yield from _names_of(item)
        case Map(entries=entries):
            for entry in entries:
                yield {entry.key}
                yield from _names_of(entry.value)
        case Call(statement=inner):
            yield from _names_in(inner)
        case _:
            return
