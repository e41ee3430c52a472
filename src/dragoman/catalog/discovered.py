"""What a statement over tables is written from: its database as it was discovered, cached or not."""

from dragoman.catalog.catalog import Catalog
from dragoman.catalog.verbs import connection_in
from dragoman.contracts.program import Statement
from dragoman.contracts.record import Record


class Discovered(Record, frozen=True):
    """A database as it was discovered."""

    connection: str
    schema_version: str
    tables: int


def discovered(catalog: Catalog, statement: Statement) -> Discovered | None:
    """The database of a statement; None where it asks a verb of a pack, or no table."""
    verb, connection = statement.verb, connection_in(statement)
    if catalog.tables_for(verb, connection) is None or catalog.pack_verb(verb, connection) is not None:
        return None
    spec = catalog.connection_for(verb, connection)
    schema = catalog.visible_schema(spec) if spec is not None else None
    if spec is None or schema is None:
        return None
    return Discovered(spec.name, schema.fingerprint, len(schema.tables))
