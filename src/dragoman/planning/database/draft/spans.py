"""Differences that rows are ranked by: between two columns, or from the day something began to its end."""

from dragoman.planning.database.draft.adjectives import dated_fit
from dragoman.planning.database.draft.work import Work
from dragoman.planning.database.frame import Difference, Order, Ref
from dragoman.planning.database.sketch import Ranked, Slot
from dragoman.planning.database.vocabulary import english
from dragoman.planning.tables.things import Thing
from dragoman.planning.tables.words import stem
from dragoman.tables.graph import Table


def rank_by_difference(work: Work, ranked: Ranked, between: tuple[Slot, Slot]) -> bool:
    """The biggest difference between two columns that are named."""
    first, second = (work.asked.thing(slot) for slot in between)
    if first is None or second is None or first.column is None or second.column is None:
        return False
    if first.is_date and second.is_date:
        if work.asked.words.ending & set(second.words):
            first, second = second, first
        difference = Difference(Ref(first), Ref(second), days=True)
    elif first.is_number and second.is_number:
        difference = Difference(Ref(first), Ref(second))
    else:
        return False
    work.order.append(Order(difference, ranked.descending))
    return True


def rank_by_span(work: Work, ranked: Ranked, table: Table) -> bool:
    """What took the longest, where a row says when it began and when it ended."""
    ends = _ends(work, table)
    begins = [date for date in work.knowledge.dates(table) if date not in ends]
    if not ends or not begins:
        return False
    early = english().adjectives["early"]
    begin = max(begins, key=lambda date: (dated_fit(work.asked, early, date), -date.number))
    work.order.append(Order(Difference(Ref(ends[0]), Ref(begin), days=True), ranked.descending))
    return True


def _ends(work: Work, table: Table) -> list[Thing]:
    """The dates on which a thing ends, one that is spoken of first. When a row was changed ends nothing."""
    said = {piece.stem for piece in work.sketch.pieces} | set(work.sketch.verbs)
    fixed = {stem(word) for word in english().no_ends}
    dates = [d for d in work.knowledge.dates(table) if work.asked.words.ending & set(d.words)]
    real = [date for date in dates if not fixed & set(date.words)]
    return sorted(real, key=lambda date: (not said & set(date.words), date.number))
