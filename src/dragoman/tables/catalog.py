"""The verbs of a database's tables, from its schema alone."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from dragoman.contracts.program import (
    Argument,
    Call,
    Diagnostic,
    Entry,
    Integer,
    Map,
    Sequence,
    Statement,
    Text,
    Value,
)
from dragoman.contracts.query import Query, ResultColumn
from dragoman.contracts.record import Record
from dragoman.contracts.schema import DatabaseSchema, Dialect, TableInfo, ValueType
from dragoman.contracts.verb import VerbSignature
from dragoman.language.inlined_calls import with_inner
from dragoman.tables.conditions import (
    Against,
    AgainstResult,
    AnyCondition,
    ColumnCondition,
    Condition,
    CountedCondition,
    LinkedCondition,
    Test,
    others_in,
)
from dragoman.tables.findings import Findings, nearest, quoted
from dragoman.tables.graph import Graph, Link, Table
from dragoman.tables.paths import told
from dragoman.tables.request import ReadRequest
from dragoman.tables.request_reader import read_request
from dragoman.tables.signatures import signature_of
from dragoman.tables.verbs import VERBS, TableVerb
from dragoman.tables.visibility import Visibility

KeyColumn = tuple[str, str, str]
"""Schema, table and column, as the database has them."""

_WHOLE = re.compile(r"-?(?:0|[1-9][0-9]{0,17})")


class UsedPath(Record, frozen=True):
    """A way from table to table that a read took, and whether all of it is declared in the database."""

    path: str
    tables: tuple[str, ...]
    declared: bool


class CompiledRead(Record, frozen=True):
    """A read that may run. The columns come in this order under names of ours; `exact` is false when the
    engine can only add or divide approximately; `ties` says what decides between equals."""

    query: Query
    columns: tuple[ResultColumn, ...]
    paths: tuple[UsedPath, ...] = ()
    inferred_paths: tuple[str, ...] = ()
    exact: bool = True
    ties: str = ""


class TableCatalog:
    """Signatures are made when they are asked for: a database may have thousands of tables.

    `entities` says which columns hold the keys of entities, by schema, table and column, and of which type;
    `visibility` narrows everything to what a viewer may see.
    """

    def __init__(
        self,
        schema: DatabaseSchema,
        entities: Mapping[KeyColumn, str] | None = None,
        visibility: Visibility | None = None,
    ) -> None:
        self._entities = entities or {}
        self._visibility = visibility
        schema = schema if visibility is None else visibility.schema(schema)
        self._graph = Graph(schema)
        self.graph = self._graph
        """The tables as programs call them, and the links between them."""
        self._signatures: dict[str, VerbSignature] = {}

    def verbs(self) -> Iterator[str]:
        for name in self._graph.by_name:
            for verb in TableVerb:
                yield f"{name}.{verb}"

    def signature(self, verb: str) -> VerbSignature | None:
        found = self._signatures.get(verb)
        if found is None:
            domain, _, action = verb.partition(".")
            table = self._graph.by_name.get(domain)
            if table is None or action not in VERBS:
                return None
            found = signature_of(verb, table, TableVerb(action), self._keys_in(table))
            self._signatures[verb] = found
        return found

    def _keys_in(self, table: Table) -> dict[str, str]:
        """The columns of a table that hold keys of entities: its own, and those its declared keys lead to."""
        here = table.key
        leads = {(*here, column.name): column.name for column in table.info.columns}
        found = {name: self._entities[place] for place, name in leads.items() if place in self._entities}
        for key in table.info.foreign_keys:
            # What was inferred is a guess: a value that is fine must not become a name nobody finds.
            if key.declared and len(key.columns) == 1:
                target = (key.schema or here[0], key.table, key.target_columns[0])
                if target in self._entities:
                    found.setdefault(key.columns[0], self._entities[target])
        return found

    def findings(self, statement: Statement) -> tuple[Diagnostic, ...]:
        """Everything that is wrong with a statement, as far as it can be said before names are resolved."""
        if statement.verb.partition(".")[0] not in self._graph.by_name:
            return ()
        read = self._read(_changed(statement, self._without_names))
        return read if isinstance(read, tuple) else ()

    def _without_names(self, statement: Statement) -> Statement:
        """A statement as far as it can be checked now."""
        table = self._graph.by_name.get(statement.verb.partition(".")[0])
        if table is None:
            return statement
        keys = {table.by_real_name[real].name for real in self._keys_in(table) if real in table.by_real_name}
        # An argument with a lookup may still hold a name. What is said of it before it is resolved would be
        # wrong, so it is left out here and checked once it is a key.
        kept = tuple(each for each in statement.arguments if each.name not in keys)
        return Statement(statement.verb, kept, statement.binds)

    def findings_of(self, statements: Iterable[Statement]) -> list[tuple[Diagnostic, ...]]:
        """The findings of each of several statements."""
        return [self.findings(statement) for statement in statements]

    def verb_name_of(self, table: TableInfo, verb: TableVerb) -> str | None:
        """What a program calls a verb of this table."""
        found = self._graph.tables.get((table.schema, table.name))
        return None if found is None else f"{found.name}.{verb}"

    def column_name_of(self, table: TableInfo, column: str) -> str | None:
        """What a program calls a column, given its real name."""
        found = self._graph.tables.get((table.schema, table.name))
        known = found.by_real_name.get(column) if found else None
        return None if known is None else known.name

    def table_of(self, verb: str) -> TableInfo | None:
        """The table a verb reads."""
        found = self._graph.by_name.get(verb.partition(".")[0])
        return None if found is None else found.info

    def compile(self, statement: Statement, dialect: Dialect) -> CompiledRead | tuple[Diagnostic, ...]:
        """The query of a statement, or everything that is wrong with it."""
        request = self._read(statement)
        if isinstance(request, tuple):
            return request
        # Imported when something is compiled: SQL trees are most of what a start would cost.
        from dragoman.tables.select_query import select

        selected = select(self._graph, request, dialect, self._visibility)
        paths = tuple(self._used(request))
        return CompiledRead(
            selected.query,
            selected.columns,
            paths,
            tuple(path.path for path in paths if not path.declared),
            selected.exact,
            selected.ties,
        )

    def _read(self, statement: Statement) -> ReadRequest | tuple[Diagnostic, ...]:
        domain, _, action = statement.verb.partition(".")
        table = self._graph.by_name.get(domain)
        if table is None or action not in VERBS:
            known = list(TableVerb) if table is not None else self._graph.by_name
            hint = nearest(action if table is not None else domain, known)
            return (Diagnostic("unknown_verb", f"there is no verb {quoted(statement.verb)}", hint),)
        findings = Findings()
        statement = _changed(statement, self._with_numbers)
        request = read_request(self._graph, table, TableVerb(action), statement, findings)
        return findings.all or request

    def _with_numbers(self, statement: Statement) -> Statement:
        """Keys that are numbers, written in quotes as a resolved name is, as the numbers they are."""
        table = self._graph.by_name.get(statement.verb.partition(".")[0])
        if table is None:
            return statement
        columns = {
            column.name
            for real in self._keys_in(table)
            if (column := table.by_real_name.get(real)) and column.type is ValueType.INTEGER
        }
        if not any(argument.name in columns for argument in statement.arguments):
            return statement
        arguments = tuple(
            Argument(each.name, _numbered(each.value), each.display) if each.name in columns else each
            for each in statement.arguments
        )
        return Statement(statement.verb, arguments, statement.binds)

    def _used(self, request: ReadRequest) -> Iterator[UsedPath]:
        for links in dict.fromkeys(_taken(request)):
            tables = tuple(self._graph.tables[link.target].name for link in links)
            yield UsedPath(told(links), tables, all(link.declared for link in links))


def _numbered(value: Value) -> Value:
    match value:
        case Text(value=text) if _WHOLE.fullmatch(text):
            return Integer(int(text))
        case Sequence(items=items):
            return Sequence(tuple(_numbered(item) for item in items))
        case Map(entries=entries):
            return Map(tuple(Entry(entry.key, _numbered(entry.value)) for entry in entries))
        case _:
            return value


def _taken(request: ReadRequest) -> Iterator[tuple[Link, ...]]:
    """The ways that a read takes, and those that it holds a value against take."""
    yield from (path.links for path in request.paths() if path.links)
    yield from _followed(request.conditions, ())
    for measured in request.measures:
        yield from _followed(measured.that or (), ())
    for having in request.having:
        yield from _followed_by(having.test, ())


def _followed_by(test: Test, before: tuple[Link, ...]) -> Iterator[tuple[Link, ...]]:
    for other in others_in(test):
        match other:
            case Against(path=path):
                if path.links:
                    yield (*before, *path.links)
            case AgainstResult(request=request):
                yield from _taken(request)


def _followed(conditions: tuple[Condition, ...], before: tuple[Link, ...]) -> Iterator[tuple[Link, ...]]:
    for condition in conditions:
        match condition:
            case ColumnCondition(test=test):
                yield from _followed_by(test, before)
            case (
                LinkedCondition(links=links, conditions=inner)
                | CountedCondition(links=links, conditions=inner)
            ):
                yield (*before, *links)
                yield from _followed(inner, (*before, *links))
                if isinstance(condition, CountedCondition):
                    yield from _followed_by(condition.test, before)
            case AnyCondition(choices=choices):
                for choice in choices:
                    yield from _followed(choice, before)


def table_catalog(
    schema: DatabaseSchema,
    entities: Mapping[KeyColumn, str] | None = None,
    visibility: Visibility | None = None,
) -> TableCatalog:
    return TableCatalog(schema, entities, visibility)


def _changed(statement: Statement, change: Callable[[Statement], Statement]) -> Statement:
    """A statement and every call inside of it, changed. Most have none, and their values need no walk."""
    if any(_nests(argument.value) for argument in statement.arguments):
        return with_inner(statement, change)
    return change(statement)


def _nests(value: Value) -> bool:
    """Whether a call stands anywhere in a value."""
    left = [value]
    while left:
        match left.pop():
            case Call():
                return True
            case Sequence(items=items):
                left.extend(items)
            case Map(entries=entries):
                left.extend(entry.value for entry in entries)
    return False
