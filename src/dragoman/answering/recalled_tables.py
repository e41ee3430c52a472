"""What answers over tables were about: their tables, columns and values, for a recap that names some.

"Did we discuss customers?" is answered by the programs that ran, and by what they showed; never by whether a
word happens to stand in a sentence.
"""

from collections.abc import Iterator

from dragoman.catalog.catalog import Catalog
from dragoman.catalog.verbs import connection_in
from dragoman.contracts.answer import AnswerObject
from dragoman.contracts.connection import ConnectionSpec
from dragoman.contracts.program import Call, Date, Integer, Map, Number, Sequence, Statement, Text, Value
from dragoman.contracts.record import Record
from dragoman.databases.values import ValueIndex
from dragoman.planning.database.knowledge import Knowledge
from dragoman.planning.tables.name_linker import Linker, Named
from dragoman.planning.tables.schema_names import Things
from dragoman.planning.tables.words import Kind, Token, tokens_of
from dragoman.tables.findings import Findings
from dragoman.tables.graph import Graph, Table, TableKey
from dragoman.tables.paths import ColumnPath, Paths

_LIKE = 0.65
_NEAR = 0.1
_SHOWN_CELLS = 2
"""How many cells of a row are names that somebody may come back to."""


class Touched(Record, frozen=True):
    """What an answer was about."""

    tables: frozenset[TableKey]
    columns: frozenset[tuple[TableKey, str]]
    values: frozenset[str]


def recalled(text: str, answers: tuple[AnswerObject, ...], catalog: Catalog) -> list[AnswerObject] | None:
    """The answers over tables that were about everything a text names, by what the database that each asked
    calls its tables; None where no database was discovered."""
    schemas = [(spec, catalog.visible_schema(spec)) for spec in catalog.in_order()]
    known = [(spec, schema) for spec, schema in schemas if schema is not None and schema.tables]
    found: list[AnswerObject] = []
    for spec, schema in known:
        own = tuple(each for each in answers if len(schemas) == 1 or _asked(each, catalog) == spec)
        found += RecalledTables(Graph(schema)).about(text, own) if own else []
    return sorted(found, key=lambda each: each.turn_index) if known else None


def _asked(answer: AnswerObject, catalog: Catalog) -> ConnectionSpec | None:
    """The connection that the program behind an answer reads."""
    first = answer.program[0] if answer.program else None
    return None if first is None else catalog.connection_for(first.verb, connection_in(first))


