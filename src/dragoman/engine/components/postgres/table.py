"""What a writer needs to know of the table it writes to, and of its place."""

from typing import cast

from dragoman.contracts.errors import StepRefused, TargetFailed
from dragoman.contracts.record import Record
from dragoman.engine.components.postgres.description import ServerType, server_types
from dragoman.engine.components.postgres.selection import find_table
from dragoman.engine.components.postgres.server import Connection
from dragoman.engine.components.postgres.table_name import TableName, read_table_name

_COLUMNS = """
    SELECT attname::text, atttypid::int8, atttypmod::int8, attnotnull, atthasdef,
           attidentity::text, attgenerated::text
    FROM pg_catalog.pg_attribute WHERE attrelid = %s::oid AND attnum > 0 AND NOT attisdropped
    ORDER BY attnum
"""
_KEYS = """
    SELECT array_agg(a.attname::text ORDER BY a.attname::text)
    FROM pg_catalog.pg_index i
    JOIN unnest(i.indkey[0:i.indnkeyatts - 1]) AS k(attnum) ON true
    LEFT JOIN pg_catalog.pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.attnum
    WHERE i.indrelid = %s::oid AND i.indisunique AND i.indisvalid AND i.indimmediate AND i.indpred IS NULL
    GROUP BY i.indexrelid HAVING bool_and(a.attname IS NOT NULL)
"""
_REACHED = """
    SELECT c.conrelid::regclass::text FROM pg_catalog.pg_constraint c
    WHERE c.confrelid = %s::oid AND c.contype = 'f' AND c.confdeltype IN ('c', 'n', 'd')
      AND c.conrelid <> c.confrelid LIMIT 1
"""
_RIGHTS = """
    SELECT pg_catalog.has_any_column_privilege(%(oid)s::oid, 'INSERT'),
           pg_catalog.has_any_column_privilege(%(oid)s::oid, 'UPDATE'),
           pg_catalog.has_any_column_privilege(%(oid)s::oid, 'SELECT'),
           pg_catalog.has_table_privilege(%(oid)s::oid, 'DELETE'),
           pg_catalog.row_security_active(%(oid)s::oid),
           (SELECT pg_catalog.pg_has_role(relowner, 'USAGE')
            FROM pg_catalog.pg_class WHERE oid = %(oid)s::oid)
"""
_SCHEMA = """
    SELECT pg_catalog.has_schema_privilege(oid, 'CREATE') FROM pg_catalog.pg_namespace WHERE nspname = %s
"""


class TargetColumn(Record, frozen=True):
    name: str
    type: ServerType
    required: bool
    """Whether a row cannot be without it: it may not be NULL, and nothing fills it in."""
    generated: bool = False
    always_identity: bool = False


class TargetTable(Record, frozen=True):
    name: TableName
    columns: tuple[TargetColumn, ...]
    keys: tuple[tuple[str, ...], ...]
    """The unique keys, each with its columns in the order of their names."""
    may_insert: bool
    may_update: bool
    may_select: bool
    may_delete: bool
    rows_hidden: bool
    """Whether policies hide rows from this user."""
    owned: bool
    reaches: str = ""
    """A table whose rows would go, or change, with the rows of this one."""

    def column(self, name: str) -> TargetColumn | None:
        return next((each for each in self.columns if each.name == name), None)


def home_of(text: str, connection: Connection, schemas: tuple[str, ...]) -> tuple[TableName, int | None]:
    """The full name of the table to write, and its number where it exists. Raises StepRefused."""
    asked = read_table_name(text)
    found = find_table(asked, connection, schemas)
    if found is None:
        return TableName(asked.name, asked.schema or schemas[0]), None
    if found.kind not in ("r", "p"):
        raise StepRefused(f"{asked} is not a table that can be written", hint="name a table, not a view")
    return found.table, found.oid


def check_schema(schema: str, connection: Connection) -> None:
    """Staging stands beside the table, so the schema must be there and open to this user."""
    row = connection.execute(_SCHEMA, [schema]).fetchone()
    if row is None:
        raise StepRefused(f"there is no schema {schema}", hint="create it, or name another")
    if not row[0]:
        raise TargetFailed(
            f"this user may create nothing in the schema {schema}, and staging needs a table there",
            hint=f"GRANT CREATE ON SCHEMA {schema} TO the user",
        )


def look_at(name: TableName, oid: int, connection: Connection) -> TargetTable:
    rows = cast(
        "list[tuple[str, int, int, bool, bool, str, str]]", connection.execute(_COLUMNS, [oid]).fetchall()
    )
    types = server_types(connection, [(row[1], row[2]) for row in rows])
    keys = cast("list[tuple[list[str]]]", connection.execute(_KEYS, [oid]).fetchall())
    rights = connection.execute(_RIGHTS, {"oid": oid}).fetchone() or ()
    reached = connection.execute(_REACHED, [oid]).fetchone()
    inserts, updates, selects, deletes, hidden, owned = (bool(right) for right in rights)
    return TargetTable(
        name,
        tuple(
            TargetColumn(
                column,
                types[type_oid, typmod],
                not_null and not has_default and not identity,
                bool(generated),
                identity == "a",
            )
            for column, type_oid, typmod, not_null, has_default, identity, generated in rows
        ),
        tuple(tuple(key[0]) for key in keys),
        inserts,
        updates,
        selects,
        deletes,
        hidden,
        owned,
        str(reached[0]) if reached else "",
    )
