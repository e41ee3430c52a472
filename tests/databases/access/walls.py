"""The ground on which an attack is tried: a database with something to lose, and eyes that see what it lost.

Everything an attack of the guard's corpus names is there: what fails must fail because of a wall.
"""

import hashlib
import resource
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

import duckdb
import psycopg
import pymysql

from dragoman.contracts.errors import AccessError
from dragoman.contracts.query import Query, ReadLimits, ResultSet
from dragoman.contracts.schema import Dialect
from dragoman.databases.access import DatabaseReader
from tests.databases.access.sources import Source
from tests.guards.sql.corpus import tables_sql
from tests.servers import MariadbServer

LIMITS = ReadLimits(seconds=1.0)
LATE_SECONDS = 2.9
"""Later than this is no longer the limit's doing: the shortest sleep of the corpus takes three seconds."""

SETTLING_SECONDS = 3.0
_MORE_MEMORY = 500_000_000

TELLING = frozenset({"leak", "shadow", "file", "shell"})
"""Who does such harm is after what comes back: any value at all is counted as told."""


class Outcome(StrEnum):
    STOPPED = "stopped"
    HARMLESS = "harmless"
    PASSES = "passes"


@dataclass(frozen=True)
class Ground:
    source: Source
    folder: Path
    state: Callable[[], object]
    """All that no query may change, and whether others can still work."""
    kept: str
    """A query for what may have stayed on the connection."""
    names: dict[str, str] = field(default_factory=dict)
    """What the attacks call things, and what they are called here."""

    def here(self, sql: str) -> str:
        for name, ours in {"/tmp/": f"{self.folder}/", **self.names}.items():
            sql = sql.replace(name, ours)
        return sql


class Trials:
    """Attacks on one ground, one after the other."""

    def __init__(
        self, ground: Ground, reader: DatabaseReader, *, settling: float = SETTLING_SECONDS, tries: int = 3
    ) -> None:
        self._ground = ground
        self._reader = reader
        self._settling = settling
        self._tries = tries
        self._before = self._look()

    def attempt(self, sql: str, harm: str) -> Outcome:
        """Run it as if somebody outside had written it, and see what came of it."""
        memory = _memory()
        # A machine may be slow for reasons of its own; what takes too long by itself does so every time.
        for _ in range(self._tries):
            result, seconds = self._run(sql)
            harmed = not self._settles() or _memory() - memory > _MORE_MEMORY
            if harmed or seconds <= LATE_SECONDS:
                break
        if harmed or seconds > LATE_SECONDS:
            return Outcome.PASSES
        if result is None:
            return Outcome.STOPPED
        told = any(cell is not None for row in result.rows for cell in row)
        return Outcome.PASSES if told and harm in TELLING else Outcome.HARMLESS

    def _run(self, sql: str) -> tuple[ResultSet | None, float]:
        started = time.monotonic()
        result: ResultSet | None = None
        # What is refused may have done its harm before; the look afterwards tells.
        with suppress(AccessError):
            result = self._reader.read(Query(sql), LIMITS, user_sql=True)
        return result, time.monotonic() - started

    def _settles(self) -> bool:
        """A server needs a moment to see that a connection was thrown away, with all its locks."""
        end = time.monotonic() + self._settling
        while (seen := self._look()) != self._before:
            if time.monotonic() > end:
                self._before = seen
                return False
            time.sleep(0.05)
        return True

    def _look(self) -> object:
        # The reader's own query: it would be the one to find what was left on a connection that was kept.
        return self._reader.read(Query(self._ground.kept)).rows, self._ground.state()


def _memory() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def fill_folder(folder: Path) -> None:
    """The files that attacks ask for by names without a folder."""
    for name in ("data.csv", "a.csv", "b.csv"):
        (folder / name).write_text("word\nplugh\n", encoding="utf-8")
    (folder / "x.json").write_text('[{"word": "plugh"}]', encoding="utf-8")
    with duckdb.connect() as connection:
        connection.execute(f"COPY (SELECT 'plugh' AS word) TO '{folder}/x.parquet' (FORMAT parquet)")
    with closing(sqlite3.connect(folder / "x.db")) as connection:
        connection.execute("CREATE TABLE t (word)")


