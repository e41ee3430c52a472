"""The ledger and the cursors of a schema: made when they are missing, written with what they speak of."""

from typing import cast

import msgspec
from psycopg import errors as pg

from dragoman.contracts.decoding import decoded
from dragoman.contracts.flow import CursorValue
from dragoman.engine.components.postgres.server import Connection
from dragoman.engine.components.postgres.table_name import identifier
from dragoman.engine.ledger import CURSORS, LEDGER

_PART = 0
_GATE = 0x647261676F6D616E
"""Under this number, processes wait for each other while the two tables are made."""

_TABLES = (
    (
        LEDGER,
        "run_id text, step text, part integer, rows bigint NOT NULL, published_at timestamptz NOT NULL,"
        " PRIMARY KEY (run_id, step, part)",
    ),
    (
        CURSORS,
        "pipeline text, step text, cursor text NOT NULL, run_id text NOT NULL, PRIMARY KEY (pipeline, step)",
    ),
)


def ensure_accounts(connection: Connection, schema: str, *, guarded: bool) -> None:
    """`guarded`: nobody but their owner may see them, where a whole schema is open to the world."""
    if all(_exists(connection, schema, name) for name, _ in _TABLES):
        return
    with connection.transaction():
        connection.execute("SELECT pg_catalog.pg_advisory_xact_lock(%s)", [_GATE])
        for name, columns in _TABLES:
            if not _exists(connection, schema, name):
                table = identifier(schema, name)
                connection.execute(f"CREATE TABLE {table} ({columns})".encode())
                if guarded:
                    connection.execute(f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY".encode())


def enter(connection: Connection, schema: str, run_id: str, step: str, rows: int) -> bool:
    """Write the row of what is about to be published. False where it stands there already."""
    text = (
        f"INSERT INTO {_place(schema, LEDGER)} (run_id, step, part, rows, published_at)"
        " VALUES (%s, %s, %s, %s, now()) ON CONFLICT DO NOTHING"
    )
    return connection.execute(text.encode(), [run_id, step, _PART, rows]).rowcount == 1


def entered(connection: Connection, schema: str, run_id: str, step: str) -> int | None:
    """How many rows the ledger says were published."""
    text = f"SELECT rows FROM {_place(schema, LEDGER)} WHERE run_id = %s AND step = %s AND part = %s"
    try:
        found = connection.execute(text.encode(), [run_id, step, _PART]).fetchone()
    except (pg.UndefinedTable, pg.InvalidSchemaName):
        return None
    return cast("int", found[0]) if found else None


def remember(
    connection: Connection, schema: str, pipeline: str, step: str, cursor: CursorValue, run_id: str
) -> None:
    text = (
        f"INSERT INTO {_place(schema, CURSORS)} (pipeline, step, cursor, run_id) VALUES (%s, %s, %s, %s)"
        " ON CONFLICT (pipeline, step) DO UPDATE SET cursor = EXCLUDED.cursor, run_id = EXCLUDED.run_id"
    )
    connection.execute(text.encode(), [pipeline, step, msgspec.json.encode(cursor).decode(), run_id])


def remembered(connection: Connection, schema: str, pipeline: str, step: str) -> CursorValue | None:
    text = f"SELECT cursor FROM {_place(schema, CURSORS)} WHERE pipeline = %s AND step = %s"
    try:
        found = connection.execute(text.encode(), [pipeline, step]).fetchone()
    except (pg.UndefinedTable, pg.InvalidSchemaName):
        return None
    return decoded(str(found[0]).encode(), CursorValue) if found else None


def _exists(connection: Connection, schema: str, name: str) -> bool:
    row = connection.execute(
        "SELECT 1 FROM pg_catalog.pg_tables WHERE schemaname = %s AND tablename = %s", [schema, name]
    ).fetchone()
    return row is not None


def _place(schema: str, table: str) -> str:
    """For statements with parameters, where a percent sign has a meaning."""
    return identifier(schema, table).replace("%", "%%")
