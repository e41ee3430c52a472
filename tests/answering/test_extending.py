"""A result that is kept or sent: asked about first, written once, whole or not at all."""

import csv
import json
import random
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import duckdb
import pytest

from dragoman import Workspace
from dragoman.contracts import events as ev
from dragoman.contracts.turn_result import TurnResult
from dragoman.contracts.vocabulary import AnswerMode, EffectOutcome, Phase, TransitionClass
from tests.answering.places import STOCK, dragoman, rows_of, talk, trade_and_lake

T = TransitionClass
SEVEN: Final = [
    ("Keyboard Slim", 15.0),
    ("LED lamp Spot", 25.0),
    ("Monitor 27 View", 6.0),
    ("Oak desk 120", 7.0),
    ("Oak desk 160", 5.0),
    ("Paper A4 Snow", 100.0),
    ("Steel shelf 200", 8.0),
]


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return trade_and_lake(tmp_path_factory.mktemp("place") / "workspace")


@pytest.fixture
def folder(template: Path, tmp_path: Path) -> Path:
    return shutil.copytree(template, tmp_path / "workspace")


@pytest.fixture
def workspace(folder: Path) -> Iterator[Workspace]:
    with Workspace.open(folder) as workspace:
        yield workspace


def outcome(result: TurnResult) -> tuple[TransitionClass | None, AnswerMode | None, Phase]:
    return result.transition, result.answer_mode, result.phase


def new_files(folder: Path, template: Path) -> set[str]:
    def named(root: Path) -> set[str]:
        return {
            str(path.relative_to(root))
            for path in root.rglob("*")
            if path.is_file() and ".dragoman" not in path.parts
        }

    return named(folder) - named(template)


# Files.


def _of_csv(path: Path) -> list[tuple[str, float]]:
    with path.open(newline="", encoding="utf-8") as file:
        return [(row["item"], float(row["quantity"])) for row in csv.DictReader(file)]


def _of_lines(path: Path) -> list[tuple[str, float]]:
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    return [(row["item"], float(row["quantity"])) for row in rows]


def _of_parquet(path: Path) -> list[tuple[str, float]]:
    found = duckdb.connect().execute("SELECT item, quantity FROM read_parquet(?)", [str(path)]).fetchall()
    return [(item, float(quantity)) for item, quantity in found]


@pytest.mark.parametrize(
    ("message", "name", "read"),
    [
        ("save that as csv", "inventory-stock.csv", _of_csv),
        ("save it to a file", "inventory-stock.csv", _of_csv),
        ("save that as parquet", "inventory-stock.parquet", _of_parquet),
        ("save that as jsonl", "inventory-stock.jsonl", _of_lines),
        ("save it to march.json", "march.json", _of_lines),
        ("export it to out/march.csv", "out/march.csv", _of_csv),
        ("сохрани это в csv", "inventory-stock.csv", _of_csv),
        ("csv로 저장해 줘", "inventory-stock.csv", _of_csv),
    ],
)
def test_a_yes_writes_the_file_and_nothing_else(
    workspace: Workspace, folder: Path, template: Path, message: str, name: str, read: object
) -> None:
    session = workspace.new_session()
    workspace.ask(session, STOCK)
    asked = workspace.ask(session, message)
    assert outcome(asked) == (T.X_EXTEND, AnswerMode.CLARIFICATION_REQUIRED, Phase.READY)
    assert (asked.route, asked.options, asked.row_count) == ("duckdb.writer", ("yes", "no"), 0)
    assert name in asked.message
    assert new_files(folder, template) == set()
    done = workspace.ask(session, "yes")
    assert outcome(done) == (T.T7, AnswerMode.CONFIRMED, Phase.DONE)
    assert (done.route, done.row_count) == ("duckdb.writer", 7)
    assert [item.snippet for item in done.evidence] == ["7 rows written"]
    assert new_files(folder, template) == {name}
    assert callable(read)
    assert read(folder / name) == SEVEN


def test_a_no_writes_nothing_and_the_program_waits(
    workspace: Workspace, folder: Path, template: Path
) -> None:
    _, asked, refused, again, done = talk(workspace, STOCK, "save that as csv", "no", "run it", "yes")
    assert outcome(refused) == (T.T7, AnswerMode.NONE, Phase.READY)
    assert refused.program == asked.program
    assert outcome(again) == (T.X_RUN, AnswerMode.CLARIFICATION_REQUIRED, Phase.READY)
    assert again.route == "duckdb.writer", "what is suspended is named"
    assert outcome(done) == (T.T7, AnswerMode.CONFIRMED, Phase.DONE)
    assert new_files(folder, template) == {"inventory-stock.csv"}


