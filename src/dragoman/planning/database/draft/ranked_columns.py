"""Superlatives of columns: by their numbers and dates, or by how often their values are met."""

from dragoman.planning.database.column_facts import Role
from dragoman.planning.database.draft.adjectives import graded_column
from dragoman.planning.database.draft.groups import descends, gather_by_default, gather_by_figure
from dragoman.planning.database.draft.ranked_days import day_of, rank_days
from dragoman.planning.database.draft.work import Asked, Work
from dragoman.planning.database.frame import Aggregate, Group, Measure, Order, Ref
from dragoman.planning.database.sketch import Ranked
from dragoman.planning.database.vocabulary import Adjective
from dragoman.planning.tables.schema_names import Thing
from dragoman.planning.tables.words import stem
from dragoman.tables.graph import Table

_AMOUNTS = ("most", "fewest", "least")


def rank_by_column(work: Work, ranked: Ranked, thing: Thing) -> None:
    shown = [each for each in work.asked.things(work.sketch.shown) if each.number != thing.number]
    if work.knowledge.role(thing) not in (Role.MEASURE, Role.DATE, Role.YEAR):
        _rank_values(work, ranked, thing, bool(shown))
        return
    if thing.is_date and ranked.adjective is not None and not _speaks_of_dates(ranked.adjective):
        # "The busiest day" is no last day.
        work.groups = [Group(Ref(thing), None if thing.column is None else day_of(thing))]
        work.cost += 0.0 if rank_days(work, ranked) else 1.0
        return
    descending = descends(work.knowledge, ranked, thing)
    if not shown and work.sketch.maybe is not None:
        shown = work.asked.things([work.sketch.maybe[1]])
    if _adds_up(work, ranked, thing, shown):
        gather_by_figure(work, Measure(Aggregate.SUM, Ref(thing)), descending)
        return
    end = Measure(Aggregate.MAX if descending else Aggregate.MIN, Ref(thing))
    if work.groups:
        work.measures.append(end)
    elif not shown and _names_event(work, ranked, thing):
        # "The newest hire" is somebody, and no date.
        work.base = thing.table
        work.order.append(Order(Ref(thing), descending))
    elif not shown and not work.sketch.who and work.wanted_limit is None:
        # "The highest price": one figure, and no rows to leave out.
        work.ranked_limit = None
        work.measures.append(end)
    elif _reaches_one_of_each(work, thing, shown):
        work.base = thing.table
        work.order.append(Order(Ref(thing), descending))
        if any(each.table.key != thing.table.key for each in shown) and not work.asked.exact:
            work.shown.append(Ref(thing))
    else:
        gather_by_figure(work, end, descending)


def _names_event(work: Work, ranked: Ranked, thing: Thing) -> bool:
    """Whether a date is named by what happened then, and not as a date."""
    adjective, slot = ranked.adjective, ranked.name
    if not thing.is_date or adjective is None or not adjective.dates or slot is None:
        return False
    said = {stem(word) for word in slot.segment.text.casefold().split()}
    timed = work.asked.words.any_date & set(thing.words)
    return bool(timed) and not said & work.asked.words.any_date and not work.sketch.when


def _speaks_of_dates(adjective: Adjective) -> bool:
    return bool(adjective.dates) or adjective.plain


def _adds_up(work: Work, ranked: Ranked, thing: Thing, shown: list[Thing]) -> bool:
    """ "The project with the most hours": the hours of all its rows; so with pieces that were sold."""
    if not work.asked.is_measure(thing) or work.groups or not (shown or work.sketch.who):
        return False
    sold = work.sketch.sold and thing in work.knowledge.quantities
    if not sold and (ranked.adjective is not None or ranked.words not in _AMOUNTS):
        return False
    tables = [each.table for each in shown] or [work.subject]
    ways = [work.joins.way(thing.table, table) for table in tables]
    return all(way is not None and way.single and way.links for way in ways)


def _reaches_one_of_each(work: Work, thing: Thing, shown: list[Thing]) -> bool:
    """Whether a row of the ranked column has one of each thing shown: then rows are ranked, not groups."""
    ways = [work.joins.way(thing.table, each.table) for each in shown]
    return all(way is not None and way.single for way in ways)


def _rank_values(work: Work, ranked: Ranked, thing: Thing, others: bool) -> None:
    """ "The most countries", "top 5 destinations": the column is what is counted or gathered by."""
    limited = bool(ranked.limit) or work.sketch.limit is not None
    if others and not limited and ranked.adjective is None and ranked.words in _AMOUNTS:
        gather_by_figure(work, Measure(Aggregate.COUNT, Ref(thing), distinct=True), ranked.descending)
        return
    gather_by_default(work, thing)
    if work.measures:
        work.order.append(Order(work.measures[0], ranked.descending))
        return
    found = graded_column(work.asked, ranked.adjective, thing.table) if ranked.adjective else None
    if found is not None:
        work.groups = []
        work.shown.append(Ref(thing))
        work.order.append(Order(Ref(found[0]), ranked.descending != found[1]))
        return
    counted = Measure(Aggregate.COUNT, counts=counted_for(work.asked, thing))
    gather_by_figure(work, counted, ranked.descending)


def counted_for(asked: Asked, thing: Thing) -> Table:
    """What is counted where the values of a name are ranked: another table that is named, else its own."""
    sketch = asked.sketch
    named = asked.tables([*sketch.shown, *sketch.context, *sketch.linked])
    # "Booked most often": what has a day on which it was booked.
    named += [each.table for each in asked.things(sketch.context) if each.is_date]
    return next((table for table in named if table.key != thing.table.key), thing.table)
