"""The default store: one SQLite file in WAL mode, every commit synced to the disk."""

import os
import shutil
import sqlite3
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import quote

from dragoman.contracts.errors import (
    SchemaNewer,
    StoreBusy,
    StoreDamaged,
    StoreError,
    StoreFull,
    StoreNotOurs,
    StoreReadOnly,
    StoreUnavailable,
)
from dragoman.session.stores.adapter import Row, Values
from dragoman.session.stores.sql import SCHEMA_VERSION, SqlStore

APPLICATION_ID = 0x44524147
"""`DRAG`: how a file says that it is ours."""

BUSY_SECONDS = 10.0
PAGE_SIZE = 512
"""Small pages: a record longer than one is cut so that its pages are full, whatever its length, and the short
write of a head row stays short."""

CHECKPOINT_PAGES = 8000
"""The write-ahead log is copied into the file once it has this many pages: seldom, and not per turn. A log
that is written over syncs more cheaply than one that grows."""

MIGRATIONS: dict[int, str] = {
    0: """
    CREATE TABLE sessions (
      session_no INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, owner TEXT NOT NULL, title TEXT NOT NULL,
      lifecycle TEXT NOT NULL, version INTEGER NOT NULL, digest BLOB NOT NULL,
      created_at REAL NOT NULL, updated_at REAL NOT NULL,
      turn_id TEXT, turn_holder TEXT, turn_lease REAL, turn_opened BLOB);
    CREATE TABLE records (record_no INTEGER PRIMARY KEY, events BLOB NOT NULL, digest BLOB NOT NULL);
    CREATE TABLE client_keys (
      session_no INTEGER NOT NULL, client_key TEXT NOT NULL, record_no INTEGER NOT NULL,
      PRIMARY KEY (session_no, client_key)) WITHOUT ROWID;
    CREATE TABLE snapshots (
      session_no INTEGER PRIMARY KEY, version INTEGER NOT NULL, state_version INTEGER NOT NULL,
      state BLOB NOT NULL, digest BLOB NOT NULL);
    CREATE TABLE effects (
      session_no INTEGER NOT NULL, seq INTEGER NOT NULL, effect BLOB NOT NULL, PRIMARY KEY (session_no, seq));
    """,
    1: """
    CREATE TABLE tokens (
      id TEXT PRIMARY KEY, digest TEXT NOT NULL UNIQUE, owner TEXT NOT NULL, title TEXT NOT NULL,
      kind TEXT NOT NULL, created_at REAL NOT NULL, expires_at REAL) WITHOUT ROWID;
    CREATE TABLE wishes (turn_id TEXT PRIMARY KEY) WITHOUT ROWID;
    """,
}
"""From schema version n to n + 1. Version 0 is an empty file."""


def open_sqlite_store(path: Path, clock: Callable[[], float] = time.time) -> SqlStore:
    """Open the store in `path`, making it (and its folder) when it is not there."""
    return SqlStore(SqliteDatabase(path, clock))


class SqliteDatabase:
    lock_row = ""
    now = "dragoman_now()"

    def __init__(self, path: Path, clock: Callable[[], float] = time.time) -> None:
        self._path = path
        self._lock = threading.RLock()
        self._connection, self.read_only = _connect(path, clock)

    @contextmanager
    def write(self) -> Iterator["_Cursor"]:
        if self.read_only:
            # A full disk has no room for the log beside the file, and then it is opened for reading, too.
            raise _full(self._path) if _is_full(self._path) else _read_only(self._path)
        with self._lock, _told(self._path):
            connection = self._connection
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield _Cursor(connection)
                connection.execute("COMMIT")
            except BaseException:
                # A failed COMMIT may leave the transaction open, or SQLite may have ended it already.
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise

    @contextmanager
    def read(self) -> Iterator["_Cursor"]:
        with self._lock, _told(self._path):
            yield _Cursor(self._connection)

    def scrub(self) -> None:
        """Deleted pages are overwritten (`secure_delete`); the log that still has them is emptied."""
        with self._lock, _told(self._path):
            busy, _, _ = self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        if busy:
            raise StoreBusy(
                f"what was deleted is gone, but its bytes are still in the log of {self._path}",
                hint="another process is reading; delete or prune again when it is done, or close it",
            )

    def close(self) -> None:
        with self._lock:
            self._connection.close()


class _Cursor:
    __slots__ = ("_connection",)

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def one(self, statement: str, values: Values) -> Row | None:
        # fetchall and not fetchone: a statement left unfinished would keep its read lock.
        rows = self._connection.execute(statement, values).fetchall()
        return rows[0] if rows else None

    def all(self, statement: str, values: Values) -> list[Row]:
        return self._connection.execute(statement, values).fetchall()

    def run(self, statement: str, values: Values) -> int:
        return self._connection.execute(statement, values).rowcount


def _connect(path: Path, clock: Callable[[], float]) -> tuple[sqlite3.Connection, bool]:
    with _told(path):
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreUnavailable(
                f"the folder {path.parent} cannot be made: {error.strerror}", hint=_elsewhere(path)
            ) from error
        existed = path.exists()
        if existed:
            _refuse_cut(path)
        else:
            _make(path, clock)
        try:
            return _prepared(_opened(f"file:{quote(str(path))}?mode=rwc", clock), path), False
        except (sqlite3.OperationalError, StoreReadOnly):
            if not existed:
                raise
            # A read-only folder: what is in the file can be read, unless a log waits beside it.
            log = path.with_name(f"{path.name}-wal")
            if log.exists() and log.stat().st_size:
                raise StoreReadOnly(
                    f"the store {path} is read-only, and its newest turns are still in {log.name}",
                    hint="open it once where it can be written, or copy both files to such a place",
                ) from None
            connection = _opened(f"file:{quote(str(path))}?mode=ro&immutable=1", clock)
            connection.execute("SELECT count(*) FROM sessions").fetchone()
            return connection, True


