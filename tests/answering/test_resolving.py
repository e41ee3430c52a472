"""Names that fit several, or none: asked about, narrowed, skipped, searched for again, created."""

import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from dragoman import Workspace
from dragoman.contracts import events as ev
from dragoman.contracts.turn_result import TurnResult
from dragoman.contracts.vocabulary import (
    AnswerMode,
    ClarificationKind,
    EffectOutcome,
    Phase,
    TransitionClass,
)
from dragoman.reading.narrowed_names import open_ref
from tests.answering.places import pack_workspace, rows_of, talk

T, M = TransitionClass, AnswerMode
LIST: Final = "list cbus"
TWINS: Final = "Allianz Pension Scheme"
"""Two CBUs have this name: one in Germany, one in Ireland."""
GERMAN, IRISH = "073c400a-aa5d-45d2-88a2-c97b46657a24", "1d513260-f3ec-4f39-8639-4139464327fb"


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return pack_workspace("funds", tmp_path_factory.mktemp("funds") / "workspace")


@pytest.fixture
def folder(template: Path, tmp_path: Path) -> Path:
    return shutil.copytree(template, tmp_path / "workspace")


@pytest.fixture
def workspace(folder: Path) -> Iterator[Workspace]:
    with Workspace.open(folder) as workspace:
        yield workspace


def outcome(result: TurnResult) -> tuple[TransitionClass | None, AnswerMode | None, Phase]:
    return result.transition, result.answer_mode, result.phase


# Which one.


@pytest.mark.parametrize(("first", "entry"), [((LIST,), T.T3), ((), T.T1)])
def test_a_name_that_two_have_is_asked_about_with_what_tells_them_apart(
    workspace: Workspace, first: tuple[str, ...], entry: TransitionClass
) -> None:
    message = TWINS if first else f"list funds of {TWINS}"
    session = workspace.new_session()
    for each in first:
        workspace.ask(session, each)
    asked = workspace.ask(session, message)
    assert outcome(asked) == (entry, M.CLARIFICATION_REQUIRED, Phase.UNRESOLVED_REFS)
    assert asked.options == (TWINS, TWINS)
    assert "DE" in asked.message
    assert "IE" in asked.message
    assert f'"{TWINS}"' in asked.program, "the program has the name as it was said"
    pending = workspace.state(session).frames.clarification
    assert pending is not None
    assert pending.clarification_kind is ClarificationKind.AMBIGUOUS
    assert [candidate.key for candidate in pending.candidate_scopes] == [GERMAN, IRISH]


@pytest.mark.parametrize(
    ("answer", "key"),
    [
        ("the first one", GERMAN),
        ("the second one", IRISH),
        ("the last one", IRISH),
        ("Ireland", IRISH),
        ("Germany", GERMAN),
        ("AZPI", IRISH),
    ],
)
def test_an_answer_narrows_it_to_one(workspace: Workspace, answer: str, key: str) -> None:
    *_, chosen = talk(workspace, LIST, TWINS, answer)
    assert outcome(chosen) == (T.T7, M.CONFIRMED, Phase.DONE)
    assert chosen.route == "cbu.show"
    assert f'"{key}" ; {TWINS}' in chosen.program


def test_what_was_chosen_stays_chosen(workspace: Workspace) -> None:
    *_, funds = talk(workspace, LIST, TWINS, "the second one", "its funds")
    assert (funds.transition, funds.route, funds.answer_mode) == (T.T5, "cbu.funds", M.CONFIRMED)
    assert IRISH in funds.program


def test_an_answer_that_fits_none_is_asked_again(workspace: Workspace) -> None:
    *_, again, chosen = talk(workspace, LIST, TWINS, "the purple one", "the first one")
    assert again.answer_mode is M.CLARIFICATION_REQUIRED
    assert GERMAN in chosen.program


# The ways out.


