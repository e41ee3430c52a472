"""Conversations in any order, with a real workspace, held against a small model of what a session must be.

The model keeps its own undo stack and its own books; after every step the session is replayed from its
records.
"""

import datetime as dt
import tempfile
from decimal import Decimal
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from msgspec.structs import replace

from dragoman.catalog.catalog import Catalog
from dragoman.catalog.homes import demo_home
from dragoman.contracts.answer import PREVIEW_ROWS, CellType
from dragoman.contracts.errors import (
    IdempotencyKeyReused,
    InputRefused,
    SessionCancelled,
    SessionClosed,
    SessionConflict,
    TurnNotFound,
)
from dragoman.contracts.program import Text
from dragoman.contracts.stages import StagesRegion
from dragoman.contracts.state import (
    MAX_ANSWERS,
    MAX_HISTORY,
    ClarificationState,
    DateScope,
    FramesRegion,
    ReportsRegion,
    SessionState,
    TurnRegion,
)
from dragoman.contracts.turn_result import TurnResult
from dragoman.contracts.vocabulary import (
    AnswerMode,
    CarryoverDepth,
    FrameStatus,
    Lifecycle,
    LivingMode,
    Phase,
    Signal,
    TransitionClass,
)
from dragoman.guards.report import check_report, report_text
from dragoman.planning.contract import Request
from dragoman.planning.packs.relation import relate
from dragoman.planning.packs.root_request import make_request
from dragoman.reading.message import Reader
from dragoman.session.codec import encode_state
from dragoman.session.continuity import resolve
from dragoman.session.registry import BY_CLASS
from dragoman.session.routing import route
from dragoman.workspace import Workspace
from tests import strategies as some
from tests.test_trade import Books

T = TransitionClass
FACTS: Final = (AnswerMode.CONFIRMED, AnswerMode.LIMITED)
ROOTS: Final = (T.T1, T.T2, T.T6, T.T7)


# What may be said.


class Said(NamedTuple):
    """A message of parts, and what each part means."""

    text: str
    verb: str | None
    organization: str | None
    dates: DateScope | None
    warehouse: str | None


def _scope(start: str, end: str) -> DateScope:
    return DateScope(dt.date.fromisoformat(start), dt.date.fromisoformat(end))


_VERBS: Final = (
    ("stock", "inventory.stock"),
    ("show me the stock levels", "inventory.stock"),
    ("receivables", "settlements.receivables"),
    ("payables", "settlements.payables"),
    ("total sales", "sales.total"),
    ("sales by customer", "sales.by-customer"),
    ("purchases", "purchases.total"),
    ("purchases by supplier", "purchases.by-supplier"),
    ("VAT payable", "vat.payable"),
)
_ORGANIZATIONS: Final = (
    ("of Alfa Trade", "Alfa Trade"),
    ("for Alfa", "Alfa Trade"),
    ("what about Beta Retail?", "Beta Retail"),
    ("Beta", "Beta Retail"),
)
_DATES: Final = (
    ("on 31 March 2020", _scope("2020-03-01", "2020-03-31")),
    ("in April 2020", _scope("2020-04-01", "2020-04-30")),
    ("2020-05-31", _scope("2020-05-01", "2020-05-31")),
    ("Q2 2020", _scope("2020-04-01", "2020-06-30")),
    ("in May 2021", _scope("2021-05-01", "2021-05-31")),
    ("and for April?", None),
    ("15 May", None),
    ("Q1", None),
    ("29 February", None),
)
_WAREHOUSES: Final = (("only the Main warehouse", "Main"), ("in North", "North"), ("Central", "Central"))

_NOTHING: Final = ("", None)


@st.composite
def _sentences(draw: st.DrawFn) -> Said:
    """Any of the parts, any of them left out, in any order."""
    parts = [
        draw(st.sampled_from((_NOTHING, *_VERBS))),
        draw(st.sampled_from((_NOTHING, *_ORGANIZATIONS))),
        draw(st.sampled_from((_NOTHING, *_DATES))),
        draw(st.sampled_from((_NOTHING, _NOTHING, _NOTHING, *_WAREHOUSES))),
    ]
    words = [text for text, _ in draw(st.permutations(parts)) if text]
    verb, organization, dates, warehouse = (meaning for _, meaning in parts)
    return Said(" ".join(words) or "the same", verb, organization, dates, warehouse)  # type: ignore[arg-type]


