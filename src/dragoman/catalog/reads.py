"""From a statement to its query: what a read verb of a pack or of a table, or a query of its own, asks for.

Conversations, pipelines and commands all make their queries here, so that the policies of packs hold for
each of them.
"""

from dragoman.catalog.catalog import Catalog
from dragoman.catalog.query_reads import is_query, query_read
from dragoman.catalog.verb_read import VerbRead, decimals
from dragoman.catalog.verbs import connection_in
from dragoman.contracts.connection import ConnectionSpec
from dragoman.contracts.errors import RunFailed, WorkspaceError
from dragoman.contracts.program import Statement
from dragoman.contracts.query import Query
from dragoman.contracts.schema import DatabaseSchema
from dragoman.contracts.verb import Effect
from dragoman.packs.installed import OwnedVerb
from dragoman.tables.catalog import CompiledRead


def read_for(catalog: Catalog, statement: Statement) -> VerbRead:
    """What a read verb asks for, as the workspace's viewer may see it.

    Raises `ArgumentsNotFit` and `RunFailed` where the statement does not fit, and `PolicyViolation`.
    """
    if is_query(statement):
        return query_read(catalog, statement)
    connection = connection_in(statement)
    spec = catalog.connection_for(statement.verb, connection)
    if spec is None:
        raise WorkspaceError(f"{statement.verb} has no database", hint="add it to connections.yaml")
    schema = catalog.schema(spec)
    if schema is None:
        raise WorkspaceError(
            f"the database of {statement.verb} was not discovered yet", hint="run dragoman discover"
        )
    owned = catalog.pack_verb(statement.verb, connection)
    if owned is not None:
        return _of_pack(catalog, statement, owned, spec, schema)
    return _of_table(catalog, statement, spec, schema)


def _of_pack(
    catalog: Catalog,
    statement: Statement,
    owned: OwnedVerb,
    spec: ConnectionSpec,
    schema: DatabaseSchema,
) -> VerbRead:
    if owned.verb.effect is not Effect.READ:
        raise RunFailed(f"{statement.verb} does not read", hint="it is run by engine.pack_writes")
    columns = catalog.all_verbs[statement.verb].columns
    visibility = catalog.visibility(spec)
    rules = visibility.rules if visibility is not None else {}
    # Over tables no verb of a pack is read, and nothing of what narrows one is needed.
    from dragoman.packs.verb_queries import verb_queries

    query, recount = verb_queries(owned.pack, statement, schema, catalog.viewer, decimals(columns), rules)
    return VerbRead(spec, schema, query, recount, owned=owned, columns=columns)


def _of_table(
    catalog: Catalog, statement: Statement, spec: ConnectionSpec, schema: DatabaseSchema
) -> VerbRead:
    tables = catalog.tables_for(statement.verb, connection_in(statement))
    elsewhere = catalog.called_elsewhere(statement)
    done = tables.compile(statement, schema.dialect) if tables is not None else ()
    if elsewhere is not None:
        done = (elsewhere,)
    # The compiler has checked the statement before. This happens when the schema changed in between, or when
    # somebody calls the lookup directly.
    if not isinstance(done, CompiledRead):
        if done:
            raise RunFailed(done[0].message, hint=done[0].hint, finding=done[0].code)
        raise RunFailed(f"there is no verb {statement.verb}", hint="name one of a pack or of a table")
    query = done.query
    # The SQL is our own, written from the statement; only its rows are counted here.
    counting = f"SELECT COUNT(*) FROM ({query.sql}) AS counted"  # noqa: S608
    return VerbRead(
        spec,
        schema,
        query,
        Query(counting, query.parameters),
        names=tuple(column.name for column in done.columns),
        types=tuple(column.type for column in done.columns),
        inferred=done.inferred_paths,
    )
