"""The transaction that publishes: rows out of staging, the ledger and the cursor, together or not at all."""

import datetime as dt
import sqlite3

import msgspec

from dragoman.contracts.decoding import decoded
from dragoman.contracts.errors import TargetFailed
from dragoman.contracts.flow import CursorValue, FlowColumn
from dragoman.engine.component import StepContext
from dragoman.engine.components.sqlite.tables import (
    created,
    existing_columns,
    folded_name,
    sqlite_type,
)
from dragoman.engine.ledger import CURSORS, LEDGER
from dragoman.engine.run_database import quoted


def make_ledger(connection: sqlite3.Connection) -> None:
    connection.execute(
        f"CREATE TABLE IF NOT EXISTS {LEDGER} (run_id TEXT NOT NULL, step TEXT NOT NULL, "
        "part INTEGER NOT NULL, rows INTEGER NOT NULL, published_at TEXT NOT NULL, "
        "PRIMARY KEY (run_id, step, part))"
    )
    connection.execute(
        f"CREATE TABLE IF NOT EXISTS {CURSORS} (pipeline TEXT NOT NULL, step TEXT NOT NULL, "
        '"cursor" TEXT NOT NULL, run_id TEXT NOT NULL, PRIMARY KEY (pipeline, step))'
    )


def rows_published(connection: sqlite3.Connection, run_id: str, step: str) -> int | None:
    if not existing_columns(connection, LEDGER):
        return None
    found = connection.execute(
        f"SELECT rows FROM {LEDGER} WHERE run_id = ? AND step = ? AND part = 0", (run_id, step)
    ).fetchone()
    return None if found is None else int(found[0])


def cursor_of(connection: sqlite3.Connection, pipeline: str, step: str) -> CursorValue | None:
    if not existing_columns(connection, CURSORS):
        return None
    found = connection.execute(
        f'SELECT "cursor" FROM {CURSORS} WHERE pipeline = ? AND step = ?', (pipeline, step)
    ).fetchone()
    return None if found is None else decoded(found[0], CursorValue)


def write_ledger(
    connection: sqlite3.Connection, context: StepContext, rows: int, cursor: CursorValue | None
) -> None:
    now = dt.datetime.now(dt.UTC).isoformat(timespec="milliseconds")
    connection.execute(
        f"INSERT INTO {LEDGER} VALUES (?, ?, 0, ?, ?)", (context.run_id, context.step, rows, now)
    )
    if cursor is not None:
        connection.execute(
            f"INSERT OR REPLACE INTO {CURSORS} VALUES (?, ?, ?, ?)",
            (context.pipeline, context.step, msgspec.json.encode(cursor).decode(), context.run_id),
        )


def refuse_twice(connection: sqlite3.Connection, staging: str, key: tuple[str, ...]) -> None:
    """Of two rows with one key, which should win? Raises TargetFailed."""
    names = ", ".join(map(quoted, key))
    twice = connection.execute(
        f"SELECT 1 FROM {quoted(staging)} GROUP BY {names} HAVING count(*) > 1 LIMIT 1"
    ).fetchone()
    if twice is not None:
        raise TargetFailed(
            f"two rows have the same {', '.join(key)}", hint="let the query give one row for each key"
        )
    empty = " OR ".join(f"{quoted(name)} IS NULL" for name in key)
    if connection.execute(f"SELECT 1 FROM {quoted(staging)} WHERE {empty} LIMIT 1").fetchone() is not None:
        raise TargetFailed(f"a row has no {', '.join(key)}", hint="leave such rows out")


def move(
    connection: sqlite3.Connection,
    staging: str,
    table: str,
    mode: str,
    key: tuple[str, ...],
    columns: tuple[FlowColumn, ...],
) -> None:
    """Rows into the table, made or widened first where that is needed. Raises TargetFailed."""
    existing = {folded_name(each.name) for each in existing_columns(connection, table)}
    if not existing:
        connection.execute(created(table, columns, key))
    else:
        for column in columns:
            if folded_name(column.name) not in existing:
                added = f"{quoted(column.name)} {sqlite_type(column)}"
                connection.execute(f"ALTER TABLE {quoted(table)} ADD COLUMN {added}")
    before = _dangling(connection)
    if mode == "replace" and existing:
        connection.execute(f"DELETE FROM {quoted(table)}")
    names = ", ".join(quoted(column.name) for column in columns)
    insert = f"INSERT INTO {quoted(table)} ({names}) SELECT {names} FROM {quoted(staging)}"
    connection.execute(insert + (_on_conflict(columns, key) if mode == "upsert" else ""))
    if broken := _dangling(connection) - before:
        raise TargetFailed(
            f"rows of {', '.join(sorted({name for name, *_ in broken}))} would point at nothing",
            hint="write the rows they point at first",
        )


def _on_conflict(columns: tuple[FlowColumn, ...], key: tuple[str, ...]) -> str:
    keys = {folded_name(name) for name in key}
    changed = [quoted(column.name) for column in columns if folded_name(column.name) not in keys]
    target = f" WHERE true ON CONFLICT ({', '.join(map(quoted, key))}) "
    if not changed:
        return target + "DO NOTHING"
    return target + "DO UPDATE SET " + ", ".join(f"{name} = excluded.{name}" for name in changed)


def _dangling(connection: sqlite3.Connection) -> set[tuple[str, int | None, str, int]]:
    """Rows whose foreign keys point at nothing. SQLite is not asked to enforce keys while it writes: it would
    delete what points at a row that is only replaced."""
    found = connection.execute(
        "SELECT DISTINCT m.name FROM sqlite_master AS m, pragma_foreign_key_list(m.name) "
        "WHERE m.type = 'table'"
    ).fetchall()
    return {
        tuple(row)
        for (name,) in found
        for row in connection.execute(f"PRAGMA foreign_key_check({quoted(name)})")
    }
