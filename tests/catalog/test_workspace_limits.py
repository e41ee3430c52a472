"""The limits of a workspace: what holds when nobody says anything, and what is said when one is hit."""

import signal
import sqlite3
import subprocess
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

import click
import pytest

from dragoman import Workspace
from dragoman.catalog.lookup import look_up, workspace_limits
from dragoman.catalog.settings import read_settings
from dragoman.cli.failures import run_guarded
from dragoman.contracts.errors import QueryTimeout, ResultTooLarge, WorkspaceError
from dragoman.contracts.limits import WorkspaceLimits
from dragoman.contracts.run import RunLimits
from dragoman.contracts.schema import Dialect
from dragoman.contracts.turn_result import TurnResult
from dragoman.workspace.limits import run_limits
from tests.catalog.test_lookup import Shop, shop, statement
from tests.databases.access.test_limits import still_running
from tests.engine.endless import BOMBS, descendants
from tests.engine.workspaces import dragoman, make_workspace, said, said_json
from tests.patience import LONGEST, cpu_seconds, until

__all__ = ["shop"]

SETTINGS: Final = "dragoman.yaml"
ENDLESS: Final = BOMBS["sqlite"]["recursion"]
OWN_WORK: Final = 2.0
"""More seconds of a processor than a command takes between opening a database and reading from it, or the
process that it reads in takes to start."""


def limit(folder: Path, **limits: int) -> None:
    said = ", ".join(f"{name}: {value}" for name, value in limits.items())
    (folder / SETTINGS).write_text(f"version: 1\nlimits: {{{said}}}\n")


def test_there_are_limits_when_nobody_has_said_any(tmp_path: Path) -> None:
    own = read_settings(tmp_path).limits
    assert own == WorkspaceLimits(read_seconds=30, run_seconds=3_600, result_mb=64, memory_mb=2_048)
    assert run_limits(tmp_path, RunLimits()).seconds == 3_600
    limit(tmp_path, run_seconds=7)
    assert run_limits(tmp_path, RunLimits()).seconds == 7
    assert run_limits(tmp_path, RunLimits(rows=3, seconds=0.5)) == RunLimits(rows=3, seconds=0.5)


@pytest.mark.parametrize("said", ["read_seconds: 0", "run_seconds: -1", "result_mb: many", "seconds: 5"])
def test_a_limit_that_is_none_is_refused(tmp_path: Path, said: str) -> None:
    (tmp_path / SETTINGS).write_text(f"limits: {{{said}}}\n")
    with pytest.raises(WorkspaceError):
        read_settings(tmp_path)


@pytest.mark.timeout(240)
@pytest.mark.parametrize("text", ["(wide.list)", "(shop.wide)"])
def test_reading_for_a_message_ends_in_time(shop: Shop, text: str) -> None:
    limit(shop.catalog.folder, read_seconds=1)
    shop.become_slow()
    with pytest.raises(QueryTimeout, match=r"longer than 1 seconds.*read_seconds .*dragoman\.yaml") as caught:
        look_up(shop.catalog, statement(text))
    assert caught.value.details["setting"] == "read_seconds"
    until(lambda: still_running(shop.source) == 0, "the server works on")


def test_a_result_for_a_message_has_a_largest_size(shop: Shop) -> None:
    limit(shop.catalog.folder, result_mb=1)
    assert workspace_limits(shop.catalog).result_bytes == 1_000_000
    long = {Dialect.SQLITE: "hex(zeroblob(300000))"}.get(shop.source.dialect, "repeat('x', 600000)")
    shop.source.run(f"DROP VIEW wide; CREATE VIEW wide AS SELECT {long} AS n FROM sold;")
    with pytest.raises(ResultTooLarge, match=r"more than 1 MB.*result_mb") as caught:
        look_up(shop.catalog, statement("(wide.list)"))
    assert caught.value.details["setting"] == "result_mb"


@pytest.mark.timeout(240)
def test_a_turn_says_which_limit_ended_it_and_the_session_goes_on(shop: Shop) -> None:
    limit(shop.catalog.folder, read_seconds=1)
    shop.become_slow()
    with Workspace.open(shop.catalog.folder) as workspace:
        session = workspace.new_session()
        assert "read_seconds under limits in dragoman.yaml" in _run(workspace, session, "(wide.list)").message
        assert _run(workspace, session, "(sold.count)").rows == ((3,),)


def _run(workspace: Workspace, session: str, program: str) -> TurnResult:
    workspace.ask(session, program)
    return workspace.ask(session, "run it")


@pytest.mark.timeout(400)
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["ctrl-c", "term"])
def test_a_signal_stops_a_turn_and_leaves_its_session_free(shop: Shop, number: int) -> None:
    folder = shop.catalog.folder
    limit(folder, read_seconds=3_000)
    shop.become_slow()
    said(folder, "ask", "(wide.list)")
    process = dragoman(folder, "ask", "-c", "run it", "--json")
    reads = _reading(shop, process)
    until(lambda: reads() or process.poll() is not None, "the turn reads")
    workers = descendants(process.pid)
    process.send_signal(number)
    out, err = process.communicate(timeout=LONGEST)
    assert process.returncode == 130, f"{out}{err}"
    # It came to its own end: what is cut off says nothing.
    assert '"turn_cancelled"' in out
    until(lambda: still_running(shop.source) == 0, "the server works on")
    assert not [worker for worker in workers if Path(f"/proc/{worker}").exists()]
    said(folder, "ask", "-c", "(sold.count)")
    assert said_json(folder, "ask", "-c", "run it")["rows"] == [[3]]


