"""What a statement may do in SQLite, asked by SQLite itself while it compiles one."""

import sqlite3
from collections.abc import Callable

_FUNCTIONS_REFUSED = frozenset(
    {"load_extension", "fts3_tokenizer", "readfile", "writefile", "edit", "fsdir", "zipfile", "sqlite_log"}
)
"""Functions that reach beyond the data. Most come only with extensions."""

_SCHEMA_PRAGMAS = frozenset(
    {
        "table_info",
        "table_xinfo",
        "table_list",
        "index_list",
        "index_info",
        "index_xinfo",
        "foreign_key_list",
        "collation_list",
    }
)
"""Pragmas that only tell. Our own queries about the schema use them."""

_FULL_TEXT_PRAGMAS = frozenset({"data_version", "page_size"})
"""What a full-text table asks for itself when it is read. They only tell, too."""

DESCRIBED_VIEW = "dragoman_described"

_READING = frozenset({sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_RECURSIVE})
_DESCRIBING = frozenset({sqlite3.SQLITE_CREATE_TEMP_VIEW, sqlite3.SQLITE_DROP_TEMP_VIEW})
_REWRITING = frozenset({sqlite3.SQLITE_INSERT, sqlite3.SQLITE_UPDATE, sqlite3.SQLITE_DELETE})
_TEMPORARY_SCHEMA = frozenset({"sqlite_temp_master", "sqlite_temp_schema"})

Authorizer = Callable[[int, str | None, str | None, str | None, str | None], int]


def reading(*, user_sql: bool) -> Authorizer:
    """Only reading: SELECT, columns, harmless functions, recursion; for our own SQL the schema too."""
    pragmas = _FULL_TEXT_PRAGMAS if user_sql else _FULL_TEXT_PRAGMAS | _SCHEMA_PRAGMAS

    def authorize(
        action: int, first: str | None, second: str | None, database: str | None, inner: str | None
    ) -> int:
        if action in _READING or _harmless_function(action, second):
            return sqlite3.SQLITE_OK
        # A table-valued function such as json_each declares its columns, which is told as this update. A real
        # one SQLite itself refuses as long as writable_schema is off, and the pragma for that is denied.
        if action == sqlite3.SQLITE_UPDATE and first == "sqlite_master":
            return sqlite3.SQLITE_OK
        # Told with a value, a pragma would set it.
        if action == sqlite3.SQLITE_PRAGMA and (first or "").lower() in pragmas:
            tells = (first or "").lower() in _SCHEMA_PRAGMAS or second is None
            return sqlite3.SQLITE_OK if tells else sqlite3.SQLITE_DENY
        return sqlite3.SQLITE_DENY

    return authorize


def describing() -> Authorizer:
    """Reading, and one temporary view, which is never read from: it only says its columns' types."""
    read = reading(user_sql=True)

    def authorize(
        action: int, first: str | None, second: str | None, database: str | None, inner: str | None
    ) -> int:
        if action in _DESCRIBING and first == DESCRIBED_VIEW:
            return sqlite3.SQLITE_OK
        if action in _REWRITING and first in _TEMPORARY_SCHEMA:
            return sqlite3.SQLITE_OK
        # Dropping a view is told as deleting from it.
        if action == sqlite3.SQLITE_DELETE and first == DESCRIBED_VIEW:
            return sqlite3.SQLITE_OK
        if action == sqlite3.SQLITE_PRAGMA and first == "table_info" and second == DESCRIBED_VIEW:
            return sqlite3.SQLITE_OK
        return read(action, first, second, database, inner)

    return authorize


def _harmless_function(action: int, name: str | None) -> bool:
    return action == sqlite3.SQLITE_FUNCTION and (name or "").lower() not in _FUNCTIONS_REFUSED
