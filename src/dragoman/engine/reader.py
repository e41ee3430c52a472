"""Reads from a SQLite database through a connection that cannot write, bounded in rows and time."""

import datetime as dt
import sqlite3
import time
from pathlib import Path

from dragoman.contracts.errors import RunFailed
from dragoman.contracts.query import Query

MAX_ROWS = 100_000
MAX_SECONDS = 30.0

_STEPS_BETWEEN_CHECKS = 10_000

Cell = str | int | float | None
Rows = list[tuple[Cell, ...]]


def read_rows(database: Path, query: Query) -> Rows:
    """The rows of a query, values bound. Raises RunFailed; too many rows are a failure, not a cut."""
    if not database.exists():
        raise RunFailed(f"the database {database} is gone", hint="put it back, or name another workspace")
    try:
        connection = sqlite3.connect(f"{database.resolve().as_uri()}?mode=ro", uri=True)
    except sqlite3.Error as error:
        raise _failed(database, error) from error
    try:
        connection.execute("PRAGMA query_only = ON")
        deadline = time.monotonic() + MAX_SECONDS
        connection.set_progress_handler(lambda: time.monotonic() > deadline, _STEPS_BETWEEN_CHECKS)
        rows: Rows = connection.execute(query.sql, _bound(query)).fetchmany(MAX_ROWS + 1)
    except sqlite3.Error as error:
        raise _failed(database, error) from error
    finally:
        connection.close()
    if len(rows) > MAX_ROWS:
        raise RunFailed(
            f"the query gives more than {MAX_ROWS:,} rows", hint="narrow the question", limit=MAX_ROWS
        )
    return rows


def _bound(query: Query) -> list[Cell]:
    """SQLite has no dates: they are text there, and compare as such."""
    return [value.isoformat() if isinstance(value, dt.date) else value for value in query.parameters]  # type: ignore[misc]


def _failed(database: Path, error: sqlite3.Error) -> RunFailed:
    if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_INTERRUPT:
        return RunFailed(f"the query took longer than {MAX_SECONDS:.0f} seconds", hint="narrow the question")
    return RunFailed(
        f"the database {database} refused the query: {error}", hint="`dragoman why` shows the program"
    )
