"""A run that is told to stop: by a signal, by another process, or by the death of its own."""

import signal
import sqlite3
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

import psycopg
import pymysql
import pytest

from dragoman.contracts.query import Query
from dragoman.databases.connections import parse_database_url, resolve, target_of
from dragoman.databases.families.registry import family
from tests.engine.endless import ENGINES, Endless, descendants, endless
from tests.engine.workspaces import dragoman, finished, finished_json, said_json
from tests.patience import LONGEST, until
from tests.servers import MariadbServer

Make = Callable[[str], Endless]


@pytest.fixture
def make(tmp_path: Path, request: pytest.FixtureRequest) -> Make:
    return lambda engine: endless(engine, tmp_path, request)


def begun(ground: Endless, bomb: str, *arguments: str, writes: bool = False) -> subprocess.Popen[str]:
    """A run whose query is at work."""
    file = ground.write(bomb, writes=writes)
    process = dragoman(ground.folder, "run", file, "--yes", "--run-id", "endless", *arguments)
    until(lambda: ground.computes(process.pid) or process.poll() is not None, "the query is at work")
    assert process.poll() is None, process.communicate()
    return process


def ended(process: subprocess.Popen[str]) -> str:
    out, err = process.communicate(timeout=LONGEST)
    return out + err


def status(ground: Endless) -> tuple[str, str]:
    run = said_json(ground.folder, "runs", "show", "endless")["run"]
    return run["status"], (run.get("fault") or {}).get("code", "")


@pytest.mark.timeout(400)
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["ctrl-c", "term"])
@pytest.mark.parametrize("engine", ENGINES)
def test_a_signal_stops_a_run_in_good_order(make: Make, engine: str, number: int) -> None:
    ground = make(engine)
    process = begun(ground, "cross join", writes=True)
    workers = descendants(process.pid)
    process.send_signal(number)
    said = ended(process)
    assert process.returncode == 130, said
    # It has come to its own end: what is cut off leaves a run that is to be settled.
    assert status(ground) == ("cancelled", "run_cancelled"), said
    assert list((ground.folder / "out").glob("*")) == []
    ground.rests(workers)


@pytest.mark.timeout(400)
@pytest.mark.parametrize("engine", ["sqlite", "duckdb"])
def test_one_step_that_takes_minutes_is_cancelled_by_another_process(make: Make, engine: str) -> None:
    ground = make(engine)
    process = begun(ground, "one step" if engine == "sqlite" else "range")
    workers = descendants(process.pid)
    assert finished_json(ground.folder, "runs", "cancel", "endless")["run"]["status"] == "cancelled"
    ended(process)
    assert process.returncode == 130
    ground.rests(workers)


@pytest.mark.timeout(400)
def test_one_step_that_takes_minutes_ends_with_its_time(make: Make) -> None:
    ground = make("sqlite")
    told = finished_json(
        ground.folder, "run", ground.write("one step"), "--yes", "--max-seconds", "4", code=1
    )
    assert told["run"]["fault"]["code"] == "run_limit_exceeded"


@pytest.mark.timeout(400)
def test_a_filter_a_view_and_a_computed_column_are_texts_too(make: Make) -> None:
    ground = make("sqlite")
    step = "instr(printf('%.*c', 15000000, 'a'), printf('%.*c', 100000 + n, 'a') || 'b')"
    with sqlite3.connect(ground.folder / "data.sqlite") as line:
        line.execute(f"CREATE VIEW v AS SELECT {step} AS n FROM t")
        # The row first: SQLite computes the column for every row that is written.
        line.execute("CREATE TABLE g (n INTEGER)")
        line.execute("INSERT INTO g (n) VALUES (1)")
        line.execute(f"ALTER TABLE g ADD COLUMN m INTEGER AS ({step})")
    line.close()
    for read in (':table "v"', ':table "g"', f':table "t" :filter "{step} > 0"'):
        program = f'(sqlite.extractor :connection "@db" {read} :as @read)'
        (ground.folder / "read.verbs").write_text(program)
        told = finished_json(ground.folder, "run", "read.verbs", "--yes", "--max-seconds", "3", code=1)
        assert told["run"]["fault"]["code"] == "run_limit_exceeded", read


