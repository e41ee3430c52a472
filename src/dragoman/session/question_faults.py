"""What a turn must do with the question that was pending before it: answer it, drop it by name, or leave it.

A question that vanishes without a word is forgotten, one that outlives an answer to something else traps, and
a yes that outlives its program would run another.
"""

from collections.abc import Iterator
from typing import Final

from dragoman.contracts import events as ev
from dragoman.contracts.state import READING, ClarificationState
from dragoman.contracts.vocabulary import AnswerMode, ClarificationKind, TransitionClass
from dragoman.session.prohibitions import TurnProposal

T = TransitionClass

_OF_REQUESTS: Final = frozenset({T.T1, T.T2, T.T3, T.T4, T.T5, T.T6})
_DROPPING: Final = _OF_REQUESTS | {T.X_EXTEND, T.X_EDIT}
_FACTS: Final = (AnswerMode.CONFIRMED, AnswerMode.LIMITED)


def question_faults(turn: TurnProposal) -> Iterator[str]:
    """What is wrong with what a turn does to the pending question."""
    before, after = turn.before.frames.clarification, turn.after.frames.clarification
    dropped = turn.first(ev.QuestionDropped)
    if dropped is not None and dropped.question != before:
        yield "it drops a question that was not pending"
    if dropped is not None and turn.outcome not in _DROPPING | {T.X_TEACH}:
        yield f"{turn.outcome} drops no question"
    if before is None:
        return
    if dropped is None and turn.outcome in _DROPPING and _is_gone(before, after):
        yield "the pending question is gone, and nothing says so"
    if turn.outcome in _OF_REQUESTS and turn.answer_mode in _FACTS and after is not None:
        yield "it answers something else and leaves the question pending"
    confirms = before.clarification_kind is ClarificationKind.CONFIRM_RUN
    outlived = after == before and not turn.has(ev.ClarificationAsked)
    if confirms and outlived and turn.after.program.ast != turn.before.program.ast:
        yield "the question whether to write outlived its program"


def _is_gone(before: ClarificationState, after: ClarificationState | None) -> bool:
    """Whether a question is no longer asked. Asked of more, or of a reading that is narrowed, it still is."""
    if after is None:
        return True
    of_readings = READING in before.missing_anchors and READING in after.missing_anchors
    return not of_readings and after.resume_target_route != before.resume_target_route
