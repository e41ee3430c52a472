"""What a follow-up on a question that was not answered may mean.

Nobody has said which reading of that question is meant, so the follow-up is read against each of them. It is
as likely as the reading that it rests on and itself together; what it means whichever of them was meant is as
likely as all of them.
A follow-up that makes nothing of any of them may be one of the last answer: then the question is passed over.
"""

from collections.abc import Callable

from msgspec.structs import replace

from dragoman.contracts.program import Program, Statement
from dragoman.contracts.state import AttemptState
from dragoman.planning.database.hearing import is_sure
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


def readings_past(
    attempt: AttemptState,
    answered: Program,
    read: Callable[[Program], tuple[TableReading, ...]],
    will_do: Callable[[tuple[TableReading, ...]], bool],
) -> tuple[TableReading, ...]:
    """The readings of a message after an attempt: behind that, where they will do to answer or to ask about;
    else behind the slice that was answered last, where the message is a sure follow-up of it."""
    after = readings_after(attempt, read)
    if not answered or will_do(after):
        return after
    of_slice = read(answered)
    if not of_slice or not _goes_on(of_slice[0], answered):
        return after
    return tuple(replace(each, of_slice=each.follow_up) for each in of_slice)


def _goes_on(reading: TableReading, answered: Program) -> bool:
    """Whether a reading is a sure change of what was answered. One that leaves its table may be about what
    the question was about: "their names"."""
    table = answered[-1].verb.rpartition(".")[0]
    same = reading.statement.verb.rpartition(".")[0] == table
    return is_sure(reading) and reading.follow_up and same
