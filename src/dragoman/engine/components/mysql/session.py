"""Connections of the engine to MariaDB and MySQL: what each begins with, and how it is stopped."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress

import pymysql

from dragoman.contracts.errors import AccessError, StepRefused
from dragoman.databases.connections.connection_reader import target_of
from dragoman.databases.families.mysql.connection import (
    MODE,
    READING_MODE,
    Connection,
    connect,
    run,
    thread_of,
)
from dragoman.databases.families.mysql.marks import MarkedConnection
from dragoman.databases.families.mysql.server_warnings import refuse_altered
from dragoman.databases.families.mysql.target import MysqlTarget
from dragoman.engine.component import Config, StepContext
from dragoman.engine.components.mysql.offered_file import LoadingConnection

_ANSWER_SECONDS = 86_400.0
"""How long a server may be silent. The run's own limit and its cancelling end what hangs."""

_KILL_SECONDS = 5.0
_LOCK_SECONDS = 50


def target_in(config: Config, context: StepContext) -> MysqlTarget:
    """The server that a step names. Raises StepRefused where the connection is of another family."""
    connection = context.connect(str(config["connection"]))
    target = target_of(connection)
    if not isinstance(target, MysqlTarget):
        raise StepRefused(
            f"{config['connection']} is a connection to {connection.family}, not to MySQL or MariaDB",
            hint="name a connection of the family mysql",
        )
    return target


def is_mariadb(connection: Connection) -> bool:
    described: object = getattr(connection, "server_version", "")
    return "mariadb" in str(described).lower()


def reading_settings(context: StepContext, *, mariadb: bool) -> str:
    """What lets a session, or one statement, read in UTC, spell SQL as the guard does, and end in time."""
    return (
        f"sql_mode = '{READING_MODE}', time_zone = '+00:00', net_write_timeout = 28800"
        f", lock_wait_timeout = {_LOCK_SECONDS}, innodb_lock_wait_timeout = {_LOCK_SECONDS}"
        f"{_longest(context, mariadb=mariadb)}"
    )


def _longest(context: StepContext, *, mariadb: bool) -> str:
    """The server's own limit, should we be gone by then. MySQL has one for reading only."""
    if context.limits.seconds is None:
        return ""
    seconds = context.limits.seconds + 1
    return (
        f", max_statement_time = {seconds:.3f}" if mariadb else f", max_execution_time = {seconds * 1000:.0f}"
    )


READ_ONLY = "SET SESSION TRANSACTION READ ONLY"


@contextmanager
def reading(target: MysqlTarget, context: StepContext) -> Iterator[Connection]:
    """A connection that only reads, stopped when the run is."""
    connection = connect(target, _ANSWER_SECONDS, MarkedConnection)
    connection.mark = context.mark
    try:
        run(connection, f"SET SESSION {reading_settings(context, mariadb=is_mariadb(connection))}")
        run(connection, READ_ONLY)
        with stopped_with(context, target, connection):
            yield connection
    finally:
        _close(connection)


@contextmanager
def writing(target: MysqlTarget, context: StepContext) -> Iterator[Connection]:
    """A connection that writes: strict, in UTC, no statement of it commits by itself but those that must."""
    connection = connect(target, _ANSWER_SECONDS, LoadingConnection, files=True)
    connection.mark = context.mark
    try:
        run(
            connection,
            f"SET SESSION sql_mode = '{MODE},NO_AUTO_VALUE_ON_ZERO', time_zone = '+00:00'"
            f", net_read_timeout = 28800, lock_wait_timeout = {_LOCK_SECONDS}"
            f", innodb_lock_wait_timeout = {_LOCK_SECONDS}, unique_checks = 1, foreign_key_checks = 1"
            f"{_longest(context, mariadb=is_mariadb(connection))}",
        )
        with stopped_with(context, target, connection):
            yield connection
    finally:
        _close(connection)


@contextmanager
def stopped_with(context: StepContext, target: MysqlTarget, connection: Connection) -> Iterator[None]:
    thread = thread_of(connection)
    with context.cancel.told_to(lambda: kill(target, thread)):
        yield


def kill(target: MysqlTarget, thread: int) -> None:
    """Have the server end a connection and what runs on it. That it is gone already is as good."""
    with suppress(AccessError, pymysql.err.MySQLError, OSError):
        other = connect(target, _KILL_SECONDS)
        try:
            run(other, f"KILL {int(thread)}")
        finally:
            _close(other)


def rows_of(connection: Connection, sql: str) -> list[tuple[str | None, ...]]:
    """All rows of a small answer, every value as the text the server wrote."""
    with connection.cursor() as cursor:
        cursor.execute(sql)
        found, warnings = cursor.fetchall(), cursor.warnings
    refuse_altered(connection, warnings)
    return [tuple(_text(cell) for cell in row) for row in found]


def _text(cell: object) -> str | None:
    if isinstance(cell, bytes):
        return cell.decode("utf-8", "surrogateescape")
    return None if cell is None else str(cell)


def _close(connection: Connection) -> None:
    with suppress(pymysql.err.MySQLError, OSError):
        # The driver would say good-bye, and wait for rows that nobody wants.
        connection._force_close()  # type: ignore[attr-defined]
