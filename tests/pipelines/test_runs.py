"""Pipelines that are run out of a conversation: what is written, what fails, what is tried again."""

import csv
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from dragoman import Workspace
from dragoman.contracts import events as ev
from dragoman.contracts.run import StepEnded, StepState
from dragoman.contracts.turn_result import TurnResult
from dragoman.contracts.vocabulary import AnswerMode, Phase, TransitionClass
from tests.called import called
from tests.pipelines.studio import make_studio
from tests.pipelines.told import told


class Talk:
    """A conversation in a studio of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = make_studio(folder)
        self.workspace = Workspace.open(folder)
        self.session = self.workspace.new_session()

    def says(self, *messages: str) -> TurnResult:
        for message in messages:
            result = self.workspace.ask(self.session, message)
        return result

    @property
    def program(self) -> tuple[str, ...]:
        turn = self.workspace.state(self.session).version
        return told(self.workspace, self.session, self.workspace.turn_result(self.session, turn))

    def archive(self, statement: str) -> list[tuple[object, ...]]:
        with closing(sqlite3.connect(self.folder / "archive.sqlite")) as connection:
            found = connection.execute(statement).fetchall()
            connection.commit()
            return found


@pytest.fixture
def talk(tmp_path: Path) -> Iterator[Talk]:
    talk = Talk(tmp_path / "studio")
    yield talk
    talk.workspace.close()


def test_delimiter_and_header_in_words(talk: Talk) -> None:
    """A file of one table, with everything of the example that a person can say."""
    talk.says("export members to members.csv with a semicolon as delimiter and a header")
    done = talk.says("yes")
    assert done.answer_mode is AnswerMode.CONFIRMED
    with (talk.folder / "members.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file, delimiter=";"))
    assert rows[0] == ["id", "name", "email", "phone", "city", "joined"]
    assert len(rows) == 4


def test_whoever_waits_hears_how_far_it_is(talk: Talk) -> None:
    talk.says("export members and lessons to csv")
    heard: list[object] = []
    talk.workspace.ask(talk.session, "yes", listeners=[lambda progress: heard.append(progress.event)])
    ended = [each.step for each in heard if isinstance(each, StepEnded) and each.state is StepState.DONE]
    assert {"write-members-csv", "write-lessons-csv"} <= set(ended)


def test_a_no_runs_nothing(talk: Talk) -> None:
    said = talk.says("export members to csv", "no")
    assert said.answer_mode is AnswerMode.NONE
    assert not (talk.folder / "members.csv").exists()
    assert talk.workspace.state(talk.session).program.phase is Phase.READY
    assert talk.says("run it", "yes").answer_mode is AnswerMode.CONFIRMED
    assert (talk.folder / "members.csv").exists()


def test_a_table_that_fails_blocks_only_itself(talk: Talk) -> None:
    talk.archive(
        "CREATE TABLE lessons (id INTEGER PRIMARY KEY, title TEXT, level TEXT, price TEXT CHECK (price < 0))"
    )
    done = talk.says("copy all tables from studio to archive", "yes")
    assert done.answer_mode is AnswerMode.LIMITED, done.message
    states = {row[0]: row[2] for row in done.rows}
    assert states == {"audit_log": 1, "lessons": None, "members": 3, "bookings": 5}
    assert "lessons → @archive.lessons" in done.message
    assert talk.archive("SELECT count(*) FROM bookings") == [(5,)]
    assert talk.archive("SELECT count(*) FROM lessons") == [(0,)]

    again = talk.says("try the failed ones again")
    assert again.answer_mode is AnswerMode.CLARIFICATION_REQUIRED
    assert sum(" :table " in line and "extractor" in line for line in talk.program) == 1
    talk.archive("DROP TABLE lessons")
    assert talk.says("yes").answer_mode is AnswerMode.CONFIRMED
    assert talk.archive("SELECT count(*) FROM lessons") == [(2,)]
    assert talk.archive("SELECT count(*) FROM members") == [(3,)]


@pytest.mark.parametrize(
    ("answer", "columns", "rows"),
    [
        ("1", ["id", "name", "email", "phone", "city", "joined"], 4),
        ("2", ["id", "name"], 4),
        ("3", ["id", "name", "email", "phone", "city", "joined"], 3),
    ],
)
def test_what_a_target_lacks_is_asked_about(talk: Talk, answer: str, columns: list[str], rows: int) -> None:
    talk.archive("CREATE TABLE members (id INTEGER PRIMARY KEY, name TEXT)")
    talk.archive("INSERT INTO members VALUES (77, 'Old Hand')")
    asked = talk.says("copy members to archive")
    assert len(asked.options) == 3
    assert "email" in asked.message
    assert talk.says(answer).answer_mode is AnswerMode.CLARIFICATION_REQUIRED
    done = talk.says("yes")
    assert done.answer_mode is AnswerMode.CONFIRMED, done.message
    assert [row[1] for row in talk.archive("PRAGMA table_info(members)")] == columns
    assert talk.archive("SELECT count(*) FROM members") == [(rows,)]


def test_a_program_that_is_kept_runs_without_talking(talk: Talk) -> None:
    talk.says("export lessons to csv", "call it lessons-out", "save the pipeline as nightly.oml")
    assert not (talk.folder / "nightly.oml").exists()
    kept = talk.says("yes")
    assert "dragoman run nightly.oml" in kept.message
    done = called("run", "nightly.oml", "--yes", "--json", cwd=talk.folder)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["run"]["name"] == "lessons-out"
    assert (talk.folder / "lessons.csv").exists()


def test_the_command_line_shows_either_notation(talk: Talk) -> None:
    for notation, first in ((), "oml_version"), (("--notation", "verbs"), "(oml.pipeline"):
        shown = called("ask", "export members to csv", *notation, cwd=talk.folder)
        assert shown.returncode == 0, shown.stderr
        assert any(line.strip().startswith(first) for line in shown.stdout.splitlines())


def test_both_notations_say_the_same(talk: Talk) -> None:
    talk.says("export all tables to csv", "save the pipeline as all.verbs", "yes")
    converted = called("convert", "all.verbs", "--to", "oml", cwd=talk.folder)
    assert converted.stdout.strip() == talk.workspace.state(talk.session).program.source.strip()


def test_a_question_waits_for_its_anchor_and_is_written(tmp_path: Path) -> None:
    with Workspace.open(tmp_path) as workspace:
        session = workspace.new_session()
        for message in ("выгрузи остатки в csv", "Альфа Трейд"):
            asked = workspace.ask(session, message)
            assert asked.answer_mode is AnswerMode.CLARIFICATION_REQUIRED
        ready = workspace.ask(session, "31 марта 2020")
        assert ready.transition is TransitionClass.T7
        assert "duckdb.writer" in ready.program
        assert workspace.ask(session, "да").answer_mode is AnswerMode.CONFIRMED
        assert (tmp_path / "inventory_stock.csv").exists()


def test_a_name_of_several_words_at_the_end_of_a_message(tmp_path: Path) -> None:
    """The last words of a message are the first of the name of a connection, and no more."""
    folder = make_studio(tmp_path / "studio")
    named = (folder / "connections.yaml").read_text("utf-8").replace("archive:", "old_rows_kept:")
    (folder / "connections.yaml").write_text(named, encoding="utf-8")
    with Workspace.open(folder) as workspace:
        assert workspace.ask(workspace.new_session(), "export the members that are old").message
        ready = workspace.ask(workspace.new_session(), "copy members to old_rows_kept")
        assert '"@old_rows_kept"' in ready.program


def test_an_order_leaves_its_events_in_order(talk: Talk) -> None:
    talk.says("export members to csv", "yes")
    kinds = [str(type(e).__struct_config__.tag) for e in talk.workspace.turn_events(talk.session, 1)]
    wanted = ["intent_captured", "discovery_done", "oml_synthesis_start", "oml_synthesis_complete"]
    wanted += ["schema_guard_pass", "schema_guard_pass", "compile_start", "compile_complete"]
    assert [kind for kind in kinds if kind in wanted] == wanted
    discovered = next(
        e for e in talk.workspace.turn_events(talk.session, 1) if isinstance(e, ev.DiscoveryDone)
    )
    assert discovered.cached
    runs = [str(type(e).__struct_config__.tag) for e in talk.workspace.turn_events(talk.session, 2)]
    assert runs.index("effect_intended") < runs.index("effect_done") < runs.index("run_started")


def test_every_table_has_a_file_of_its_own(tmp_path: Path) -> None:
    """Names in other letters, and names that only a mark tells apart: no file is written over another."""
    folder = make_studio(tmp_path / "studio")
    names = ("остатки", "주문", "Größen", "rent rolls", "rent_rolls")
    with closing(sqlite3.connect(folder / "desk.sqlite")) as connection:
        for name in names:
            connection.execute(f'CREATE TABLE "{name}" (said TEXT)')
            connection.execute(f'INSERT INTO "{name}" VALUES (?)', (name,))
        connection.commit()
    with Workspace.open(folder) as workspace:
        session = workspace.new_session()
        workspace.ask(session, "export all tables from desk to csv")
        assert "7 of 7" in workspace.ask(session, "yes").message
        workspace.ask(session, "as jsonl")
        assert "7 of 7" in workspace.ask(session, "yes").message
    for ending in ("csv", "jsonl"):
        files = {file.name: file.read_text("utf-8") for file in (folder / "export").glob(f"*.{ending}")}
        assert len(files) == 7
        assert all(any(name in text for text in files.values()) for name in names)
        assert f"остатки.{ending}" in files


@pytest.mark.parametrize(
    ("message", "rows"),
    [
        ("export only the active tenants to tenants.csv", 2),
        ("export tenants that are active to tenants.csv", 2),
        ("export tenants to Turku as csv", 1),
        ("export tenants of AC/DC to tenants.csv", 1),
    ],
)
def test_no_word_of_the_rows_is_lost(tmp_path: Path, message: str, rows: int) -> None:
    """A flag is no column beside its table, and a value is no folder."""
    folder = make_studio(tmp_path / "studio")
    with closing(sqlite3.connect(folder / "studio.sqlite")) as connection:
        connection.execute(
            "CREATE TABLE tenants (id INTEGER PRIMARY KEY, town TEXT, firm TEXT, active BOOLEAN)"
        )
        given = [(1, "Turku", "AC/DC", 1), (2, "Oulu", "Abba", 0), (3, "Oulu", "Abba", 1)]
        connection.executemany("INSERT INTO tenants VALUES (?, ?, ?, ?)", given)
        connection.commit()
    with Workspace.open(folder) as workspace:
        session = workspace.new_session()
        workspace.ask(session, message)
        workspace.ask(session, "yes")
    with (folder / "tenants.csv").open(encoding="utf-8", newline="") as file:
        found = list(csv.reader(file))
    assert found[0] == ["id", "town", "firm", "active"]
    assert len(found) == rows + 1
    assert found[1][0] == "1"


def test_a_question_about_what_was_written_changes_nothing(talk: Talk) -> None:
    talk.says("export members to csv", "yes", "how many is that?")
    assert talk.workspace.state(talk.session).frames.clarification is None


@pytest.mark.parametrize(
    "message", ["show members of Turku", "покажи members из Turku", "zeige members aus Turku"]
)
def test_rows_that_are_to_be_seen_are_not_to_be_written(talk: Talk, message: str) -> None:
    shown = talk.says("export members to csv", "yes", message)
    proposed = f"{shown.options or shown.program}"
    assert ".list" in proposed
    assert "writer" not in proposed
