"""Periods: which date they speak of, and the conditions that they set."""

from msgspec.structs import replace

from dragoman.planning.database.draft.calendar_columns import calendar_conditions
from dragoman.planning.database.draft.work import Work
from dragoman.planning.database.frame import Condition, Ref
from dragoman.planning.database.sketch import Dated
from dragoman.planning.tables.things import Thing
from dragoman.tables.graph import Table
from dragoman.tables.verbs import DatePart

_FARTHEST = 4
_CLOSE_CALL = 0.3


def hold_periods(work: Work) -> None:
    for dated in work.sketch.dated:
        absent = next((each for each in work.linked if each.absent), None)
        if absent is not None and not dated.negative:
            # "No orders in 2019": the period is that of what is not there.
            inside = _period(work, absent.table, dated)
            if inside and all(condition.ref.table.key == absent.table.key for condition in inside):
                place = work.linked.index(absent)
                work.linked[place] = replace(absent, conditions=(*absent.conditions, *inside))
                continue
        work.conditions.extend(_period(work, main_table(work), dated))


def main_table(work: Work) -> Table:
    """The table that dates are looked for in first: the one that is measured, else the subject."""
    measured = (measure.table for measure in work.measures if measure.table is not None)
    return next(measured, work.subject)


def _period(work: Work, table: Table, dated: Dated) -> list[Condition]:
    near = work.asked.thing(dated.near)
    numbers = calendar_conditions(work.knowledge, table, dated.period, near)
    if numbers is not None:
        return numbers
    date = date_column(work, table, near)
    if date is not None:
        return _days(work, Ref(date), dated)
    for other in work.asked.chosen.tables:
        numbers = calendar_conditions(work.knowledge, other, dated.period, near)
        if numbers is not None:
            return numbers
    work.guess("period", 2.0)
    return []


def _days(work: Work, ref: Ref, dated: Dated) -> list[Condition]:
    period = dated.period
    days = period.days(None, work.asked.today)
    if days is None and period.bound is not None:
        days = replace(period, bound=None).days(None, work.asked.today)
    if days is not None:
        if not period.absolute:
            work.guess("today")
        return [Condition(ref, "days", (days.first, days.last), dated.negative)]
    if period.year is None:
        # "In March" without a year: March of every year.
        if period.month is not None and period.day is None and period.until is None:
            return [Condition(ref, "part", (float(period.month),), dated.negative, DatePart("month"))]
        if period.quarter is not None:
            return [Condition(ref, "part", (float(period.quarter),), dated.negative, DatePart("quarter"))]
    work.cost += 1.5
    return []


def date_column(work: Work, table: Table, near: Thing | None = None) -> Thing | None:
    """The date that a period speaks of: one that a verb names, the nearest one otherwise."""
    if near is not None and near.is_date:
        return near
    hints: set[str] = set()
    for verb in work.sketch.verbs:
        hints |= {verb} | work.asked.words.date_verbs.get(verb, frozenset())
    found: list[tuple[float, int, Thing]] = []
    for other in work.joins.graph.tables.values():
        way = work.joins.way(table, other)
        if way is None or len(way.links) > _FARTHEST:
            continue
        for place, date in enumerate(work.knowledge.dates(other)):
            cost = 2.0 * way.cost + (0 if way.single else 1.0) + 0.05 * place
            found.append((cost + _bearing(work, table, date, hints), date.number, date))
    if not found:
        return None
    found.sort(key=lambda each: each[:2])
    best, *others = found
    if others and others[0][0] - best[0] < _CLOSE_CALL and others[0][2].table.key == best[2].table.key:
        work.guess("date")
    return best[2]


def _bearing(work: Work, table: Table, date: Thing, hints: set[str]) -> float:
    """What the name of a date adds to its distance. The word of a verb brings it near, and so does the name
    of the table; when a row was entered or changed is seldom meant."""
    words = set(date.words)
    cost = 0.0
    if hints & words:
        cost -= 3.0
    elif work.asked.words.upkeep & words:
        cost += 0.8
    if words & set(work.knowledge.things.table_thing[table.key].words):
        cost -= 0.5
    return cost
