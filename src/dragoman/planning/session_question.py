"""A message that is asked after another: what goes on from that one, and what is a question of its own.

None of the words of a question of its own leans on what was asked before, but its sense may. So it is taken
for what it means alone where that is surer than it has to be alone, or where it is sure in its place too.
"""

import datetime as dt
from collections.abc import Callable
from typing import Final

from msgspec.structs import replace

from dragoman.contracts.program import Statement
from dragoman.planning.database.hearing import is_sure
from dragoman.planning.database.joint import JointPlanner
from dragoman.planning.message_periods import MessagePeriods
from dragoman.planning.tables.table_reading import TableReading

_IN_SESSION: Final = 0.878
"""How sure a question of its own is in a session, of what it is alone: from 0.90 on it is taken. Of 463 such
messages of public conversations 85 of 100 are right then, as of follow-ups; from 0.79 on it would be 77."""


def readings_in_session(
    planner: JointPlanner,
    text: str,
    previous: Statement | None,
    periods: Callable[[Statement | None], MessagePeriods],
    today: dt.date,
    language: str = "en",
    reference: dt.date | None = None,
) -> tuple[tuple[TableReading, ...], bool]:
    """The readings of a message, the surest first, and whether a period in them counts from the reference
    date. `periods` are those of the message behind a statement."""

    def read(before: Statement | None) -> tuple[tuple[TableReading, ...], bool]:
        said = periods(before)
        day = reference if said.relative else None
        # What only opens another question is no part of it: "ok now".
        words = text if before is not None or previous is None else planner.own_words(text)
        return planner.readings(words, before, said.spans, said.periods, today, language, day), said.relative

    if previous is None or not planner.is_new(text, previous, periods(previous).periods):
        return read(previous)
    alone, relative = read(None)
    scaled = tuple(replace(each, score=round(each.score * _IN_SESSION, 4)) for each in alone)
    if not scaled or is_sure(scaled[0]):
        return scaled, relative
    placed, counted = read(previous)
    sure = bool(placed) and is_sure(placed[0]) and not placed[0].follow_up
    return (placed, counted) if sure else (scaled, relative)
