"""Figures: aggregates of columns, counts of rows and quantities."""

from dragoman.planning.database.column_facts import Role
from dragoman.planning.database.draft.ages import age_figure
from dragoman.planning.database.draft.work import Work
from dragoman.planning.database.frame import Aggregate, Measure, Ref
from dragoman.planning.database.knowledge import Knowledge
from dragoman.planning.database.silent_units import unit_of
from dragoman.planning.database.vocabulary import Words
from dragoman.planning.tables.schema_names import Thing


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


def is_of_rows(work: Work, thing: Thing) -> bool:
    """ "How many departures" are rows, where only a date is called so."""
    return thing.is_date and any(
        each.text.casefold().endswith("s") and any(named.thing is thing for named in each.names)
        for each in work.sketch.pieces
    )


def count_of(work: Work, thing: Thing) -> Measure:
    """How many of something: rows, different values, or the sum of a column that counts already."""
    if thing.column is not None and not is_of_rows(work, thing):
        if work.asked.is_measure(thing):
            return Measure(Aggregate.SUM, Ref(thing))
        return Measure(Aggregate.COUNT, Ref(thing), distinct=True)
    own = work.knowledge.own_count(thing.table)
    return Measure(Aggregate.COUNT, counts=thing.table) if own is None else Measure(Aggregate.SUM, Ref(own))


def time_figure(work: Work) -> Measure | None:
    """ "How many hours did they ride": the length of time that rows have, added up."""
    found: list[tuple[float, int, Thing]] = []
    for place, thing in enumerate(times_of(work.knowledge, work.asked.words)):
        way = work.joins.way(thing.table, work.subject)
        if way is not None and way.single:
            found.append((way.cost, place, thing))
    return Measure(Aggregate.SUM, Ref(min(found, key=lambda each: each[:2])[2])) if found else None


def times_of(knowledge: Knowledge, words: Words) -> list[Thing]:
    """The columns that hold a length of time, those first that are not only planned."""
    units = ((facts.thing, unit_of(facts)) for facts in knowledge.facts.values())
    found = [thing for thing, unit in units if unit is not None and unit.dimension == "time"]
    return sorted(found, key=lambda each: (bool(words.planned & set(each.words)), each.number))


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