_questions: Final = st.builds(
    lambda verb, organization, date: Said(
        f"{verb[0]} of {organization} {date[0]}", verb[1], organization, date[1], None
    ),
    st.sampled_from(_VERBS),
    st.sampled_from(("Alfa Trade", "Beta Retail")),
    st.sampled_from(_DATES[:5]),
)

_words: Final = st.sampled_from(
    (
        *("clear", "start over", "help", "what can I do?", "hello", "which companies", "run it", "skip"),
        *("let's work with Alfa Trade", "switch to Beta", "work with nobody", "what data do you have?"),
    )
)
_nonsense: Final = st.sampled_from(
    (
        *("flurb", "?!", "42", "stock of Gamma on 31 March 2020", "какая зарплата?", "급여"),
        *("stock and sales of Alfa Trade in April 2020", "stock of Alfa and Beta on 31 March 2020"),
        *(
            "stock of Alfa Trade on 31 April 2020",
            "VAT of Beta in March 2020 or April 2020",
            "delete that invoice",
        ),
    )
)
_refusable: Final = st.sampled_from(("", "  \n", "a\x00b", b"\xff\xfe", "x" * 20_001, "\ud800"))


# The model.


class Memory(NamedTuple):
    """What a turn found, as far as undo must bring it back."""

    program: tuple[object, ...]
    frames: FramesRegion


def _memory(state: SessionState) -> Memory:
    frames = state.frames
    root = frames.root and replace(frames.root, frame_status=FrameStatus.ACTIVE)
    selected = frames.selected_object and replace(frames.selected_object, frame_status=FrameStatus.ACTIVE)
    program = state.program
    return Memory(
        (program.notation, program.source, program.ast, program.plan, program.edited_by_user),
        replace(frames, root=root, selected_object=selected, default_scope=(), default_scope_turn=0),
    )


def _in_hand(state: SessionState) -> tuple[object, ...]:
    """Program and frames, without the history that a checkpoint adds to."""
    return replace(state.program, history=()), replace(state.frames, default_scope=(), default_scope_turn=0)


def _but_for_the_turn(state: SessionState, **changes: Any) -> SessionState:
    """The state without what belongs to every turn: its own record and its report."""
    return replace(
        state, turn=TurnRegion(), reports=ReportsRegion(), stages=StagesRegion(), version=0, **changes
    )


def _bytes(state: SessionState) -> tuple[bytes, bytes]:
    return msgspec.json.encode(state.program), msgspec.json.encode(state.frames)


