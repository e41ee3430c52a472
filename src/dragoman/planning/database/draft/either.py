"""Conditions of which one is enough: above 5 or below 1, in 2009 or 2010, from Oslo or older than 30."""

from msgspec.structs import replace

from dragoman.planning.database.draft.work import Work
from dragoman.planning.database.frame import Condition, Frame

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


def any_is_enough(work: Work, frame: Frame) -> Frame:
    """ "From Oslo or older than 30": one of two conditions on different columns is enough."""
    sketch = work.sketch
    joined = [kept.either for kept in sketch.kept]
    joined += [compared.either for compared in sketch.compared]
    joined += [dated.either for dated in sketch.dated]
    if not any(joined) or len(frame.conditions) < len(joined) or frame.share is not None:
        return frame
    alone = len(joined) == len(frame.conditions) == 2 and not (frame.linked or frame.having)
    if alone and not any(each.negative for each in frame.conditions):
        return replace(frame, either=True)
    # Of three conditions it is not said which of them belong together.
    work.guess("values")
    return frame
