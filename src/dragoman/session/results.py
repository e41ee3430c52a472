"""What came of a turn, read from its record alone."""

from collections.abc import Sequence

from dragoman.contracts import events as ev
from dragoman.contracts.answer import AnswerObject
from dragoman.contracts.state import READING, CandidateScope, SessionState
from dragoman.contracts.turn_result import ProgramOption, TurnResult
from dragoman.session.living_mode import living_mode


def result_of(
    session_id: str, events: Sequence[ev.SessionEvent], after: SessionState, *, repeated: bool = False
) -> TurnResult:
    """What a door shows of a turn, from its record alone."""
    closed = next((e for e in events if isinstance(e, ev.TurnClosed)), None)
    answer = next((e.answer for e in events if isinstance(e, ev.AnswerGiven)), None)
    refused = next((e for e in events if isinstance(e, ev.AttemptRefused)), None)
    intent = next((e for e in events if isinstance(e, ev.IntentCaptured)), None)
    asked = next((e.clarification for e in events if isinstance(e, ev.ClarificationAsked)), None)
    spoken = next((e.frame for e in events if isinstance(e, ev.MetaFrameSet)), None)
    turn = after.turn
    suspended = asked.resume_target_route if asked else None
    evidence = answer.evidence if answer else ()
    if spoken is not None:
        # What is said about an answer rests on what the answer rests on.
        sources = (a for a in after.answers.items if a.ref == spoken.source_answer_object_ref)
        evidence = next((a.evidence for a in sources), ())
    return TurnResult(
        session_id=session_id,
        turn=after.version,
        transition=turn.outcome_class,
        entry_transition=turn.entry_class,
        mode=living_mode(after).living_mode,
        answer_mode=turn.answer_mode,
        carryover=turn.carryover,
        route=(answer and answer.route)
        or (intent and intent.route)
        or (refused and refused.route)
        or suspended,
        program=refused.source if refused else after.program.source,
        phase=after.program.phase,
        message=closed.message if closed else _other_record(events),
        columns=answer.columns if answer else (),
        rows=answer.rows if answer else (),
        row_count=answer.row_count if answer else 0,
        reason_codes=answer.gate.reason_codes if answer else (),
        evidence=evidence,
        meta_kind=spoken.meta_question_kind if spoken else None,
        options=tuple(_option(candidate) for candidate in asked.candidate_scopes) if asked else (),
        repeated=repeated,
        headings=answer.headings if answer else (),
        complete=answer is None or _is_whole(answer),
        rows_total=None if answer is None or _is_whole(answer) else answer.rows_total or answer.row_count,
    )


def _option(candidate: CandidateScope) -> str | ProgramOption:
    if candidate.anchor == READING:
        return ProgramOption(candidate.label, candidate.key)
    return candidate.label


def _is_whole(answer: AnswerObject) -> bool:
    """Whether an answer holds every row that there is."""
    return answer.rows_total is None and len(answer.rows) == answer.row_count


def _other_record(events: Sequence[ev.SessionEvent]) -> str:
    """What is said of a record that is no turn of the conversation."""
    if isinstance(events[0], ev.SessionClosed):
        return "The session was closed."
    settled = next((e for e in events if isinstance(e, ev.TurnSettled)), None)
    if settled is None:
        return "This turn was interrupted before anything was done."
    effects = ", ".join(f"{effect.key}: {effect.outcome}" for effect in settled.effects)
    return f"This turn was interrupted. What became of its effects: {effects}."