def _reading(shop: Shop, process: subprocess.Popen[str]) -> Callable[[], bool]:
    """What tells whether the turn reads. SQLite reads in the process of the command itself: it has the file
    open, and has computed since for longer than its own work takes."""
    opened: list[float] = []

    def sqlite_reads() -> bool:
        if not opened and _has_open(process.pid, shop.source.target.path):  # type: ignore[attr-defined]
            opened.append(cpu_seconds(process.pid))
        return bool(opened) and cpu_seconds(process.pid) - opened[0] > OWN_WORK

    match shop.source.dialect:
        case Dialect.POSTGRES | Dialect.MYSQL:
            return lambda: still_running(shop.source) == 1
        case Dialect.SQLITE:
            return sqlite_reads
        case Dialect.DUCKDB:
            return lambda: any(cpu_seconds(each) > OWN_WORK for each in descendants(process.pid))


def _has_open(pid: int, file: Path) -> bool:
    with suppress(FileNotFoundError):
        for link in Path(f"/proc/{pid}/fd").iterdir():
            with suppress(FileNotFoundError):
                if link.readlink() == file:
                    return True
    return False


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    """A workspace over a SQLite file, with a program that would write for ever."""
    with sqlite3.connect(tmp_path / "data.sqlite") as line:
        line.execute("CREATE TABLE t (n INTEGER)")
    line.close()
    program = (
        f'(sqlite.extractor :connection "@db" :query "{ENDLESS}" :as @read)\n'
        '(duckdb.writer :needs [@read] :format "parquet" :path "out/n.parquet" :as @file)\n'
    )
    make_workspace(tmp_path, {"db": f"sqlite:///{tmp_path / 'data.sqlite'}"}, {"write.verbs": program})
    return tmp_path


@pytest.mark.timeout(240)
def test_a_run_ends_in_time_and_says_how_to_allow_more(shelf: Path) -> None:
    limit(shelf, run_seconds=1)
    run = said_json(shelf, "run", "write.verbs", "--yes", "--run-id", "w", code=1)["run"]
    assert run["fault"]["code"] == "run_limit_exceeded"
    assert "1 seconds" in run["fault"]["message"]
    assert "run_seconds under limits in dragoman.yaml" in run["fault"]["message"]
    # What is given with the command wins over the file, here and when the run is resumed.
    given = said_json(shelf, "run", "write.verbs", "--yes", "--max-seconds", "1.5", code=1)["run"]
    assert "1.5 seconds" in given["fault"]["message"]
    limit(shelf, run_seconds=2)
    again = said_json(shelf, "runs", "resume", "w", code=1)["run"]
    assert "2 seconds" in again["fault"]["message"]
    once_more = said_json(shelf, "runs", "resume", "w", "--max-seconds", "0.5", code=1)["run"]
    assert "0.5 seconds" in once_more["fault"]["message"]


@pytest.mark.timeout(240)
def test_a_plan_ends_in_time_too(shelf: Path) -> None:
    limit(shelf, run_seconds=2)
    told = said_json(shelf, "run", "write.verbs", "--dry-run", code=1)
    assert told["error"]["code"] == "run_limit_exceeded"


@pytest.mark.timeout(240)
def test_the_run_of_a_yes_ends_in_time(shelf: Path) -> None:
    limit(shelf, run_seconds=2)
    with Workspace.open(shelf) as workspace:
        session = workspace.new_session()
        workspace.ask(session, (shelf / "write.verbs").read_text())
        workspace.ask(session, "run it")
        done = workspace.ask(session, "yes")
        assert "run_seconds under limits in dragoman.yaml" in done.message
        assert _run(workspace, session, "(t.count)").rows == ((0,),)
    assert list((shelf / "out").glob("*")) == []


@pytest.mark.timeout(240)
def test_a_command_holds_no_more_memory_than_it_may(shelf: Path) -> None:
    limit(shelf, memory_mb=400)
    many = "SELECT printf('%.*c', 150000000, 'a') AS n FROM (SELECT 1 UNION ALL SELECT 2) AS two"
    (shelf / "wide.verbs").write_text(f'(sqlite.extractor :connection "@db" :query "{many}" :as @read)')
    process = dragoman(shelf, "run", "wide.verbs", "--yes", "--json")
    out, err = process.communicate(timeout=LONGEST)
    assert process.returncode == 1, f"{out}{err}"
    assert "memory" in out, out


def test_a_command_without_memory_says_which_limit_it_was(capsys: pytest.CaptureFixture[str]) -> None:
    def greedy() -> None:
        raise MemoryError

    assert run_guarded(click.Command("greedy", callback=greedy), []) == 1
    assert "memory_limit_exceeded" in (said := capsys.readouterr().err)
    assert "memory_mb under limits in dragoman.yaml" in said
