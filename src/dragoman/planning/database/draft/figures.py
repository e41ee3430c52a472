"""Figures: aggregates of columns, counts of rows, money and quantities."""

from dragoman.planning.database.column_facts import Role
from dragoman.planning.database.draft.ages import age_figure
from dragoman.planning.database.draft.work import Work
from dragoman.planning.database.frame import Aggregate, Measure, Ref
from dragoman.planning.database.sketch import Slot
from dragoman.planning.tables.schema_names import Thing
from dragoman.tables.graph import Table

_NO_WAY = 20
_TO_MANY = 6


def figure_of(work: Work, thing: Thing, aggregate: Aggregate) -> Measure | None:
    """What an aggregate of a name is: of its column, or of the one measure of its table."""
    if thing.column is not None:
        return _figure_of_column(work, thing, aggregate)
    knowledge = work.knowledge
    money = [f.thing for f in knowledge.columns(thing.table) if f.money and f.role is Role.MEASURE]
    totals = [each for each in knowledge.totals if each in money]
    measures = knowledge.measures(thing.table)
    if totals or money or len(measures) == 1:
        return Measure(aggregate, Ref((totals or money or measures)[0]))
    own = knowledge.own_count(thing.table)
    if own is not None:
        return Measure(aggregate, Ref(own))
    return Measure(Aggregate.COUNT, counts=thing.table) if aggregate is Aggregate.SUM else None


def _figure_of_column(work: Work, thing: Thing, aggregate: Aggregate) -> Measure | None:
    age = age_figure(work, thing, aggregate)
    if age is not None:
        return age
    role = work.knowledge.role(thing)
    if role in (Role.MEASURE, Role.YEAR) or (thing.is_number and role is not Role.KEY):
        return Measure(aggregate, Ref(thing))
    if aggregate in (Aggregate.MIN, Aggregate.MAX) and role is Role.DATE:
        return Measure(aggregate, Ref(thing))
    if aggregate is Aggregate.SUM:
        return Measure(Aggregate.COUNT, Ref(thing), distinct=True)
    return None


def count_of(work: Work, thing: Thing) -> Measure:
    """How many of something: rows, different values, or the sum of a column that counts already."""
    if thing.column is not None:
        if work.asked.is_measure(thing):
            return Measure(Aggregate.SUM, Ref(thing))
        return Measure(Aggregate.COUNT, Ref(thing), distinct=True)
    own = work.knowledge.own_count(thing.table)
    return Measure(Aggregate.COUNT, counts=thing.table) if own is None else Measure(Aggregate.SUM, Ref(own))


def quantity_figure(work: Work) -> Measure | None:
    """How many pieces of the subject were sold: the quantity nearest to it and to what else is named."""
    found: list[tuple[float, Thing]] = []
    named = work.asked.tables(work.sketch.context)
    for thing in work.knowledge.quantities:
        way = work.joins.way(thing.table, work.subject)
        if way is not None and way.single:
            away = sum(work.joins.distance(thing.table, table) for table in named)
            found.append((way.cost + away, thing))
    return Measure(Aggregate.SUM, Ref(min(found, key=lambda each: each[0])[1])) if found else None


def money_figure(work: Work, aggregate: Aggregate | None = None) -> Measure | None:
    """Money that changed hands: the nearest total that what is asked for can be gathered by, or lines."""
    wanted = _gathered_by(work)
    found: list[tuple[float, Measure]] = []
    for place, (table, option) in enumerate(_money(work, aggregate or Aggregate.SUM)):
        cost = sum((_reach(work, table, target) for target in wanted), 0.0)
        if not wanted:
            cost += work.joins.distance(table, work.subject)
        # Of two as near a total goes before lines that must be multiplied.
        found.append((cost + 0.01 * place + (0.3 if option.factors else 0), option))
    return min(found, key=lambda each: each[0])[1] if found else None


def _gathered_by(work: Work) -> list[Table]:
    """The tables that a figure of money must reach."""
    asked = work.asked
    groups = [slot for slot in work.sketch.groups if isinstance(slot, Slot)]
    wanted = [group.target for group in work.groups] or [thing.table for thing in asked.things(groups)]
    wanted += [condition.ref.table for condition in work.conditions]
    if work.sketch.shown or work.sketch.ranked:
        wanted.append(work.subject)
    return wanted


def _money(work: Work, aggregate: Aggregate) -> list[tuple[Table, Measure]]:
    found = [(total.table, Measure(aggregate, Ref(total))) for total in work.knowledge.totals]
    for price, quantity, discount in work.knowledge.lines:
        own = price.table.key == quantity.table.key
        first = (Ref(price), Ref(quantity)) if own else (Ref(quantity), Ref(price))
        factors = (*first, *([Ref(discount)] if discount else []))
        measure = Measure(aggregate, factors=factors, discounted=discount is not None)
        found.append((quantity.table, measure))
    prices = () if found else work.knowledge.single_prices
    return found + [(price.table, Measure(aggregate, Ref(price))) for price in prices]


def _reach(work: Work, table: Table, target: Table) -> float:
    """What it costs to gather the rows of a table by another: a row with many targets would count often."""
    way = work.joins.way(table, target)
    if way is None:
        return _NO_WAY
    return way.cost if way.single else _TO_MANY + way.cost
