"""What a transition must not do, one check for each prohibition. A check answers with the fault, or None."""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from dragoman.contracts import events as ev
from dragoman.contracts.answer import AnswerObject
from dragoman.contracts.state import MAX_HISTORY, READING, SessionState
from dragoman.contracts.vocabulary import (
    AnswerMode,
    DropReason,
    Forbidden,
    Origin,
    TransitionClass,
    TruthMode,
)

UNKNOWN_REQUEST = "unknown_request"
"""The reason code of a refusal that understood nothing."""

_STRENGTH = {
    AnswerMode.UNSUPPORTED: 0,
    AnswerMode.NONE: 0,
    AnswerMode.CLARIFICATION_REQUIRED: 1,
    AnswerMode.LIMITED: 2,
    AnswerMode.CONFIRMED: 3,
}


_E = TypeVar("_E", bound=ev.Event)


class TurnProposal:
    """A turn as it would be recorded: the state it found, its events, the state it would leave."""

    def __init__(
        self,
        before: SessionState,
        events: Sequence[ev.SessionEvent],
        after: SessionState,
        outcome: TransitionClass,
        answer_mode: AnswerMode,
    ) -> None:
        self.before = before
        self.after = after
        self.outcome = outcome
        self.answer_mode = answer_mode
        # By kind, the first of each: the checks ask for many kinds, and most turns lack most of them.
        self._first: dict[type[ev.Event], ev.Event] = {type(event): event for event in reversed(events)}
        self.taught = tuple([event.word for event in events if isinstance(event, ev.WordTaught)])
        intent = self.first(ev.IntentCaptured)
        self.origins = frozenset([b.origin for b in intent.bindings]) if intent else frozenset()

    def first(self, kind: type[_E]) -> _E | None:
        event = self._first.get(kind)
        return event if isinstance(event, kind) else None

    def has(self, kind: type[ev.Event]) -> bool:
        return kind in self._first

    def answer(self) -> AnswerObject | None:
        given = self.first(ev.AnswerGiven)
        return given.answer if given else None


def _run_route(turn: TurnProposal) -> str | None:
    return "it ran a route" if turn.has(ev.RunStarted) else None


def _stale_focus(turn: TurnProposal) -> str | None:
    if Origin.OBJECT_FRAME in turn.origins:
        return "an argument came from the object selected before"
    if turn.outcome is TransitionClass.T10 or turn.answer_mode is AnswerMode.CLARIFICATION_REQUIRED:
        return None
    stale = turn.after.frames.selected_object is not None and not turn.has(ev.ObjectFrameSet)
    return "the object selected before is still in focus" if stale else None


def _stale_scope(turn: TurnProposal) -> str | None:
    stale = turn.origins & {Origin.ROOT_FRAME, Origin.CLARIFICATION, Origin.ANSWER}
    return f"an argument came from {', '.join(sorted(stale))}" if stale else None


def _unknown_downgrade(turn: TurnProposal) -> str | None:
    answer = turn.answer()
    unknown = answer is not None and UNKNOWN_REQUEST in answer.gate.reason_codes
    return "a follow-up of a supported route was called unknown" if unknown else None


def _unanswered_antecedent(turn: TurnProposal) -> str | None:
    """A follow-up on what was not answered is asked about: only a yes makes it a fact. What is picked among
    rows that were shown, or asked of the object in hand, follows an answer."""
    if Origin.OBJECT_FRAME in turn.origins or turn.has(ev.ObjectFrameSet):
        return None
    dropped = turn.first(ev.QuestionDropped)
    # Past the question it goes on from what was answered before it.
    past = dropped is not None and dropped.why is DropReason.FOLLOW_UP
    sure = turn.before.attempt is not None and turn.answer_mode is AnswerMode.CONFIRMED and not past
    return "it confirms what follows a question that was not answered" if sure else None


def _foreign_provenance(turn: TurnProposal) -> str | None:
    selected = turn.first(ev.ObjectFrameSet)
    if selected is None:
        return None
    known = {answer.result_set_id for answer in turn.before.answers.items}
    root = turn.before.frames.root
    if root is not None:
        known.add(root.root_result_set_id)
    return (
        None if selected.frame.source_result_set_id in known else "the object comes from no result in context"
    )


def _chat_fallback(turn: TurnProposal) -> str | None:
    if turn.answer_mode is AnswerMode.NONE:
        return "an action on an object was answered without stating anything"
    return "an action on an object changed the default scope" if turn.has(ev.DefaultScopeSet) else None


def _pronoun_search(turn: TurnProposal) -> str | None:
    intent = turn.first(ev.IntentCaptured)
    if intent is None or not intent.bindings:
        return None
    anchored = turn.origins & {Origin.OBJECT_FRAME, Origin.CLARIFICATION}
    asks = turn.answer_mode is AnswerMode.CLARIFICATION_REQUIRED
    return None if anchored or asks else "the object was looked up by the words of the pronoun"


def _object_route_replay(turn: TurnProposal) -> str | None:
    if Origin.OBJECT_FRAME in turn.origins:
        return "an argument of another domain came from the object"
    if turn.outcome is TransitionClass.T10 or turn.answer_mode is AnswerMode.CLARIFICATION_REQUIRED:
        return None
    return "the object outlived the pivot" if turn.after.frames.selected_object is not None else None


