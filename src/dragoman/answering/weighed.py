"""The weighing of candidates, as it is kept for `why`."""

from dragoman.contracts import events as ev
from dragoman.language.verbs.printer import print_line
from dragoman.planning.contract import Proposal


def weighed(proposal: Proposal) -> ev.ReadingsWeighed:
    """The candidates that were compared, and the rule that decided."""
    readings = tuple(
        ev.WeighedReading(print_line(each.program), round(each.probability, 4), each.uncovered, each.notes)
        for each in proposal.candidates
    )
    return ev.ReadingsWeighed(readings, proposal.rule)