def test_skip_leaves_the_statement_out(workspace: Workspace) -> None:
    *_, skipped, late, after = talk(workspace, LIST, TWINS, "skip", "skip", LIST)
    assert outcome(skipped) == (T.X_SKIP, M.NONE, Phase.INTENT)
    assert TWINS in skipped.message
    assert (late.transition, late.reason_codes) == (T.T10, ("lacks_unresolved_refs",))
    assert after.answer_mode is M.CONFIRMED


def test_none_of_these_ends_the_wait(workspace: Workspace) -> None:
    session = workspace.new_session()
    for message in (LIST, TWINS):
        workspace.ask(session, message)
    none = workspace.ask(session, "none of these")
    assert outcome(none) == (T.X_NONE, M.NONE, Phase.INTENT)
    state = workspace.state(session)
    assert (state.frames.clarification, open_ref(state)) == (None, None)
    assert workspace.ask(session, "the first one").transition is not T.T7


def test_search_again_takes_another_name(workspace: Workspace) -> None:
    *_, searched, found = talk(workspace, LIST, TWINS, "search again", "Allianz Thematica")
    assert outcome(searched) == (T.X_SEARCH, M.CLARIFICATION_REQUIRED, Phase.UNRESOLVED_REFS)
    assert outcome(found) == (T.T7, M.CONFIRMED, Phase.DONE)
    assert "Allianz Thematica" in found.message


def test_an_undo_in_the_middle_asks_again(workspace: Workspace) -> None:
    session = workspace.new_session()
    for message in (LIST, TWINS, "the first one"):
        workspace.ask(session, message)
    undone = workspace.ask(session, "undo")
    assert outcome(undone) == (T.X_UNDO, M.NONE, Phase.UNRESOLVED_REFS)
    assert "open again" in undone.message
    chosen = workspace.ask(session, "the second one")
    assert outcome(chosen) == (T.T7, M.CONFIRMED, Phase.DONE)
    assert IRISH in chosen.program


@pytest.mark.parametrize("words", ["skip", "create new", "search again", "none of these"])
def test_without_a_question_there_is_no_way_out_of_it(workspace: Workspace, words: str) -> None:
    first, after = talk(workspace, words, LIST)
    assert (first.transition, first.phase) == (T.T10, Phase.NEW)
    assert after.answer_mode is M.CONFIRMED


# Create new.


def test_create_new_asks_for_what_it_still_needs_and_makes_nothing_before_the_yes(
    workspace: Workspace, folder: Path
) -> None:
    count = "SELECT COUNT(*) FROM cbu"
    ((before,),) = rows_of(folder / "funds.sqlite", count)
    *_, created, run, typed, asked = talk(
        workspace, LIST, TWINS, "create new", "run it", "Luxembourg", "a trust"
    )
    assert outcome(created) == (T.X_CREATE, M.CLARIFICATION_REQUIRED, Phase.INTENT_CLARIFY)
    assert created.route == "cbu.create"
    assert "Luxembourg" in created.options
    assert f'"{TWINS}"' in created.program, "the name that was said is the name of the new one"
    assert run.transition is T.T10
    assert outcome(typed) == (T.T7, M.CLARIFICATION_REQUIRED, Phase.INTENT_CLARIFY)
    assert "client type" in typed.message
    assert outcome(asked) == (T.T7, M.CLARIFICATION_REQUIRED, Phase.READY)
    assert asked.options == ("yes", "no")
    pending = workspace.state(asked.session_id).frames.clarification
    assert pending is not None
    assert pending.resume_target_frame.entry_class is T.X_CREATE, "who asked for it is known until the yes"
    assert rows_of(folder / "funds.sqlite", count) == [(before,)]
    done = workspace.ask(asked.session_id, "yes")
    assert outcome(done) == (T.T7, M.CONFIRMED, Phase.DONE)
    assert rows_of(folder / "funds.sqlite", count) == [(int(str(before)) + 1,)]
    ((key,),) = rows_of(
        folder / "funds.sqlite", f"SELECT cbu_id FROM cbu WHERE name = '{TWINS}' AND client_type = 'TRUST'"
    )
    assert f"cbu {key}" in [item.ref for item in done.evidence], "the record says what was made"


