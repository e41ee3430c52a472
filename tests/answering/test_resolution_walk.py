"""The resolution of names in a conversation, walked call by call: one object, seen from both sides."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import pytest

from dragoman import Workspace
from dragoman.contracts import events as ev
from dragoman.contracts.program import CreatedNew, Pending, Resolved, Skipped
from dragoman.contracts.resolution import BoundBy, Reference, ResolutionState
from dragoman.contracts.state import SessionState
from dragoman.contracts.turn_result import TurnResult
from dragoman.contracts.vocabulary import AnswerMode, Lifecycle, Phase, TransitionClass
from dragoman.session.phases import AT_REST
from dragoman.workspace.entities import Entities
from tests.answering.places import pack_workspace, rows_of

T, M = TransitionClass, AnswerMode
ALLIANZ_FUNDS: Final = "19eba7a4-52c1-4d0e-9a63-0c5f8e2b7d11"
THEMATICA: Final = "2c7d90be-8f34-4e6a-b1d2-7a90c3e45f22"
IRISH_PENSION: Final = "1d513260-f3ec-4f39-8639-4139464327fb"


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


class Said:
    """One session, and what was last said in it."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self.session = workspace.new_session()

    def say(self, *messages: str) -> TurnResult:
        *_, last = [self.workspace.ask(self.session, message) for message in messages]
        return last

    @property
    def state(self) -> SessionState:
        return self.workspace.state(self.session)

    @property
    def resolution(self) -> ResolutionState:
        assert self.state.program.resolution is not None
        return self.state.program.resolution

    @property
    def current(self) -> Reference:
        assert self.resolution.current is not None
        return self.resolution.current

    def events(self, turn: TurnResult) -> list[str]:
        """What happened to the program in a turn, by kind."""
        kept = [
            each for each in self.workspace.turn_events(self.session, turn.turn) if type(each) in OF_PROGRAM
        ]
        return [str(type(each).__struct_config__.tag) for each in kept]


OF_PROGRAM: Final = frozenset(
    {
        ev.IntentCaptured,
        ev.OmlSynthesisStart,
        ev.OmlSynthesisComplete,
        ev.ProgramEdited,
        ev.SchemaGuardPass,
        ev.SchemaGuardFail,
        ev.RefsUnresolved,
        ev.RefSearched,
        ev.RefSettled,
        ev.ResolutionSuspended,
        ev.ResolutionResumed,
        ev.CompileStart,
        ev.CompileComplete,
        ev.RunStarted,
        ev.RunFinished,
        ev.ClarificationAsked,
        ev.ClarificationCleared,
        ev.ProgramRestored,
    }
)
COMPILED: Final = ["schema_guard_pass", "compile_start", "compile_complete"]
RAN: Final = ["run_started", "run_finished"]


@pytest.fixture
def said(workspace: Workspace) -> Said:
    return Said(workspace)


def shape(result: TurnResult) -> tuple[TransitionClass | None, AnswerMode, Phase]:
    return result.transition, result.answer_mode, result.phase


# 001 part 3.


