"""Conditions of which one is enough: above 5 or below 1, in 2009 or 2010."""

from msgspec.structs import replace

from dragoman.planning.database.draft.work import Work
from dragoman.planning.database.frame import Condition

_RANGES = ("above", "below", "at-least", "at-most", "equal", "between", "days")


def is_enough(work: Work, condition: Condition) -> bool:
    """Puts a condition beside the one before it, where that is on the same column."""
    before = work.conditions[-1] if work.conditions else None
    if before is None or before.ref != condition.ref or before.negative or condition.negative:
        return False
    if before.operation not in _RANGES or condition.operation not in _RANGES:
        return False
    work.conditions[-1] = replace(before, others=(*before.others, condition))
    return True
