"""A store that is cut, deleted from, full or out of reach says so at once, and leaves nothing behind."""

import itertools
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from dragoman import DragomanError, Workspace
from dragoman.contracts.errors import SessionNotFound, StoreDamaged, StoreFull
from dragoman.session.log import SessionLog
from dragoman.session.stores.sqlite import open_sqlite_store
from dragoman.workspace.pipelines import Pipelines
from tests.patience import PROMPT
from tests.servers import PostgresServer
from tests.test_bad_input import tiny_disk as tiny_disk

QUESTION = "stock of Alfa Trade on 31 March 2020"


@pytest.mark.parametrize("size", [0, 1, 15, 16, 100])
def test_a_store_that_was_cut_does_not_become_a_new_one(tmp_path: Path, size: int) -> None:
    with Workspace.open(tmp_path) as workspace:
        workspace.new_session(title="kept")
    file = tmp_path / ".dragoman/sessions.sqlite"
    os.truncate(file, size)
    for create in (True, False):
        with pytest.raises(StoreDamaged) as refused:
            open_sqlite_store(file) if create else Workspace.open(tmp_path).sessions()
        assert f"cut to {size} bytes" in refused.value.message or size >= 16
        assert refused.value.hint
    assert file.stat().st_size == size


@pytest.mark.parametrize("size", [0, 1, 99])
def test_records_of_runs_that_were_cut_do_not_begin_anew(tmp_path: Path, size: int) -> None:
    with Workspace.open(tmp_path) as workspace:
        session = workspace.new_session()
        for message in (QUESTION, "save that as csv", "yes"):
            workspace.ask(session, message)
    file = tmp_path / ".dragoman/runs/runs.sqlite"
    os.truncate(file, size)
    with pytest.raises(StoreDamaged):
        Pipelines(tmp_path).runs()
    assert file.stat().st_size == size


def test_a_new_store_gets_its_name_when_it_is_whole(tmp_path: Path) -> None:
    open_sqlite_store(tmp_path / "s.sqlite").close()
    assert [each.name for each in tmp_path.iterdir()] == ["s.sqlite"]
    many = [open_sqlite_store(tmp_path / "t.sqlite") for _ in range(4)]
    for each in many:
        each.close()


STEPS = list(itertools.product((0, 1, 2), repeat=2))
"""Before which of the two steps of a turn's end (its log, its record) each step of a deletion happens: the
first, the second, or none of them."""


@pytest.mark.parametrize(("record_goes", "log_goes"), [pair for pair in STEPS if pair[0] <= pair[1]])
def test_a_session_deleted_during_a_turn_leaves_no_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, record_goes: int, log_goes: int
) -> None:
    """Every order in which a deletion can fall between the steps of a turn that ends."""
    with Workspace.open(tmp_path) as workspace:
        session = workspace.new_session()
        workspace.ask(session, QUESTION)
        journal, log = workspace._journal, workspace._log
        write, commit = SessionLog.write, journal.store.commit_turn

        def deleted(moment: int) -> None:
            if record_goes == moment:
                journal.store.delete(session)
            if log_goes == moment:
                log.delete(session)

        def writing(self: SessionLog, *arguments: Any) -> None:
            deleted(0)
            write(self, *arguments)

        def committing(*arguments: Any, **options: Any) -> None:
            deleted(1)
            commit(*arguments, **options)

        monkeypatch.setattr(SessionLog, "write", writing)
        monkeypatch.setattr(journal.store, "commit_turn", committing)
        if record_goes < 2:
            with pytest.raises(DragomanError):
                workspace.ask(session, QUESTION)
        else:
            workspace.ask(session, QUESTION)
        deleted(2)
        with pytest.raises(SessionNotFound):
            workspace.state(session)
        assert not log.path(session).exists()


def test_a_full_disk_is_called_full_and_at_once(tiny_disk: Path) -> None:
    """Also where the store was closed before: SQLite then has no room for its log, and calls it read-only."""
    with Workspace.open(tiny_disk) as workspace:
        session = workspace.new_session()
        workspace.ask(session, QUESTION)
    filled = os.open(tiny_disk / "filled", os.O_CREAT | os.O_WRONLY)
    try:
        while True:
            os.write(filled, b"x" * 4096)
    except OSError:
        os.close(filled)
    with Workspace.open(tiny_disk) as workspace:
        assert [each.id for each in workspace.sessions()] == [session]
        begun = time.monotonic()
        with pytest.raises(StoreFull):
            workspace.ask(session, QUESTION)
        assert time.monotonic() - begun < PROMPT


@pytest.mark.postgres
def test_a_pool_without_a_server_says_nothing_on_stderr(postgres_server: PostgresServer) -> None:
    script = (
        "import sys, psycopg_pool, dragoman.session.stores.postgres\n"
        "pool = psycopg_pool.ConnectionPool(sys.argv[1], min_size=1, open=False, reconnect_timeout=0.1)\n"
        "pool.open()\n"
        "try:\n    pool.wait(timeout=2)\n"
        "except psycopg_pool.PoolTimeout:\n    print('no connection')\n"
        "pool.close()\n"
    )
    wrong = postgres_server.url.replace(postgres_server.password, "wrong")
    done = subprocess.run([sys.executable, "-c", script, wrong], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("no connection\n", "")


def test_nothing_is_left_where_no_store_can_be_made(tmp_path: Path) -> None:
    folder = tmp_path / "gone"
    folder.mkdir()
    open_sqlite_store(folder / "s.sqlite").close()
    shutil.rmtree(folder)
    open_sqlite_store(folder / "s.sqlite").close()
    assert [each.name for each in folder.iterdir()] == ["s.sqlite"]