def _refuse_cut(path: Path) -> None:
    """To SQLite a file of no bytes, or of one, is a new database. A store is never that short: it gets its
    name when it is whole."""
    size = path.stat().st_size
    if path.is_file() and size < PAGE_SIZE and path.read_bytes() == _HEAD[:size]:
        raise StoreDamaged(
            f"the store {path} was cut to {size} bytes: its sessions are not in it any more",
            hint="restore it from a backup; to begin anew, move it away, with what stands beside it",
        )


def _make(path: Path, clock: Callable[[], float]) -> None:
    """Build the file under another name, and give it its own when it is whole; unless somebody was faster.
    Where that fails, opening it says why."""
    unfinished = path.with_name(f".{path.name}.{uuid.uuid4().hex}")
    try:
        _prepared(_opened(f"file:{quote(str(unfinished))}?mode=rwc", clock), unfinished).close()
        with suppress(FileExistsError):
            os.link(unfinished, path)
    except (OSError, sqlite3.OperationalError, StoreReadOnly):
        return
    finally:
        for end in ("", "-wal", "-shm", "-journal"):
            with suppress(OSError):
                unfinished.with_name(unfinished.name + end).unlink(missing_ok=True)


_HEAD = b"SQLite format 3\x00"


def _opened(uri: str, clock: Callable[[], float]) -> sqlite3.Connection:
    connection = sqlite3.connect(
        uri, uri=True, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
    )
    connection.create_function("dragoman_now", 0, clock)
    return connection


def _prepared(connection: sqlite3.Connection, path: Path) -> sqlite3.Connection:
    if _pragma(connection, "user_version") != SCHEMA_VERSION or _pragma(connection, "application_id") == 0:
        _migrate(connection, path)
    if connection.execute("PRAGMA journal_mode").fetchone() != ("wal",):
        _use_wal(connection)
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA secure_delete = ON")
    connection.execute(f"PRAGMA wal_autocheckpoint = {CHECKPOINT_PAGES}")
    return connection


def _migrate(connection: sqlite3.Connection, path: Path) -> None:
    """Bring the file to today's schema, or refuse it. Two openers at once: the second finds it done."""
    connection.execute(f"PRAGMA page_size = {PAGE_SIZE}")
    connection.execute("BEGIN IMMEDIATE")
    try:
        version = _pragma(connection, "user_version")
        if _pragma(connection, "application_id") != APPLICATION_ID:
            _refuse_foreign(connection, path, version)
        if version > SCHEMA_VERSION:
            raise SchemaNewer(
                f"the store {path} has schema version {version}; this Dragoman knows up to {SCHEMA_VERSION}",
                hint="install the newer Dragoman that wrote it, or name another store",
            )
        for step in range(version, SCHEMA_VERSION):
            for statement in MIGRATIONS[step].split(";"):
                connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _use_wal(connection: sqlite3.Connection) -> None:
    """Switch to WAL, which lasts. SQLite does not wait for others here by itself."""
    deadline = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL").fetchone()
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(0.01)
        else:
            return


def _refuse_foreign(connection: sqlite3.Connection, path: Path, version: int) -> None:
    tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    if tables or version:
        raise StoreNotOurs(
            f"{path} is a SQLite database, but not a Dragoman store",
            hint="name another file for the store; nothing in this one was changed",
        )


def _pragma(connection: sqlite3.Connection, name: str) -> int:
    value: int = connection.execute(f"PRAGMA {name}").fetchone()[0]
    return value


@contextmanager
def _told(path: Path) -> Iterator[None]:
    """SQLite's errors in our words."""
    try:
        yield
    except sqlite3.Error as error:
        raise _translated(error, path) from error


def _translated(error: sqlite3.Error, path: Path) -> StoreError:
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
    match code:
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_PERM:
            return _read_only(path)
        case sqlite3.SQLITE_FULL:
            return _full(path)
        case sqlite3.SQLITE_IOERR if _is_full(path):
            return _full(path)
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return StoreBusy(
                f"the store {path} was busy for {BUSY_SECONDS:.0f} seconds",
                hint="another process keeps it locked; try again",
            )
        case sqlite3.SQLITE_NOTADB:
            return StoreNotOurs(f"{path} is not a SQLite database", hint="name another file for the store")
        case sqlite3.SQLITE_CORRUPT:
            return StoreDamaged(f"the store {path} is damaged: {error}", hint="restore it from a backup")
        case sqlite3.SQLITE_CANTOPEN:
            return StoreUnavailable(f"the store {path} cannot be opened", hint=_elsewhere(path))
        case _:
            return StoreUnavailable(
                f"the store {path} failed: {error}", hint="everything acknowledged before is safe; try again"
            )


def _full(path: Path) -> StoreFull:
    return StoreFull(
        f"there is no space left for the store {path}",
        hint="nothing of this turn was recorded, everything before it is safe; free some space",
    )


def _is_full(path: Path) -> bool:
    """Whether there is no room for the index of a log, which SQLite makes in one piece."""
    try:
        return shutil.disk_usage(path.parent).free < _LOG_INDEX_BYTES
    except OSError:
        return False


_LOG_INDEX_BYTES = 32_768


def _read_only(path: Path) -> StoreReadOnly:
    return StoreReadOnly(
        f"the store {path} is read-only here",
        hint="its sessions can be read; to go on asking, make it writable or name another workspace",
    )


def _elsewhere(path: Path) -> str:
    return f"check that {path.parent} is a folder you may write to, or name another workspace"
