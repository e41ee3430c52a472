"""What a viewer may not see is in no answer, in no question back and in no word that counts as understood."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

from dragoman import Workspace
from dragoman.contracts.vocabulary import AnswerMode, Phase, TransitionClass
from tests.answering.places import dragoman, pack_workspace, rows_of, talk

T, M = TransitionClass, AnswerMode
NOBODY: Final = ""


@pytest.fixture(scope="module")
def funds(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return pack_workspace("funds", tmp_path_factory.mktemp("funds") / "workspace")


@pytest.fixture(scope="module")
def projects(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return pack_workspace("projects", tmp_path_factory.mktemp("projects") / "workspace")


@contextmanager
def seen_by(role: str, template: Path, folder: Path) -> Iterator[Workspace]:
    """The workspace as somebody with this role asks it; with none, as nobody in particular."""
    shutil.copytree(template, folder)
    viewer = f"viewer: {{name: somebody, roles: [{role}]}}\n" if role else ""
    (folder / "dragoman.yaml").write_text(f"version: 1\n{viewer}", "utf-8")
    with Workspace.open(folder) as workspace:
        yield workspace


# Rows.


@pytest.mark.parametrize("role", [NOBODY, "analyst", "operations"])
def test_rows_that_are_not_for_everybody_are_neither_listed_nor_counted(
    funds: Path, tmp_path: Path, role: str
) -> None:
    database = funds / "funds.sqlite"
    everything = rows_of(database, "SELECT COUNT(*) FROM cbu")
    active = rows_of(database, "SELECT COUNT(*) FROM cbu WHERE status = 'active'")
    assert everything != active
    expected = everything if role == "operations" else active
    with seen_by(role, funds, tmp_path / "w") as workspace:
        (listed,) = talk(workspace, "list cbus")
        _, counted = talk(workspace, "(cbu_directory.count)", "run it")
    assert (listed.answer_mode, counted.answer_mode) == (M.CONFIRMED, M.CONFIRMED)
    assert [(listed.row_count,)] == expected
    assert [counted.rows[0]] == expected


@pytest.mark.parametrize(("role", "known"), [(NOBODY, False), ("analyst", False), ("operations", True)])
def test_a_name_that_is_not_for_everybody_is_not_known(
    funds: Path, tmp_path: Path, role: str, *, known: bool
) -> None:
    ((name,),) = rows_of(
        funds / "funds.sqlite", "SELECT name FROM cbu WHERE status = 'closed' ORDER BY name LIMIT 1"
    )
    with seen_by(role, funds, tmp_path / "w") as workspace:
        _, named = talk(workspace, "list cbus", str(name))
    assert (named.transition is T.T3 and named.answer_mode is M.CONFIRMED) is known
    assert (str(name) in named.program) is known


@pytest.mark.parametrize(("role", "sees"), [(NOBODY, False), ("guest", False), ("lead", True)])
def test_risks_are_not_for_guests(projects: Path, tmp_path: Path, role: str, *, sees: bool) -> None:
    ((title,),) = rows_of(projects / "projects.sqlite", "SELECT title FROM risk ORDER BY risk_id LIMIT 1")
    with seen_by(role, projects, tmp_path / "w") as workspace:
        _, counted = talk(workspace, "(risk.count)", "run it")
        (shown,) = talk(workspace, f"show {title}")
    assert (counted.rows != ((0,),)) is sees
    assert any(str(title) in map(str, row) for row in shown.rows) is sees
    if not sees:
        assert str(title) not in shown.message.removeprefix(f"“show {title}”")


# Columns.


@pytest.mark.parametrize("role", [NOBODY, "guest", "lead"])
@pytest.mark.parametrize(
    "question",
    ["average hourly rate", "what is the hourly rate of the members", "hourly rate of each member"],
)
def test_a_hidden_column_answers_no_question(
    projects: Path, tmp_path: Path, role: str, question: str
) -> None:
    """Nor does something else answer in its place."""
    with seen_by(role, projects, tmp_path / "w") as workspace:
        (result,) = talk(workspace, question)
    assert (result.transition, result.rows) == (T.T10, ())


@pytest.mark.parametrize(
    "program", ['(member.average :of "hourly_rate")', '(member.list :columns "hourly_rate")']
)
def test_a_hidden_column_is_in_no_program(projects: Path, tmp_path: Path, program: str) -> None:
    with seen_by("lead", projects, tmp_path / "w") as workspace:
        edited, run = talk(workspace, program, "run it")
    assert (edited.transition, edited.phase) == (T.X_EDIT, Phase.SEMANTIC_ERROR)
    assert "capacity" in edited.message
    assert "hourly_rate," not in edited.message
    assert run.transition is T.T10


@pytest.mark.parametrize(("role", "sees"), [(NOBODY, False), ("guest", False), ("lead", True)])
def test_addresses_are_for_those_who_plan(projects: Path, tmp_path: Path, role: str, *, sees: bool) -> None:
    with seen_by(role, projects, tmp_path / "w") as workspace:
        *_, contact = talk(workspace, "team members", "Anna Petrova", "contact")
        (asked,) = talk(workspace, "what are the email addresses of the members")
    held = [str(cell) for row in (*contact.rows, *asked.rows) for cell in row]
    assert any("@" in cell for cell in held) is sees
    assert (contact.answer_mode is M.CONFIRMED) is sees


# Writes.


@pytest.mark.parametrize(("role", "may"), [(NOBODY, False), ("analyst", False), ("operations", True)])
def test_who_may_not_see_what_is_made_may_not_make_it(
    funds: Path, tmp_path: Path, role: str, *, may: bool
) -> None:
    create = '(cbu.create :name "Nova" :jurisdiction "LU" :client-type "FUND")'
    with seen_by(role, funds, tmp_path / "w") as workspace:
        *_, done = talk(workspace, create, "run it", "yes")
    made = rows_of(tmp_path / "w" / "funds.sqlite", "SELECT COUNT(*) FROM cbu WHERE name = 'Nova'")
    assert made == [(1 if may else 0,)]
    assert (done.answer_mode is M.CONFIRMED) is may


def test_what_is_saved_is_what_is_seen(funds: Path, tmp_path: Path) -> None:
    with seen_by("analyst", funds, tmp_path / "w") as workspace:
        listed, _, done = talk(workspace, "list cbus", "save that as csv", "yes")
    lines = (tmp_path / "w" / "cbu-list.csv").read_text("utf-8").splitlines()
    assert done.answer_mode is M.CONFIRMED
    assert len(lines) == listed.row_count + 1
    assert not any("closed" in line.split(",")[-1] for line in lines)


# Why.


def test_why_shows_what_was_weighed(projects: Path, tmp_path: Path) -> None:
    folder = tmp_path / "w"
    with seen_by("lead", projects, folder) as workspace:
        session = workspace.new_session()
        workspace.ask(session, "how many risks are there")
        workspace.ask(session, "completion rate")
    told = dragoman("why", session, "1", "-w", str(folder))
    assert "readings, " in told
    assert "risk.count" in told
    assert any(line.strip().startswith(("0.", "1.")) for line in told.splitlines())
    assert "entered as T1" in told
    asked = dragoman("why", session, "2", "-w", str(folder))
    assert "understood as sprint.completion-rate" in asked


def test_what_is_said_of_an_answer_rests_on_its_evidence(funds: Path, tmp_path: Path) -> None:
    with seen_by("operations", funds, tmp_path / "w") as workspace:
        found, judged, recalled, refused = talk(
            workspace, "how many cbus", "is that a lot?", "what did we find out so far?", "flurb"
        )
    query, recount = found.evidence
    assert query.snippet.startswith("SELECT COUNT(*)")
    assert query.ref + "/recount" == recount.ref
    assert judged.transition is T.T8
    assert judged.evidence == found.evidence
    assert recalled.transition is T.T9
    assert recalled.evidence == found.evidence
    assert refused.evidence == ()


# Programs by hand.


@pytest.mark.parametrize(
    "messages",
    [
        ('(sqlite.extractor :connection "@projects" :table "member" :as @m)', "save that as csv", "yes"),
        (
            '(sqlite.extractor :connection "@default" :table "member" :as @m)'
            '(duckdb.writer :needs [@m] :format "csv" :path "all.csv" :as @w)',
            "run it",
            "yes",
        ),
    ],
)
def test_no_step_reads_past_the_policies(projects: Path, tmp_path: Path, messages: tuple[str, ...]) -> None:
    """What a step of a program by hand reads is narrowed as a verb's is."""
    with seen_by("lead", projects, tmp_path / "w") as workspace:
        *_, done = talk(workspace, *messages)
    assert done.answer_mode is M.CONFIRMED
    (written,) = (tmp_path / "w").glob("*.csv")
    header = written.read_text("utf-8").splitlines()[0]
    assert "email" in header
    assert "hourly_rate" not in header
