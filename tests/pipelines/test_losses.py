"""The process, the server or the target is gone in the middle: the session says where it stands and goes on.

A second process takes a turn and is killed when the program has reached a phase, or when a run has come so
far. The next turn finds the session whole, and what was written is written once.
"""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest

from dragoman import Workspace
from dragoman.contracts.vocabulary import AnswerMode, Phase
from tests.conftest import LONG
from tests.pipelines.studio import make_studio

ROWS: Final = 2_000_000 if LONG else 250_000
PATIENCE: Final = 120.0


def make_large(folder: Path) -> Path:
    make_studio(folder)
    with closing(sqlite3.connect(folder / "studio.sqlite")) as connection:
        connection.execute("CREATE TABLE zz_steps (id INTEGER PRIMARY KEY, label TEXT, amount REAL)")
        connection.execute(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)"
            " INSERT INTO zz_steps SELECT i, 'step ' || i, i / 4.0 FROM n",
            (ROWS,),
        )
        connection.commit()
    return folder


def tables_written(folder: Path) -> set[str]:
    """What is visible in the target."""
    with closing(sqlite3.connect(f"file:{folder / 'archive.sqlite'}?mode=ro", uri=True)) as connection:
        try:
            found = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        except sqlite3.Error:
            return set()
    return {name for (name,) in found}


def killed_while(folder: Path, session: str, message: str, wanted: str) -> None:
    """Take a turn in a process, and kill that as soon as a table is there."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.pipelines.talker", str(folder), session, message],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.getcwd()},
    )
    deadline = time.monotonic() + PATIENCE
    while wanted not in tables_written(folder):
        assert process.poll() is None, "it ended before it could be killed"
        assert time.monotonic() < deadline, "it never came so far"
    process.send_signal(signal.SIGKILL)
    process.wait()
    if process.stdout is not None:
        process.stdout.close()


def test_a_run_that_is_killed_is_gone_on_with(tmp_path: Path) -> None:
    folder = make_large(tmp_path / "studio")
    with Workspace.open(folder) as workspace:
        session = workspace.new_session()
        workspace.ask(session, "copy all tables from studio to archive")
    # The last table is large: the others are there when it is not.
    killed_while(folder, session, "yes", "bookings")
    with Workspace.open(folder) as workspace:
        where = workspace.ask(session, "yes")
        assert where.answer_mode is AnswerMode.CLARIFICATION_REQUIRED
        assert "members → @archive.members" in where.message
        done = workspace.ask(session, "yes")
        assert done.answer_mode is AnswerMode.CONFIRMED, done.message
    with closing(sqlite3.connect(folder / "archive.sqlite")) as connection:
        counts = {
            table: connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
            for table in ("audit_log", "lessons", "members", "bookings", "zz_steps")
        }
    assert counts == {"audit_log": 1, "lessons": 2, "members": 3, "bookings": 5, "zz_steps": ROWS}


@pytest.mark.parametrize(
    "event", ["message_read", "oml_synthesis_start", "schema_guard_pass", "compile_start"]
)
def test_a_turn_that_is_killed_before_its_end_never_was(tmp_path: Path, event: str) -> None:
    """Killed while the program is written or compiled: nothing is in hand, and the sentence can be said
    again."""
    folder = make_studio(tmp_path / "studio")
    with Workspace.open(folder) as workspace:
        session = workspace.new_session()
    script = (
        "import os, signal, sys\n"
        "from dragoman import Workspace\n"
        "def heard(progress):\n"
        "    if type(progress.event).__struct_config__.tag == sys.argv[3]:\n"
        "        os.kill(os.getpid(), signal.SIGKILL)\n"
        "with Workspace.open(sys.argv[1]) as workspace:\n"
        "    workspace.ask(sys.argv[2], 'copy members to archive', listeners=[heard])\n"
    )
    ended = subprocess.run([sys.executable, "-c", script, str(folder), session, event], check=False)
    assert ended.returncode == -signal.SIGKILL
    with Workspace.open(folder) as workspace:
        again = workspace.ask(session, "copy members to archive")
        assert again.answer_mode is AnswerMode.CLARIFICATION_REQUIRED
        assert workspace.state(session).program.phase is Phase.READY
        assert workspace.ask(session, "yes").answer_mode is AnswerMode.CONFIRMED


def test_a_target_that_is_gone_is_said_and_tried_again(tmp_path: Path) -> None:
    folder = make_studio(tmp_path / "studio")
    with Workspace.open(folder) as workspace:
        session = workspace.new_session()
        workspace.ask(session, "copy all tables from studio to archive")
        (folder / "archive.sqlite").rename(folder / "away.sqlite")
        (folder / "archive.sqlite").mkdir()
        failed = workspace.ask(session, "yes")
        assert failed.answer_mode is AnswerMode.UNSUPPORTED
        assert workspace.state(session).program.phase is Phase.DONE
        (folder / "archive.sqlite").rmdir()
        (folder / "away.sqlite").rename(folder / "archive.sqlite")
        workspace.ask(session, "try the failed ones again")
        done = workspace.ask(session, "yes")
        assert done.answer_mode is AnswerMode.CONFIRMED, done.message
