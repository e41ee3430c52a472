"""Which proposal is taken: the most certain one, whichever planner it comes from."""

from collections.abc import Sequence

from dragoman.contracts.errors import InternalError
from dragoman.contracts.vocabulary import Signal
from dragoman.planning.contract import CERTAIN, Asked, Planner, Proposal


def choose(planners: Sequence[Planner], asked: Asked) -> Proposal:
    """Ask the planners in turn and take the most certain proposal; of equals the first. What stands before
    they are asked is one of the proposals.

    A certain proposal ends the asking. It accounts for every word by what somebody declared, so none can be
    better, and the planner over tables costs more than all other stages of a turn together.
    """
    best = asked.stands
    for planner in planners:
        proposal = planner.propose(asked)
        # Strictly greater: of equals the earlier planner wins, and the order of planners is part of the
        # design, not of a sort.
        if proposal is None:
            continue
        if best is None or proposal.certainty > best.certainty or _stands_in(proposal, best):
            best = proposal
        if best.certainty >= CERTAIN:
            break
    if best is None:
        raise InternalError("no planner has anything to say of a message")
    return best


def _stands_in(proposal: Proposal, best: Proposal) -> bool:
    """Whether an answer from elsewhere is better than a refusal. An order to change something stays one."""
    gives = bool(best.candidates) or best.asks is not None
    refuses = best.refuses is not None or (not gives and Signal.UNCOVERED in best.signals)
    return proposal.instead and refuses and Signal.WRITE_REQUEST not in best.signals