CREATE: Final = '(cbu.create :name "Nova" :jurisdiction "LU" :client-type "FUND")'


def test_a_program_that_creates_waits_for_a_yes_and_its_name_is_known_then(
    workspace: Workspace, folder: Path
) -> None:
    count = "SELECT name, jurisdiction_code, status FROM cbu WHERE name = 'Nova'"
    session = workspace.new_session()
    edited = workspace.ask(session, CREATE)
    assert outcome(edited) == (T.X_EDIT, M.NONE, Phase.READY)
    asked = workspace.ask(session, "run it")
    assert outcome(asked) == (T.X_RUN, M.CLARIFICATION_REQUIRED, Phase.READY)
    assert (asked.route, asked.options) == ("cbu.create", ("yes", "no"))
    assert outcome(workspace.ask(session, "no")) == (T.T7, M.NONE, Phase.READY)
    assert rows_of(folder / "funds.sqlite", count) == []
    workspace.ask(session, "run it")
    done = workspace.ask(session, "yes")
    assert outcome(done) == (T.T7, M.CONFIRMED, Phase.DONE)
    assert rows_of(folder / "funds.sqlite", count) == [("Nova", "LU", "draft")]
    shown = workspace.ask(session, "show Nova")
    assert (shown.route, shown.answer_mode) == ("cbu.show", M.CONFIRMED)


_KILLED: Final = """
import os, signal, sys
from dragoman import Workspace
from dragoman.workspace.services import ServiceOpener
folder, session, moment = sys.argv[1:]
write = ServiceOpener._run_write

def hooked(self, statement, run_id):
    if moment == "after":
        write(self, statement, run_id)
    os.kill(os.getpid(), signal.SIGKILL)

ServiceOpener._run_write = hooked
with Workspace.open(folder) as workspace:
    workspace.ask(session, "yes", client_key="the-yes")
"""


@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_kill_after_the_yes_is_settled_by_the_ledger(folder: Path, moment: str) -> None:
    with Workspace.open(folder) as workspace:
        session = workspace.new_session()
        for message in (CREATE, "run it"):
            workspace.ask(session, message)
    worker = [sys.executable, "-c", _KILLED, str(folder), session, moment]
    assert subprocess.run(worker, capture_output=True, check=False).returncode == -signal.SIGKILL
    with Workspace.open(folder) as workspace:
        workspace.ask(session, "hello")
        settled = workspace.turn_events(session, 3)[-1]
        assert isinstance(settled, ev.TurnSettled)
        made = rows_of(folder / "funds.sqlite", "SELECT COUNT(*) FROM cbu WHERE name = 'Nova'")
        assert made == [(1 if moment == "after" else 0,)]
        expected = EffectOutcome.DONE if moment == "after" else EffectOutcome.UNDONE
        assert [effect.outcome for effect in settled.effects] == [expected]
        assert workspace.ask(session, "yes", client_key="the-yes").repeated
    assert rows_of(folder / "funds.sqlite", "SELECT COUNT(*) FROM cbu WHERE name = 'Nova'") == made


# A program written by hand.


@pytest.mark.parametrize(
    ("program", "phase", "words"),
    [
        ('(cbu.count :jurisdiction "LU")', Phase.READY, "compiles"),
        ("(cbu.count)\n(fund.list)", Phase.READY, "compiles"),
        ("(cbu.count :nope 1)", Phase.SEMANTIC_ERROR, "no argument nope"),
        ("(nosuch.verb :a 1)", Phase.SEMANTIC_ERROR, "no verb nosuch.verb"),
        ("(cbu.count", Phase.SYNTAX_ERROR, "not closed"),
        (
            '(cbu.count :jurisdiction "Atlantis")',
            Phase.UNRESOLVED_REFS,
            "No jurisdiction is called “Atlantis”",
        ),
        ("(cbu.count :as @a)\n(cbu.count :as @a)", Phase.DEPENDENCY_ERROR, "@a"),
        ("oml_version: 0.1.0\nname: x\nsteps: []\n", Phase.SYNTAX_ERROR, "at least one step"),
    ],
)
def test_a_program_is_read_and_said_to_be_right_or_wrong(
    workspace: Workspace, program: str, phase: Phase, words: str
) -> None:
    edited, helped, undone = talk(workspace, program, "help", "undo")
    asks = phase is Phase.UNRESOLVED_REFS
    assert outcome(edited) == (T.X_EDIT, M.CLARIFICATION_REQUIRED if asks else M.NONE, phase)
    assert words in edited.message
    assert edited.program.strip() == program.strip()
    assert helped.transition is T.X_HELP
    assert (undone.transition, undone.phase) == (T.X_UNDO, Phase.NEW)


