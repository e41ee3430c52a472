"""A run that a person asked for and that failed: class and program stay, and it can be tried again."""

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest

from dragoman import Workspace
from dragoman.contracts import events as ev
from dragoman.contracts.turn_result import TurnResult
from dragoman.contracts.vocabulary import AnswerMode, EffectOutcome, Phase, TransitionClass
from tests.answering.places import STOCK, pack_workspace, rows_of, trade_and_lake
from tests.answering.told import towns

T, M = TransitionClass, AnswerMode


def outcome(result: TurnResult) -> tuple[TransitionClass | None, AnswerMode | None, Phase]:
    return result.transition, result.answer_mode, result.phase


def execute(database: Path, *statements: str) -> None:
    with closing(sqlite3.connect(database)) as connection, connection:
        for statement in statements:
            connection.execute(statement)


class Said:
    """A session, and what was said in it last."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self.session = workspace.new_session()

    def say(self, *messages: str) -> TurnResult:
        return [self.workspace.ask(self.session, message) for message in messages][-1]

    def failed(self, result: TurnResult, entry: TransitionClass, program: str) -> None:
        """It failed as a run does: the class, the phase, the program in hand, the record."""
        assert outcome(result) == (entry, M.UNSUPPORTED, Phase.DONE)
        assert result.entry_transition is entry
        assert (result.rows, result.row_count) == ((), 0)
        state = self.workspace.state(self.session)
        assert (state.program.run_ok, state.program.source) == (False, program)
        assert state.frames.clarification is None
        events = self.workspace.turn_events(self.session, result.turn)
        (ended,) = [event for event in events if isinstance(event, ev.RunFinished)]
        assert (ended.ok, (ended.error_code,)) == (False, result.reason_codes)
        assert not any(isinstance(event, ev.AttemptRefused) for event in events)
        self.workspace.replay(self.session)


# A read that the person wrote.

COUNT: Final = "(town.count :as @towns)"


@pytest.fixture
def over_tables(tmp_path: Path) -> Iterator[Said]:
    with towns(tmp_path) as workspace:
        yield Said(workspace)


def _gone(folder: Path) -> Path:
    database = folder / "towns.sqlite"
    execute(database, "ALTER TABLE town RENAME TO town_elsewhere")
    return database


def test_a_table_that_is_gone_when_it_is_run(over_tables: Said, tmp_path: Path) -> None:
    edited = over_tables.say(COUNT)
    assert outcome(edited) == (T.X_EDIT, M.NONE, Phase.READY)
    database = _gone(tmp_path)
    failed = over_tables.say("run it")
    over_tables.failed(failed, T.X_RUN, COUNT)
    assert "The run failed: " in failed.message
    over_tables.failed(over_tables.say("run it"), T.X_RUN, COUNT)
    execute(database, "ALTER TABLE town_elsewhere RENAME TO town")
    again = over_tables.say("run it")
    assert outcome(again) == (T.X_RUN, M.CONFIRMED, Phase.DONE)
    assert again.rows == ((4,),)
    assert over_tables.say("run it").reason_codes == ("lacks_ready",), "what went well is not run twice"


@pytest.mark.parametrize("why", ["why?", "why not?", "почему?", "왜?"])
def test_why_explains_it_and_help_says_what_can_be_done(over_tables: Said, tmp_path: Path, why: str) -> None:
    over_tables.say(COUNT)
    _gone(tmp_path)
    failed = over_tables.say("run it")
    explained = over_tables.say(why)
    assert (explained.transition, explained.answer_mode) == (T.T8, M.UNSUPPORTED)
    assert failed.message.partition(": ")[2].split(";")[0].split(".")[0] in explained.message
    helped = over_tables.say("help")
    assert helped.transition is T.X_HELP
    assert "run it" in helped.message
    assert "failed" in helped.message
    assert over_tables.say("run it").transition is T.X_RUN


def test_the_slice_before_it_is_still_in_hand(over_tables: Said, tmp_path: Path) -> None:
    asked = over_tables.say("how many shops are there")
    assert asked.answer_mode is M.CONFIRMED
    root = over_tables.workspace.state(over_tables.session).frames.root
    over_tables.say(COUNT)
    _gone(tmp_path)
    over_tables.failed(over_tables.say("run it"), T.X_RUN, COUNT)
    assert over_tables.workspace.state(over_tables.session).frames.root == root


def test_undo_takes_the_failure_back(over_tables: Said, tmp_path: Path) -> None:
    over_tables.say(COUNT)
    _gone(tmp_path)
    over_tables.say("run it")
    undone = over_tables.say("undo")
    assert undone.transition is T.X_UNDO
    assert over_tables.workspace.state(over_tables.session).program.run_ok is not False


def test_a_read_that_the_conversation_wrote_stays_a_boundary(over_tables: Said, tmp_path: Path) -> None:
    over_tables.say("how many shops are there")
    before = over_tables.workspace.state(over_tables.session)
    execute(tmp_path / "towns.sqlite", "ALTER TABLE shop RENAME TO shop_elsewhere")
    failed = over_tables.say("how many shops are there")
    assert failed.transition is T.T10
    after = over_tables.workspace.state(over_tables.session)
    assert (after.program, after.frames) == (before.program, before.frames)


# A write after its yes.


@pytest.fixture(scope="module")
def trade_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return trade_and_lake(tmp_path_factory.mktemp("place") / "workspace")


@pytest.fixture
def folder(trade_template: Path, tmp_path: Path) -> Path:
    return shutil.copytree(trade_template, tmp_path / "workspace")


@pytest.fixture
def writing(folder: Path) -> Iterator[Said]:
    with Workspace.open(folder) as workspace:
        yield Said(workspace)


def test_a_path_that_is_a_directory(writing: Said, folder: Path) -> None:
    (folder / "inventory-stock.csv").mkdir()
    asked = writing.say(STOCK, "save that as csv")
    failed = writing.say("yes")
    writing.failed(failed, T.T7, asked.program)
    assert "Nothing was written: " in failed.message
    assert writing.say("yes").transition is T.T0, "the yes is used up"
    (folder / "inventory-stock.csv").rmdir()
    again = writing.say("run it")
    assert (again.transition, again.answer_mode) == (T.X_RUN, M.CLARIFICATION_REQUIRED)
    done = writing.say("yes")
    assert outcome(done) == (T.T7, M.CONFIRMED, Phase.DONE)
    assert (folder / "inventory-stock.csv").is_file()


def test_a_no_to_the_second_try_writes_nothing(writing: Said, folder: Path) -> None:
    (folder / "inventory-stock.csv").mkdir()
    writing.say(STOCK, "save that as csv", "yes")
    (folder / "inventory-stock.csv").rmdir()
    refused = writing.say("run it", "no")
    assert (refused.transition, refused.answer_mode) == (T.T7, M.NONE)
    assert not (folder / "inventory-stock.csv").exists()
    assert writing.say("run it", "yes").answer_mode is M.CONFIRMED


def test_a_disk_that_is_read_only(writing: Said, folder: Path) -> None:
    target = folder / "kept"
    target.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "ro,size=1m", "tmpfs", str(target)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode != 0:
        pytest.skip("no file system can be mounted here")
    try:
        asked = writing.say(STOCK, "export it to kept/march.csv")
        writing.failed(writing.say("yes"), T.T7, asked.program)
        subprocess.run(["mount", "-o", "remount,rw", str(target)], check=True)
        assert writing.say("run it", "yes").answer_mode is M.CONFIRMED
    finally:
        subprocess.run(["umount", "-l", str(target)], check=True)


def test_a_failed_write_can_be_sent_elsewhere_and_undone(writing: Said, folder: Path) -> None:
    failed = writing.say(STOCK, "send it to lake table narrow", "yes")
    assert outcome(failed) == (T.T7, M.UNSUPPORTED, Phase.DONE)
    undone = writing.say("undo")
    assert "stays written" not in undone.message, "nothing was written"
    assert writing.workspace.state(writing.session).frames.clarification is not None
    sent = writing.say("no", "send it to lake table kept", "yes")
    assert (sent.answer_mode, sent.row_count) == (M.CONFIRMED, 7)
    assert rows_of(folder / "lake.sqlite", "SELECT COUNT(*) FROM narrow") == [(0,)]


def test_a_follow_up_after_a_failed_write_is_of_the_slice(writing: Said) -> None:
    writing.say(STOCK, "send it to lake table narrow", "yes")
    after = writing.say("and for April?")
    assert outcome(after) == (T.T2, M.CONFIRMED, Phase.DONE)


def test_the_effect_is_on_record_beside_the_failure(writing: Said) -> None:
    failed = writing.say(STOCK, "send it to lake table narrow", "yes")
    events = writing.workspace.turn_events(writing.session, failed.turn)
    effects = [event for event in events if isinstance(event, ev.EffectIntended | ev.EffectDone)]
    assert [type(event) for event in effects] == [ev.EffectIntended, ev.EffectDone]
    assert isinstance(effects[1], ev.EffectDone)
    assert effects[1].outcome is EffectOutcome.UNDONE


# A write verb of a pack.

CREATE: Final = '(cbu.create :name "Nova" :jurisdiction "LU" :client-type "FUND")'
CALLED_NOVA: Final = "SELECT COUNT(*) FROM cbu WHERE name = 'Nova'"


@pytest.fixture(scope="module")
def funds_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return pack_workspace("funds", tmp_path_factory.mktemp("funds") / "workspace")


@pytest.fixture
def funds(funds_template: Path, tmp_path: Path) -> Path:
    return shutil.copytree(funds_template, tmp_path / "funds")


def test_a_constraint_that_a_write_verb_breaks(funds: Path) -> None:
    database = funds / "funds.sqlite"
    with Workspace.open(funds) as workspace:
        said = Said(workspace)
        assert said.say(CREATE, "run it", "yes").answer_mode is M.CONFIRMED
        execute(database, "CREATE UNIQUE INDEX one_of_a_name ON cbu (name, jurisdiction_code, client_type)")
        said.say(CREATE, "run it")
        failed = said.say("yes")
        said.failed(failed, T.T7, CREATE)
        assert rows_of(database, CALLED_NOVA) == [(1,)]
        execute(database, "DROP INDEX one_of_a_name")
        assert said.say("run it", "yes").answer_mode is M.CONFIRMED
        assert rows_of(database, CALLED_NOVA) == [(2,)]


_KILLED: Final = """
import os, signal, sys
from dragoman import Workspace
from dragoman.workspace.services import ServiceOpener
folder, session = sys.argv[1:]

