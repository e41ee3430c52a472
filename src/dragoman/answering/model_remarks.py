"""What is said of a model that was asked in vain: one line behind whatever the turn ends in."""

from typing import Final

from msgspec.structs import replace

from dragoman.answering.context import TurnContext
from dragoman.answering.draft import Conclusion
from dragoman.contracts import events as ev
from dragoman.contracts.vocabulary import ModelOutcome

_REMARKS: Final = {
    ModelOutcome.FAILED: "model_failed",
    ModelOutcome.REFUSED: "model_refused",
    ModelOutcome.EMPTY: "model_empty",
}


def with_remark(context: TurnContext, conclusion: Conclusion) -> Conclusion:
    """The conclusion, with a line about the model where that gave nothing to use."""
    for event in context.draft.events:
        if isinstance(event, ev.ModelAsked) and not event.role and event.outcome in _REMARKS:
            problem = " ".join(event.problem.split()).rstrip(".")
            said = context.phrases.say(_REMARKS[event.outcome], problem=problem)
            return replace(conclusion, message=f"{conclusion.message} {said}".lstrip())
    return conclusion
