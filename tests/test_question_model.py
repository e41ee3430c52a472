"""Conversations with questions pending, in any order, held against what a pending question must be.

It is answered by what fits it, dropped by what goes on elsewhere, and left by everything else; and whatever
happens, a question of its own is answered next.
"""

import tempfile
from pathlib import Path
from typing import Final

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from dragoman.contracts import events as ev
from dragoman.contracts.state import ClarificationState, SessionState
from dragoman.contracts.turn_result import TurnResult
from dragoman.contracts.vocabulary import AnswerMode, ClarificationKind, DropReason, Phase, TransitionClass
from dragoman.workspace import Workspace
from tests import strategies as some

T, M = TransitionClass, AnswerMode
FACTS: Final = (M.CONFIRMED, M.LIMITED)
FOLLOW_UPS: Final = (T.T2, T.T3, T.T4, T.T5, T.T6)
LEAVES: Final = (T.T0, T.T8, T.T9, T.T10, T.X_HELP, T.X_SEARCH)

_whole: Final = st.sampled_from(
    (
        *("stock of Alfa Trade on 31 March 2020", "receivables of Alfa Trade on 30 April 2020"),
        *("sales of Beta Retail in April 2020", "остатки Бета Ритейл на 30 апреля 2020"),
        *("2020년 3월 31일 Alfa Trade 재고", "purchases by supplier of Alfa Trade in February 2020"),
    )
)
_asking: Final = st.sampled_from(
    (
        *("documents", "who supplied it?", "payments", "what did they buy?", "oak desk", "office chair"),
        *("stock", "VAT of Beta Retail", "sales in May 2020", "кто поставщик?", "문서", "save that as csv"),
    )
)
_shifting: Final = st.sampled_from(
    ("and for April?", "what about Beta Retail?", "and VAT?", "purchases", "а на конец мая?", "4월은?")
)
_answering: Final = st.sampled_from(
    (
        *("1", "2", "the second one", "the last one", "the ninth one", "второй", "두 번째", "yes", "no"),
        *("Alfa Trade", "Beta", "31 March 2020", "Oak desk 120", "Horizon", "Lesprom", "Gamma Holding"),
    )
)
_stray: Final = st.sampled_from(
    (
        *("what is neo4j", "who was Ada Lovelace?", "what are their first names", "flurb", "delete it"),
        *("hello", "help", "is that a lot?", "what did we talk about?", "what data do you have?", "why?"),
        *("search again", "create new", "run it"),
    )
)
_leaving: Final = st.sampled_from(("undo", "start over", "none of these", "skip", "отмени", "(sales.total)"))


class Questions(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self._folder = tempfile.TemporaryDirectory()
        self.workspace = Workspace.open(self._folder.name)
        self.allowed = 0

    def teardown(self) -> None:
        self.workspace.close()
        self._folder.cleanup()

    @initialize(first=_whole)
    def open(self, first: str) -> None:
        self.session = self.workspace.new_session()
        self._take(first)

    @rule(text=_whole)
    def ask_by_itself(self, text: str) -> None:
        """Whatever went before, it is answered, and no question is left."""
        result, after = self._take(text)
        assert (result.transition, result.answer_mode) == (T.T1, M.CONFIRMED)
        assert (after.frames.clarification, after.program.phase) == (None, Phase.DONE)

    @rule(text=_asking)
    def ask_for_something_with_a_question(self, text: str) -> None:
        self._take(text)

    @rule(text=_shifting)
    def follow_up(self, text: str) -> None:
        self._take(text)

    @precondition(lambda self: self._pending() is not None)
    @rule(text=_answering)
    def answer(self, text: str) -> None:
        self._take(text)

    @rule(text=_stray)
    def say_something_else(self, text: str) -> None:
        self._take(text)

    @rule(text=_leaving)
    def leave(self, text: str) -> None:
        self._take(text)

    def _pending(self) -> ClarificationState | None:
        return self.workspace.state(self.session).frames.clarification

    def _take(self, text: str) -> tuple[TurnResult, SessionState]:
        before = self.workspace.state(self.session)
        result = self.workspace.ask(self.session, text)
        after = self.workspace.state(self.session)
        self._treats_the_question(result, before, after)
        self._writes_only_after_its_yes(result, before)
        assert self.workspace.replay(self.session).state == after
        return result, after

    def _treats_the_question(self, result: TurnResult, before: SessionState, after: SessionState) -> None:
        pending, left = before.frames.clarification, after.frames.clarification
        events = self.workspace.turn_events(self.session, result.turn)
        dropped = [event for event in events if isinstance(event, ev.QuestionDropped)]
        assert result.transition is not T.T7 or pending is not None
        assert all(event.question == pending for event in dropped)
        if result.answer_mode in FACTS and result.transition not in LEAVES:
            assert left is None, "an answer leaves no question"
        if pending is None:
            assert dropped == []
            return
        if result.transition in LEAVES:
            assert left is not None
            assert _what_waits(left) == _what_waits(pending)
            # A new search puts the options of the old one aside. Everything else keeps them.
            assert left == pending or result.transition is T.X_SEARCH
            assert dropped == []
        if result.transition is T.T10:
            assert _asks(result), "a refusal shows what is still open"
        if result.answer_mode in FACTS and result.transition is T.T1:
            assert [event.why for event in dropped] == [DropReason.SELF_CONTAINED]
        if result.answer_mode in FACTS and result.transition in FOLLOW_UPS:
            assert [event.why for event in dropped] == [DropReason.FOLLOW_UP]
        if dropped:
            assert left != pending or result.transition is T.X_EXTEND
            assert any(said in result.message for said in ("I drop", "снимаю", "거둡니다"))

    def _writes_only_after_its_yes(self, result: TurnResult, before: SessionState) -> None:
        pending = before.frames.clarification
        confirmed = (
            pending is not None
            and pending.clarification_kind is ClarificationKind.CONFIRM_RUN
            and result.transition is T.T7
            and result.answer_mode is M.CONFIRMED
        )
        self.allowed += confirmed
        found = sum(1 for path in Path(self._folder.name).glob("*.csv") if path.is_file())
        assert found <= self.allowed, "nothing is written without its yes"


def _what_waits(question: ClarificationState) -> tuple[object, ...]:
    return question.missing_anchors, question.resume_target_route, question.resume_target_frame


def _asks(result: TurnResult) -> bool:
    return any(said in result.message for said in ("?", "Yes or no", "까", "니까"))


TestQuestions = pytest.mark.timeout(1800)(Questions.TestCase)
TestQuestions.settings = settings(some.examples(0.1), stateful_step_count=25)