def test_a_program_that_is_right_runs_when_it_is_told_to(workspace: Workspace) -> None:
    edited, run, saved, done = talk(
        workspace, '(cbu.count :jurisdiction "LU")', "run it", "save that as csv", "yes"
    )
    assert edited.rows == ()
    assert outcome(run) == (T.X_RUN, M.CONFIRMED, Phase.DONE)
    assert run.rows == ((16,),)
    assert saved.transition is T.X_EXTEND
    assert outcome(done) == (T.T7, M.CONFIRMED, Phase.DONE)


@pytest.mark.parametrize(
    "program", ["(cbu.count :nope 1)", "(cbu.count", '(cbu.count :jurisdiction "Atlantis")']
)
def test_a_program_that_is_wrong_does_not_run(workspace: Workspace, program: str) -> None:
    _, run, after = talk(workspace, program, "run it", LIST)
    assert (run.transition, run.rows) == (T.T10, ())
    assert after.answer_mode is M.CONFIRMED


OML: Final = """\
oml_version: 0.1.0
name: managers
steps:
  - id: managers
    component: manco.list
    mode: read
    config: {jurisdiction: IE}
  - id: kept
    component: duckdb.writer
    mode: write
    config: {path: managers.csv, format: csv}
    needs: [managers]
"""


def test_a_pipeline_in_oml_is_a_program_too(workspace: Workspace, folder: Path) -> None:
    edited, asked, done = talk(workspace, OML, "run it", "yes")
    assert outcome(edited) == (T.X_EDIT, M.NONE, Phase.READY)
    assert "oml_version" in edited.program
    assert asked.answer_mode is M.CLARIFICATION_REQUIRED
    assert "managers.csv" in asked.message
    assert outcome(done) == (T.T7, M.CONFIRMED, Phase.DONE)
    assert len((folder / "managers.csv").read_text("utf-8").splitlines()) == 5


@pytest.mark.parametrize("text", ["(what about funds?)", "(list cbus)", "what is oml_version: anything?"])
def test_brackets_do_not_make_a_program(workspace: Workspace, text: str) -> None:
    (said,) = talk(workspace, text)
    assert said.transition is not T.X_EDIT


# What narrows a question.


@pytest.mark.parametrize(
    ("messages", "rows"),
    [
        (("how many cbus in Luxembourg",), ((16,),)),
        (("how many cbus", "in Luxembourg"), ((16,),)),
        (("how many cbus in Luxembourg", "and in Germany?"), ((4,),)),
        (("list management companies in Ireland",), 4),
        (("list funds of Meridian Bond",), 1),
        (("assets on 31 December 2024 for Meridian Fund Partners", "and on 30 June 2024?"), 1),
    ],
)
def test_every_name_in_a_question_narrows_it(
    workspace: Workspace, messages: tuple[str, ...], rows: object
) -> None:
    *_, last = talk(workspace, *messages)
    assert last.answer_mode is M.CONFIRMED
    assert rows in (last.rows, last.row_count)
    if "Partners" in messages[0]:
        assert "Meridian Fund Partners" in last.program, "what narrowed the slice goes on with it"


