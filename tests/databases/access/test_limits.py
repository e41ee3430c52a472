"""Reads end when they should: after so many rows, after so long, when asked to, at a cell too large."""

import os
import sqlite3
import threading
import time
from contextlib import suppress
from pathlib import Path

import pytest

from dragoman.contracts.errors import (
    CellTooLarge,
    DatabaseBusy,
    DriverFailed,
    QueryCancelled,
    QueryTimeout,
    ResultTooLarge,
)
from dragoman.contracts.query import Query, ReadLimits
from dragoman.contracts.schema import Dialect
from dragoman.databases.access import Cancellation, DatabaseReader, open_reader
from dragoman.databases.access.worker.worker_reader import WorkerReader
from dragoman.databases.families.sqlite.target import SqliteTarget
from tests.databases.access.sources import Source
from tests.patience import LONGEST, PROMPT, Stopwatch, cpu_seconds, once, until

RECURSIVE = "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < {n}) SELECT n FROM r"
COUNT_TO = {
    Dialect.POSTGRES: "SELECT n FROM generate_series(1, {n}) AS g(n)",
    Dialect.MYSQL: RECURSIVE,
    Dialect.SQLITE: RECURSIVE,
    Dialect.DUCKDB: "SELECT range + 1 AS n FROM range({n})",
}
FOREVER = {
    Dialect.POSTGRES: ["SELECT pg_sleep(60)", "SELECT count(*) FROM generate_series(1, 10000000000)"],
    Dialect.MYSQL: ["SELECT SLEEP(60)", "SELECT BENCHMARK(10000000000, SHA2('x', 512))"],
    Dialect.SQLITE: [
        "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT count(*) FROM r",
        "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT n FROM r WHERE n < 0",
    ],
    Dialect.DUCKDB: [
        "SELECT count(*) FROM range(1000000) a, range(1000000) b, range(9) c WHERE a.range < b.range - 5",
        "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT count(*) FROM r",
    ],
}
REPEAT = {
    Dialect.POSTGRES: "SELECT 1 AS a, repeat('é', {n}) AS wide",
    Dialect.MYSQL: "SELECT 1 AS a, repeat('é', {n}) AS wide",
    Dialect.SQLITE: "SELECT 1 AS a, replace(hex(zeroblob({n} / 2)), '0', 'é') AS wide",
    Dialect.DUCKDB: "SELECT 1 AS a, repeat('é', {n}) AS wide",
}


@pytest.mark.parametrize("user_sql", [False, True])
def test_rows_are_bounded_and_more_is_said(source: Source, user_sql: bool) -> None:
    with source.reader() as reader:
        for there, asked in ((10, 3), (10, 10), (10, 11), (0, 5), (1, 0), (900, 700)):
            sql = COUNT_TO[source.dialect].format(n=there or 1) + (" WHERE n < 0" if there == 0 else "")
            result = reader.read(Query(sql), ReadLimits(rows=asked), user_sql=user_sql)
            assert len(result.rows) == min(there, asked)
            assert result.truncated is (there > asked)
            assert [row[0] for row in result.rows] == list(range(1, min(there, asked) + 1))


def test_odd_limits_are_still_limits(source: Source) -> None:
    with source.reader() as reader:
        assert reader.read(Query("SELECT 1"), ReadLimits(rows=-5)).truncated
        assert reader.read(Query("SELECT 1"), ReadLimits(seconds=float("inf"))).rows == [(1,)]
        with pytest.raises(QueryTimeout):
            reader.read(Query(FOREVER[source.dialect][0]), ReadLimits(seconds=-1))


@pytest.mark.parametrize("number", [0, 1])
def test_a_long_query_is_really_stopped(source: Source, number: int) -> None:
    with source.reader() as reader:
        assert reader.read(Query("SELECT 1")).rows == [(1,)]
        begun = time.monotonic()
        with pytest.raises(QueryTimeout) as caught:
            reader.read(Query(FOREVER[source.dialect][number]), ReadLimits(seconds=0.5))
        assert time.monotonic() - begun < 0.5 + PROMPT
        assert caught.value.code == "query_timeout"
        assert reader.read(Query("SELECT 2")).rows == [(2,)]
    # A server that was told to stop a query looks up from it a little later.
    until(lambda: still_running(source) == 0, "the server works on", PROMPT)


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT instr({a}, {b} || 'b')",
        "SELECT length(replace({a}, {b} || 'b', ''))",
    ],
)
def test_one_long_step_of_sqlite_is_broken_off_too(sqlite_data: Source, sql: str) -> None:
    """Its own clock is not looked at in the middle of a function."""
    text, part = (f"replace(hex(zeroblob({size})), '0', 'a')" for size in (15_000_000, 100_000))
    with sqlite_data.reader() as reader:
        reader.read(Query("SELECT 1"), user_sql=True)
        begun = time.monotonic()
        with pytest.raises(QueryTimeout):
            reader.read(Query(sql.format(a=text, b=part)), ReadLimits(seconds=0.5), user_sql=True)
        assert time.monotonic() - begun < 0.5 + PROMPT
        assert reader.read(Query("SELECT 2"), user_sql=True).rows == [(2,)]