def test_a_second_yes_is_only_talk(workspace: Workspace) -> None:
    *_, second, run = talk(workspace, STOCK, "save that as csv", "yes", "yes", "run it")
    assert outcome(second) == (T.T0, AnswerMode.NONE, Phase.DONE)
    assert (run.transition, run.reason_codes) == (T.T10, ("lacks_ready",))


def test_an_undo_between_question_and_yes_leaves_nothing_to_confirm(
    workspace: Workspace, folder: Path, template: Path
) -> None:
    first, _, undone, said = talk(workspace, STOCK, "save that as csv", "undo", "yes")
    assert (undone.transition, undone.program) == (T.X_UNDO, first.program)
    assert said.transition is T.T0
    assert new_files(folder, template) == set()


@pytest.mark.parametrize(
    "between",
    [
        ("and for April?",),
        ("what about Beta Retail?",),
        ("receivables",),
        ("Oak desk 120",),
        ("stock of Beta Retail on 30 April 2020",),
        ("clear",),
        ("documents",),
    ],
)
def test_a_yes_is_for_the_program_it_was_asked_about(
    workspace: Workspace, folder: Path, template: Path, between: tuple[str, ...]
) -> None:
    """Another program came into hand meanwhile: a yes that comes late runs nothing."""
    *_, late = talk(workspace, STOCK, "save that as csv", *between, "yes")
    assert late.answer_mode not in (AnswerMode.CONFIRMED, AnswerMode.LIMITED)
    assert new_files(folder, template) == set()


@pytest.mark.parametrize(
    "between", ["hello", "help", "are you sure?", "what did we find out so far?", "flurb"]
)
def test_talk_leaves_the_question_open(
    workspace: Workspace, folder: Path, template: Path, between: str
) -> None:
    *_, late = talk(workspace, STOCK, "save that as csv", between, "yes")
    assert outcome(late) == (T.T7, AnswerMode.CONFIRMED, Phase.DONE)
    assert new_files(folder, template) == {"inventory-stock.csv"}


def test_asked_to_save_again_the_writer_is_replaced(
    workspace: Workspace, folder: Path, template: Path
) -> None:
    *_, done = talk(workspace, STOCK, "save that as csv", "save it as parquet", "yes")
    assert done.program.count(".writer") == 1
    assert new_files(folder, template) == {"inventory-stock.parquet"}


def test_help_says_what_waits_for_the_yes(workspace: Workspace) -> None:
    *_, helped = talk(workspace, STOCK, "save that as csv", "help")
    assert "inventory-stock.csv (csv)" in helped.message


# Refusals.


@pytest.mark.parametrize(
    ("message", "words"),
    [
        ("save it to ../out.csv", "leads out of the workspace"),
        ("save it to /etc/out.csv", "leads out of the workspace"),
        ("save it to .dragoman/out.csv", "belongs to the workspace itself"),
        ("save it as xlsx", "csv, parquet, jsonl"),
        ("save it as tsv", "csv, parquet, jsonl"),
        ("send it to supabase", "@sqlite.trade, @sqlite.lake"),
        ("send it to nowhere", "@sqlite.trade, @sqlite.lake"),
        ("send it to sqlite", "more than one matches: @sqlite.trade, @sqlite.lake"),
    ],
)
def test_what_cannot_be_written_is_refused_before_it_is_asked_about(
    workspace: Workspace, folder: Path, template: Path, message: str, words: str
) -> None:
    before, refused, late = talk(workspace, STOCK, message, "yes")
    assert outcome(refused) == (T.T10, AnswerMode.UNSUPPORTED, Phase.DONE)
    assert refused.reason_codes == ("no_writer",)
    assert words in refused.message
    assert late.transition is T.T0
    assert new_files(folder, template) == set()
    assert before.phase is Phase.DONE


@pytest.mark.parametrize("message", ["save that as csv", "send it to lake", "сохрани это в csv"])
def test_without_a_result_there_is_nothing_to_save(workspace: Workspace, message: str) -> None:
    (refused,) = talk(workspace, message)
    assert refused.transition is T.T10


def test_a_place_that_a_run_may_not_write_is_refused_before_the_yes(
    workspace: Workspace, folder: Path, template: Path
) -> None:
    _, refused, late = talk(workspace, STOCK, "save it to packs/more.csv", "yes")
    assert outcome(refused) == (T.T10, AnswerMode.UNSUPPORTED, Phase.DONE)
    assert refused.reason_codes == ("target_reserved",)
    assert late.transition is T.T0
    assert new_files(folder, template) == set()


