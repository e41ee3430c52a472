"""What becomes of the question that was pending when a turn began.

A question never traps. What asks for something else drops it, and the answer says so; what nobody could
answer leaves it open, and shows it again. Only talk passes it over in silence.
"""

from typing import Final

from msgspec.structs import replace

from dragoman.answering.context import TurnContext
from dragoman.answering.draft import Conclusion
from dragoman.contracts import events as ev
from dragoman.contracts.state import ClarificationState
from dragoman.contracts.vocabulary import AnswerMode, DropReason, TransitionClass
from dragoman.language.verbs.printer import print_program

T = TransitionClass

_FOLLOWS: Final = frozenset({T.T2, T.T3, T.T4, T.T5, T.T6})
_TAKES_ITS_PLACE: Final = frozenset({T.X_EXTEND, T.X_EDIT})


def with_open_question(context: TurnContext, conclusion: Conclusion) -> Conclusion:
    """The conclusion of a turn, with what it does to the question that was pending before it."""
    pending = context.continuity.clarification
    if pending is None:
        return conclusion
    if conclusion.outcome is T.T10:
        return _shown_again(context, conclusion, pending)
    why = _why_dropped(context, conclusion, pending)
    return conclusion if why is None else _dropped(context, conclusion, pending, why)


def _why_dropped(
    context: TurnContext, conclusion: Conclusion, pending: ClarificationState
) -> DropReason | None:
    """Why the question is not waited for any more; None where it is, where it was answered, or where the
    turn itself says that it is gone (clear, cancel, undo, none of these)."""
    asked = next((e.clarification for e in conclusion.events if isinstance(e, ev.ClarificationAsked)), None)
    # Asked to write something else, the yes that was asked for is one for another program.
    extends = conclusion.outcome is T.X_EXTEND
    if asked is not None and not extends and _goes_on(context, asked, pending):
        return None
    if conclusion.outcome in _FOLLOWS:
        return DropReason.FOLLOW_UP
    if conclusion.outcome is T.T1:
        return DropReason.SELF_CONTAINED if asked is None else DropReason.ABANDONED
    if conclusion.outcome is T.X_TEACH:
        # A word may be asked about in the middle of anything; only another question takes the place of one.
        answered = pending.teaches is not None and any(
            isinstance(each, ev.ClarificationCleared) for each in conclusion.events
        )
        return DropReason.ABANDONED if asked is not None and not answered else None
    return DropReason.ABANDONED if conclusion.outcome in _TAKES_ITS_PLACE else None


def _goes_on(context: TurnContext, asked: ClarificationState, pending: ClarificationState) -> bool:
    """Whether a new question is the old one, asked of more: the same request said again, or a reading that
    was offered and is narrowed."""
    of_readings = context.continuity.offers_readings and asked.missing_anchors == pending.missing_anchors
    if of_readings:
        candidates = context.proposal.candidates
        return bool(candidates) and candidates[0].follows
    same_kind = asked.clarification_kind is pending.clarification_kind
    return same_kind and asked.resume_target_route == pending.resume_target_route


def _dropped(
    context: TurnContext, conclusion: Conclusion, pending: ClarificationState, why: DropReason
) -> Conclusion:
    said = _said_of(context, pending)
    # A new question stands last, where the eye looks for what to do.
    asks = conclusion.answer_mode is AnswerMode.CLARIFICATION_REQUIRED
    message = f"{said} {conclusion.message}" if asks else f"{conclusion.message} {said}"
    return replace(conclusion, message=message, events=_with_drop(conclusion.events, pending, why))


def _said_of(context: TurnContext, pending: ClarificationState) -> str:
    attempt = context.continuity.attempt
    offered = [candidate.key for candidate in pending.candidate_scopes]
    if attempt is not None and len(offered) > 1 and print_program(attempt.program) in offered:
        return context.phrases.say("dropped_reading", message=attempt.message)
    question = context.wording.open_question(pending, context.before.program.ast)
    return context.phrases.say("dropped_question", question=question)


def _with_drop(
    events: tuple[ev.SessionEvent, ...], pending: ClarificationState, why: DropReason
) -> tuple[ev.SessionEvent, ...]:
    """Behind the checkpoint, so that undo brings the question back."""
    kept = [event for event in events if not isinstance(event, ev.ClarificationCleared)]
    place = next((i + 1 for i, event in enumerate(kept) if isinstance(event, ev.CheckpointTaken)), 0)
    return (*kept[:place], ev.QuestionDropped(pending, why), *kept[place:])


def _shown_again(context: TurnContext, conclusion: Conclusion, pending: ClarificationState) -> Conclusion:
    """A refusal leaves the question open. A yes would answer it, so it is shown again."""
    question = context.wording.pending(pending, context.before.program.ast)
    if question in conclusion.message:
        return conclusion
    still = context.phrases.say("still_open", question=question)
    return replace(conclusion, message=conclusion.message + still)
