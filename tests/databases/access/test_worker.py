"""The worker: one process, warm, bounded by the system, gone with its reader."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

from dragoman.contracts.errors import DriverFailed
from dragoman.contracts.query import Query, ReadLimits
from dragoman.databases.families.duckdb.duckdb_reader import DuckdbReader
from dragoman.databases.families.duckdb.target import DuckdbTarget
from tests.databases.access.sources import Source
from tests.patience import cpu_seconds, until

PASSWORD = "correct-horse-battery"


def worker_of(reader: object) -> int:
    assert isinstance(reader, DuckdbReader)
    assert reader.worker_pid is not None
    return reader.worker_pid


def is_running(pid: int) -> bool:
    try:
        return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except FileNotFoundError:
        return False


def wait_for_end(pid: int) -> None:
    until(lambda: not is_running(pid), f"process {pid} ends")


def test_a_worker_stays_warm_and_ends_with_its_reader(duckdb_data: Source) -> None:
    with duckdb_data.reader() as reader:
        reader.read(Query("SELECT 1"), user_sql=True)
        pid = worker_of(reader)
        reader.read(Query("SELECT 2"), user_sql=True)
        assert worker_of(reader) == pid
        assert os.getpgid(pid) == pid
    assert not is_running(pid)


def test_a_killed_worker_is_said_and_the_next_read_works(duckdb_data: Source) -> None:
    with duckdb_data.reader() as reader:
        reader.read(Query("SELECT 1"))
        os.kill(worker_of(reader), signal.SIGKILL)
        with pytest.raises(DriverFailed) as caught:
            reader.read(Query("SELECT 2"))
        assert caught.value.hint
        assert reader.read(Query("SELECT 3")).rows == [(3,)]


def test_a_worker_that_was_idle_ends_and_nobody_notices(
    duckdb_data: Source, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dragoman.databases.access.worker.worker_reader.IDLE_SECONDS", 0.2)
    with duckdb_data.reader() as reader:
        reader.read(Query("SELECT 1"))
        pid = worker_of(reader)
        wait_for_end(pid)

        def made() -> bool:
            try:
                duckdb_data.run("CREATE TABLE fresh (a int)")
            except duckdb.IOException:
                return False
            return True

        until(made, "nobody holds the file any more, once its last thread is gone")
        assert reader.read(Query("SELECT count(*) FROM fresh")).rows == [(0,)]
        assert worker_of(reader) != pid


def test_a_worker_dies_with_a_reader_that_was_killed(duckdb_data: Source) -> None:
    """Even in the middle of a query that would take for ever."""
    assert isinstance(duckdb_data.target, DuckdbTarget)
    script = """
import sys, threading, time
from pathlib import Path
from dragoman.databases.access import open_reader
from dragoman.databases.families.duckdb.target import DuckdbTarget
from dragoman.contracts.query import Query
reader = open_reader(DuckdbTarget(Path(sys.argv[1])))
reader.read(Query("SELECT 1"))
print(reader.worker_pid, flush=True)
reader.read(Query("SELECT count(*) FROM range(1000000) a, range(1000000) b WHERE a.range < b.range - 5"))
"""
    process = subprocess.Popen(
        [sys.executable, "-c", script, str(duckdb_data.target.path)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    pid = int(process.stdout.readline())
    begun = cpu_seconds(pid)
    until(lambda: cpu_seconds(pid) > begun + 0.3, "the worker is at the query")
    process.kill()
    process.wait()
    wait_for_end(pid)


def test_a_worker_sees_no_secret_of_the_environment(
    duckdb_data: Source, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHOP_PASSWORD", PASSWORD)
    with duckdb_data.reader() as reader:
        reader.read(Query("SELECT 1"))
        assert PASSWORD not in Path(f"/proc/{worker_of(reader)}/environ").read_text()


def test_the_system_bounds_a_worker(duckdb_data: Source) -> None:
    with duckdb_data.reader() as reader:
        reader.read(Query("SELECT 1"), ReadLimits(seconds=7))
        limits = Path(f"/proc/{worker_of(reader)}/limits").read_text()
    rows = {line[:25].strip(): line[26:].split()[:2] for line in limits.splitlines()[1:]}
    assert rows["Max file size"] == ["0", "0"]
    assert rows["Max core file size"] == ["0", "0"]
    assert int(rows["Max data size"][1]) < 4_000_000_000
    assert int(rows["Max address space"][1]) < 4_000_000_000
    assert 7 <= int(rows["Max cpu time"][0]) < 60