@pytest.mark.parametrize(
    ("messages", "code"),
    [
        (("cbus by jurisdiction in Luxembourg",), "filter_not_supported"),
        (("cbus by jurisdiction", "for Luxembourg"), "filter_not_supported"),
        (("funds by manager for ALLIANZ FUNDS",), "filter_not_supported"),
        (("list funds of Meridian Bond", "in Ireland"), "filter_elsewhere"),
        (("how many cbus in Luxembourg and Ireland",), "several_names"),
    ],
)
def test_what_cannot_narrow_it_is_not_passed_over(
    workspace: Workspace, messages: tuple[str, ...], code: str
) -> None:
    *_, last = talk(workspace, *messages)
    assert (last.transition, last.reason_codes) == (T.T10, (code,))


def test_amounts_of_several_currencies_have_no_sum(workspace: Workspace) -> None:
    whole, one = talk(workspace, "assets on 31 December 2024", "for ALLIANZ FUNDS")
    assert len({row[0] for row in whole.rows}) > 1
    assert "total" not in whole.message
    assert one.rows[0][0] == "EUR"


def test_a_date_after_a_question_about_one_asks_the_same_for_another_date(workspace: Workspace) -> None:
    """The card of a CBU has no date: it is the question that is asked again."""
    _, after = talk(workspace, "assets of ALLIANZ FUNDS on 31 December 2024", "and on 30 June 2024?")
    assert (after.transition, after.route, after.answer_mode) == (T.T2, "values.assets", M.CONFIRMED)
    _, refused, why = talk(
        workspace, "assets of ALLIANZ FUNDS on 31 December 2024", "and in February 2025?", "why not?"
    )
    assert (refused.transition, refused.reason_codes) == (T.T10, ("source_failed",))
    assert "not delivered yet" in why.message


def test_a_metric_is_explained_as_the_pack_defines_it(workspace: Workspace) -> None:
    _, meaning = talk(workspace, "assets on 31 December 2024", "what does that mean?")
    assert "Currencies are never added" in meaning.message


@pytest.mark.parametrize(
    "messages",
    [
        ("how many cbus in 2023",),
        ("how many cbus", "and in 2023?"),
        ("list funds of ALLIANZ FUNDS", "in 2024"),
        ("list management companies on 31 March 2024",),
    ],
)
def test_a_date_that_a_question_does_not_take_is_not_passed_over(
    workspace: Workspace, messages: tuple[str, ...]
) -> None:
    *_, last = talk(workspace, *messages)
    assert (last.transition, last.reason_codes) == (T.T10, ("date_not_supported",))


def test_an_action_that_lacks_its_date_asks_for_it(workspace: Workspace) -> None:
    _, _, asked, given = talk(
        workspace, "list funds", "ALLIANZ FUNDS Balanced", "values", "from April to December 2024"
    )
    assert outcome(asked) == (T.T4, M.CLARIFICATION_REQUIRED, Phase.INTENT_CLARIFY)
    assert asked.route == "fund.values"
    assert outcome(given) == (T.T7, M.CONFIRMED, Phase.DONE)
    assert "ALLIANZ FUNDS Balanced" in given.program
    assert given.row_count > 0


def test_a_date_that_is_not_covered_leaves_the_question_open(workspace: Workspace) -> None:
    *_, refused, given = talk(
        workspace, "list funds", "ALLIANZ FUNDS Balanced", "values", "in 2023", "in June 2024"
    )
    assert (refused.transition, refused.entry_transition) == (T.T10, T.T7)
    assert (given.transition, given.route, given.answer_mode) == (T.T7, "fund.values", M.CONFIRMED)


@pytest.mark.parametrize(
    ("messages", "expected"),
    [
        (("how many cbus not in Luxembourg",), ("without_not_supported",)),
        (("how many cbus", "not in Luxembourg"), None),
        (("how many cbus in Luxembourg", "not Luxembourg, Germany"), ()),
    ],
)
def test_what_is_rejected_is_not_passed_over(
    workspace: Workspace, messages: tuple[str, ...], expected: tuple[str, ...] | None
) -> None:
    *_, last = talk(workspace, *messages)
    assert (last.answer_mode is M.CONFIRMED) is (expected == ())
    if expected is not None:
        assert last.reason_codes == expected
    if expected == ():
        assert "Germany" in last.message