class RecalledTables:
    """Knows the tables of one catalog by the words that questions use for them."""

    def __init__(self, schema_graph: Graph) -> None:
        self._graph = schema_graph
        self._things = Things(schema_graph, by_roles=True)
        self._linker = Linker(Knowledge(self._things).things, ValueIndex(()), widely=True)

    def about(self, text: str, answers: tuple[AnswerObject, ...]) -> list[AnswerObject]:
        """The answers that were about everything a text names; none where it names something else."""
        tokens = tuple(token for token in tokens_of(text) if token.kind is not Kind.MARK)
        links = self._linker.links(tokens)
        found: list[AnswerObject] = []
        for answer in answers:
            touched = self.touched(answer)
            if tokens and self._covers(tokens, links.named, touched):
                found.append(answer)
        return found

    def _covers(
        self, tokens: tuple[Token, ...], named: dict[int, tuple[Named, ...]], touched: Touched
    ) -> bool:
        """Whether all words are names of what was touched, or values of it."""
        at = 0
        while at < len(tokens):
            ends = [each.end for each in _best(named.get(at, ())) if self._is_touched(each, touched)]
            ends += _value_ends(tokens, at, touched.values)
            if not ends:
                return False
            at = max(ends)
        return True

    def _is_touched(self, named: Named, touched: Touched) -> bool:
        key, column = named.thing.table.key, named.thing.column
        return key in touched.tables if column is None else (key, column.info.name) in touched.columns

    def touched(self, answer: AnswerObject) -> Touched:
        """What an answer's program asks and shows."""
        tables: set[TableKey] = set()
        columns: set[tuple[TableKey, str]] = set()
        values: set[str] = set()
        for statement in answer.program:
            base = self._graph.by_name.get(statement.verb.rpartition(".")[0])
            if base is None:
                continue
            tables.add(base.key)
            shown = [Text(column.name) for column in answer.columns]
            for argument in statement.arguments:
                self._argument(base, argument.name, argument.value, tables, columns, values)
                values.add(argument.display.casefold())
            for path in self._paths(base, Sequence(tuple(shown))):
                self._path(base, path, tables, columns)
        for row in answer.rows:
            values |= {str(cell).casefold() for cell in row[:_SHOWN_CELLS] if isinstance(cell, str)}
        return Touched(frozenset(tables), frozenset(columns), frozenset(values - {""}))

    def _argument(
        self,
        base: Table,
        name: str,
        value: Value,
        tables: set[TableKey],
        columns: set[tuple[TableKey, str]],
        values: set[str],
    ) -> None:
        own = base.column(name)
        link = self._graph.link(base, name)
        if own is not None:
            columns.add((base.key, own.info.name))
        if link is not None and own is None:
            there = self._graph.tables[link.target]
            tables.add(there.key)
            for entry in value.entries if isinstance(value, Map) else ():
                self._argument(there, entry.key, entry.value, tables, columns, values)
            return
        if own is None and isinstance(value, Map):
            for entry in value.entries:
                self._argument(base, entry.key, entry.value, tables, columns, values)
        for path in self._paths(base, value) if own is None else ():
            self._path(base, path, tables, columns)
        values.update(text.casefold() for text in _texts(value))
        for statement in _calls(value):
            inner = self._graph.by_name.get(statement.verb.rpartition(".")[0])
            if inner is not None:
                tables.add(inner.key)

    def _paths(self, base: Table, value: Value) -> Iterator[ColumnPath]:
        """The columns that texts of a value lead to."""
        for text in _texts(value):
            path = Paths(self._graph, Findings()).column(base, text, "")
            if path is not None:
                yield path

    def _path(
        self,
        base: Table,
        path: ColumnPath,
        tables: set[TableKey],
        columns: set[tuple[TableKey, str]],
    ) -> None:
        tables |= {link.target for link in path.links}
        end = path.links[-1].target if path.links else base.key
        columns.add((end, path.column.info.name))
        # A key that is gathered by stands for what it leads to.
        for link in self._graph.links(self._graph.tables[end]).values():
            if link.single and [here for here, _ in link.pairs] == [path.column.info.name]:
                tables.add(link.target)


def _best(named: tuple[Named, ...]) -> list[Named]:
    """The names that words are most like."""
    good = [each for each in named if each.score >= _LIKE]
    best = max((each.score for each in good), default=0.0)
    return [each for each in good if each.score >= best - _NEAR]


def _value_ends(tokens: tuple[Token, ...], at: int, values: frozenset[str]) -> Iterator[int]:
    for end in range(len(tokens), at, -1):
        if " ".join(token.low for token in tokens[at:end]) in values:
            yield end


def _texts(value: Value) -> Iterator[str]:
    match value:
        case Text(value=text):
            yield text
        case Integer(value=number):
            yield str(number)
        case Number(value=digits):
            yield digits
        case Date(value=day):
            yield day.isoformat()
        case Sequence(items=items):
            for item in items:
                yield from _texts(item)
        case Map(entries=entries):
            for entry in entries:
                yield from _texts(entry.value)
        case _:
            return


def _calls(value: Value) -> Iterator[Statement]:
    match value:
        case Call(statement=statement):
            yield statement
        case Sequence(items=items):
            for item in items:
                yield from _calls(item)
        case Map(entries=entries):
            for entry in entries:
                yield from _calls(entry.value)
        case _:
            return
