"""Orders that are said: by a name, by a figure, or only up or down."""

from msgspec.structs import replace

from dragoman.planning.database.column_facts import Role
from dragoman.planning.database.column_words import column_words
from dragoman.planning.database.draft.figures import count_of, figure_of, quantity_figure
from dragoman.planning.database.draft.groups import descends, gather_by_figure, group_of
from dragoman.planning.database.draft.money import money_figure
from dragoman.planning.database.draft.work import Work
from dragoman.planning.database.frame import Aggregate, Measure, Order, Ref
from dragoman.planning.database.sketch import Slot
from dragoman.planning.database.verb_forms import closeness
from dragoman.planning.tables.schema_names import Thing
from dragoman.tables.graph import Table

_LOW = ("bottom", "worst")


def sort_rows(work: Work) -> None:
    for key, descending in work.sketch.orders:
        if isinstance(key, Slot):
            _sort_by_name(work, key, descending)
        elif key == "direction":
            _sort_alone(work, bool(descending))
        elif key == "money":
            _sort_by_figure(work, money_figure(work), descending)
        elif key == "sold":
            rows = Measure(Aggregate.COUNT, counts=work.subject)
            _sort_by_figure(work, quantity_figure(work) or rows, descending)
        elif key == "done":
            _sort_by_verb(work, bool(descending))


def _sort_by_verb(work: Work, descending: bool) -> None:
    """By the day on which something was done, the first of them first."""
    verb = work.sketch.verbs[-1]
    dates = [(closeness(work.asked.words, verb, date), date) for date in work.knowledge.dated(work.subject)]
    best = max(dates, key=lambda each: each[0], default=None)
    if best is None or best[0] <= 0.0:
        work.cost += 0.8
        work.sketch.uncovered.append(verb)
    else:
        work.order.append(Order(Ref(best[1]), descending))


def _lowest_first(work: Work) -> bool:
    """ "The bottom five by sales"."""
    return bool(work.sketch.ranked) and work.sketch.ranked[0].words in _LOW


def _sort_by_figure(work: Work, measure: Measure | None, descending: bool | None) -> None:
    """A figure sorts from the greatest down unless a direction is said."""
    if measure is None:
        return
    if work.top is not None and not work.groups:
        work.groups.append(group_of(work.asked, work.top))
    ranked = work.sketch.ranked
    least = bool(ranked) and ranked[0].adjective is not None and not ranked[0].descending
    down = descending is not False and not _lowest_first(work) and not least
    gather_by_figure(work, measure, down)


def _sort_by_name(work: Work, slot: Slot, descending: bool | None) -> None:
    thing = work.asked.thing(slot)
    if thing is None:
        return
    if slot.aggregate is Aggregate.COUNT:
        _sort_by_figure(work, count_of(work, thing), descending)
        return
    if slot.aggregate is not None:
        _sort_by_figure(work, figure_of(work, thing, slot.aggregate), descending)
        return
    ranked = work.sketch.ranked
    if descending is None and work.sketch.ranks and not ranked:
        descending = _ranks_down(work, thing)
    down = (
        descending if descending is not None else bool(ranked) and descends(work.knowledge, ranked[0], thing)
    )
    down = down and not _lowest_first(work)
    if thing.column is not None:
        _sort_by_column(work, thing, down)
    elif thing.table.key == work.subject.key or work.measures:
        work.order.extend(Order(Ref(label), down) for label in work.knowledge.labels(thing.table)[:1])
    else:
        _sort_by_figure(work, Measure(Aggregate.COUNT, counts=thing.table), descending)


def _ranks_down(work: Work, thing: Thing) -> bool:
    """Whether the greatest comes first: of amounts, but not of places in an order."""
    return work.asked.is_measure(thing) and column_words().places.isdisjoint(thing.words)


def _sort_by_column(work: Work, thing: Thing, down: bool) -> None:
    if _sums_up(work, thing):
        if work.top is not None and set(thing.words) & _own_words(work, work.top.table):
            # The capacity of a depot is its own, not that of its vans together.
            work.cost += 0.4
        _sort_by_figure(work, Measure(Aggregate.SUM, Ref(thing)), down)
        return
    for measure in work.measures:
        if measure.ref is not None and measure.ref.thing.number == thing.number:
            work.order.append(Order(measure, down))
            return
    first = work.sketch.first
    if first is not None and work.knowledge.role(thing) in (Role.DATE, Role.YEAR):
        # "Oldest first" by a date: the earliest comes first.
        down ^= first.backward
    work.order.append(Order(Ref(thing), down))


def _own_words(work: Work, table: Table) -> set[str]:
    return {word for measure in work.knowledge.measures(table) for word in measure.words}


def _sums_up(work: Work, thing: Thing) -> bool:
    """Whether "top 5 countries by population" must add up what it sorts by: a country here has many rows."""
    top = work.top
    if top is None or not work.asked.is_measure(thing):
        return False
    if top.column is not None:
        return True
    way, back = work.joins.way(thing.table, top.table), work.joins.way(top.table, thing.table)
    if back is not None and back.single:
        # One row beside each of the things says it of that thing alone.
        return False
    return way is not None and bool(way.links)


def _sort_alone(work: Work, descending: bool) -> None:
    """A direction without a name: of the figure, of the order so far, or of what is shown."""
    if work.measures and not work.sketch.alphabetical:
        work.order.append(Order(work.measures[0], descending))
    elif work.order:
        work.order = [replace(work.order[-1], descending=descending)]
    else:
        shown = [thing for thing in work.asked.things(work.sketch.shown) if thing.column is not None]
        named = shown or work.knowledge.labels(work.subject)
        work.order.extend(Order(Ref(thing), descending) for thing in named[:1])
