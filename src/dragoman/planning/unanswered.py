"""What a follow-up on a question that was not answered may mean.

Nobody has said which reading of that question is meant, so the follow-up is read against each of them. It is
as likely as the reading that it rests on and itself together; what it means whichever of them was meant is as
likely as all of them.
"""

from collections.abc import Callable

from msgspec.structs import replace

from dragoman.contracts.program import Program, Statement
from dragoman.contracts.state import AttemptState
from dragoman.planning.database.offers import MOST
from dragoman.planning.tables.table_reading import TableReading

_READ = 3
"""So many readings of the question are followed: each costs as much as a message."""


def readings_after(
    attempt: AttemptState, read: Callable[[Program], tuple[TableReading, ...]]
) -> tuple[TableReading, ...]:
    """The readings of a message behind an attempt, the likeliest first. `read` is what the message means
    behind one program. What stands by itself rests on nothing, and stays as likely as it is."""
    found: dict[Statement, TableReading] = {}
    for place, before in enumerate(attempt.readings[:_READ]):
        for reading in read(before.program):
            if reading.follow_up:
                known = found.get(reading.statement)
                score = reading.score * before.probability + (known.score if known else 0.0)
                found[reading.statement] = replace(known or reading, score=round(min(MOST, score), 4))
            elif not place:
                found[reading.statement] = reading
    return tuple(sorted(found.values(), key=lambda each: (bool(each.uncovered), -each.score)))
