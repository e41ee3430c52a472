"""The weighing of candidates, as it is kept for `why`."""

from dragoman.contracts import events as ev
from dragoman.contracts.readings import WeighedReading
from dragoman.language.verbs.printer import print_lines
from dragoman.planning.contract import Proposal


def weighed(proposal: Proposal) -> ev.ReadingsWeighed:
    """The candidates that were compared, and the rule that decided."""
    lines = print_lines([each.program for each in proposal.candidates])
    readings = tuple(
        WeighedReading(line, round(each.probability, 4), each.uncovered, each.notes)
        for line, each in zip(lines, proposal.candidates, strict=True)
    )
    return ev.ReadingsWeighed(readings, proposal.rule)