WRITER = '(inventory.stock :organization "1" :as-of 2020-03-31 :as @rows)(duckdb.writer :needs [@rows] {})'


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("trade.sqlite", "target_reserved"),
        ("lake.sqlite", "target_reserved"),
        ("TRADE.sqlite-wal", "target_reserved"),
        ("dragoman.yaml", "target_reserved"),
        ("packs/trade/pack.yaml", "target_reserved"),
        ("notes.txt", "target_exists"),
    ],
)
def test_a_program_that_writes_onto_a_file_of_the_workspace_is_not_asked_about(
    workspace: Workspace, folder: Path, path: str, code: str
) -> None:
    (folder / "notes.txt").write_text("mine", encoding="utf-8")
    kept = {each: each.read_bytes() for each in folder.iterdir() if each.is_file()}
    program = WRITER.format(f':format "csv" :path "{path}" :as @file')
    *_, refused, late = talk(workspace, program, "run it", "yes")
    assert refused.reason_codes == (code,), refused.message
    assert late.answer_mode is AnswerMode.NONE
    assert {each: each.read_bytes() for each in folder.iterdir() if each.is_file()} == kept


@pytest.mark.parametrize(
    ("message", "words", "yes"),
    [
        ("save it to mine.csv", "replace mine.csv, which no run made", "yes"),
        ("speichere das in mine.csv", "ersetzt mine.csv", "ja"),
        ("сохрани это в mine.csv", "заменится mine.csv", "да"),
        ("mine.csv 파일로 저장해 줘", "기존 파일 mine.csv", "네"),
    ],
)
def test_the_question_says_what_the_yes_replaces(
    workspace: Workspace, folder: Path, message: str, words: str, yes: str
) -> None:
    (folder / "mine.csv").write_text("mine", encoding="utf-8")
    _, asked, helped, done = talk(workspace, STOCK, message, f"{yes}?", yes)
    assert words in asked.message
    assert words in helped.message, "asked again, it says so again"
    assert (folder / "mine.csv").read_text(encoding="utf-8") != "mine"
    assert outcome(done) == (T.T7, AnswerMode.CONFIRMED, Phase.DONE)
    *_, again = talk(workspace, STOCK, message)
    assert words not in again.message, "a run made it: it is replaced like any of its own"


def test_a_yes_does_not_agree_to_what_the_question_did_not_say(workspace: Workspace, folder: Path) -> None:
    session = workspace.new_session()
    workspace.ask(session, STOCK)
    workspace.ask(session, "save it to mine.csv")
    (folder / "mine.csv").write_text("mine", encoding="utf-8")
    failed = workspace.ask(session, "yes")
    assert failed.reason_codes == ("target_exists",)
    assert (folder / "mine.csv").read_text(encoding="utf-8") == "mine"
    asked = workspace.ask(session, "run it")
    assert "replace mine.csv" in asked.message
    assert outcome(workspace.ask(session, "yes")) == (T.T7, AnswerMode.CONFIRMED, Phase.DONE)


def test_a_file_that_nobody_named_does_not_become_a_table(tmp_path: Path) -> None:
    (tmp_path / "guests.csv").write_text("id,name\n1,Ann\n2,Bob\n", encoding="utf-8")
    dragoman("init", ".", "-w", str(tmp_path), cwd=tmp_path)
    with Workspace.open(tmp_path) as workspace:
        *_, asked, done = talk(workspace, "(guests.list)", "save that as csv", "yes")
    assert "out/guests-list.csv" in asked.message
    assert done.answer_mode is AnswerMode.CONFIRMED
    assert (tmp_path / "out/guests-list.csv").exists()


def test_the_answer_says_which_cells_a_spreadsheet_would_run(tmp_path: Path) -> None:
    (tmp_path / "guests.csv").write_text("id,name\n1,=1+1\n2,Bob\n", encoding="utf-8")
    dragoman("init", "guests.csv", "-w", str(tmp_path), cwd=tmp_path)
    with Workspace.open(tmp_path) as workspace:
        *_, done = talk(workspace, "(guests.list)", "save that as csv", "yes")
    assert "1 cell begins with =" in done.message
    assert '"=1+1"' in (tmp_path / "guests-list.csv").read_text(encoding="utf-8")


# Tables.


