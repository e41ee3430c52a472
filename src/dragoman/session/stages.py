"""What the events of a turn do to its stages."""

from msgspec.structs import replace

from dragoman.contracts import events as ev
from dragoman.contracts.answer import AnswerObject, EvidenceItem
from dragoman.contracts.roles import RequestType
from dragoman.contracts.stages import StagesRegion
from dragoman.contracts.state import SessionState
from dragoman.contracts.vocabulary import TransitionClass

T = TransitionClass

_REQUESTS = frozenset({T.T1, T.T2, T.T3, T.T4, T.T5, T.T6, T.T7})

LIFTED = "lifted: the turn was recorded before its roles were"
"""Why a turn of an older version has the type it has."""


def opened(event: ev.TurnOpened) -> StagesRegion:
    """Nothing of the turn before is left."""
    return StagesRegion(user_query=event.message, trace_id=event.trace_id)


def planned(stages: StagesRegion, event: ev.PlanMade) -> StagesRegion:
    return replace(
        stages,
        track=event.track,
        request_type=event.plan.request_type,
        route_reason=event.route_reason,
        analyst_plan=event.plan,
    )


def judged(stages: StagesRegion, event: ev.DraftJudged) -> StagesRegion:
    reason = stages.route_reason
    if event.track is not stages.track:
        reason = f"{reason}; track_policy:upgraded"
    return replace(
        stages,
        track=event.track,
        route_reason=reason,
        guardian=event.report,
        retry_count=event.retry_count,
    )


def timed(stages: StagesRegion, event: ev.StagesTimed) -> StagesRegion:
    return replace(
        stages,
        draft_answer=event.draft,
        timings_ms=event.timings_ms,
        evidence=event.evidence or stages.evidence,
    )


def spoken_of(state: SessionState, event: ev.MetaFrameSet) -> StagesRegion:
    """What is said about an answer rests on what the answer rests on."""
    ref = event.frame.source_answer_object_ref
    evidence: tuple[EvidenceItem, ...] = ()
    for answer in state.answers.items:
        if answer.ref == ref:
            evidence = answer.evidence
    return replace(state.stages, evidence=evidence)


def closed(state: SessionState, event: ev.TurnClosed) -> StagesRegion:
    """How the turn ended. Without a plan it was recorded by an older version: its type is lifted from what
    it did."""
    stages, said = state.stages, event.message
    # A sentence of the house is its own draft.
    stages = replace(stages, draft_answer=stages.draft_answer or said, final_answer=said)
    if stages.analyst_plan is not None:
        return stages
    return replace(stages, request_type=_lifted_type(state, event), route_reason=LIFTED)


def _lifted_type(state: SessionState, event: ev.TurnClosed) -> RequestType:
    given = _given_now(state)
    if given is not None and given.grounded:
        return RequestType.STATUS_METRIC if given.row_count == 1 else RequestType.STATUS_LIST
    if event.outcome_class is TransitionClass.T10:
        return RequestType.KNOWLEDGE_QA
    return RequestType.STATUS_METRIC if event.outcome_class in _REQUESTS else RequestType.CASUAL


def _given_now(state: SessionState) -> AnswerObject | None:
    items = state.answers.items
    last = items[-1] if items else None
    return last if last is not None and last.turn_index == state.turn.index else None
