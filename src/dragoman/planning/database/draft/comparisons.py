"""Conditions with a number or the average: of rows by a column, of groups by a figure."""

import datetime as dt
from itertools import pairwise

from msgspec.structs import replace

from dragoman.planning.database.column_facts import Role
from dragoman.planning.database.draft.ages import compare_age
from dragoman.planning.database.draft.column_pairs import compare_columns
from dragoman.planning.database.draft.compared_columns import compared_column, converted, wage_column
from dragoman.planning.database.draft.durations import compare_duration
from dragoman.planning.database.draft.either import is_enough
from dragoman.planning.database.draft.figures import figure_of
from dragoman.planning.database.draft.groups import repeated_label
from dragoman.planning.database.draft.money import money_figure
from dragoman.planning.database.draft.presence import only_record, record_table
from dragoman.planning.database.draft.values import of_average
from dragoman.planning.database.draft.work import Work
from dragoman.planning.database.frame import Aggregate, Condition, Having, Linked, Measure, Ref
from dragoman.planning.database.segments import Piece
from dragoman.planning.database.sketch import Compared
from dragoman.planning.database.written_dates import written_span
from dragoman.planning.tables.schema_names import Thing
from dragoman.planning.tables.words import stem
from dragoman.tables.verbs import DatePart

_TIMES = (Role.DATE, Role.YEAR, Role.MONTH, Role.DAY)
_TIMES_SAID = frozenset({"once", "twice", "thrice", "times"})
_FIRST_YEAR, _LAST_YEAR = 1000, 2300


def compare_numbers(work: Work) -> None:
    for compared in work.sketch.compared:
        if compared.late or compared.other is not None:
            compare_columns(work, compared)
            continue
        name, after = work.asked.thing(compared.name), work.asked.thing(compared.after)
        if compare_duration(work, compared):
            continue
        wage = wage_column(work, compared)
        if wage is not None:
            _compare_column(work, compared, wage)
            continue
        measure = _aggregated(work, compared, name, after)
        if measure is not None:
            work.having.append(_having(compared, measure))
            continue
        if (name is None or name.column is None) and after is None and _counts_kept(work, compared):
            continue
        column = None if _is_frequency(after, compared) else compared_column(work, compared, name, after)
        if column is not None:
            _compare_column(work, compared, column)
            continue
        # Not a column: how many rows of another table, or how much money.
        measure = _counted_or_paid(work, compared, name, after)
        if measure is None:
            work.guess("number", 1.0)
        else:
            work.having.append(_having(compared, measure))


def _counts_kept(work: Work, compared: Compared) -> bool:
    """ "Members with at least 3 gold medals", where gold medals are what some rows are: so many of them."""
    pieces = work.sketch.pieces
    behind = [
        after
        for number, after in pairwise(pieces)
        if number.piece is Piece.NUMBER and number.number in compared.numbers and after.piece is Piece.VALUE
    ]
    kept = [each for each in work.sketch.kept if each.segment in behind and not each.negative]
    values = work.asked.chosen.values.get(id(kept[0])) if len(kept) == 1 else None
    if values is None or len(compared.numbers) != 1 or not kept[0].segment.text.casefold().endswith("s"):
        return False
    table = values[0].thing.table
    way = work.joins.way(work.subject, table)
    held = [each for each in work.conditions if each.ref.thing.number == values[0].thing.number]
    # Rows that others point at are one each: how many of those there are, this does not say.
    if way is None or not way.links or way.links[-1].single or not held:
        return False
    work.conditions = [each for each in work.conditions if each not in held]
    number = compared.numbers[0]
    work.linked.append(Linked(table, None, tuple(held), operation=compared.operation, number=number))
    return True


def _having(compared: Compared, measure: Measure) -> Having:
    number = None if compared.average else compared.numbers[0]
    most = compared.numbers[1] if len(compared.numbers) > 1 else None
    return Having(measure, compared.operation, number, most)


def _aggregated(work: Work, compared: Compared, name: Thing | None, after: Thing | None) -> Measure | None:
    """The figure in "with an average price above 10", where there is something to gather by."""
    sketch = work.sketch
    if compared.spent:
        return money_figure(work, compared.aggregate or Aggregate.SUM)
    said = [
        aggregate for aggregate, slot in sketch.measured if slot is compared.name and aggregate is not None
    ]
    aggregate = said[0] if said else compared.aggregate
    gathers = sketch.shown or sketch.groups or sketch.who
    if aggregate is None or not compared.numbers or not gathers:
        return None
    if not said and after is not None and work.asked.is_measure(after):
        return figure_of(work, after, aggregate)
    if name is None or (not said and name.table.key == work.subject.key):
        return None
    way = work.joins.way(name.table, work.subject)
    if aggregate is Aggregate.SUM and work.is_money(name) and (way is None or not way.single):
        # A total of money that would be counted several times: the money that is nearer is meant.
        return money_figure(work, aggregate) or figure_of(work, name, aggregate)
    return figure_of(work, name, aggregate)