def still_running(source: Source) -> int:
    """How many of our queries the server still works on; the other families have no server."""
    match source.dialect:
        case Dialect.POSTGRES:
            sql = (
                "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'dragoman' "
                "AND datname = current_database() AND state = 'active' AND pid <> pg_backend_pid()"
            )
        case Dialect.MYSQL:
            sql = (
                "SELECT count(*) FROM information_schema.processlist "
                "WHERE db = database() AND command = 'Query' AND id <> connection_id()"
            )
        case _:
            return 0
    count = source.read(sql).rows[0][0]
    assert isinstance(count, int)
    return count


def is_working(source: Source, reader: DatabaseReader) -> bool:
    """Whether the query of a reader has begun: on the server, or in the reader's own process."""
    if source.dialect in (Dialect.POSTGRES, Dialect.MYSQL):
        return still_running(source) > 0
    assert isinstance(reader, WorkerReader)
    # Longer than a process takes to start.
    return reader.worker_pid is not None and cpu_seconds(reader.worker_pid) > 1.0


def test_a_cancelled_query_is_really_stopped(source: Source) -> None:
    cancel = Cancellation()
    with source.reader() as reader:
        reader.read(Query("SELECT 1"))
        stop = Stopwatch(cancel.cancel)
        with (
            once(lambda: is_working(source, reader), stop, "the query runs"),
            pytest.raises(QueryCancelled),
        ):
            reader.read(Query(FOREVER[source.dialect][0]), ReadLimits(seconds=60), cancel, user_sql=True)
        assert stop.seconds < PROMPT
        assert reader.read(Query("SELECT 2")).rows == [(2,)]
        with pytest.raises(QueryCancelled):
            reader.read(Query("SELECT 3"), cancel=cancel)
    until(lambda: still_running(source) == 0, "the server works on", PROMPT)


def test_a_cancellation_nobody_uses_changes_nothing(source: Source) -> None:
    with source.reader() as reader:
        assert reader.read(Query("SELECT 1"), cancel=Cancellation()).rows == [(1,)]


@pytest.mark.parametrize("size", [502, 40_000, 400_000])
def test_a_cell_too_large_names_its_column(source: Source, size: int) -> None:
    with source.reader() as reader:
        limits = ReadLimits(cell_bytes=1000)
        assert len(str(reader.read(Query(REPEAT[source.dialect].format(n=500)), limits).rows[0][1])) == 500
        with pytest.raises(CellTooLarge) as caught:
            reader.read(Query(REPEAT[source.dialect].format(n=size)), limits)
        assert caught.value.details["column"] == "wide"
        assert caught.value.details["limit"] == 1000
        assert reader.read(Query("SELECT 1")).rows == [(1,)]


def test_a_result_too_large_is_refused_before_memory_is_full(source: Source) -> None:
    wide = REPEAT[source.dialect].format(n=10_000).removeprefix("SELECT 1 AS a, ")
    sql = f"SELECT n, {wide} FROM ({COUNT_TO[source.dialect].format(n=200)}) AS t"
    with source.reader() as reader:
        with pytest.raises(ResultTooLarge):
            reader.read(Query(sql), ReadLimits(result_bytes=100_000))
        assert reader.read(Query("SELECT 1")).rows == [(1,)]


def test_reads_from_several_threads_wait_for_each_other(source: Source) -> None:
    found: list[object] = []
    with source.reader() as reader:

        def read(number: int) -> None:
            found.append(reader.read(Query("SELECT ?", (number,))).rows[0][0])

        threads = [threading.Thread(target=read, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert sorted(map(str, found)) == [str(number) for number in range(8)]


def test_a_closed_reader_says_so(source: Source) -> None:
    reader = source.reader()
    reader.close()
    reader.close()
    with pytest.raises(DriverFailed):
        reader.read(Query("SELECT 1"))


def opened(path: str) -> int:
    """How many times this process has a file open."""
    count = 0
    for descriptor in Path("/proc/self/fd").iterdir():
        with suppress(OSError):
            count += os.readlink(descriptor) == path
    return count


def test_sqlite_waits_for_a_writer_but_not_for_ever(
    sqlite_data: Source, monkeypatch: pytest.MonkeyPatch
) -> None:
    sqlite_data.run("CREATE TABLE t (a int); INSERT INTO t VALUES (1)")
    assert isinstance(sqlite_data.target, SqliteTarget)
    writer = sqlite3.connect(sqlite_data.target.path, isolation_level=None, check_same_thread=False)
    writer.execute("BEGIN EXCLUSIVE")
    monkeypatch.setattr("dragoman.databases.families.sqlite.local.BUSY_SECONDS", LONGEST)
    path = str(sqlite_data.target.path)
    with open_reader(sqlite_data.target) as reader:
        # SQLite opens the file with the first statement: the reader has met the lock, or does so now.
        with once(lambda: opened(path) == 2, lambda: writer.execute("COMMIT"), "the reader waits"):
            assert reader.read(Query("SELECT a FROM t")).rows == [(1,)]
        writer.execute("BEGIN EXCLUSIVE")
        monkeypatch.setattr("dragoman.databases.families.sqlite.local.BUSY_SECONDS", 0.3)
        with pytest.raises(DatabaseBusy):
            reader.read(Query("SELECT a FROM t"))
    writer.close()
