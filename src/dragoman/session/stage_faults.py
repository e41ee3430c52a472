"""The entry tickets of the stages, as the record of a turn shows them."""

from collections.abc import Iterator, Sequence

from dragoman.contracts import events as ev
from dragoman.contracts.roles import Track, Verdict
from dragoman.contracts.stages import BUDGETS
from dragoman.contracts.vocabulary import AnswerMode
from dragoman.session.prohibitions import TurnProposal

_FACTS = (AnswerMode.CONFIRMED, AnswerMode.LIMITED)


def stage_faults(proposal: TurnProposal, events: Sequence[ev.SessionEvent]) -> Iterator[str]:
    """A draft is judged after a plan, on QUALITY after a specification, within the budget of its track; a
    fact goes out with PASS alone. A turn of an older version has no plan, and nothing to hold it to."""
    planned = proposal.first(ev.PlanMade)
    judged = [event for event in events if isinstance(event, ev.DraftJudged)]
    if planned is None:
        if judged or proposal.has(ev.SpecDrawn):
            yield "a draft was specified or judged without a plan"
        return
    for event in judged:
        if event.retry_count > BUDGETS[event.track]:
            yield f"{event.retry_count} retries are beyond the budget of {event.track}"
    passed = bool(judged) and judged[-1].report.verdict is Verdict.PASS
    if proposal.answer_mode in _FACTS and not passed:
        yield "a fact goes out that the guardian has not passed"
    careful = passed and judged[-1].track is Track.QUALITY
    if careful and proposal.answer_mode in _FACTS and not proposal.has(ev.SpecDrawn):
        yield "a draft of the track QUALITY was written without a specification"