@pytest.mark.timeout(120)
def test_a_second_signal_ends_at_once(tmp_path: Path) -> None:
    """The work does not stop when it is asked to, and the time for that is far away."""
    script = """
        import sqlite3
        from dragoman.cli import stopping
        stopping.GRACE_SECONDS = 600.0
        with stopping.stoppable() as heard:
            with heard.cancel.told_to(lambda: print("asked", flush=True)):
                print("begun", flush=True)
                # The main thread is inside the driver, and makes no instruction of Python's.
                sqlite3.connect(":memory:").execute(
                    "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT count(*) FROM r"
                ).fetchall()
    """
    command = [sys.executable, "-c", textwrap.dedent(script)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "begun\n"
        process.send_signal(signal.SIGINT)
        assert process.stdout.readline() == "asked\n"
        process.send_signal(signal.SIGINT)
        assert process.wait(LONGEST) == 130


@pytest.mark.timeout(120)
def test_what_does_not_stop_is_ended_after_a_while() -> None:
    script = """
        import sqlite3
        from dragoman.cli import stopping
        stopping.GRACE_SECONDS = 0.2
        with stopping.stoppable():
            print("begun", flush=True)
            sqlite3.connect(":memory:").execute(
                "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT count(*) FROM r"
            ).fetchall()
    """
    command = [sys.executable, "-c", textwrap.dedent(script)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "begun\n"
        process.send_signal(signal.SIGTERM)
        assert process.wait(LONGEST) == 130


@pytest.mark.timeout(400)
@pytest.mark.parametrize("engine", ENGINES)
def test_what_a_killed_run_left_is_stopped_by_the_next_start(make: Make, engine: str) -> None:
    ground = make(engine)
    process = begun(ground, "cross join")
    workers = descendants(process.pid)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    # Where there is a server: nobody has told it anything yet. MariaDB would go on for an hour.
    if engine == "mariadb":
        assert ground.computes(process.pid)
    (ground.folder / "other.verbs").write_text(f'({ground.extractor} :connection "@db" :table "t" :as @read)')
    finished(ground.folder, "run", "other.verbs", "--yes")
    ground.rests(workers)
    assert status(ground)[0] == "interrupted"


def test_every_query_on_postgres_carries_the_limit_of_its_server(make: Make, postgres_database: str) -> None:
    ground = make("postgres")
    with psycopg.connect(postgres_database, autocommit=True) as line:
        line.execute("CREATE VIEW held AS SELECT current_setting('statement_timeout') AS n")
    assert _held(ground) == "1h"


def test_every_query_on_mariadb_carries_the_limit_of_its_server(
    make: Make, mariadb_server: MariadbServer, mariadb_database: str
) -> None:
    ground = make("mariadb")
    mariadb_server.query(
        "CREATE FUNCTION longest() RETURNS INT READS SQL DATA RETURN @@max_statement_time;"
        "CREATE VIEW held AS SELECT longest() AS n;",
        mariadb_database,
    )
    assert _held(ground) == 3_601


def test_a_write_verb_carries_the_limit_of_its_server(
    mariadb_server: MariadbServer, mariadb_database: str, tmp_path: Path
) -> None:
    connection = resolve(parse_database_url(mariadb_server.url_of(mariadb_database)), tmp_path, {})
    session = target_of(connection).session()
    try:
        session.begin()
        assert [float(row[0]) for row in session.rows(Query("SELECT @@max_statement_time"))] == [60.0]
    finally:
        session.close()


def _held(ground: Endless) -> object:
    program = f'({ground.extractor} :connection "@db" :table "held" :as @read)'
    (ground.folder / "read.verbs").write_text(program)
    return said_json(ground.folder, "run", "read.verbs", "--yes")["rows"]["read"]["rows"][0][0]


def test_only_what_has_the_mark_is_stopped_on_postgres(postgres_database: str, tmp_path: Path) -> None:
    connection = resolve(parse_database_url(postgres_database), tmp_path, {})
    names = [f"dragoman {mark}-00000001" for mark in ("a" * 32, "b" * 32)]
    sleepers = [psycopg.connect(postgres_database, autocommit=True, application_name=name) for name in names]
    for sleeper in sleepers:
        sleeper.pgconn.send_query(b"SELECT pg_sleep(600)")
    family("postgres").stop_marked(connection, "a" * 32)
    watch = psycopg.connect(postgres_database, autocommit=True)
    asked = "SELECT application_name FROM pg_stat_activity WHERE query LIKE '%pg_sleep%' AND state = 'active'"

    def left() -> list[str]:
        return [row[0] for row in watch.execute(asked + " AND pid <> pg_backend_pid()").fetchall()]

    until(lambda: left() == [names[1]], "the one with the mark has stopped, and no other")
    for each in (*sleepers, watch):
        each.close()


def test_only_what_has_the_mark_is_stopped_on_mariadb(
    mariadb_server: MariadbServer, mariadb_database: str, tmp_path: Path
) -> None:
    url = mariadb_server.url_of(mariadb_database)
    connection = resolve(parse_database_url(url), tmp_path, {})
    marks = ("a" * 32, "b" * 32)
    sleepers = []
    for mark in marks:
        line = pymysql.connect(
            host=mariadb_server.host,
            port=mariadb_server.port,
            user=mariadb_server.user,
            password=mariadb_server.password,
        )
        line._execute_command(3, f"/* dragoman {mark} */ SELECT SLEEP(600)")  # type: ignore[attr-defined]
        sleepers.append(line)
    asked = (
        "SELECT info FROM information_schema.processlist"
        " WHERE info LIKE '%SLEEP(600)%' AND id <> CONNECTION_ID()"
    )

    def left() -> list[str]:
        return sorted(mark for mark in marks for row in mariadb_server.query(asked) if mark in row[0])

    until(lambda: left() == list(marks), "both are at work")
    family("mysql").stop_marked(connection, marks[0])
    until(lambda: left() == [marks[1]], "the one with the mark has stopped, and no other")
    for each in sleepers:
        each._force_close()  # type: ignore[attr-defined]
    (number,) = (row[0] for row in mariadb_server.query(asked.replace("info FROM", "id FROM")))
    mariadb_server.query(f"KILL {number}")