@contextmanager
def file_ground(source: Source, path: Path, folder: Path) -> Iterator[Ground]:
    """SQLite and DuckDB: what there is to lose are files."""
    dialect = source.dialect
    source.run(tables_sql(dialect))

    def digests() -> object:
        return {
            str(each): hashlib.sha256(each.read_bytes()).hexdigest()
            for top in (path.parent, folder)
            for each in sorted(top.rglob("*"))
            if each.is_file()
        }

    if dialect is Dialect.SQLITE:

        def state() -> object:
            with closing(sqlite3.connect(path, timeout=1, isolation_level=None)) as other:
                other.execute("BEGIN IMMEDIATE")
                mode = other.execute("PRAGMA journal_mode").fetchall()
                other.execute("ROLLBACK")
            return mode, digests()

        yield Ground(source, folder, state, "SELECT count(*) FROM orders")
        return
    source.run(
        """
        CREATE SEQUENCE numbers;
        CREATE SCHEMA other; CREATE TABLE other.orders AS FROM orders;
        CREATE SCHEMA data; CREATE TABLE data.csv AS FROM orders;
        CREATE SCHEMA python_variable; CREATE TABLE python_variable.df AS FROM customers;
        CREATE MACRO my_own_macro(x) AS x;
        CREATE MACRO my_own_table_macro(x) AS TABLE SELECT * FROM customers;
        """
    )
    with duckdb.connect() as connection:
        connection.execute("SELECT setseed(0.5)").fetchall()
        (seeded,) = connection.execute("SELECT random()").fetchall()[0]
    kept = f"""
        SELECT current_setting('enable_external_access'), current_setting('lock_configuration'),
        getvariable('x'), random() = {seeded!r}, upper('a'), current_schema(), (SELECT count(*) FROM orders)
    """
    yield Ground(source, folder, digests, kept)


@contextmanager
def postgres_ground(source: Source, url: str, folder: Path) -> Iterator[Ground]:
    source.run(tables_sql(Dialect.POSTGRES))
    source.run(
        """
        CREATE SEQUENCE numbers;
        CREATE SCHEMA other; CREATE TABLE other.orders AS SELECT * FROM orders;
        CREATE FUNCTION my_own_function() RETURNS int LANGUAGE sql AS 'DELETE FROM orders RETURNING id';
        CREATE FUNCTION my_own_function(int) RETURNS int LANGUAGE sql AS 'DELETE FROM orders RETURNING id';
        CREATE PROCEDURE harm() LANGUAGE sql AS 'DELETE FROM orders';
        SELECT lo_from_bytea(1, 'x');
        """
    )
    watcher = _PostgresWatcher(url, folder)
    kept = """
        SELECT current_setting('statement_timeout'), current_setting('transaction_read_only'),
        (SELECT count(*) FROM orders), (SELECT count(*) FROM pg_prepared_statements WHERE from_sql),
        (SELECT count(*) FROM pg_locks WHERE locktype = 'advisory')
    """
    with closing(watcher):
        yield Ground(source, folder, watcher.state, kept)


