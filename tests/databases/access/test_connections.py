"""What is wrong with a connection is said with a code and without a secret; nothing of user SQL is kept."""

import os
import socket
import subprocess
import sys
from pathlib import Path

import msgspec
import psycopg
import pytest

from dragoman.contracts.errors import (
    AccessError,
    AuthenticationFailed,
    ConnectionRefused,
    DatabaseBusy,
    DatabaseNotFound,
    QueryFailed,
    ReadOnlyViolation,
)
from dragoman.contracts.query import Query
from dragoman.contracts.schema import Dialect
from dragoman.databases.access import Target, open_reader
from dragoman.databases.families.duckdb.target import DuckdbTarget
from dragoman.databases.families.mysql.target import MysqlTarget
from dragoman.databases.families.postgres.target import PostgresTarget
from dragoman.databases.families.sqlite.target import SqliteTarget
from tests.databases.access.sources import Source
from tests.patience import until

PASSWORD = "correct-horse-battery"


def refused(target: Target) -> AccessError:
    with pytest.raises(AccessError) as caught, open_reader(target) as reader:
        reader.read(Query("SELECT 1"))
    assert PASSWORD not in f"{caught.value.message} {caught.value.hint} {caught.value.details}"
    assert caught.value.hint
    return caught.value


@pytest.mark.parametrize(
    "target",
    [
        MysqlTarget("h", "u", "d", password=PASSWORD),
        PostgresTarget("h", "u", "d", password=PASSWORD),
    ],
    ids=["mysql", "postgres"],
)
def test_a_target_does_not_show_its_password(target: Target) -> None:
    assert PASSWORD not in f"{target!r} {target} {[target]}"
    assert "u" in repr(target)


@pytest.mark.parametrize("fixture", ["postgres_data", "mariadb_data"])
def test_a_wrong_login_database_or_port_is_told_apart(fixture: str, request: pytest.FixtureRequest) -> None:
    target = request.getfixturevalue(fixture).target
    assert isinstance(refused(msgspec.structs.replace(target, password=PASSWORD)), AuthenticationFailed)
    assert isinstance(refused(msgspec.structs.replace(target, user="nobody_here")), AuthenticationFailed)
    assert isinstance(refused(msgspec.structs.replace(target, database="not_there")), DatabaseNotFound)
    with socket.socket() as line:
        line.bind(("127.0.0.1", 0))
        silent = line.getsockname()[1]
    assert isinstance(refused(msgspec.structs.replace(target, port=silent)), ConnectionRefused)
    nowhere = msgspec.structs.replace(target, host="no-such-host.invalid", password=PASSWORD)
    assert isinstance(refused(nowhere), ConnectionRefused)


@pytest.mark.parametrize("kind", [SqliteTarget, DuckdbTarget])
def test_what_is_no_database_file_is_said(kind: type, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    text = tmp_path / "text"
    text.write_text("this is no database, " * 100)
    for path in (tmp_path / "missing", tmp_path, pipe, text, Path("nul\0byte")):
        assert isinstance(refused(kind(path)), DatabaseNotFound), path
    assert not (tmp_path / "missing").exists()


def test_a_duckdb_that_somebody_writes_to_is_busy(duckdb_data: Source) -> None:
    assert isinstance(duckdb_data.target, DuckdbTarget)
    held = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "import duckdb, sys, time; c = duckdb.connect(sys.argv[1]); print(1, flush=True); time.sleep(60)",
            str(duckdb_data.target.path),
        ],
        stdout=subprocess.PIPE,
    )
    try:
        assert held.stdout is not None
        held.stdout.readline()
        assert isinstance(refused(duckdb_data.target), DatabaseBusy)
    finally:
        held.kill()
        held.wait()


def test_nothing_of_user_sql_is_kept_in_postgres(postgres_data: Source) -> None:
    with postgres_data.reader() as reader:
        kept = ", ".join(f"current_setting('{name}')" for name in ("transaction_read_only", "search_path"))
        own = f"SELECT pg_backend_pid(), {kept}"
        first = reader.read(Query(own)).rows
        assert reader.read(Query(own)).rows == first
        assert first[0][1:] == ("on", "public, pg_temp")
        reader.read(Query("SELECT set_config('default_transaction_read_only', 'off', false)"), user_sql=True)
        later = reader.read(Query(own)).rows
        assert later[0][0] != first[0][0]
        assert later[0][1:] == first[0][1:]
        locks = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'"
        reader.read(Query("SELECT pg_advisory_lock(7)"), user_sql=True)
        until(lambda: reader.read(Query(locks)).rows == [(0,)], "the lock goes with its connection")


