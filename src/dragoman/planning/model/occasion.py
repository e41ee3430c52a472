"""Whether a model is asked at all: it depends on what the embedded planners propose."""

from typing import Final

from dragoman.contracts.model_settings import ModelUse
from dragoman.contracts.vocabulary import Signal
from dragoman.planning.contract import CERTAIN, LIKELY, Asked, Options, Proposal
from dragoman.planning.model.settings import PlannerSettings

_NOT_UNDERSTOOD: Final = frozenset(
    {
        "uncovered_words",
        "no_reading",
        "unknown_request",
        "refused_before",
        "unanswered_before",
        "pipeline_no_table",
    }
)
"""The refusals of who did not understand. Any other knows better than a model why nothing runs."""


def is_asked(asked: Asked, stands: Proposal, settings: PlannerSettings) -> bool:
    """Whether a model may have something to add to what stands."""
    if settings.when is ModelUse.NEVER or _is_settled(asked, stands):
        return False
    if settings.choose and not stands.candidates:
        return False
    return settings.when is ModelUse.ALWAYS or not is_sure(stands)


def is_sure(stands: Proposal) -> bool:
    """Whether what stands will be answered, and somebody is sure of it."""
    return bool(stands.candidates) and stands.asks is None and stands.refuses is None and stands.sure


def asks_to_write(asked: Asked) -> bool:
    """Whether the message itself asks to write. Nothing that is read from a database can say so."""
    wishes = {Signal.WRITE_REQUEST, Signal.EXTEND}
    return asked.reading.wants_write or asked.reading.extend is not None or not wishes.isdisjoint(asked.own)


def _is_settled(asked: Asked, stands: Proposal) -> bool:
    """Whether it is no question for a planner: a move of the conversation, something a person wrote or
    picked, an anchor that only a person knows, a refusal with a reason, or a write that waits for a yes."""
    picked = Signal.FITS_CLARIFICATION in stands.signals or asked.written is not None
    of_rows = any(each.focus is not None for each in stands.candidates)
    writes = any(each.writes for each in stands.candidates)
    if picked or of_rows or writes or stands.certainty >= CERTAIN or stands.teaches or stands.resolves:
        return True
    match stands.asks:
        case None:
            pass
        case Options(person=person):
            return person
        case _:
            return True
    if stands.refuses is not None:
        return stands.refuses.code not in _NOT_UNDERSTOOD or bool(stands.refuses.problem)
    if stands.candidates:
        return False
    # A move of the conversation, unless words were left over; or a wish to keep something, where there is
    # nothing in hand to keep: it has to be looked up first.
    lost = Signal.UNCOVERED in stands.signals and stands.certainty < LIKELY and asked.reading.phrase is None
    return not lost and not (asked.reading.extend is not None and not asked.continuity.program)
