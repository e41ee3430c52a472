"""Averages of numbers: how many there are, or how much, for each of something."""

from msgspec.structs import replace

from dragoman.planning.database.draft.work import Work
from dragoman.planning.database.frame import Aggregate, Group, Measure
from dragoman.planning.database.segments import things_of
from dragoman.tables.graph import Table

_NOTHING_TO_DIVIDE_BY = 1.5
_NOT_THE_ROWS = 1.0


def divide_figures(work: Work) -> None:
    """ "Average number of bookings per customer": what would gather is what is divided by the number of."""
    if _sum_for_each(work):
        return
    counted = _divided(work)
    if counted is None:
        return
    per = _each(work, counted)
    if per is None or (per.table is not None and per.table.key == counted.key):
        work.cost += _NOTHING_TO_DIVIDE_BY
        return
    work.groups = [group for group in work.groups if group != per]
    work.measures = [Measure(Aggregate.COUNT, counts=counted, per=per)]


def _sum_for_each(work: Work) -> bool:
    """ "The average number of pieces per order": pieces are added up, and divided by the number of orders. An
    average over rows that are gathered one by one is that of all of them."""
    measures, groups = work.measures, work.groups
    if len(measures) != 1 or len(groups) != 1 or measures[0].aggregate is not Aggregate.AVERAGE:
        return False
    measure, group = measures[0], groups[0]
    if group.table is None or measure.table is None or work.sketch.each or work.sketch.ranked:
        return False
    if group.table.key == measure.table.key and group.through is None:
        work.groups = []
        return True
    way = work.joins.way(measure.table, group.table)
    money = any(slot is None for _, slot in work.sketch.measured)
    pieces = measure.ref is not None and measure.ref.thing in work.knowledge.quantities
    numbered = pieces and "number" in work.sketch.said_stems()
    if numbered and not money and _is_named(work, measure.table):
        # "The average number of order lines": of rows, and not of the pieces in them.
        work.cost += _NOT_THE_ROWS
        return False
    if way is None or not way.single or not (money or numbered):
        return False
    work.groups, work.measures = [], [replace(measure, aggregate=Aggregate.SUM, per=group)]
    return True


def _is_named(work: Work, table: Table) -> bool:
    """Whether rows are named in full: "order lines" are lines, and "items" may be pieces."""
    own = work.knowledge.things.table_thing[table.key]
    return len(own.required) > 1 and any(
        len(own.required) <= piece.end - piece.start and things_of(piece)[0][0] is own
        for piece in work.sketch.pieces
        if piece.names
    )


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
