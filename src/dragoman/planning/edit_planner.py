"""A message that is a program: whoever wrote it has said what they mean."""

from dragoman.contracts.vocabulary import Signal
from dragoman.planning.contract import CERTAIN, Asked, PlannerName, Proposal


class EditPlanner:
    """Takes a program that a person wrote as it stands. It is compiled, and runs when they say so."""

    name = PlannerName.EDIT

    def propose(self, asked: Asked) -> Proposal | None:
        if asked.written is None:
            return None
        return Proposal(self.name, (Signal.ESCAPE_EDIT,), CERTAIN)