def _forget_target(turn: TurnProposal) -> str | None:
    pending = turn.before.frames.clarification
    if pending is None or pending.waits_for_yes:
        return None
    still = turn.after.frames.clarification
    # A no to the readings that were offered answers the question: nothing waits any more.
    if still is None and READING in pending.missing_anchors and turn.answer_mode is AnswerMode.NONE:
        return None
    if turn.has(ev.ResolutionResumed):
        # What was to be made is given up, and the program that waited for it is in hand again.
        return None
    intent = turn.first(ev.IntentCaptured)
    refused = turn.first(ev.AttemptRefused)
    # Settling a reference of the program that waits is going on with it.
    settled = turn.first(ev.RefSettled)
    targets = {
        pending.resume_target_route if settled else None,
        intent.route if intent else None,
        still.resume_target_route if still else None,
        refused.route if refused else None,
    }
    # Of several readings that were offered, the one that is chosen is the target.
    offered = {
        candidate.key.lstrip("(").split()[0].rstrip(")")
        for candidate in pending.candidate_scopes
        if candidate.anchor == READING
    }
    if targets & {pending.resume_target_route, *offered}:
        return None
    return f"the suspended request {pending.resume_target_route} was forgotten"


def _raise_truth(turn: TurnProposal) -> str | None:
    spoken = turn.first(ev.MetaFrameSet)
    if spoken is None:
        return None if turn.answer_mode is AnswerMode.UNSUPPORTED else "it names no answer it speaks of"
    answer = _recorded(turn, spoken)
    if answer is None or answer.gate != spoken.frame.source_gate_status:
        return "the answer it speaks of was not given, or not with that gate"
    source = AnswerMode(answer.truth_mode)
    if _STRENGTH[turn.answer_mode] > _STRENGTH[source]:
        return f"it sounds {turn.answer_mode} about an answer that was {source}"
    return None


def _invent_memory(turn: TurnProposal) -> str | None:
    answers = turn.before.answers
    if turn.outcome is TransitionClass.T10 or not answers.grounded_count:
        return None  # Without any answer the class itself is out of place, and that is said elsewhere.
    spoken = turn.first(ev.MetaFrameSet)
    if spoken is None or not spoken.frame.source_answer_object_ref:
        return "it recaps no recorded answer"
    older = answers.grounded_count > sum(answer.grounded for answer in answers.items)
    # An answer that is no longer at hand was read from its record; there have to be such answers.
    return None if _recorded(turn, spoken) or older else "it recaps no recorded answer"


def _recorded(turn: TurnProposal, spoken: ev.MetaFrameSet) -> AnswerObject | None:
    ref = spoken.frame.source_answer_object_ref
    return next((answer for answer in turn.before.answers.items if answer.ref == ref), None)


def _sound_confirmed(turn: TurnProposal) -> str | None:
    answer, computed = turn.answer(), turn.first(ev.GateComputed)
    gates = (answer.gate if answer else None, computed.gate if computed else None)
    confirmed = any(gate is not None and gate.truth_mode is TruthMode.CONFIRMED for gate in gates)
    return "a boundary sounds confirmed" if confirmed else None


def _zero_for_missing(turn: TurnProposal) -> str | None:
    answer = turn.answer()
    if answer is None or answer.truth_mode is TruthMode.LIMITED:
        return None
    return "a boundary shows rows or figures" if answer.rows or answer.figures else None


def _forget_answers(turn: TurnProposal) -> str | None:
    kept = turn.after.answers.items == turn.before.answers.items
    return None if kept else "answers were dropped"


def _forget_history(turn: TurnProposal) -> str | None:
    before = turn.before.program.history
    # A full history loses its oldest entry to the newest.
    kept = before[1:] if len(before) == MAX_HISTORY else before
    after = turn.after.program.history
    return None if after[: len(kept)] == kept else "the undo history was dropped"


def _unasked_write(turn: TurnProposal) -> str | None:
    return "it wrote before the yes" if turn.has(ev.EffectIntended) else None


def _unasked_word(turn: TurnProposal) -> str | None:
    pending = turn.before.frames.clarification
    asked = (pending.teaches, *pending.teaches_too) if pending is not None else ()
    return "it kept a word before the yes" if any(word not in asked for word in turn.taught) else None


def _other_program(turn: TurnProposal) -> str | None:
    before, after = turn.before.program, turn.after.program
    same = (before.ast, before.source, before.history) == (after.ast, after.source, after.history)
    return None if same else "the program in hand is another"


CHECKS: Mapping[Forbidden, Callable[[TurnProposal], str | None]] = {
    Forbidden.RUN_ROUTE: _run_route,
    Forbidden.STALE_FOCUS: _stale_focus,
    Forbidden.STALE_SCOPE: _stale_scope,
    Forbidden.UNKNOWN_DOWNGRADE: _unknown_downgrade,
    Forbidden.UNANSWERED_ANTECEDENT: _unanswered_antecedent,
    Forbidden.FOREIGN_PROVENANCE: _foreign_provenance,
    Forbidden.CHAT_FALLBACK: _chat_fallback,
    Forbidden.PRONOUN_SEARCH: _pronoun_search,
    Forbidden.OBJECT_ROUTE_REPLAY: _object_route_replay,
    Forbidden.FORGET_TARGET: _forget_target,
    Forbidden.RAISE_TRUTH: _raise_truth,
    Forbidden.INVENT_MEMORY: _invent_memory,
    Forbidden.SOUND_CONFIRMED: _sound_confirmed,
    Forbidden.ZERO_FOR_MISSING: _zero_for_missing,
    Forbidden.FORGET_ANSWERS: _forget_answers,
    Forbidden.FORGET_HISTORY: _forget_history,
    Forbidden.UNASKED_WRITE: _unasked_write,
    Forbidden.UNASKED_WORD: _unasked_word,
    Forbidden.OTHER_PROGRAM: _other_program,
}
