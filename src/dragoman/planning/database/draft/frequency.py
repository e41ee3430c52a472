"""How often something happened to what is ranked: the most borrowed, the most popular."""

from dragoman.planning.database.column_facts import Role
from dragoman.planning.database.draft.figures import quantity_figure
from dragoman.planning.database.draft.presence import record_table
from dragoman.planning.database.draft.work import Work
from dragoman.planning.database.frame import Aggregate, Measure
from dragoman.planning.database.sketch import Ranked
from dragoman.planning.tables.schema_names import Thing
from dragoman.tables.graph import Table

_EVENT = 2.0
_FARTHEST = 3


def counting_column(work: Work, ranked: Ranked, thing: Thing) -> Thing | None:
    """A column that counts already what was done: the views of what was viewed most."""
    if not ranked.verb:
        return None
    measures, uses = work.knowledge.measures(thing.table), work.asked.words.uses
    said = next((each for each in measures if ranked.verb in each.words), None)
    if said is not None or ranked.verb not in uses:
        return said
    # What was viewed most has the most accesses.
    used = [each for each in measures if uses & set(each.words)]
    return used[0] if len(used) == 1 else None


def frequency(work: Work, ranked: Ranked, thing: Thing) -> Measure | None:
    """Pieces that were sold, the records of what was done, or the nearest records of anything."""
    verb = ranked.verb or next(iter(reversed(work.sketch.verbs)), "")
    if (verb,) in work.asked.words.sold:
        quantity = quantity_figure(work)
        if quantity is not None:
            return quantity
    table = record_table(work, verb) if verb else None
    if table is None or not _leads(work, table, thing.table):
        if verb in work.asked.words.uses:
            # Nothing tells how often something was viewed but a record of views.
            work.sketch.uncovered.append(ranked.words.split()[-1])
        table = _nearest_records(work, thing.table)
    return None if table is None else Measure(Aggregate.COUNT, counts=table)


def _leads(work: Work, table: Table, target: Table) -> bool:
    way = work.joins.way(table, target)
    return way is not None and way.single and bool(way.links)


def _nearest_records(work: Work, target: Table) -> Table | None:
    """The table whose rows lead to what is ranked. What happened on a date says more than a mere part."""
    found: list[tuple[float, int, Table]] = []
    for place, table in enumerate(work.joins.graph.tables.values()):
        way = work.joins.way(table, target)
        if way is None or not way.single or not 0 < len(way.links) <= _FARTHEST:
            continue
        dated = any(not work.asked.words.ending & set(date.words) for date in work.knowledge.dates(table))
        found.append((way.cost - (_EVENT if dated else 0.0), place, table))
    return min(found, key=lambda each: each[:2])[2] if found else None


def graded_elsewhere(work: Work, words: tuple[str, ...], target: Table) -> Thing | None:
    """The column of a table whose rows lead to what is ranked: the salaries of the best paid."""
    found: list[tuple[float, int, Thing]] = []
    for table in work.joins.graph.tables.values():
        way = work.joins.way(table, target)
        if way is None or not way.single or not 0 < len(way.links) <= _FARTHEST:
            continue
        for facts in work.knowledge.columns(table):
            hits = [place for place, word in enumerate(words) if word in facts.thing.words]
            if facts.role is Role.MEASURE and hits:
                found.append((way.cost + 0.1 * hits[0], facts.thing.number, facts.thing))
    return min(found, key=lambda each: each[:2])[2] if found else None