def test_the_protocol_of_a_read_that_the_conversation_wrote(said: Said, folder: Path) -> None:
    asked = said.say("show allianz cbu")
    # IntentExtract, Parse, SemanticLint, UnresolvedRef: the program is visible before it can run.
    assert said.events(asked) == [
        "intent_captured",
        "oml_synthesis_start",
        "oml_synthesis_complete",
        "schema_guard_pass",
        "refs_unresolved",
        "clarification_asked",
    ]
    assert shape(asked) == (T.T1, M.CLARIFICATION_REQUIRED, Phase.UNRESOLVED_REFS)
    assert '(cbu.show :cbu "allianz"' in " ".join(asked.program.split())
    # GetEntityConfig.
    ref = said.current.ref
    assert (ref.search_value, ref.entity_type, ref.status) == ("allianz", "cbu", Pending())
    assert (ref.location.verb, ref.location.arg_name) == ("cbu.show", "cbu")
    assert [field.name for field in ref.config.search_keys] == ["name", "short_name"]
    assert [field.name for field in ref.config.discriminators] == [
        "jurisdiction",
        "client-type",
        "manco-name",
        "status",
    ]
    assert (ref.config.resolution_mode, ref.config.return_key_type) == ("SearchModal", "uuid")
    assert said.resolution.message == "show allianz cbu"
    # One list in one order, wherever it is shown.
    searched = Entities(folder).search("cbu", "allianz").found.matches
    keys = [match.key for match in searched]
    pending = said.state.frames.clarification
    assert pending is not None
    assert [match.entity_id for match in ref.initial_matches] == keys
    assert [match.entity_id for match in said.current.matches] == keys
    assert [scope.key for scope in pending.candidate_scopes] == keys
    assert list(asked.options) == [match.display for match in searched]
    # ResolveRef, RevalidateAST, BuildExecPlan, and on.
    chosen = said.say("ALLIANZ FUNDS")
    assert said.events(chosen) == ["ref_settled", *COMPILED, *RAN, "clarification_cleared"]
    assert shape(chosen) == (T.T7, M.CONFIRMED, Phase.DONE)
    assert f'"{ALLIANZ_FUNDS}" ; ALLIANZ FUNDS' in chosen.program
    (reference,) = said.resolution.references
    assert reference.ref.status == Resolved(ALLIANZ_FUNDS, "ALLIANZ FUNDS")
    assert reference.bound_by is BoundBy.PERSON


def test_the_protocol_of_the_program_in_the_seed(said: Said) -> None:
    """`session.set-cbu` writes, and a person wrote it: it is ready, and waits for Run and for a yes."""
    edited = said.say('(session.set-cbu :cbu-id "allianz")')
    assert said.events(edited) == [
        "program_edited",
        "schema_guard_pass",
        "refs_unresolved",
        "clarification_asked",
    ]
    chosen = said.say("ALLIANZ FUNDS")
    assert said.events(chosen) == ["ref_settled", *COMPILED, "clarification_cleared"]
    assert shape(chosen) == (T.T7, M.NONE, Phase.READY)
    assert f'"{ALLIANZ_FUNDS}" ; ALLIANZ FUNDS' in chosen.program
    assert shape(said.say("run it")) == (T.X_RUN, M.CLARIFICATION_REQUIRED, Phase.READY)
    assert shape(said.say("yes")) == (T.T7, M.CONFIRMED, Phase.DONE)
    assert said.say("current cbu").rows == (("ALLIANZ FUNDS",),)


# Which one: a place, a name, what tells it apart.


@pytest.mark.parametrize(
    ("answers", "key"),
    [
        (("2",), ALLIANZ_FUNDS),
        (("the second",), ALLIANZ_FUNDS),
        (("the fourth one",), THEMATICA),
        (("allianz thematica",), THEMATICA),
        ((ALLIANZ_FUNDS,), ALLIANZ_FUNDS),
        (("the Luxembourg one", "Thematica", "the first"), THEMATICA),
        (("the Irish one", "the pension scheme"), IRISH_PENSION),
        (("Ireland", "2"), IRISH_PENSION),
        (
            ("the one managed by Allianz Global Investors Luxembourg", "2"),
            "1cf3e49d-3d47-4ac7-bd3c-f0bb8c1005d7",
        ),
        (("AZPI",), IRISH_PENSION),
        (("второй",), ALLIANZ_FUNDS),
        (("ирландский", "второй"), IRISH_PENSION),
        (("та, что в Ирландии", "пенсионный план"), IRISH_PENSION),
        (("두 번째",), ALLIANZ_FUNDS),
        (("아일랜드", "두 번째"), IRISH_PENSION),
    ],
)
def test_an_answer_settles_it_or_narrows_it(said: Said, answers: Sequence[str], key: str) -> None:
    said.say("show allianz cbu")
    for answer in answers[:-1]:
        narrowed = said.say(answer)
        assert shape(narrowed) == (T.T7, M.CLARIFICATION_REQUIRED, Phase.UNRESOLVED_REFS)
        assert "ref_searched" in said.events(narrowed)
        assert (said.current.text, said.current.ref.search_value) == ("allianz", "allianz")
        assert '"allianz"' in narrowed.program, "what is searched for is never written anew"
        assert len(said.current.matches) == len(narrowed.options)
    chosen = said.say(answers[-1])
    assert shape(chosen) == (T.T7, M.CONFIRMED, Phase.DONE)
    assert key in chosen.program


