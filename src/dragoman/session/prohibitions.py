"""What a transition must not do, one check for each prohibition. A check answers with the fault, or None."""

from collections.abc import Callable, Mapping

from dragoman.contracts import events as ev
from dragoman.contracts.answer import AnswerObject
from dragoman.contracts.record import Record
from dragoman.contracts.state import SessionState
from dragoman.contracts.vocabulary import (
    AnswerMode,
    ClarificationKind,
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


class TurnProposal(Record, frozen=True):
    """A turn as it would be recorded: the state it found, its events, the state it would leave."""

    before: SessionState
    events: tuple[ev.SessionEvent, ...]
    after: SessionState
    outcome: TransitionClass
    answer_mode: AnswerMode

    def intent(self) -> ev.IntentCaptured | None:
        return next((e for e in self.events if isinstance(e, ev.IntentCaptured)), None)

    def origins(self) -> frozenset[Origin]:
        intent = self.intent()
        return frozenset(b.origin for b in intent.bindings) if intent else frozenset()

    def answer(self) -> AnswerObject | None:
        return next((e.answer for e in self.events if isinstance(e, ev.AnswerGiven)), None)

    def has(self, *kinds: type[ev.Event]) -> bool:
        return any(isinstance(e, kinds) for e in self.events)


def _run_route(turn: TurnProposal) -> str | None:
    return "it ran a route" if turn.has(ev.RunStarted) else None


def _stale_focus(turn: TurnProposal) -> str | None:
    if Origin.OBJECT_FRAME in turn.origins():
        return "an argument came from the object selected before"
    if turn.outcome is TransitionClass.T10 or turn.answer_mode is AnswerMode.CLARIFICATION_REQUIRED:
        return None
    stale = turn.after.frames.selected_object is not None and not turn.has(ev.ObjectFrameSet)
    return "the object selected before is still in focus" if stale else None


def _stale_scope(turn: TurnProposal) -> str | None:
    stale = turn.origins() & {Origin.ROOT_FRAME, Origin.CLARIFICATION, Origin.ANSWER}
    return f"an argument came from {', '.join(sorted(stale))}" if stale else None


def _unknown_downgrade(turn: TurnProposal) -> str | None:
    answer = turn.answer()
    unknown = answer is not None and UNKNOWN_REQUEST in answer.gate.reason_codes
    return "a follow-up of a supported route was called unknown" if unknown else None


def _foreign_provenance(turn: TurnProposal) -> str | None:
    chosen = next((e.frame for e in turn.events if isinstance(e, ev.ObjectFrameSet)), None)
    if chosen is None:
        return None
    known = {answer.result_set_id for answer in turn.before.answers.items}
    root = turn.before.frames.root
    if root is not None:
        known.add(root.root_result_set_id)
    return None if chosen.source_result_set_id in known else "the object comes from no result in context"


def _chat_fallback(turn: TurnProposal) -> str | None:
    if turn.answer_mode is AnswerMode.NONE:
        return "an action on an object was answered without stating anything"
    return "an action on an object changed the default scope" if turn.has(ev.DefaultScopeSet) else None


def _pronoun_search(turn: TurnProposal) -> str | None:
    intent = turn.intent()
    if intent is None or not intent.bindings:
        return None
    anchored = turn.origins() & {Origin.OBJECT_FRAME, Origin.CLARIFICATION}
    asks = turn.answer_mode is AnswerMode.CLARIFICATION_REQUIRED
    return None if anchored or asks else "the object was looked up by the words of the pronoun"


def _object_route_replay(turn: TurnProposal) -> str | None:
    if Origin.OBJECT_FRAME in turn.origins():
        return "an argument of another domain came from the object"
    if turn.outcome is TransitionClass.T10 or turn.answer_mode is AnswerMode.CLARIFICATION_REQUIRED:
        return None
    return "the object outlived the pivot" if turn.after.frames.selected_object is not None else None


def _forget_target(turn: TurnProposal) -> str | None:
    pending = turn.before.frames.clarification
    if pending is None or pending.clarification_kind is ClarificationKind.CONFIRM_RUN:
        return None
    still = turn.after.frames.clarification
    intent = turn.intent()
    refused = next((e for e in turn.events if isinstance(e, ev.AttemptRefused)), None)
    targets = {
        intent.route if intent else None,
        still.resume_target_route if still else None,
        refused.route if refused else None,
    }
    if pending.resume_target_route in targets:
        return None
    return f"the suspended request {pending.resume_target_route} was forgotten"


def _raise_truth(turn: TurnProposal) -> str | None:
    meta = next((e.frame for e in turn.events if isinstance(e, ev.MetaFrameSet)), None)
    if meta is None:
        return None if turn.answer_mode is AnswerMode.UNSUPPORTED else "it names no answer it speaks of"
    source = AnswerMode(meta.source_gate_status.truth_mode)
    if _STRENGTH[turn.answer_mode] > _STRENGTH[source]:
        return f"it sounds {turn.answer_mode} about an answer that was {source}"
    return None


def _invent_memory(turn: TurnProposal) -> str | None:
    if turn.outcome is TransitionClass.T10:
        return None
    meta = next((e.frame for e in turn.events if isinstance(e, ev.MetaFrameSet)), None)
    if meta is None or not meta.source_answer_object_ref:
        return "it recaps no recorded answer"
    return None


def _sound_confirmed(turn: TurnProposal) -> str | None:
    answer = turn.answer()
    confirmed = answer is not None and answer.truth_mode is TruthMode.CONFIRMED
    gates = (e.gate for e in turn.events if isinstance(e, ev.GateComputed))
    confirmed = confirmed or any(gate.truth_mode is TruthMode.CONFIRMED for gate in gates)
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
    kept = set(turn.before.program.history[1:]) <= set(turn.after.program.history)
    return None if kept else "the undo history was dropped"


def _unasked_write(turn: TurnProposal) -> str | None:
    return "it wrote before the yes" if turn.has(ev.EffectIntended) else None


CHECKS: Mapping[Forbidden, Callable[[TurnProposal], str | None]] = {
    Forbidden.RUN_ROUTE: _run_route,
    Forbidden.STALE_FOCUS: _stale_focus,
    Forbidden.STALE_SCOPE: _stale_scope,
    Forbidden.UNKNOWN_DOWNGRADE: _unknown_downgrade,
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
}