def hooked(self, statement, run_id):
    os.kill(os.getpid(), signal.SIGKILL)

ServiceOpener._run_write = hooked
with Workspace.open(folder) as workspace:
    workspace.ask(session, "yes")
"""


def test_a_second_try_that_is_killed_can_be_tried_again(funds: Path) -> None:
    database = funds / "funds.sqlite"
    with Workspace.open(funds) as workspace:
        said = Said(workspace)
        execute(database, "ALTER TABLE cbu RENAME TO cbu_elsewhere")
        said.say(CREATE, "run it")
        execute(database, "ALTER TABLE cbu_elsewhere RENAME TO cbu")
        execute(
            database, "CREATE TRIGGER refused BEFORE INSERT ON cbu BEGIN SELECT RAISE(ABORT, 'closed'); END"
        )
        said.failed(said.say("yes"), T.T7, CREATE)
        execute(database, "DROP TRIGGER refused")
        said.say("run it")
    worker = [sys.executable, "-c", _KILLED, str(funds), said.session]
    killed = subprocess.run(worker, capture_output=True, check=False)
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    with Workspace.open(funds) as workspace:
        after = workspace.ask(said.session, "yes")
        assert (after.transition, after.answer_mode) == (T.T7, M.CONFIRMED)
        assert rows_of(database, CALLED_NOVA) == [(1,)]
        workspace.replay(said.session)


_CUT_OFF: Final = """
import os, signal, sys
from dragoman import Workspace
from dragoman.workspace.services import ServiceOpener
folder, session = sys.argv[1:]
run_write = ServiceOpener._run_write

def hooked(self, statement, run_id):
    run_write(self, statement, run_id)
    os.kill(os.getpid(), signal.SIGKILL)

ServiceOpener._run_write = hooked
with Workspace.open(folder) as workspace:
    workspace.ask(session, "yes")
"""


def test_a_yes_that_was_cut_off_behind_its_write_does_not_write_twice(funds: Path) -> None:
    database = funds / "funds.sqlite"
    with Workspace.open(funds) as workspace:
        said = Said(workspace)
        said.say(CREATE, "run it")
    worker = [sys.executable, "-c", _CUT_OFF, str(funds), said.session]
    killed = subprocess.run(worker, capture_output=True, check=False)
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    assert rows_of(database, CALLED_NOVA) == [(1,)]
    with Workspace.open(funds) as workspace:
        again = workspace.ask(said.session, "yes")
        assert (again.transition, again.answer_mode) == (T.T7, M.NONE)
        assert rows_of(database, CALLED_NOVA) == [(1,)]
        assert workspace.state(said.session).frames.clarification is None
        workspace.ask(said.session, "run it")
        assert workspace.ask(said.session, "yes").answer_mode is M.CONFIRMED
        assert rows_of(database, CALLED_NOVA) == [(2,)]
