"""The weighing of candidates, as it is kept for `why`."""

from dragoman.answering.sentences import Wording
from dragoman.contracts import events as ev
from dragoman.contracts.readings import WeighedReading
from dragoman.language.verbs.printer import print_lines
from dragoman.planning.contract import Proposal


def weighed(proposal: Proposal, wording: Wording) -> ev.ReadingsWeighed:
    """The candidates that were compared, and the rule that decided."""
    programs = [each.program for each in proposal.candidates]
    lines, sentences = print_lines(programs), wording.programs(programs)
    readings = tuple(
        WeighedReading(line, round(each.probability, 4), each.uncovered, each.notes, said)
        for line, said, each in zip(lines, sentences, proposal.candidates, strict=True)
    )
    return ev.ReadingsWeighed(readings, proposal.rule)
