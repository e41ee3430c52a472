"""Opening a SQLite file so that it can only be read."""

import sqlite3
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote

from dragoman.contracts.query import ReadLimits
from dragoman.databases.access.worker.worker_reader import file_of
from dragoman.databases.families.sqlite.permission import Authorizer

BUSY_SLICE_SECONDS = 0.1
"""How long SQLite itself waits for a lock; the reader asks again, and hears of a cancellation in between."""

_SPARE_BYTES = 64_000_000
"""A row, or a text on its way to a result, may be longer than a cell that is given back."""

_MOST_VIRTUAL_TABLES = 1_000

_LIMITS = {
    sqlite3.SQLITE_LIMIT_SQL_LENGTH: 1_000_000,
    sqlite3.SQLITE_LIMIT_EXPR_DEPTH: 500,
    sqlite3.SQLITE_LIMIT_COMPOUND_SELECT: 100,
    sqlite3.SQLITE_LIMIT_VDBE_OP: 250_000,
    sqlite3.SQLITE_LIMIT_FUNCTION_ARG: 100,
    sqlite3.SQLITE_LIMIT_ATTACHED: 0,
    sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH: 1_000,
    sqlite3.SQLITE_LIMIT_TRIGGER_DEPTH: 1,
    sqlite3.SQLITE_LIMIT_WORKER_THREADS: 0,
}


def connect(
    path: Path, limits: ReadLimits, authorizer: Authorizer, *, query_only: bool
) -> sqlite3.Connection:
    """A connection to the file, never to one that would be made. Raises DatabaseNotFound, sqlite3.Error."""
    connection = sqlite3.connect(
        _address(path),
        uri=True,
        timeout=BUSY_SLICE_SECONDS,
        isolation_level=None,
        check_same_thread=False,
    )
    try:
        connection.text_factory = _text
        if hasattr(connection, "enable_load_extension"):
            connection.enable_load_extension(False)
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.execute("PRAGMA cell_size_check = ON")
        connection.execute("PRAGMA mmap_size = 0")
        # Where nothing is written, SQLite may sort on disk; the description of a query stays in memory.
        connection.execute("PRAGMA query_only = ON" if query_only else "PRAGMA temp_store = MEMORY")
        for category, most in _LIMITS.items():
            connection.setlimit(category, most)
        bound_length(connection, limits)
        _build_virtual_tables(connection)
        connection.set_authorizer(authorizer)
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def bound_length(connection: sqlite3.Connection, limits: ReadLimits) -> None:
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, limits.cell_bytes + _SPARE_BYTES)


def _build_virtual_tables(connection: sqlite3.Connection) -> None:
    """Some kinds of virtual table prepare their writes when they are built, even to be read. So they are
    built before the authorizer comes, which would refuse that; each is built once for a connection."""
    found = connection.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE 'CREATE VIRTUAL TABLE%' LIMIT ?",
        (_MOST_VIRTUAL_TABLES,),
    ).fetchall()
    for (name,) in found:
        # One that cannot be built is refused when somebody reads it.
        with suppress(sqlite3.Error):
            connection.execute("SELECT 1 FROM pragma_table_info(?)", (name,)).fetchall()


def _address(path: Path) -> str:
    """A URI for any file name."""
    return f"file:{quote(file_of(path))}?mode=ro"


def _text(data: bytes) -> str | bytes:
    """SQLite does not check its text; what is not UTF-8 is given as the bytes it is."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data