class _PostgresWatcher:
    """Somebody else at the same server, who listens, and whose connection is not to be ended."""

    _LOOK = """
        SELECT pg_backend_pid(), pg_conf_load_time(), database_to_xml(true, true, '')::text,
        (SELECT string_agg(concat_ws(' ', relname, relkind, relacl, relnatts), ',' ORDER BY oid)
         FROM pg_class WHERE relnamespace IN ('public'::regnamespace, 'other'::regnamespace)),
        (SELECT (last_value, is_called)::text FROM numbers),
        (SELECT count(*) FROM pg_largeobject_metadata),
        (SELECT md5(string_agg(name || '=' || setting, ',' ORDER BY name)) FROM pg_settings),
        (SELECT count(*) FROM pg_locks JOIN pg_stat_activity USING (pid)
         WHERE application_name = 'dragoman' AND (relation = 'orders'::regclass OR locktype = 'advisory'))
    """

    def __init__(self, url: str, folder: Path) -> None:
        self._url = url
        self._folder = folder
        self._heard = 0
        self._connection = self._connect()

    def state(self) -> object:
        try:
            self._heard += len(list(self._connection.notifies(timeout=0)))
            found = self._connection.execute(self._LOOK).fetchall()
        except psycopg.OperationalError:
            # The number of its process tells that it is another connection now.
            self._connection.close()
            self._connection = self._connect()
            return None
        return found, self._heard, sorted(each.name for each in self._folder.iterdir())

    def close(self) -> None:
        self._connection.close()

    def _connect(self) -> psycopg.Connection:
        connection = psycopg.connect(self._url, autocommit=True, application_name="watcher")
        connection.execute("LISTEN c")
        return connection


@contextmanager
def mariadb_ground(source: Source, server: MariadbServer, database: str, folder: Path) -> Iterator[Ground]:
    other = f"{database}_other"
    server.query(tables_sql(Dialect.MYSQL), database)
    source.run(
        f"""
        CREATE SEQUENCE numbers;
        CREATE DATABASE {other}; CREATE TABLE {other}.orders AS SELECT * FROM orders;
        CREATE FUNCTION my_own_function(x int) RETURNS int BEGIN DELETE FROM orders; RETURN 1; END;
        CREATE PROCEDURE harm() DELETE FROM orders;
        """
    )
    watcher = _MariadbWatcher(server, database, folder)
    kept = "SELECT @x, @@max_statement_time, @@sql_mode, @@autocommit, LAST_INSERT_ID(), COUNT(*) FROM orders"
    names = {"shop.": f"{database}.", "other.": f"{other}."}
    try:
        with closing(watcher):
            yield Ground(source, folder, watcher.state, kept, names)
    finally:
        server.query(f"DROP DATABASE {other}")


class _MariadbWatcher:
    """Somebody else at the same server, who wants to write, and whose connection is not to be ended."""

    _LOOKS = (
        "SELECT CONNECTION_ID(), IS_FREE_LOCK('a')",
        "SELECT table_name FROM information_schema.tables WHERE table_schema LIKE CONCAT(DATABASE(), '%')",
        "SHOW GRANTS",
        "SELECT @@GLOBAL.general_log, @@GLOBAL.read_only, @@GLOBAL.max_statement_time, @@GLOBAL.sql_mode",
        "SELECT * FROM customers ORDER BY id",
        "SELECT * FROM orders ORDER BY id FOR UPDATE NOWAIT",
        "SELECT * FROM numbers",
    )

    def __init__(self, server: MariadbServer, database: str, folder: Path) -> None:
        self._server = server
        self._database = database
        self._folder = folder
        self._connection = self._connect()

    def state(self) -> object:
        found = list[object]()
        try:
            with self._connection.cursor() as cursor:
                for look in self._LOOKS:
                    cursor.execute(look)
                    found.append(cursor.fetchall())
        except pymysql.OperationalError:
            # Ended, or kept waiting for a lock; the number of the connection tells afterwards which.
            if not self._connection.open:
                self._connection = self._connect()
            return None
        return found, sorted(each.name for each in self._folder.iterdir())

    def close(self) -> None:
        self._connection.close()

    def _connect(self) -> "pymysql.Connection[pymysql.cursors.Cursor]":
        return pymysql.connect(
            host=self._server.host,
            port=self._server.port,
            user=self._server.user,
            password=self._server.password,
            database=self._database,
            charset="utf8mb4",
            autocommit=True,
            init_command="SET lock_wait_timeout = 1, innodb_lock_wait_timeout = 1",
        )