def test_narrowing_keeps_the_order_and_what_was_said_before(said: Said) -> None:
    said.say("show allianz cbu", "the Luxembourg one")
    first = [match.display for match in said.current.matches]
    assert first == [
        "ALLIANZ FUNDS",
        "ALLIANZ FUNDS II",
        "Allianz Thematica",
        "Allianz Global Fund",
        "Allianz Thematica Plus",
    ]
    again = said.say("Thematica")
    assert list(again.options) == ["Allianz Thematica", "Allianz Thematica Plus"]
    assert said.current.narrowed == ("luxembourg", "thematica")


@pytest.mark.parametrize("words", ["the purple one", "17", "the ninth", "maybe"])
def test_what_fits_no_match_leaves_the_question(said: Said, words: str) -> None:
    said.say("show allianz cbu")
    before = said.resolution
    again = said.say(words)
    assert again.phase is Phase.UNRESOLVED_REFS
    assert said.resolution == before
    assert ALLIANZ_FUNDS in said.say("the second").program


def test_a_name_that_the_search_did_not_find_is_an_answer_too(said: Said) -> None:
    assert "Kestrel Macro" in said.say("show allianz cbu", "Kestrel Macro").program


@pytest.mark.parametrize("words", ["try different search", "search again", "искать снова", "다시 검색"])
def test_another_search_starts_from_nothing(said: Said, words: str) -> None:
    said.say("show allianz cbu", "the Luxembourg one")
    cleared = said.say(words)
    assert shape(cleared) == (T.X_SEARCH, M.CLARIFICATION_REQUIRED, Phase.UNRESOLVED_REFS)
    assert (said.current.text, dict(said.current.filters), said.current.matches) == ("", {}, ())
    assert said.current.narrowed == ()
    found = said.say("meridian")
    assert shape(found) == (T.T7, M.CLARIFICATION_REQUIRED, Phase.UNRESOLVED_REFS)
    assert said.current.text == "meridian"
    assert list(found.options)[:2] == ["Meridian Bond", "Meridian Bonds"]
    assert "; Meridian Bond" in said.say("Meridian Bond").program


def test_the_request_behind_a_question_is_kept_while_its_name_is_searched_for(said: Said) -> None:
    said.say("show allianz cbu")
    before = said.state.frames.clarification
    assert before is not None
    for words in ("the Luxembourg one", "search again", "allianz"):
        said.say(words)
        after = said.state.frames.clarification
        assert after is not None
        assert after.resume_target_frame == before.resume_target_frame, words


# Several references.

TWO: Final = """\
; what we look at
(cbu.show :cbu "allianz" :as @one)
; and what it is held against
(fund.list
  :cbu "meridian"
  :manco "allianz"
)
"""


def statuses(said: Said) -> list[str]:
    return [type(ref.status).__name__ for ref in said.resolution.refs]


def test_each_reference_is_settled_in_its_turn_and_checked_again(said: Said) -> None:
    opened = said.say(TWO)
    assert shape(opened) == (T.X_EDIT, M.CLARIFICATION_REQUIRED, Phase.UNRESOLVED_REFS)
    assert "(1 of 3)" in opened.message
    assert (said.resolution.current_index, statuses(said)) == (0, ["Pending"] * 3)
    second = said.say("ALLIANZ FUNDS")
    assert said.events(second) == ["ref_settled", "refs_unresolved", "clarification_asked"]
    assert "(2 of 3)" in second.message
    assert (said.resolution.current_index, statuses(said)) == (1, ["Resolved", "Pending", "Pending"])
    said.say("Meridian Bond")
    assert said.resolution.current_index == 2
    done = said.say("the second")
    assert shape(done) == (T.T7, M.NONE, Phase.READY)
    assert statuses(said) == ["Resolved"] * 3
    assert "; what we look at" in done.program
    assert "; and what it is held against" in done.program
    assert done.program.count(" ; ") == 3


