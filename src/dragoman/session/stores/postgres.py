"""The store for many machines: tables in the schema `dragoman` of a PostgreSQL database, pooled."""

import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

import psycopg
import psycopg_pool

from dragoman.contracts.errors import (
    SchemaNewer,
    StoreBusy,
    StoreError,
    StoreFull,
    StoreReadOnly,
    StoreUnavailable,
    StoreUrlRefused,
)
from dragoman.session.stores.adapter import Row, Values
from dragoman.session.stores.sql import SCHEMA_VERSION, SqlStore

# Without a handler anywhere, what a pool says of its own troubles is printed in the middle of an answer. A
# program that sets up logging still hears it.
logging.getLogger("psycopg.pool").addHandler(logging.NullHandler())

POOL_SIZE = 8
CONNECT_SECONDS = 10.0

_MIGRATION_LOCK = 0x44524147

MIGRATIONS: dict[int, str] = {
    0: """
    CREATE TABLE dragoman.sessions (
      session_no bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id text NOT NULL UNIQUE,
      owner text NOT NULL, title text NOT NULL, lifecycle text NOT NULL, version bigint NOT NULL,
      digest bytea NOT NULL,
      created_at float8 NOT NULL, updated_at float8 NOT NULL,
      turn_id text, turn_holder text, turn_lease float8, turn_opened bytea);
    CREATE TABLE dragoman.records (
      record_no bigint PRIMARY KEY, events bytea NOT NULL, digest bytea NOT NULL);
    CREATE TABLE dragoman.client_keys (
      session_no bigint NOT NULL, client_key text NOT NULL, record_no bigint NOT NULL,
      PRIMARY KEY (session_no, client_key));
    CREATE TABLE dragoman.snapshots (
      session_no bigint PRIMARY KEY, version bigint NOT NULL, state_version bigint NOT NULL,
      state bytea NOT NULL, digest bytea NOT NULL);
    CREATE TABLE dragoman.effects (
      session_no bigint NOT NULL, seq bigint NOT NULL, effect bytea NOT NULL, PRIMARY KEY (session_no, seq));
    """,
    1: """
    CREATE TABLE dragoman.tokens (
      id text PRIMARY KEY, digest text NOT NULL UNIQUE, owner text NOT NULL, title text NOT NULL,
      kind text NOT NULL, created_at float8 NOT NULL, expires_at float8);
    CREATE TABLE dragoman.wishes (turn_id text PRIMARY KEY);
    """,
}


def open_postgres_store(url: str) -> SqlStore:
    """Open the store in the database behind `url`, making its schema when it is not there."""
    return SqlStore(PostgresDatabase(url))


class PostgresDatabase:
    lock_row = "FOR UPDATE"
    now = "extract(epoch FROM clock_timestamp())::float8"

    def __init__(self, url: str) -> None:
        self._pool = psycopg_pool.ConnectionPool(
            url,
            min_size=1,
            max_size=POOL_SIZE,
            timeout=CONNECT_SECONDS,
            configure=_configure,
            check=psycopg_pool.ConnectionPool.check_connection,
            open=False,
        )
        with _told():
            self._migrate(url)
            self._pool.open()

    @contextmanager
    def write(self) -> Iterator["_Cursor"]:
        with _told(), self._pool.connection() as connection, connection.cursor() as cursor:
            yield _Cursor(cursor)

    read = write

    def scrub(self) -> None:
        """Rows are gone at once; their dead versions go now instead of at the next autovacuum."""
        with _told(), self._pool.connection() as connection:
            connection.autocommit = True
            try:
                for table in ("effects", "client_keys", "snapshots", "records", "sessions"):
                    connection.execute(f"VACUUM dragoman.{table}")
            finally:
                connection.autocommit = False

    def close(self) -> None:
        self._pool.close()

    def _migrate(self, url: str) -> None:
        with psycopg.connect(url, connect_timeout=int(CONNECT_SECONDS)) as connection:
            connection.execute("SELECT pg_advisory_xact_lock(%s)", (_MIGRATION_LOCK,))
            if connection.execute("SELECT to_regclass('dragoman.schema_version')").fetchone() == (None,):
                connection.execute("CREATE SCHEMA IF NOT EXISTS dragoman")
                connection.execute("CREATE TABLE dragoman.schema_version (version bigint NOT NULL)")
                connection.execute("INSERT INTO dragoman.schema_version VALUES (0)")
            row = connection.execute("SELECT version FROM dragoman.schema_version").fetchone()
            version = row[0] if row else 0
            if version > SCHEMA_VERSION:
                raise SchemaNewer(
                    f"the store has schema version {version}; this Dragoman knows up to {SCHEMA_VERSION}",
                    hint="install the newer Dragoman that wrote it, or name another store",
                )
            for step in range(version, SCHEMA_VERSION):
                connection.execute(MIGRATIONS[step])
            if version != SCHEMA_VERSION:
                connection.execute("UPDATE dragoman.schema_version SET version = %s", (SCHEMA_VERSION,))


class _Cursor:
    __slots__ = ("_cursor",)

    def __init__(self, cursor: "psycopg.Cursor[Any]") -> None:
        self._cursor = cursor

    def one(self, statement: str, values: Values) -> Row | None:
        return self._cursor.execute(_pyformat(statement), values).fetchone()

    def all(self, statement: str, values: Values) -> list[Row]:
        return self._cursor.execute(_pyformat(statement), values).fetchall()

    def run(self, statement: str, values: Values) -> int:
        return self._cursor.execute(_pyformat(statement), values).rowcount


@lru_cache(maxsize=256)
def _pyformat(statement: str) -> bytes:
    """`:name` as psycopg writes it; the casts `::type` stay."""
    return re.sub(r"(?<!:):([a-z_]+)", r"%(\1)s", statement).encode()


def _configure(connection: "psycopg.Connection[Any]") -> None:
    connection.execute("SET search_path TO dragoman")
    # An acknowledged turn is on the disk, whatever the server's default is.
    connection.execute("SET synchronous_commit TO on")
    connection.commit()


@contextmanager
def _told() -> Iterator[None]:
    """PostgreSQL's errors in our words. None of them repeats the connection's URL."""
    try:
        yield
    except psycopg_pool.PoolTimeout:
        raise StoreUnavailable("the PostgreSQL store gave no connection in time", hint=_RETRY) from None
    except psycopg.Error as error:
        # Not `from error`: what psycopg says may have the URL, and with it the password.
        raise _translated(error) from None


_RETRY = "everything acknowledged before is safe; check the server and try again"


def _translated(error: psycopg.Error) -> StoreError:
    match error:
        case psycopg.errors.ReadOnlySqlTransaction() | psycopg.errors.InsufficientPrivilege():
            return StoreReadOnly(
                "the PostgreSQL store may not be written with this login",
                hint="use a login that may write the schema dragoman, or name another store",
            )
        case psycopg.ProgrammingError() if error.sqlstate is None:
            return StoreUrlRefused(
                "the store's URL cannot be read", hint="write postgresql://user:password@host:5432/database"
            )
        case psycopg.errors.DiskFull():
            return StoreFull("the PostgreSQL store has no space left", hint="free some space on the server")
        case psycopg.errors.DeadlockDetected() | psycopg.errors.LockNotAvailable():
            return StoreBusy("the PostgreSQL store was busy", hint="try again")
        case _:
            state = error.sqlstate or type(error).__name__
            return StoreUnavailable(f"the PostgreSQL store did not answer ({state})", hint=_RETRY)
