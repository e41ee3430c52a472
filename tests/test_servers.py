"""The servers that other tests lean on: they are real, and they do not outlive the tests."""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from importlib.resources import files
from pathlib import Path

import psycopg
import pytest

from tests.server_process import clear_abandoned, is_alive
from tests.servers import MariadbServer, PostgresServer, running_mariadb, running_postgres

ROOT = Path(__file__).resolve().parent.parent
RUNNING: dict[str, Callable[[], AbstractContextManager[PostgresServer | MariadbServer]]] = {
    "postgres": running_postgres,
    "mariadb": running_mariadb,
}
FAMILIES = [pytest.param(name, marks=getattr(pytest.mark, name)) for name in RUNNING]

# Starts a server, says where it is, and waits to be killed.
OWNER = """
import time
from tests.servers import running_{family}
with running_{family}() as server:
    print(server.pid, server.folder, flush=True)
    time.sleep(300)
"""


def test_postgres_is_real(postgres_database: str) -> None:
    with psycopg.connect(postgres_database) as connection:
        row = connection.execute("select version()").fetchone()
    assert row is not None
    assert row[0].startswith("PostgreSQL ")


def test_postgres_syncs_to_disk(postgres_server: PostgresServer) -> None:
    with psycopg.connect(postgres_server.url) as connection:
        assert connection.execute("show fsync").fetchone() == ("on",)


def test_a_postgres_database_is_one_tests_alone(postgres_server: PostgresServer) -> None:
    with postgres_server.database() as first, postgres_server.database() as second:
        for url in (first, second):
            with psycopg.connect(url) as connection:
                connection.execute("create table only_here (number integer)")


def test_a_dropped_postgres_database_is_gone_with_its_clients(postgres_server: PostgresServer) -> None:
    with postgres_server.database() as url:
        client = psycopg.connect(url)
    with pytest.raises(psycopg.OperationalError):
        client.execute("select 1")


def test_postgres_serves_other_processes(postgres_database: str) -> None:
    code = "import os, psycopg; print(psycopg.connect(os.environ['URL']).execute('select 6 * 7').fetchone())"
    environment = {**os.environ, "URL": postgres_database}
    answer = subprocess.check_output([sys.executable, "-c", code], env=environment)
    assert answer.strip() == b"(42,)"


def test_mariadb_holds_the_trade_data(mariadb_server: MariadbServer, mariadb_database: str) -> None:
    script = files("dragoman").joinpath("packs/trade/trade.sql").read_text("utf-8")
    mariadb_server.query(script, mariadb_database)
    counted = mariadb_server.query("SELECT COUNT(*) FROM document", mariadb_database)
    assert counted == [[str(_count_documents(script))]]


def test_mariadb_keeps_every_letter(mariadb_server: MariadbServer, mariadb_database: str) -> None:
    words = "\u0441\u043a\u043b\u0430\u0434 \ucc3d\uace0"  # Warehouse, in Russian and in Korean.
    assert mariadb_server.query(f"SELECT '{words}'", mariadb_database) == [[words]]


@pytest.mark.parametrize("family", FAMILIES)
def test_a_stopped_server_leaves_nothing(family: str, request: pytest.FixtureRequest) -> None:
    request.getfixturevalue(f"{family}_server")  # Skips where the family is missing.
    with RUNNING[family]() as server:
        assert is_alive(server.pid)
    assert not is_alive(server.pid)
    assert not server.folder.exists()


@pytest.mark.parametrize("family", FAMILIES)
def test_a_server_ends_with_killed_tests(family: str, request: pytest.FixtureRequest) -> None:
    request.getfixturevalue(f"{family}_server")
    command = [sys.executable, "-c", OWNER.format(family=family)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as owner:
        assert owner.stdout is not None
        pid, folder = owner.stdout.readline().split(maxsplit=1)
        assert is_alive(int(pid))
        owner.send_signal(signal.SIGKILL)
    _wait_for_end(int(pid), seconds=20)
    clear_abandoned(family)
    assert not Path(folder.strip()).exists()


def _wait_for_end(pid: int, seconds: float) -> None:
    deadline = time.monotonic() + seconds
    while is_alive(pid):
        assert time.monotonic() < deadline, f"process {pid} outlived its owner by {seconds} seconds"
        time.sleep(0.05)


def _count_documents(script: str) -> int:
    database = sqlite3.connect(":memory:")
    database.executescript(script)
    (count,) = database.execute("SELECT COUNT(*) FROM document").fetchone()
    assert isinstance(count, int)
    database.close()
    return count
