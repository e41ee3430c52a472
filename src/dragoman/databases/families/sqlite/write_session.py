"""A session that changes a SQLite file."""

import sqlite3

from dragoman.contracts.access import LedgerForm, Rows
from dragoman.contracts.errors import (
    ConstraintBroken,
    DatabaseBusy,
    DatabaseNotFound,
    DragomanError,
    TableMissing,
    WriteFailed,
)
from dragoman.contracts.query import Query
from dragoman.contracts.schema import Dialect
from dragoman.databases.access.refusals import said
from dragoman.databases.access.write_words import AGAIN, CHECK, LOCK_SECONDS, UNCHANGED
from dragoman.databases.families.sqlite.address import SqliteAddress
from dragoman.databases.families.sqlite.values import bound


class SqliteSession:
    dialect = Dialect.SQLITE
    ledger = LedgerForm()

    def __init__(self, target: SqliteAddress) -> None:
        if not target.path.exists():
            raise DatabaseNotFound(f"there is no file {target.path}", hint="check the path of the connection")
        try:
            self._connection = sqlite3.connect(
                f"{target.path.resolve().as_uri()}?mode=rw",
                uri=True,
                timeout=LOCK_SECONDS,
                isolation_level=None,
            )
            self._connection.execute("PRAGMA foreign_keys = ON")
            # Committed is committed, also when the power fails.
            self._connection.execute("PRAGMA synchronous = FULL")
        except sqlite3.Error as error:
            raise _sqlite_refusal(error) from error

    def begin(self) -> None:
        self._run("BEGIN IMMEDIATE")

    def execute(self, query: Query) -> int:
        return self._run(query.sql, query).rowcount

    def rows(self, query: Query) -> Rows:
        return self._run(query.sql, query).fetchall()

    def commit(self) -> None:
        self._run("COMMIT")

    def keeps_transactions(self, table: str) -> bool:
        return True

    def close(self) -> None:
        self._connection.close()

    def _run(self, sql: str, query: Query | None = None) -> sqlite3.Cursor:
        try:
            return self._connection.execute(sql, [bound(each) for each in query.parameters] if query else ())
        except sqlite3.Error as error:
            raise _sqlite_refusal(error) from error


def _sqlite_refusal(error: sqlite3.Error) -> DragomanError:
    text = said(error)
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if isinstance(error, sqlite3.IntegrityError) or code == sqlite3.SQLITE_MISMATCH:
        return ConstraintBroken(f"SQLite refused the change: {text}", hint=CHECK)
    if "no such table" in text:
        return TableMissing(f"SQLite: {text}", hint="run dragoman discover, and compare with the pack")
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return DatabaseBusy("somebody else writes to the database", hint=AGAIN)
    return WriteFailed(f"SQLite refused the change: {text}", hint=UNCHANGED)
