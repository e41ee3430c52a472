"""The verbs of a database's tables, from its schema alone."""

from collections.abc import Iterator

from dragoman.catalog.tables.asking import read_request
from dragoman.catalog.tables.conditions import AnyCondition, ColumnCondition, Condition, LinkedCondition
from dragoman.catalog.tables.findings import Findings, nearest, quoted
from dragoman.catalog.tables.graph import Graph, Link
from dragoman.catalog.tables.paths import told
from dragoman.catalog.tables.request import ReadRequest
from dragoman.catalog.tables.signatures import signature_of
from dragoman.catalog.tables.verbs import TableVerb
from dragoman.contracts.program import Diagnostic, Statement
from dragoman.contracts.query import Query, ResultColumn
from dragoman.contracts.record import Record
from dragoman.contracts.schema import DatabaseSchema, Dialect, TableInfo
from dragoman.contracts.verb import VerbSignature

_VERBS: frozenset[str] = frozenset(TableVerb)


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
    """Signatures are made when they are asked for: a database may have thousands of tables."""

    def __init__(self, schema: DatabaseSchema) -> None:
        self._graph = Graph(schema)
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
            if table is None or action not in _VERBS:
                return None
            found = self._signatures.setdefault(verb, signature_of(verb, table, TableVerb(action)))
        return found

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
        domain, _, action = statement.verb.partition(".")
        table = self._graph.by_name.get(domain)
        if table is None or action not in _VERBS:
            known = list(TableVerb) if table is not None else self._graph.by_name
            hint = nearest(action if table is not None else domain, known)
            return (Diagnostic("unknown_verb", f"there is no verb {quoted(statement.verb)}", hint),)
        findings = Findings()
        request = read_request(self._graph, table, TableVerb(action), statement, findings)
        if findings.all:
            return findings.all
        # Imported when something is compiled: SQL trees are most of what a start would cost.
        from dragoman.catalog.tables.selecting import select

        selected = select(self._graph, request, dialect)
        paths = tuple(self._used(request))
        return CompiledRead(
            selected.query,
            selected.columns,
            paths,
            tuple(path.path for path in paths if not path.declared),
            selected.exact,
            selected.ties,
        )

    def _used(self, request: ReadRequest) -> Iterator[UsedPath]:
        taken = [path.links for path in request.paths() if path.links]
        taken.extend(_followed(request.conditions, ()))
        for links in dict.fromkeys(taken):
            tables = tuple(self._graph.tables[link.target].name for link in links)
            yield UsedPath(told(links), tables, all(link.declared for link in links))


def _followed(conditions: tuple[Condition, ...], before: tuple[Link, ...]) -> Iterator[tuple[Link, ...]]:
    for condition in conditions:
        match condition:
            case ColumnCondition():
                continue
            case LinkedCondition(links=links, conditions=inner):
                yield (*before, *links)
                yield from _followed(inner, (*before, *links))
            case AnyCondition(choices=choices):
                for choice in choices:
                    yield from _followed(choice, before)


def table_catalog(schema: DatabaseSchema) -> TableCatalog:
    return TableCatalog(schema)
