"""Rows through a verb of a workspace: one call from a statement to what its viewer may see."""

from dragoman.catalog.workspace_catalog import WorkspaceCatalog
from dragoman.contracts.errors import RunFailed, WorkspaceError
from dragoman.contracts.program import Statement
from dragoman.contracts.query import Query, ReadLimits, ResultSet
from dragoman.contracts.record import Record
from dragoman.contracts.schema import DatabaseSchema, ValueType
from dragoman.contracts.verb import Effect
from dragoman.databases.connections import open_connection, resolve
from dragoman.language.catalog import text_of
from dragoman.packs.verb_queries import verb_query
from dragoman.tables.catalog import CompiledRead


class VerbRead(Record, frozen=True):
    """The query of a verb. `names` are what its columns are called, where the query has names of our own."""

    query: Query
    names: tuple[str, ...] = ()
    inferred: tuple[str, ...] = ()
    """The links it follows that no key declares."""
    types: tuple[ValueType, ...] = ()
    """What its columns hold, where the query is one of a table's verbs."""


def query_for(catalog: WorkspaceCatalog, statement: Statement) -> Query:
    """The query of a read verb of a pack or of a table, for the workspace's viewer. Raises as `read_for`."""
    return read_for(catalog, statement).query


def read_for(catalog: WorkspaceCatalog, statement: Statement) -> VerbRead:
    """What a read verb of a pack or of a table asks for, for the workspace's viewer.

    Raises `ArgumentsNotFit` and `RunFailed` where the statement does not fit, and `PolicyViolation`.
    """
    schema = _schema(catalog, statement)
    owned = catalog.packs.verbs.get(statement.verb)
    if owned is not None:
        if owned.verb.effect is not Effect.READ:
            raise RunFailed(f"{statement.verb} does not read", hint="it is run by engine.pack_writes")
        return VerbRead(verb_query(owned.pack, statement, schema, catalog.settings.viewer))
    tables = catalog.tables_for(statement.verb, text_of(statement, "connection") or "")
    done = tables.compile(statement, schema.dialect) if tables is not None else ()
    if isinstance(done, CompiledRead):
        names = tuple(column.name for column in done.columns)
        types = tuple(column.type for column in done.columns)
        return VerbRead(done.query, names, done.inferred_paths, types)
    if done:
        raise RunFailed(done[0].message, hint=done[0].hint, finding=done[0].code)
    raise RunFailed(f"there is no verb {statement.verb}", hint="name one of a pack or of a table")


def rows_of(catalog: WorkspaceCatalog, statement: Statement, limits: ReadLimits | None = None) -> ResultSet:
    """The rows of a statement that calls a read verb, as the workspace's viewer may see them."""
    query = query_for(catalog, statement)
    spec = catalog.connection_for(statement.verb, text_of(statement, "connection") or "")
    if spec is None:
        raise WorkspaceError(f"{statement.verb} has no database", hint="add it to connections.yaml")
    with open_connection(resolve(spec, catalog.folder), limits) as reader:
        return reader.read(query, limits)


def _schema(catalog: WorkspaceCatalog, statement: Statement) -> DatabaseSchema:
    spec = catalog.connection_for(statement.verb, text_of(statement, "connection") or "")
    schema = catalog.schema(spec) if spec is not None else None
    if schema is None:
        raise WorkspaceError(
            f"the database of {statement.verb} was not discovered yet", hint="run dragoman discover"
        )
    return schema