class Conversation(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self._folder = tempfile.TemporaryDirectory()
        self.workspace = Workspace.open(self._folder.name)
        self.ended: type[Exception] | None = None
        self.stack: list[Memory] = []
        self.results: list[TurnResult] = []
        self.keys: dict[str, tuple[str, TurnResult]] = {}

    def teardown(self) -> None:
        self.workspace.close()
        self._folder.cleanup()

    @initialize()
    def open(self) -> None:
        self.session = self.workspace.new_session(owner="ann", title="a talk")
        self.workspace.ask(self.workspace.new_session(), "stock of Alfa Trade on 31 March 2020")
        self.books = Books(Path(self._folder.name) / ".dragoman" / "demo" / "trade.sqlite")

    # Turns.

    @precondition(lambda self: self.ended is None)
    @rule(said=_questions)
    def ask(self, said: Said) -> None:
        result, after = self._take(said.text)
        assert result.entry_transition is T.T1, "a self-contained question is a T1, whatever went before"
        self._speaks_of(said, result, after)

    @precondition(lambda self: self.ended is None)
    @rule(said=_sentences())
    def follow_up(self, said: Said) -> None:
        result, after = self._take(said.text)
        self._speaks_of(said, result, after)

    @precondition(lambda self: self.ended is None)
    @rule(verb=st.sampled_from(_VERBS), rest=st.sampled_from((*_ORGANIZATIONS[:2], *_DATES[:4], _NOTHING)))
    def ask_half_a_question(self, verb: tuple[str, str], rest: tuple[str, object]) -> None:
        """With a root in hand the rest is carried; without one it is asked for."""
        root = self.workspace.state(self.session).frames.root
        pending = self._pending()
        result, _ = self._take(f"{verb[0]} {rest[0]}")
        if root is None and pending is None and not self._has_a_scope():
            assert (result.transition, result.route) == (T.T1, verb[1])
            assert result.answer_mode is AnswerMode.CLARIFICATION_REQUIRED
        elif root is not None and pending is None:
            assert result.entry_transition in (T.T1, T.T2, T.T6)
            assert result.route == verb[1]

    @precondition(lambda self: self.ended is None and self._follows_up())
    @rule(
        shifts=st.lists(st.sampled_from((*_DATES[:4], *_DATES[5:], *_ORGANIZATIONS)), min_size=1, max_size=6)
    )
    def shift(self, shifts: list[tuple[str, str | DateScope | None]]) -> None:
        for text, meaning in shifts:
            route = self._root_route()
            result, after = self._take(text)
            name, dates = (meaning, None) if isinstance(meaning, str) else (None, meaning)
            self._speaks_of(Said(text, None, name, dates, None), result, after)
            assert result.entry_transition is T.T2
            assert result.carryover in (CarryoverDepth.ROOT_ONLY, CarryoverDepth.NONE)
            assert result.route == route

    @precondition(lambda self: self.ended is None and self._phase() is Phase.READY)
    @rule()
    def run(self) -> None:
        before = self.workspace.state(self.session)
        result, after = self._take("run it")
        assert result.transition is T.X_RUN
        assert after.program.source == before.program.source
        assert after.program.phase is Phase.DONE

    @precondition(lambda self: self.ended is None)
    @rule(text=_words)
    def say(self, text: str) -> None:
        self._take(text)

    @precondition(lambda self: self.ended is None)
    @rule(text=_nonsense)
    def mumble(self, text: str) -> None:
        pending = self._pending()
        result, _ = self._take(text)
        if pending is None:
            assert result.transition is T.T10
            assert result.rows == ()

    @precondition(lambda self: self.ended is None)
    @rule(text=st.sampled_from(("undo", "go back", "please take that back")))
    def undo(self, text: str) -> None:
        expected = T.X_UNDO if self.stack else T.T10
        result, _ = self._take(text)
        assert result.transition is expected

    @precondition(lambda self: self.ended is None)
    @rule()
    def none_of_these(self) -> None:
        pending = self._pending()
        result, after = self._take("none of these")
        assert result.transition is (T.X_NONE if pending else T.T10)
        assert after.frames.clarification is None

    @precondition(lambda self: self.ended is None and self._pending() is not None)
    @rule(organization=st.sampled_from(_ORGANIZATIONS), date=st.sampled_from(_DATES))
    def answer_the_question(self, organization: tuple[str, str], date: tuple[str, DateScope | None]) -> None:
        """What the question is about, and all that goes with it, is resumed or asked for again."""
        pending = self._pending()
        assert pending is not None
        missing = pending.missing_anchors[0]
        name, dates = (organization[1], None) if missing == "organization" else (None, date[1])
        text = organization[0] if missing == "organization" else date[0]
        result, after = self._take(text)
        assert result.entry_transition is T.T7
        assert result.route == pending.resume_target_route
        self._speaks_of(Said(text, None, name, dates, None), result, after)
        if result.transition is T.T7 and result.answer_mode is AnswerMode.CLARIFICATION_REQUIRED:
            still = after.frames.clarification
            assert still is not None
            assert set(still.missing_anchors) <= set(pending.missing_anchors)

    @precondition(lambda self: self.ended is None)
    @rule(said=_questions, key=st.sampled_from("abcd"))
    def ask_with_a_key(self, said: Said, key: str) -> None:
        if key in self.keys:
            self._refused(IdempotencyKeyReused, said.text + " please", client_key=key)
        else:
            result, _ = self._take(said.text, client_key=key)
            self.keys[key] = (said.text, result)

    @precondition(lambda self: self.keys)
    @rule(data=st.data())
    def ask_again_with_the_same_key(self, data: st.DataObject) -> None:
        """Also of a session that has ended: a repetition asks for nothing new."""
        key = data.draw(st.sampled_from(sorted(self.keys)))
        text, first = self.keys[key]
        before = encode_state(self.workspace.state(self.session))
        again = self.workspace.ask(self.session, text, client_key=key)
        assert again == replace(first, repeated=True)
        assert encode_state(self.workspace.state(self.session)) == before

    @precondition(lambda self: self.ended is None)
    @rule(message=_refusable)
    def say_what_cannot_be_taken(self, message: str | bytes) -> None:
        self._refused(InputRefused, message)

    @precondition(lambda self: self.ended is None and self.results)
    @rule(behind=st.integers(1, 3))
    def ask_upon_an_older_version(self, behind: int) -> None:
        self._refused(SessionConflict, "help", expected_version=len(self.results) - behind)

    # Ends.

    @precondition(lambda self: self.ended is None and len(self.results) > 12)
    @rule()
    def cancel(self) -> None:
        result, after = self._take("cancel")
        assert (result.transition, after.lifecycle) == (T.X_CANCEL, Lifecycle.CANCELLED)
        self.ended = SessionCancelled

    @precondition(lambda self: self.ended is None and len(self.results) > 12)
    @rule()
    def close(self) -> None:
        before = self.workspace.state(self.session)
        self.workspace.close_session(self.session)
        after = self.workspace.state(self.session)
        assert after == replace(before, version=before.version + 1, lifecycle=Lifecycle.CLOSED)
        self.ended = SessionClosed

    @precondition(lambda self: self.ended is not None)
    @rule(said=_questions | _sentences())
    def ask_after_the_end(self, said: Said) -> None:
        assert self.ended is not None
        self._refused(self.ended, said.text)

    @precondition(lambda self: self.results)
    @rule(data=st.data())
    def look_back(self, data: st.DataObject) -> None:
        number = data.draw(st.integers(1, len(self.results)))
        assert self.workspace.turn_result(self.session, number) == self.results[number - 1]
        with pytest.raises(TurnNotFound):
            self.workspace.turn_result(self.session, len(self.results) + 2)

    @rule()
    def come_back_tomorrow(self) -> None:
        """Another process: nothing but the records is left."""
        before = encode_state(self.workspace.state(self.session))
        self.workspace.close()
        self.workspace = Workspace.open(self._folder.name)
        assert encode_state(self.workspace.state(self.session)) == before

    # After every step.

    @invariant()
    def the_session_is_what_its_records_fold_to(self) -> None:
        replayed = self.workspace.replay(self.session)
        state = self.workspace.state(self.session)
        assert encode_state(replayed.state) == encode_state(state)
        closed = self.ended is SessionClosed
        assert state.version == len(self.results) + closed
        assert replayed.records == state.version + 1
        head = self.workspace.session(self.session)
        assert (head.version, head.lifecycle, head.slot) == (state.version, state.lifecycle, None)

    @invariant()
    def the_aggregate_is_whole(self) -> None:
        state = self.workspace.state(self.session)
        frames, program = state.frames, state.program
        assert len(state.answers.items) <= MAX_ANSWERS
        assert len(program.history) == len(self.stack) <= MAX_HISTORY
        assert all(len(answer.rows) <= PREVIEW_ROWS for answer in state.answers.items)
        assert program.phase in (Phase.NEW, Phase.INTENT, Phase.INTENT_CLARIFY, Phase.READY, Phase.DONE)
        assert (program.phase is Phase.INTENT_CLARIFY) <= (frames.clarification is not None)
        assert bool(program.source) is bool(program.ast)
        assert (program.phase in (Phase.READY, Phase.DONE)) <= (program.plan is not None)
        assert frames.selected_object is None
        assert frames.meta is None
        assert frames.root is None or frames.root.frame_status is not FrameStatus.SUSPENDED
        assert state.owner == "ann"
        refs = [answer.ref for answer in state.answers.items]
        assert len(set(refs)) == len(refs)

    # What a turn must be.

    def _pending(self) -> ClarificationState | None:
        return self.workspace.state(self.session).frames.clarification

    def _phase(self) -> Phase:
        return self.workspace.state(self.session).program.phase

    def _has_a_scope(self) -> bool:
        return bool(self.workspace.state(self.session).frames.default_scope)

    def _root_route(self) -> str:
        root = self.workspace.state(self.session).frames.root
        assert root is not None
        return root.root_route_id

    def _follows_up(self) -> bool:
        frames = self.workspace.state(self.session).frames
        return frames.root is not None and frames.clarification is None

    def _take(self, text: str, **options: Any) -> tuple[TurnResult, SessionState]:
        before = self.workspace.state(self.session)
        result = self.workspace.ask(self.session, text, **options)
        after = self.workspace.state(self.session)
        self.results.append(result)
        assert result.turn == after.version == before.version + 1
        assert not result.repeated
        self._is_lawful(result, before, after)
        self._is_reported(after)
        self._is_remembered(result, before, after)
        self._has_its_mode(result, after)
        if result.answer_mode in FACTS:
            self._is_in_the_books(result, after)
        else:
            assert (result.rows, result.row_count) == ((), 0)
        return result, after

    def _refused(self, error: type[Exception], message: str | bytes, **options: Any) -> None:
        before = encode_state(self.workspace.state(self.session))
        with pytest.raises(error):
            self.workspace.ask(self.session, message, **options)
        assert encode_state(self.workspace.state(self.session)) == before

    def _is_lawful(self, result: TurnResult, before: SessionState, after: SessionState) -> None:
        assert result.transition is not None
        assert result.answer_mode in BY_CLASS[result.transition].expected_answer_modes
        assert result.transition in (result.entry_transition, T.T10)
        match result.transition:
            case T.T10:
                assert _bytes(before) == _bytes(after)
                same = _but_for_the_turn(before, answers=after.answers, gate=after.gate)
                assert same == _but_for_the_turn(after)
                assert result.carryover is CarryoverDepth.NONE
                assert result.reason_codes
            case T.T0:
                scoped = replace(
                    before.frames,
                    default_scope=after.frames.default_scope,
                    default_scope_turn=after.frames.default_scope_turn,
                )
                assert _but_for_the_turn(before, frames=scoped) == _but_for_the_turn(after)
            case T.T1 | T.T2 | T.T6 | T.T7 if result.answer_mode in FACTS:
                assert after.frames.clarification is None, "an answer leaves no question"
            case T.X_HELP:
                assert _bytes(before) == _bytes(after)
                assert _but_for_the_turn(before) == _but_for_the_turn(after)
            case T.X_CLEAR:
                assert after.answers.items == before.answers.items
                assert after.program.source == ""
                frames = before.frames
                assert after.frames == FramesRegion(
                    default_scope=frames.default_scope, default_scope_turn=frames.default_scope_turn
                )
            case T.X_CANCEL:
                cancelled = _but_for_the_turn(before, lifecycle=Lifecycle.CANCELLED)
                assert cancelled == _but_for_the_turn(after)

    def _is_reported(self, after: SessionState) -> None:
        """Every turn leaves a report that its guard accepts without a warning."""
        record = after.reports.last
        assert record is not None
        assert f"turn {after.version}: " in report_text(record.report)
        verdict = check_report(report_text(record.report), strict_warnings=True, kind="turn")
        assert (verdict.code, record.code, record.accepted) == (None, None, True)

    def _is_remembered(self, result: TurnResult, before: SessionState, after: SessionState) -> None:
        """The undo stack: what changed program or frames is put on it, undo takes it off."""
        if result.transition is T.X_UNDO:
            found = self.stack.pop()
            assert _memory(after) == found
            assert after.program.phase is not Phase.DONE, "a restored program has not been run"
        elif _in_hand(before) != _in_hand(after):
            self.stack = [*self.stack, _memory(before)][-MAX_HISTORY:]

    def _has_its_mode(self, result: TurnResult, after: SessionState) -> None:
        assert result.mode is _expected_mode(result, after)

    def _speaks_of(self, said: Said, result: TurnResult, after: SessionState) -> None:
        """A fact is about what was named; what nothing covers is never a fact."""
        if result.answer_mode not in FACTS or result.transition not in ROOTS:
            return
        root, (statement,) = after.frames.root, after.program.ast
        assert root is not None
        assert root.organization_scope is not None
        assert said.organization in (None, root.organization_scope.name)
        assert said.dates in (None, root.date_scope)
        assert result.route == root.root_route_id == statement.verb
        assert said.verb in (None, statement.verb)
        warehouses = [a.display for a in statement.arguments if a.name == "warehouse"]
        assert said.warehouse in (None, *warehouses)

    def _is_in_the_books(self, result: TurnResult, after: SessionState) -> None:
        """Every figure, whatever road led to it, is the one in the raw tables."""
        (statement,) = after.answers.items[-1].program
        keys = {a.name: int(a.value.value) for a in statement.arguments if isinstance(a.value, Text)}
        root = after.frames.root
        assert root is not None
        assert root.date_scope is not None
        expected = self.books.answer(
            statement.verb, keys["organization"], root.date_scope, keys.get("warehouse")
        )
        types = [column.type for column in result.columns]
        assert [
            tuple(
                Decimal(str(cell)) if kind is CellType.DECIMAL else cell
                for cell, kind in zip(row, types, strict=True)
            )
            for row in result.rows
        ] == expected


def _expected_mode(result: TurnResult, after: SessionState) -> LivingMode:
    if result.answer_mode is AnswerMode.CLARIFICATION_REQUIRED:
        return LivingMode.CLARIFICATION
    match result.transition:
        case T.T0:
            assert after.turn.reason is not None
            scope = {Signal.DATA_SCOPE, Signal.SCOPE_CHOICE} & set(after.turn.reason.signals)
            return LivingMode.ASSISTANT_DATA_SCOPE if scope else LivingMode.CHAT
        case T.X_CLEAR:
            return LivingMode.CHAT
        case T.X_HELP:
            return LivingMode.CLARIFICATION if after.frames.clarification else LivingMode.CHAT
        case T.T8:
            return LivingMode.META_FOLLOWUP
        case _:
            return LivingMode.ADDRESS_DATA


TestConversation = pytest.mark.timeout(1800)(Conversation.TestCase)
TestConversation.settings = settings(some.examples(0.25), stateful_step_count=40)


# One conversation at a time.


@pytest.fixture
def workspace(tmp_path: Path) -> Any:
    with Workspace.open(tmp_path) as workspace:
        yield workspace


def _talk(workspace: Workspace, *messages: str) -> TurnResult:
    session = workspace.new_session()
    for message in messages[:-1]:
        workspace.ask(session, message)
    return workspace.ask(session, messages[-1])


def test_undo_reaches_twenty_turns_back_and_no_further(workspace: Workspace) -> None:
    session = workspace.new_session()
    months = ("January", "February", "March", "April", "May", "June")
    programs = [
        workspace.ask(session, f"stock of Alfa Trade in {months[turn % 6]} 2020").program
        for turn in range(25)
    ]
    for back in range(1, 21):
        assert workspace.ask(session, "undo").program == programs[-1 - back]
    refused = workspace.ask(session, "undo")
    assert (refused.transition, refused.reason_codes) == (T.T10, ("lacks_history",))
    assert workspace.state(session).program.source == programs[4]


def test_undo_may_be_undone_by_asking_again(workspace: Workspace) -> None:
    session = workspace.new_session()
    first = workspace.ask(session, "stock of Alfa Trade on 31 March 2020")
    second = workspace.ask(session, "and for April?")
    assert workspace.ask(session, "undo").program == first.program
    again = workspace.ask(session, "and for April?")
    assert (again.program, again.rows) == (second.program, second.rows)


def test_a_filter_goes_with_its_organization(workspace: Workspace) -> None:
    session = workspace.new_session()
    workspace.ask(session, "stock of Alfa Trade on 31 March 2020")
    narrowed = workspace.ask(session, "only the Main warehouse")
    assert ':warehouse "1" ; Main' in narrowed.program
    assert ':warehouse "1" ; Main' in workspace.ask(session, "and for April?").program
    assert ":warehouse" not in workspace.ask(session, "what about Beta Retail?").program


def test_a_self_contained_question_leaves_the_pending_one(workspace: Workspace) -> None:
    result = _talk(workspace, "stock", "VAT of Beta Retail in March 2020")
    assert (result.transition, result.route) == (T.T1, "vat.payable")


def test_small_talk_and_help_leave_the_pending_question(workspace: Workspace) -> None:
    result = _talk(workspace, "stock of Alfa Trade", "hello", "help", "which companies", "31 March 2020")
    assert (result.transition, result.route, result.row_count) == (T.T7, "inventory.stock", 7)


def test_another_request_is_not_answered_as_the_pending_one(workspace: Workspace) -> None:
    result = _talk(workspace, "stock", "VAT of Alfa Trade", "March 2020")
    assert result.route == "vat.payable"


def test_an_answer_with_words_that_nothing_covers_is_asked_for_again(workspace: Workspace) -> None:
    result = _talk(workspace, "stock on 31 March 2020", "anything but Alfa Trade")
    assert result.answer_mode is AnswerMode.CLARIFICATION_REQUIRED


def test_a_warehouse_of_another_organization_is_refused_after_a_question_too(workspace: Workspace) -> None:
    result = _talk(workspace, "stock in Central on 31 March 2020", "Alfa Trade")
    assert result.transition is T.T10


def test_two_warehouses_are_not_all_of_them(workspace: Workspace) -> None:
    result = _talk(workspace, "stock of Alfa Trade in Main and North on 31 March 2020")
    assert result.answer_mode not in FACTS


def test_a_follow_up_carries_from_the_last_slice_that_undo_reaches(workspace: Workspace) -> None:
    shifts = ("and for April?", "and for May?") * 10
    result = _talk(
        workspace, "stock of Alfa Trade on 31 March 2020", *shifts, *["undo"] * 20, "and for February?"
    )
    assert (result.carryover, result.answer_mode) == (CarryoverDepth.ROOT_ONLY, AnswerMode.CONFIRMED)


def test_a_follow_up_of_the_year_zero_is_refused(workspace: Workspace) -> None:
    result = _talk(workspace, "stock of Alfa Trade on 31 March 2020", "and on 0000-04-30?")
    assert result.transition is T.T10


def test_no_question_is_open_after_none_of_these(workspace: Workspace) -> None:
    result = _talk(workspace, "stock", "none of these")
    assert result.transition is T.X_NONE
    assert result.phase is Phase.INTENT


def test_a_question_that_was_dropped_comes_back_with_undo(workspace: Workspace) -> None:
    result = _talk(workspace, "stock", "none of these", "undo")
    assert result.phase is Phase.INTENT_CLARIFY


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("please start over", T.X_CLEAR),
        ("no, take that back", T.X_UNDO),
        ("what can I do now?", T.X_HELP),
        ("and how are you?", T.T0),
    ],
)
def test_an_escape_may_be_wrapped_in_words_that_carry_nothing(
    workspace: Workspace, text: str, expected: TransitionClass
) -> None:
    assert _talk(workspace, "stock of Alfa Trade on 31 March 2020", text).transition is expected