def test_nothing_of_user_sql_is_kept_in_mariadb(mariadb_data: Source) -> None:
    with mariadb_data.reader() as reader:
        own = "SELECT connection_id(), @x, @@sql_mode, @@time_zone"
        first = reader.read(Query(own)).rows
        assert reader.read(Query(own)).rows == first
        assert "ANSI" not in str(first[0][2])
        reader.read(Query("SELECT @x := 1"), user_sql=True)
        later = reader.read(Query(own)).rows
        assert later[0][0] != first[0][0]
        assert later[0][1:] == first[0][1:]


@pytest.mark.parametrize("mode", ["ANSI_QUOTES", "NO_BACKSLASH_ESCAPES", "ANSI,NO_BACKSLASH_ESCAPES,ORACLE"])
def test_sql_is_read_alike_whatever_the_server_prefers(mariadb_data: Source, mode: str) -> None:
    before = str(mariadb_data.read("SELECT @@global.sql_mode").rows[0][0])
    mariadb_data.run(f"SET GLOBAL sql_mode = '{mode}'")
    try:
        assert mariadb_data.read("SELECT \"a\\\"b\", 'c\\'d', ?", "e'\\'").rows == [('a"b', "c'd", "e'\\'")]
    finally:
        mariadb_data.run(f"SET GLOBAL sql_mode = '{before}'")


@pytest.mark.parametrize("user_sql", [False, True])
def test_backslashes_are_plain_whatever_postgres_prefers(postgres_data: Source, user_sql: bool) -> None:
    """The guard reads texts so. Were they read otherwise, a text could end elsewhere than it thought."""
    assert isinstance(postgres_data.target, PostgresTarget)
    database = postgres_data.target.database
    postgres_data.run(f"ALTER DATABASE {database} SET standard_conforming_strings = off")
    turned_off = "SELECT set_config('standard_conforming_strings', 'off', false)"
    with postgres_data.reader() as reader:
        for _ in range(2):
            assert reader.read(Query(r"SELECT '\' AS a, ' -- ' AS b"), user_sql=user_sql).rows == [
                ("\\", " -- ")
            ]
            reader.read(Query(turned_off), user_sql=True)


def test_a_connection_that_the_server_ended_is_made_again(
    postgres_data: Source, postgres_database: str
) -> None:
    with postgres_data.reader() as reader:
        (pid,) = reader.read(Query("SELECT pg_backend_pid()")).rows[0]
        with psycopg.connect(postgres_database, autocommit=True) as other:
            other.execute("SELECT pg_terminate_backend(%s, 5000)", [pid])
        assert reader.read(Query("SELECT 1")).rows == [(1,)]


def test_a_connection_that_mariadb_ended_is_made_again(mariadb_data: Source) -> None:
    with mariadb_data.reader() as reader:
        number = int(str(reader.read(Query("SELECT connection_id()")).rows[0][0]))
        mariadb_data.run(f"KILL {number}")
        there = f"SELECT count(*) FROM information_schema.processlist WHERE id = {number}"
        until(lambda: mariadb_data.read(there).rows == [(0,)], "the server has ended the connection")
        assert reader.read(Query("SELECT 1")).rows == [(1,)]


def test_a_mistake_is_a_failed_query_and_a_write_a_violation(source: Source) -> None:
    with pytest.raises(QueryFailed):
        source.read("SELECT nothing FROM nowhere", user_sql=True)
    with pytest.raises(QueryFailed):
        source.read("SELEC 1", user_sql=True)
    source.run("CREATE TABLE t (a int)")
    with pytest.raises(QueryFailed if source.dialect is Dialect.POSTGRES else ReadOnlyViolation):
        # PostgreSQL finds a syntax error where only a query can stand.
        source.read("DELETE FROM t", user_sql=True)