def test_a_yes_writes_a_table_of_another_connection(workspace: Workspace, folder: Path) -> None:
    _, asked, done = talk(workspace, STOCK, "send it to lake table kept", "yes")
    assert (asked.route, asked.transition) == ("sqlite.writer", T.X_EXTEND)
    assert "kept" in asked.message
    assert "@sqlite.lake" in asked.message
    assert outcome(done) == (T.T7, AnswerMode.CONFIRMED, Phase.DONE)
    assert rows_of(folder / "lake.sqlite", "SELECT item, quantity FROM kept ORDER BY item") == SEVEN


def test_a_table_that_does_not_fit_gets_no_row_and_the_session_goes_on(
    workspace: Workspace, folder: Path
) -> None:
    _, asked, failed, after = talk(workspace, STOCK, "send it to lake table narrow", "yes", "and for April?")
    assert outcome(failed) == (T.T7, AnswerMode.UNSUPPORTED, Phase.DONE)
    assert failed.reason_codes == ("schema_drift",)
    assert failed.program == asked.program
    assert rows_of(folder / "lake.sqlite", "SELECT COUNT(*) FROM narrow") == [(0,)]
    assert outcome(after) == (T.T2, AnswerMode.CONFIRMED, Phase.DONE)


def test_the_effect_of_a_yes_is_on_record(workspace: Workspace) -> None:
    session = workspace.new_session()
    for message in (STOCK, "send it to lake table narrow", "yes", "save it as csv", "yes"):
        workspace.ask(session, message)
    outcomes = [
        event.outcome
        for turn in (3, 5)
        for event in workspace.turn_events(session, turn)
        if isinstance(event, ev.EffectDone)
    ]
    assert outcomes == [EffectOutcome.UNDONE, EffectOutcome.DONE]


# A process that is killed between the yes and its end.

_KILLED: Final = """
import os, signal, sys, threading, time
from dragoman import Workspace
from dragoman.workspace.services import ServiceOpener
folder, session, moment = sys.argv[1:]
run = ServiceOpener._run_pipeline

def killed():
    os.kill(os.getpid(), signal.SIGKILL)

def hooked(self, manifest, run_id, replaces, cancel):
    if moment == "before":
        killed()
    if moment not in ("before", "after"):
        threading.Timer(float(moment), killed).start()
    run(self, manifest, run_id, replaces, cancel)
    killed()

ServiceOpener._run_pipeline = hooked
with Workspace.open(folder) as workspace:
    workspace.ask(session, "yes", client_key="the-yes")
"""


def _killed_at(folder: Path, session: str, moment: str) -> None:
    worker = [sys.executable, "-c", _KILLED, str(folder), session, moment]
    killed = subprocess.run(worker, capture_output=True, check=False)
    assert killed.returncode == -signal.SIGKILL, killed.stderr


_MOMENTS: Final = [f"{random.Random(n).uniform(0, 0.2):.3f}" for n in range(6)]


@pytest.mark.parametrize(
    "moment",
    [
        "before",
        "after",
        *_MOMENTS[:2],
        *(pytest.param(each, marks=pytest.mark.long) for each in _MOMENTS[2:]),
    ],
)
@pytest.mark.parametrize("message", ["save that as csv", "send it to lake table kept"])
def test_a_kill_after_the_yes_is_settled_by_the_record_of_the_run(
    folder: Path, template: Path, message: str, moment: str
) -> None:
    with Workspace.open(folder) as workspace:
        session = workspace.new_session()
        workspace.ask(session, STOCK)
        workspace.ask(session, message)
    _killed_at(folder, session, moment)
    with Workspace.open(folder) as workspace:
        after = workspace.ask(session, "hello")
        assert (after.turn, after.transition) == (4, T.T0)
        settled = workspace.turn_events(session, 3)[-1]
        assert isinstance(settled, ev.TurnSettled)
        ((effect),) = settled.effects
        there = _is_there(folder, message)
        assert effect.outcome is (EffectOutcome.DONE if there else EffectOutcome.UNDONE)
        if moment in ("before", "after"):
            assert there is (moment == "after")
        assert new_files(folder, template) <= {"inventory-stock.csv"}, "nothing is left by halves"
        again = workspace.ask(session, "yes", client_key="the-yes")
        assert again.repeated, "the yes was taken once, and is not taken again"
        assert _is_there(folder, message) is there


def _is_there(folder: Path, message: str) -> bool:
    """Whether all of it was written; a part of it fails."""
    if "csv" in message:
        path = folder / "inventory-stock.csv"
        return path.exists() and _of_csv(path) == SEVEN
    tables = rows_of(folder / "lake.sqlite", "SELECT name FROM sqlite_master WHERE name = 'kept'")
    if not tables:
        return False
    assert rows_of(folder / "lake.sqlite", "SELECT item, quantity FROM kept ORDER BY item") == SEVEN
    return True
