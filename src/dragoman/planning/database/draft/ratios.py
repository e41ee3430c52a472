"""Averages of numbers: how many there are, or how much, for each of something."""

from dragoman.planning.database.draft.work import Work
from dragoman.planning.database.frame import Aggregate, Group, Measure
from dragoman.tables.graph import Table

_NOTHING_TO_DIVIDE_BY = 1.5


def divide_figures(work: Work) -> None:
    """ "Average number of bookings per customer": what would gather is what is divided by the number of."""
    counted = _divided(work)
    if counted is None:
        return
    per = _each(work, counted)
    if per is None:
        work.cost += _NOTHING_TO_DIVIDE_BY
        return
    work.groups = [group for group in work.groups if group != per]
    work.measures = [Measure(Aggregate.COUNT, counts=counted, per=per)]


def _divided(work: Work) -> Table | None:
    """The rows whose number is divided."""
    sketch, asked = work.sketch, work.asked
    averaged = [slot for aggregate, slot in sketch.measured if aggregate is Aggregate.AVERAGE]
    if sketch.divided:
        tables = asked.tables((*sketch.counted, *averaged))
    else:
        # "How many bookings does the average customer make".
        tables = asked.tables(sketch.counted) if asked.tables(averaged) and not work.groups else []
    own = tables and work.knowledge.own_count(tables[0]) is not None
    return None if not tables or own else tables[0]


def _each(work: Work, counted: Table) -> Group | None:
    sketch, asked = work.sketch, work.asked
    if work.groups:
        return work.groups[0]
    averaged = [slot for aggregate, slot in sketch.measured if aggregate is Aggregate.AVERAGE]
    tables = asked.tables((*sketch.shown, *sketch.context, *averaged))
    return next((Group(table=table) for table in tables if table.key != counted.key), None)