def test_a_skip_leaves_out_its_statement_and_nothing_else(said: Said) -> None:
    said.say(TWO)
    skipped = said.say("skip")
    assert shape(skipped) == (T.X_SKIP, M.CLARIFICATION_REQUIRED, Phase.UNRESOLVED_REFS)
    assert said.events(skipped) == ["ref_settled", "refs_unresolved", "clarification_asked"]
    assert (said.resolution.left_out, statuses(said)) == ((0,), ["Skipped", "Pending", "Pending"])
    assert said.resolution.message == TWO.strip()
    said.say("Meridian Bond")
    ready = said.say("the first")
    assert shape(ready) == (T.T7, M.NONE, Phase.READY)
    assert "allianz" in ready.message
    assert "cbu.show" not in ready.program
    assert "fund.list" in ready.program
    ran = said.say("run it")
    assert shape(ran) == (T.X_RUN, M.LIMITED, Phase.DONE)
    assert ran.reason_codes == ("left_out",)
    assert said.state.gate is not None
    assert said.state.gate.coverage_status.value == "partial"


def test_every_statement_that_is_left_is_run_and_said(said: Said) -> None:
    said.say('(cbu.show :cbu "allianz")\n(cbu.count :jurisdiction "LU")\n(fund.list :cbu "meridian")')
    said.say("skip", "Meridian Bond")
    ran = said.say("run it")
    assert shape(ran) == (T.X_RUN, M.LIMITED, Phase.DONE)
    assert "16" in ran.message
    assert (ran.route, ran.row_count, ran.reason_codes) == ("fund.list", 1, ("left_out",))


def test_statements_that_stand_by_themselves_are_run_together(said: Said) -> None:
    ran = said.say('(cbu.count :jurisdiction "LU")\n(cbu.count :jurisdiction "DE")', "run it")
    assert shape(ran) == (T.X_RUN, M.CONFIRMED, Phase.DONE)
    assert ("16" in ran.message, ran.rows) == (True, ((4,),))
    assert said.workspace.replay(said.session).state == said.state


def test_a_skip_takes_the_other_names_of_its_statement_with_it(said: Said) -> None:
    said.say('(fund.list :cbu "meridian" :manco "allianz")\n(cbu.count :jurisdiction "lux")')
    assert statuses(said) == ["Pending"] * 3
    after = said.say("skip")
    assert "(2 of 2)" in after.message
    assert said.current.ref.entity_type == "jurisdiction"
    ready = said.say("Luxembourg")
    assert '"LU" ; Luxembourg' in ready.program
    assert (said.say("run it").rows, statuses(said)) == (((16,),), ["Skipped", "Pending", "Resolved"])


def test_what_needs_a_skipped_statement_is_left_out_with_it(said: Said) -> None:
    said.say(
        '(cbu.list :manco "allianz" :as @a)\n'
        '(duckdb.writer :needs [@a] :format "csv" :path "a.csv")\n'
        '(cbu.count :jurisdiction "lux" :as @b)'
    )
    said.say("skip")
    assert said.resolution.left_out == (0, 1)
    ready = said.say("Luxembourg")
    assert "duckdb.writer" not in ready.program
    assert said.say("run it").answer_mode is M.LIMITED


def test_the_last_skip_with_nothing_left_asks_anew(said: Said) -> None:
    said.say(TWO, "skip")
    ended = said.say("skip")
    assert shape(ended) == (T.X_SKIP, M.NONE, Phase.INTENT)
    assert said.state.frames.clarification is None
    assert said.say("list cbus").answer_mode is M.CONFIRMED


# A program written by hand.


def test_an_exact_name_in_a_program_is_bound_at_once(said: Said) -> None:
    edited = said.say('; mine\n(cbu.show :cbu "Allianz Thematica")')
    assert shape(edited) == (T.X_EDIT, M.NONE, Phase.READY)
    assert said.events(edited) == [
        "program_edited",
        "schema_guard_pass",
        "refs_unresolved",
        "ref_settled",
        *COMPILED,
    ]
    assert "; mine" in edited.program
    assert f'"{THEMATICA}" ; Allianz Thematica' in edited.program
    (reference,) = said.resolution.references
    assert reference.bound_by is BoundBy.RULE


