"""What an action says of a reference: nothing has to be guessed, so no other planner is asked."""

from dragoman.contracts.actions import Action, Resolve, Search
from dragoman.contracts.vocabulary import Signal
from dragoman.planning.contract import CERTAIN, Asked, Picked, Planner, PlannerName, Proposal, Searched


class ActionPlanner:
    """Settles a reference, or searches for it, as a person did it on a page."""

    name = PlannerName.ACTION

    def __init__(self, resolves: Picked | Searched) -> None:
        self._resolves = resolves

    def propose(self, asked: Asked) -> Proposal | None:
        return Proposal(self.name, (Signal.FITS_CLARIFICATION,), CERTAIN, resolves=self._resolves)


def planners_of(action: Action, planners: tuple[Planner, ...]) -> tuple[Planner, ...]:
    """Who is asked about an action: those who are asked about the words for it, where there are any."""
    match action:
        case Resolve(ref_id=ref_id, entity_id=key):
            return (ActionPlanner(Picked(key, ref_id)),)
        case Search(ref_id=ref_id, text=text, filters=filters):
            return (ActionPlanner(Searched(text, ref_id, filters)),)
        case _:
            return planners
