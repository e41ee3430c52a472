"""A statement that asks with a SELECT of its own: the query of an extractor, as a read that may answer.

A person wrote the SQL, so it is judged by the guard over the tables that were discovered, narrowed by the
policies, and read where it can be stopped.
"""

from msgspec.structs import replace

from dragoman.catalog.catalog import Catalog
from dragoman.catalog.components import component_signature, component_signatures
from dragoman.catalog.verb_read import VerbRead
from dragoman.catalog.verbs import CONNECTION, connection_in
from dragoman.contracts.connection import ConnectionSpec
from dragoman.contracts.errors import RunFailed, WorkspaceError
from dragoman.contracts.program import Statement, Text
from dragoman.contracts.query import Query
from dragoman.contracts.schema import DatabaseSchema, Dialect
from dragoman.contracts.verb import Effect
from dragoman.databases.families.registry import family
from dragoman.guards.sql import SqlVerdict, judge_sql

QUERY = "query"
_TAKEN = frozenset({CONNECTION, QUERY})


def query_verb(spec: ConnectionSpec) -> str | None:
    """The verb that reads one query from a connection; None where its family has none."""
    components = family(spec.family).components if spec.family is not None else ()
    for verb, _ in components:
        signature = component_signature(verb)
        if signature is None or signature.effect is not Effect.READ:
            continue
        if {argument.name for argument in signature.arguments} >= _TAKEN:
            return verb
    return None


def is_query(statement: Statement) -> bool:
    """Whether a statement is a query of its own, and nothing else: what an extractor may say beside it is for
    pipelines."""
    names = {argument.name for argument in statement.arguments}
    if names != _TAKEN or len(statement.arguments) != len(_TAKEN):
        return False
    signature = component_signatures().get(statement.verb)
    return signature is not None and signature.effect is Effect.READ


def query_in(statement: Statement) -> str:
    """The SQL of a statement that is a query of its own."""
    for argument in statement.arguments:
        if argument.name == QUERY and isinstance(argument.value, Text):
            return argument.value.value
    return ""


def judged(sql: str, schema: DatabaseSchema) -> SqlVerdict:
    """What the guard says of a query of a person over the tables that were discovered."""
    return judge_sql(sql, schema.dialect, allowed_tables=_discovered(schema))


def query_read(catalog: Catalog, statement: Statement) -> VerbRead:
    """The read of such a statement, as the viewer may see it. Raises `RunFailed`, `PolicyViolation` and
    `WorkspaceError`."""
    name = connection_in(statement)
    spec = catalog.connection_named(name.removeprefix("@"))
    if spec is None:
        raise WorkspaceError(f"there is no connection {name}", hint="run dragoman connections")
    if query_verb(spec) != statement.verb:
        raise RunFailed(f"{statement.verb} does not read {name}", hint="name the extractor of its family")
    return typed_read(catalog, spec, query_in(statement))


def typed_read(catalog: Catalog, spec: ConnectionSpec, sql: str) -> VerbRead:
    """A query of a person as a read, judged and narrowed. Raises `RunFailed`, `PolicyViolation` and
    `WorkspaceError`."""
    schema, visibility = catalog.schema(spec), catalog.visibility(spec)
    if schema is None:
        raise WorkspaceError(f"{spec.name} was not discovered yet", hint="run dragoman discover")
    verdict = judged(sql, schema)
    if verdict.sql is None:
        code = verdict.code.value if verdict.code else ""
        raise RunFailed(
            verdict.reason, hint="write one SELECT over tables that were discovered", finding=code
        )
    if visibility is not None:
        # It knows views by the schema that it narrows.
        catalog.visible_schema(spec)
        query = visibility.of_person(sql, schema.dialect)
    else:
        query = Query(verdict.sql)
    return VerbRead(spec, schema, query, _recount(query, schema.dialect), of_person=True)


def _recount(query: Query, dialect: Dialect) -> Query:
    """The same query, counted by the database. Where it may not stand inside another one it is read twice."""
    if not dialect.nests_repeated_names:
        return query
    return replace(query, sql=f"SELECT COUNT(*) FROM ({query.sql}) AS counted", shown="")  # noqa: S608


def _discovered(schema: DatabaseSchema) -> tuple[str, ...]:
    """Every table, as the guard wants it named."""
    parts = [(table.schema, table.name) if table.schema else (table.name,) for table in schema.tables]
    return tuple(".".join('"' + part.replace('"', '""') + '"' for part in each) for each in parts)
