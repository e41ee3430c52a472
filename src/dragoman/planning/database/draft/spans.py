"""Differences that rows are ranked by: between two columns, or from the day something began to its end."""

from dragoman.planning.database.draft.span_ends import ends_of, span_difference
from dragoman.planning.database.draft.work import Work
from dragoman.planning.database.frame import Difference, Order, Ref
from dragoman.planning.database.sketch import Ranked, Slot
from dragoman.tables.graph import Column, Table


def rank_by_difference(work: Work, ranked: Ranked, between: tuple[Slot, Slot]) -> bool:
    """The biggest difference between two columns that are named."""
    first, second = (work.asked.thing(slot) for slot in between)
    if first is None or second is None or first.column is None or second.column is None:
        return False
    if first.is_date and second.is_date:
        if work.asked.words.ending & set(second.words):
            first, second = second, first
        difference = span_difference((first, second))
    elif first.is_number and second.is_number:
        if _is_less(first.column, second.column):
            first, second = second, first
        difference = Difference(Ref(first), Ref(second))
    else:
        return False
    work.order.append(Order(difference, ranked.descending))
    return True


def _is_less(one: Column | None, other: Column | None) -> bool:
    """Whether one column is below another: the gap between a minimum and a maximum is not negative."""
    if one is None or other is None:
        return False
    (least, most), (low, high) = (one.info.least, one.info.most), (other.info.least, other.info.most)
    if least is None or most is None or low is None or high is None:
        return False
    return least < low and most < high


def rank_by_span(work: Work, ranked: Ranked, table: Table) -> bool:
    """What took the longest, where a row says when it began and when it ended."""
    ends = ends_of(work, table)
    if ends is None:
        return False
    work.order.append(Order(span_difference(ends), ranked.descending))
    return True