@pytest.mark.parametrize("answer", ["the second", "2", "ALLIANZ FUNDS", ALLIANZ_FUNDS])
def test_a_program_written_by_hand_is_settled_by_place_name_or_click(said: Said, answer: str) -> None:
    said.say('(cbu.funds :cbu "allianz") ; of whom?')
    settled = said.say(answer)
    assert shape(settled) == (T.T7, M.NONE, Phase.READY)
    assert "of whom?" in settled.program
    assert said.say("run it").row_count == 3


def test_a_program_in_oml_keeps_its_notation(said: Said) -> None:
    said.say(
        "oml_version: 0.1.0\nname: managed\nsteps:\n"
        "  - id: managed\n    component: cbu.list\n    mode: read\n    config: {manco: kestrel}\n"
    )
    settled = said.say("the first")
    assert shape(settled) == (T.T7, M.NONE, Phase.READY)
    assert "oml_version" in settled.program


# Undo, and what another message does.


def test_undo_goes_out_of_a_resolution_and_into_it(said: Said) -> None:
    said.say("list cbus", "show allianz cbu", "the Luxembourg one")
    narrowed = said.resolution
    said.say("Thematica", "the first")
    assert said.say("undo").phase is Phase.UNRESOLVED_REFS
    undone = said.say("undo")
    assert shape(undone) == (T.X_UNDO, M.NONE, Phase.UNRESOLVED_REFS)
    assert said.resolution == narrowed
    said.say("undo")
    assert said.current.narrowed == ()
    out = said.say("undo")
    assert (out.phase, said.state.program.resolution) == (Phase.READY, None)
    assert "cbu.list" in out.program


def test_another_question_leaves_the_resolution_behind(said: Said) -> None:
    said.say("show allianz cbu")
    other = said.say("how many cbus in Luxembourg")
    assert shape(other) == (T.T1, M.CONFIRMED, Phase.DONE)
    assert (said.state.program.resolution, said.state.frames.clarification) == (None, None)


@pytest.mark.parametrize("words", ["hello", "help"])
def test_talk_and_help_leave_it_open(said: Said, words: str) -> None:
    said.say("show allianz cbu")
    before = said.resolution
    assert said.say(words).phase is Phase.UNRESOLVED_REFS
    assert said.resolution == before


# What is not there.


@pytest.mark.parametrize(
    ("message", "name", "options"),
    [
        ("show Zorblax cbu", "Zorblax", ("create new", "search again")),
        ("open the zorblax fund", "zorblax", ("create new", "search again")),
        ("покажи клиента Зорблакс", "Зорблакс", ("создать новый", "искать снова")),
        ("조르블락스 고객 보여줘", "조르블락스", ("새로 만들기", "다시 검색")),
    ],
)
def test_a_name_that_nothing_has_can_be_created_or_searched_again(
    said: Said, message: str, name: str, options: tuple[str, ...]
) -> None:
    asked = said.say(message)
    assert shape(asked) == (T.T1, M.CLARIFICATION_REQUIRED, Phase.UNRESOLVED_REFS)
    assert (said.current.text, asked.options) == (name, options)
    # A click sends the label, and the label does what it says.
    assert said.say(options[1]).transition is T.X_SEARCH
    assert said.say("undo").phase is Phase.UNRESOLVED_REFS
    assert said.say("1").transition is T.X_CREATE


@pytest.mark.parametrize(
    "message", ["show cbu performance", "show jurisdiction Zorblax", "show Zorblax", "how many Zorblax cbus"]
)
def test_elsewhere_it_is_a_boundary(said: Said, message: str) -> None:
    assert said.say(message).transition is T.T10


ZORBLAX: Final = '(cbu.create :name "Zorblax" :jurisdiction "Luxembourg" :client-type "FUND")'