def test_a_refusal_does_not_keep_a_restored_slice_from_being_carried(workspace: Workspace) -> None:
    shifts = ("and for April?", "and for May?") * 10
    question, follow_up = "stock of Alfa Trade on 31 March 2020", "and for February?"
    result = _talk(workspace, question, *shifts, *["undo"] * 20, "flurb", follow_up)
    assert (result.carryover, result.answer_mode) == (CarryoverDepth.ROOT_ONLY, AnswerMode.CONFIRMED)


@pytest.mark.parametrize("text", ["how do I cancel?", "is that clear?", "can I undo this?"])
def test_a_question_about_an_escape_is_not_the_escape(workspace: Workspace, text: str) -> None:
    result = _talk(workspace, "stock of Alfa Trade on 31 March 2020", text)
    assert result.transition not in (T.X_CANCEL, T.X_CLEAR, T.X_UNDO)


def test_a_leap_day_of_a_common_year_is_not_answered_for_another_day(
    workspace: Workspace, tmp_path: Path
) -> None:
    session = workspace.new_session()
    workspace.ask(session, "stock of Alfa Trade on 31 March 2020")
    catalog = Catalog(demo_home(tmp_path)).load()
    in_hand = replace(resolve(workspace.state(session)), date=_scope("2021-03-01", "2021-03-31"))
    reading, today = Reader(catalog).read("and on 29 February?"), dt.date(2021, 7, 1)
    routing = route(relate(reading, in_hand, catalog, today), in_hand)
    assert not isinstance(make_request(reading, in_hand, routing, catalog, today), Request)
