"""The weighing of readings, as it is kept for `why`."""

from dragoman.answering.table_turns import subject_of
from dragoman.contracts import events as ev
from dragoman.planning.table_talk import Proposal


def weighed(proposal: Proposal) -> ev.ReadingsWeighed:
    """The readings that were compared, and the rule that decided."""
    readings = tuple(
        ev.WeighedReading(subject_of(r.statement), round(r.score, 4), r.uncovered, r.notes)
        for r in proposal.readings
    )
    return ev.ReadingsWeighed(readings, f"{proposal.decision}: {proposal.rule}")