def test_what_is_created_is_bound_to_the_name_that_waits(said: Said, folder: Path) -> None:
    said.say("show Zorblax cbu")
    created = said.say("create new")
    assert created.transition is T.X_CREATE
    assert "resolution_suspended" in said.events(created)
    waiting = said.state.program.waiting
    assert waiting is not None
    assert waiting.resolution.current is not None
    assert waiting.resolution.current.ref.search_value == "Zorblax"
    said.say(ZORBLAX, "run it")
    done = said.say("yes")
    assert shape(done) == (T.T7, M.CONFIRMED, Phase.DONE)
    assert said.events(done)[-8:] == [
        "resolution_resumed",
        "ref_settled",
        *COMPILED,
        *RAN,
        "clarification_cleared",
    ]
    ((key,),) = rows_of(folder / "funds.sqlite", "SELECT cbu_id FROM cbu WHERE name = 'Zorblax'")
    assert f'(cbu.show :cbu "{key}" ; Zorblax' in " ".join(done.program.split())
    (reference,) = said.resolution.references
    assert (reference.ref.status, reference.bound_by) == (CreatedNew(str(key)), BoundBy.CREATION)
    assert said.say("its funds").answer_mode is M.CONFIRMED


@pytest.mark.parametrize(
    "way_out",
    [("none of these",), (ZORBLAX, "none of these"), (ZORBLAX, "run it", "no"), (ZORBLAX, "cancel")],
)
def test_a_no_leads_back_to_the_resolution(said: Said, folder: Path, way_out: tuple[str, ...]) -> None:
    said.say('(cbu.show :cbu "Zorblax" :as @a)\n(fund.list :cbu "meridian")')
    before = said.resolution
    said.say("create new", *way_out[:-1])
    back = said.say(way_out[-1])
    assert back.answer_mode is M.CLARIFICATION_REQUIRED
    assert (back.phase, said.resolution) == (Phase.UNRESOLVED_REFS, before)
    assert said.state.lifecycle is Lifecycle.OPEN
    assert rows_of(folder / "funds.sqlite", "SELECT COUNT(*) FROM cbu WHERE name = 'Zorblax'") == [(0,)]
    assert "(2 of 2)" in said.say("skip").message


def test_after_what_is_created_the_next_name_is_asked_about(said: Said) -> None:
    said.say('(cbu.show :cbu "Zorblax" :as @a)\n(fund.list :cbu "meridian")', "create new", ZORBLAX, "run it")
    next_one = said.say("yes")
    assert shape(next_one) == (T.T7, M.CLARIFICATION_REQUIRED, Phase.UNRESOLVED_REFS)
    assert "(2 of 2)" in next_one.message
    assert [type(ref.status) for ref in said.resolution.refs] == [CreatedNew, Pending]
    assert said.say("Meridian Bond").phase is Phase.READY


def test_another_question_ends_the_creation_too(said: Said) -> None:
    said.say("show Zorblax cbu", "create new", "list cbus")
    assert said.state.program.waiting is None


# Kinds and names.


@pytest.mark.parametrize(
    ("message", "route"),
    [
        ("CBUs", "cbu.list"),
        ("the clients please", "cbu.list"),
        ("funds", "fund.list"),
        ("management companies", "manco.list"),
        ("клиенты", "cbu.list"),
        ("покажи фонды", "fund.list"),
        ("управляющие компании", "manco.list"),
        ("펀드", "fund.list"),
        ("운용사 보여줘", "manco.list"),
    ],
)
def test_a_kind_alone_asks_for_its_list(said: Said, message: str, route: str) -> None:
    result = said.say(message)
    assert (result.transition, result.route, result.answer_mode) == (T.T1, route, M.CONFIRMED)


@pytest.mark.parametrize(
    ("message", "route", "name"),
    [
        ("open the kestrel fund", "fund.show", "kestrel"),
        ("allianz manager", "manco.show", "allianz"),
        ("details of the kestrel client", "cbu.show", "kestrel"),
        ("покажи фонд allianz", "fund.show", "allianz"),
        ("kestrel 펀드 보여줘", "fund.show", "kestrel"),
    ],
)
def test_the_word_for_its_kind_tells_what_a_name_is(said: Said, message: str, route: str, name: str) -> None:
    asked = said.say(message)
    assert shape(asked) == (T.T1, M.CLARIFICATION_REQUIRED, Phase.UNRESOLVED_REFS)
    assert (asked.route, said.current.ref.search_value) == (route, name)


# Help.


