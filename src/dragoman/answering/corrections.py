"""Words that were read otherwise than they were written: each is said, in an answer and in a question."""

from typing import Final

from dragoman.answering.context import TurnContext
from dragoman.contracts.program import Program
from dragoman.planning.contract import PlannerName
from dragoman.reading.read_words import read_words
from dragoman.reading.reading import Reading
from dragoman.reading.tokens import tokens_of

OVER_TABLES: Final = frozenset({PlannerName.TABLES, PlannerName.ROWS})
"""Planners whose verbs are those of tables, which only read. They mend slips in names by themselves."""

_MENDS_SLIPS: Final = frozenset({PlannerName.PACKS, PlannerName.WRITES})
"""Planners that read a message as it was meant, slips mended."""


def corrections(context: TurnContext, program: Program = ()) -> str:
    """What was read otherwise than it was written. Of a program over tables its words tell what was read."""
    planner, reading = context.proposal.planner, context.reading
    read: tuple[tuple[str, str], ...] = ()
    if planner in _MENDS_SLIPS:
        read = reading.corrections
    elif planner in OVER_TABLES and program:
        read = (*read_words(context.text, program, reading.language), *_in_dates(reading))
    return "".join(context.phrases.say("corrected", written=one, read=other) for one, other in read)


def _in_dates(reading: Reading) -> tuple[tuple[str, str], ...]:
    """The slips in words for dates, which every planner reads alike."""
    dated = {token.form for period in reading.dates for token in tokens_of(period.text)}
    return tuple(each for each in reading.corrections if each[0] in dated)