def _compare_column(work: Work, compared: Compared, column: Thing) -> None:
    ref = Ref(column)
    if compared.average:
        way = work.joins.way(work.subject, column.table)
        if way is not None and not way.single:
            # "Customers with more weight hired than average": all that each of them has, unless an adjective
            # speaks of each row: "streets with more expensive houses than average".
            each = compared.adjective is not None or _says_average(work, column)
            each |= compared.aggregate is Aggregate.AVERAGE
            whole = Aggregate.AVERAGE if each else Aggregate.SUM
            work.having.append(Having(Measure(whole, ref), compared.operation, None))
            return
        if _gathers(work, column):
            # "Branches with a higher than average fee": groups against all rows.
            work.having.append(Having(Measure(Aggregate.AVERAGE, ref), compared.operation, None))
            return
        operation = (compared.operation,)
        within = of_average(work)
        work.conditions.append(Condition(ref, "average", operation, compared.negative, within=within))
        return
    numbers = converted(work, compared, column)
    if work.knowledge.role(column) is Role.DATE:
        _compare_year(work, compared, ref)
    elif compared.operation == "between" and len(numbers) == 2:
        work.conditions.append(Condition(ref, "between", numbers, compared.negative))
    else:
        condition = Condition(ref, compared.operation, numbers[:1], compared.negative)
        if not (compared.either and is_enough(work, condition)):
            work.conditions.append(condition)


def _says_average(work: Work, column: Thing) -> bool:
    """ "With an average fee above the average": averages are compared, and no sums."""
    averages = [slot for aggregate, slot in work.sketch.measured if aggregate is Aggregate.AVERAGE]
    return any(thing.number == column.number for slot in averages if (thing := work.asked.thing(slot)))


def _gathers(work: Work, column: Thing) -> bool:
    """Whether only columns are shown that gather rows: not a name of what is compared, nor its own figure."""
    shown = work.asked.things(work.sketch.shown)
    labels = work.knowledge.labels(column.table)
    return bool(shown) and all(
        each.column is not None and each.number != column.number and each not in labels for each in shown
    )


def average_in_period(work: Work) -> None:
    """An average that rows of a period are compared with is one of that period."""
    for place, each in enumerate(work.conditions):
        if each.operation != "average":
            continue
        own = (c for c in work.conditions if c.ref.table.key == each.ref.table.key and not c.negative)
        during = (c for c in own if work.knowledge.role(c.ref.thing) in _TIMES and c.operation != "average")
        within = tuple(dict.fromkeys((*each.within, *during)))
        work.conditions[place] = replace(each, within=within)


def _compare_year(work: Work, compared: Compared, ref: Ref) -> None:
    """A number beside a date is a year, beside a day of birth an age, or nothing."""
    year = int(compared.numbers[0]) if compared.numbers else 0
    if _FIRST_YEAR <= year <= _LAST_YEAR:
        if not ref.thing.is_date:
            days = (dt.date(year, 1, 1), dt.date(year, 12, 31))
            form = work.knowledge.form(ref.thing)
            held = None if form is None else written_span(form, *days)
            if held is not None:
                work.conditions.append(Condition(ref, held.operation, held.texts, compared.negative))
                return
            work.conditions.append(Condition(ref, "days", days, compared.negative))
            return
        part = DatePart("year")
        work.conditions.append(Condition(ref, "part", (float(year),), compared.negative, part))
    elif (aged := compare_age(work, compared, ref)) is not None:
        work.conditions.append(aged)
    else:
        work.guess("number", 1.0)


def _one_at_most(work: Work, thing: Thing) -> bool:
    """Whether a row has no more than one of these: there is nothing to count."""
    way = work.joins.way(work.subject, thing.table)
    return way is not None and way.single and bool(way.links)


def _told_for_each(work: Work, thing: Thing) -> Thing | None:
    """The key in which rows of the same name differ: a language has a row for each country that speaks it."""
    several = len(work.subject.info.primary_key) > 1 and work.counts_rows_of(thing)
    way = work.joins.way(work.subject, thing.table) if several else None
    if way is None or len(way.links) != 1 or repeated_label(work.knowledge, work.subject) is None:
        return None
    ((here, _), *more) = way.links[0].pairs
    known = work.knowledge.things.of_column.get((*work.subject.key, here))
    return known if not more and here in work.subject.info.primary_key else None


def _counted_or_paid(
    work: Work, compared: Compared, name: Thing | None, after: Thing | None
) -> Measure | None:
    if compared.unit is not None and compared.unit.dimension == "time":
        # "More than 35 seconds for a stop" are no stops.
        return None
    # "Order 400" is one order, and not so many of them.
    numbers_it = compared.operation == "equal" and not compared.counted and after is None
    around = () if numbers_it else (after, name)
    for thing in (name, after) if compared.average else around:
        if thing is not None and work.counts_rows_of(thing) and not _one_at_most(work, thing):
            return Measure(Aggregate.COUNT, counts=thing.table)
        if thing is not None and (key := _told_for_each(work, thing)) is not None:
            return Measure(Aggregate.COUNT, Ref(key), distinct=True)
    if after is not None and work.counts_values_of(after):
        rows = after in work.knowledge.labels(after.table) and after.table.key != work.subject.key
        counts = Measure(Aggregate.COUNT, counts=after.table)
        return counts if rows else Measure(Aggregate.COUNT, Ref(after), distinct=True)
    if work.sketch.spent or compared.money:
        return money_figure(work, Aggregate.SUM)
    return _times(work)


def _is_frequency(after: Thing | None, compared: Compared) -> bool:
    """ "More than 3 times" counts what was done, unless something here is called times."""
    said = compared.after.segment.text.casefold() if compared.after is not None else ""
    return said == "times" and (after is None or stem(said) not in after.required)


def _times(work: Work) -> Measure | None:
    """ "Who called more than twice": how many records of what they did there are."""
    if _TIMES_SAID.isdisjoint(work.sketch.said):
        return None
    tables = (record_table(work, verb) for verb in work.sketch.verbs)
    table = next((each for each in tables if each is not None), None) or only_record(work)
    return None if table is None else Measure(Aggregate.COUNT, counts=table)