AT: Final[dict[str, tuple[str, ...]]] = {
    "NEW": (),
    "INTENT": ("show allianz cbu", "skip"),
    "INTENT_CLARIFY": ("list cbus", "its funds"),
    "UNRESOLVED_REFS": ("show allianz cbu",),
    "READY": ("(cbu.count)",),
    "DONE": ("list cbus",),
    "SYNTAX_ERROR": ("(cbu.count",),
    "SEMANTIC_ERROR": ("(cbu.count :nope 1)",),
    "DEPENDENCY_ERROR": ("(cbu.count :as @a)\n(cbu.count :as @a)",),
}


@pytest.mark.parametrize("word", ["help", "помощь", "도움말", "Hilfe"])
def test_help_is_another_for_each_phase(workspace: Workspace, word: str) -> None:
    assert set(AT) == {phase.value for phase in AT_REST}
    texts = []
    for phase, messages in AT.items():
        said = Said(workspace)
        for message in messages:
            said.say(message)
        helped = said.say(word)
        assert (helped.transition, helped.phase.value) == (T.X_HELP, phase)
        texts.append(helped.message)
    assert len(set(texts)) == len(texts)


@pytest.mark.parametrize(
    ("messages", "words"),
    [
        ((TWO, "skip"), ("(2 of 3)", "Meridian Bond", "skip", "create new", "search again")),
        (('(cbu.count :jurisdiction "Atlantis")',), ("Atlantis", "skip", "search again")),
        (("(cbu.count :nope 1)",), ("no argument nope",)),
        (("(cbu.count",), ("not closed",)),
        (("(cbu.count)",), ("run it", "edit", "undo")),
        (("(session.clear-cbu)", "run it"), ("Yes", "no")),
        (("show Zorblax cbu", "create new"), ("Zorblax", "none of these")),
    ],
)
def test_help_says_what_can_be_done_there(
    said: Said, messages: tuple[str, ...], words: tuple[str, ...]
) -> None:
    said.say(*messages)
    helped = said.say("help")
    for word in words:
        assert word in helped.message


def test_where_nothing_can_be_created_help_does_not_offer_it(said: Said) -> None:
    said.say('(cbu.count :jurisdiction "Atlantis")')
    assert "create new" not in said.say("help").message


# What always holds.

LONG: Final = (
    TWO,
    "the Luxembourg one",
    "skip",
    "undo",
    "2",
    "search again",
    "kestrel",
    "undo",
    "create new",
    "none of these",
    "the first",
    "skip",
    "show Zorblax cbu",
    "create new",
    ZORBLAX,
    "run it",
    "yes",
)


def test_a_session_folds_to_what_is_stored_of_it(said: Said) -> None:
    for message in LONG:
        said.say(message)
        again = said.workspace.replay(said.session)
        assert again.state == said.state


_KILLED: Final = """
import os, signal, sys
from dragoman import Workspace
from dragoman.session.journal import LiveTurn
folder, session = sys.argv[1:]

def killed(self, *given):
    os.kill(os.getpid(), signal.SIGKILL)

LiveTurn.record = killed
with Workspace.open(folder) as workspace:
    workspace.ask(session, "ALLIANZ FUNDS")
"""


def test_a_kill_while_a_name_is_settled_leaves_the_question(folder: Path) -> None:
    with Workspace.open(folder) as workspace:
        said = Said(workspace)
        said.say("show allianz cbu", "the Luxembourg one")
        before = said.resolution
    worker = [sys.executable, "-c", _KILLED, str(folder), said.session]
    killed = subprocess.run(worker, capture_output=True, check=False, env=dict(os.environ))
    assert killed.returncode == -signal.SIGKILL
    with Workspace.open(folder) as workspace:
        said.workspace = workspace
        assert said.resolution == before
        assert workspace.replay(said.session).state == said.state
        assert ALLIANZ_FUNDS in said.say("ALLIANZ FUNDS").program


def test_what_was_skipped_is_said_to_be(said: Said) -> None:
    said.say(TWO, "skip")
    assert [type(ref.status) for ref in said.resolution.refs] == [Skipped, Pending, Pending]
    assert said.resolution.skipped == ("allianz",)
