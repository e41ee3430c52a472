"""What a row of the subject had part in: the loans of a member, and when they were."""

from msgspec.structs import replace

from dragoman.planning.database.draft.presence import record_table
from dragoman.planning.database.draft.ways import chosen_way
from dragoman.planning.database.draft.work import Work
from dragoman.planning.database.frame import Condition, Ref
from dragoman.planning.database.sketch import Dated
from dragoman.planning.database.verb_forms import speaks_of
from dragoman.planning.tables.schema_names import Thing
from dragoman.planning.tables.words import stem
from dragoman.tables.graph import Link, Table

_BOUNDS = frozenset(map(stem, ("start", "end", "begin", "first", "last", "until", "stop")))
"""Words of dates on which something begins or ends to be done."""

Event = tuple[Table, tuple[Link, ...]]


def event_of(work: Work, dated: Dated) -> Event | None:
    """The table between the subject and what must hold that says when it was: "members who borrowed it in
    May" asks when they borrowed, not when they joined."""
    if work.groups or any(measure.table is not work.subject for measure in work.measures):
        return None
    near = work.asked.thing(dated.near)
    if near is not None and near.column is not None:
        return None
    own = work.knowledge.dated(work.subject)
    told = ((verb, date) for verb in dated.verbs for date in own if not bounds_trade(work, verb, date))
    if any(speaks_of(work.asked.words, verb, date) for verb, date in told):
        return None
    for condition in work.conditions:
        found = _on_the_way(work, condition)
        if found is not None:
            return found
    return _recorded(work, dated)


def _recorded(work: Work, dated: Dated) -> Event | None:
    """What a verb makes a record of: "customers who rented in May" asks when they did, not when they came."""
    known = [dated, *work.sketch.dated]
    near = next((thing for each in known if (thing := work.asked.thing(each.near)) is not None), None)
    verbs = next((each.verbs for each in known if each.verbs), ())
    tables = [near.table] if near is not None and near.column is None else []
    tables += [table for verb in verbs if (table := record_table(work, verb)) is not None]
    for table in tables:
        way = work.joins.way(work.subject, table)
        if way is None or way.single or table.key == work.subject.key:
            continue
        links = chosen_way(work, table) or way.links
        if _has_date(work, table):
            return table, links
        if (whole := _dated_whole(work, table)) is not None:
            return whole[0], (*links, *whole[1])
    return None


def bounds_trade(work: Work, verb: str, date: Thing) -> bool:
    """What was sold in May did not begin to be sold then: a day on which trade begins or ends is meant only
    where that is said."""
    return (verb,) in work.asked.words.sold and not _BOUNDS.isdisjoint(date.words)


def _dated_whole(work: Work, table: Table) -> Event | None:
    """The one record that rows without a date belong to, and that has one: the order of a line."""
    found = []
    for other in work.joins.graph.tables.values():
        way = work.joins.way(table, other)
        near = way is not None and way.single and len(way.links) == 1 and other.key != work.subject.key
        if way is not None and near and _has_date(work, other):
            found.append((other, way.links))
    return found[0] if len(found) == 1 else None


def _on_the_way(work: Work, condition: Condition) -> Event | None:
    """The last table on a way of which there are many rows for one of the subject, where it has a date."""
    table = condition.ref.table
    if table.key == work.subject.key or condition.ref.through is not None or condition.negative:
        return None
    links = condition.ref.links or chosen_way(work, table)
    if links is None:
        way = work.joins.way(work.subject, table)
        links = () if way is None else way.links
    last = max((place for place, link in enumerate(links) if not link.single), default=-1)
    for place in range(last, -1, -1):
        event = work.joins.graph.tables[links[place].target]
        if not links[place].single and _has_date(work, event):
            return event, links[: place + 1]
    return None


def _has_date(work: Work, table: Table) -> bool:
    words = work.asked.words
    dates = [*work.knowledge.dated(table), *work.knowledge.years(table)]
    return any(not (words.kept_up | words.upkeep) & set(date.words) for date in dates)


def at_event(conditions: list[Condition], event: Event) -> list[Condition] | None:
    """Conditions on the rows of an event; None where they are of another table."""
    table, links = event
    if not conditions or any(condition.ref.table.key != table.key for condition in conditions):
        return None
    return [replace(condition, ref=Ref(condition.ref.thing, links)) for condition in conditions]
