"""The table whose rows a question is about."""

from collections.abc import Iterator
from itertools import pairwise

from dragoman.planning.database.draft.adjectives import is_graded
from dragoman.planning.database.draft.figures import times_of
from dragoman.planning.database.draft.money import money_tables
from dragoman.planning.database.draft.people import people_asked, role_asked, who_column
from dragoman.planning.database.draft.work import Asked
from dragoman.planning.database.sketch import Slot
from dragoman.planning.database.verb_forms import closeness
from dragoman.planning.tables.schema_names import Thing
from dragoman.tables.graph import Table

_MOST_KINDS = 60


def subject_of(asked: Asked) -> Table | None:
    return next(_subjects(asked), None)


def _subjects(asked: Asked) -> Iterator[Table]:
    """What may be the subject, the likeliest first: tables that are asked for, people for "who", then the
    tables of whatever else is named."""
    sketch = asked.sketch
    maybe = [sketch.maybe[1]] if sketch.maybe is not None else []
    ranked = [each.name for each in sketch.ranked if each.name is not None and each.aggregate is None]
    if sketch.counted_value is not None and (values := asked.chosen.values.get(id(sketch.counted_value))):
        rows = asked.knowledge.of_kind(values[0].thing.table)
        yield _of_kind(asked, values[0].thing) if rows is None else rows
    yield from asked.tables(sketch.counted)
    if not sketch.groups:
        yield from _parts_of_each(asked)
        yield from asked.tables(sketch.each)
    if sketch.who and not sketch.measured and not sketch.counts:
        told = who_column(asked)
        if told is not None:
            yield told.table
        role = role_asked(asked)
        if role is not None:
            yield role.table
        yield from people_asked(asked)
    for slots in (sketch.shown, maybe):
        yield from asked.tables(slots)
    if not sketch.shown:
        yield from asked.tables(ranked)
    measured = [slot for _, slot in sketch.measured if slot]
    groups = [slot for slot in sketch.groups if isinstance(slot, Slot)]
    yield from _counted_kind(asked)
    named = (*sketch.counted, *sketch.shown, *measured, *ranked)
    beside = (*sketch.context, *sketch.linked, *groups, *sketch.absent, *sketch.missing)
    compared = (slot for each in sketch.compared for slot in (each.name, each.after))
    for thing in asked.things((*named, *beside, *compared)):
        yield thing.table
    for values in asked.chosen.values.values():
        # By its name first: the tickets of `ticket_type`, whatever else has a type of ticket.
        rows = asked.knowledge.of_kind(values[0].thing.table)
        yield _of_kind(asked, values[0].thing) if rows is None else rows
    yield from _measured(asked)
    if sketch.durations:
        # "The average length of stay": of what begins and ends.
        tables = asked.joins.graph.tables.values()
        yield from (table for table in tables if asked.words.unasked_dates & _date_words(asked, table))
    if sketch.groups or sketch.counts or sketch.dated:
        yield from _dated_by_verb(asked)
    ranked_money = any(each.money for each in sketch.ranked) or any(
        key == "money" for key, _ in sketch.orders
    )
    if sketch.measured or sketch.spent or ranked_money:
        yield from money_tables(asked)


def _counted_kind(asked: Asked) -> Iterator[Table]:
    """ "How many saplings are still open", where saplings are a kind of plant: the plants."""
    sketch = asked.sketch
    if not sketch.counts or sketch.counted:
        return
    behind = next((b for a, b in pairwise(sketch.pieces) if "count" in a.kinds), None)
    for kept in sketch.kept:
        values = asked.chosen.values.get(id(kept))
        if kept.segment is behind and values and behind.text.casefold().endswith("s"):
            rows = asked.knowledge.of_kind(values[0].thing.table)
            yield _of_kind(asked, values[0].thing) if rows is None else rows


def _measured(asked: Asked) -> Iterator[Table]:
    """The tables that say what is asked for, where nothing else is named."""
    if asked.sketch.timed:
        # "The time spent": of the rows that say how long something took, and not how long it should.
        yield from (thing.table for thing in times_of(asked.knowledge, asked.words))
    for each in asked.sketch.ranked:
        # "The hottest day": of the rows that say how hot it was.
        adjective = each.adjective
        if adjective is not None and not adjective.plain:
            tables = asked.joins.graph.tables.values()
            yield from (table for table in tables if is_graded(asked, adjective, table))


def _parts_of_each(asked: Asked) -> Iterator[Table]:
    """ "The captain of each team": rows that lead to one team each, and not the teams themselves."""
    for each in asked.tables(asked.sketch.each):
        begins = min(slot.segment.start for slot in asked.sketch.each)
        before = [slot for slot in asked.sketch.shown if slot.segment.end <= begins]
        for table in asked.tables(before):
            way, back = asked.joins.way(table, each), asked.joins.way(each, table)
            if way is not None and way.single and way.links and back is not None and not back.single:
                yield table


def _dated_by_verb(asked: Asked) -> list[Table]:
    """ "Hires per year": the rows whose date the verb names, where nothing else is named."""
    found: list[tuple[float, Table]] = []
    for table in asked.joins.graph.tables.values():
        pairs = ((verb, date) for date in asked.knowledge.dates(table) for verb in asked.sketch.verbs)
        close = max((closeness(asked.words, verb, date) for verb, date in pairs), default=0.0)
        if close == 1.0:
            found.append((close, table))
    return [table for _, table in sorted(found, key=lambda each: -each[0])]


def _of_kind(asked: Asked, value: Thing) -> Table:
    """The rows that are of a kind, where a value names one: beverages are products, not categories. A list of
    kinds is short, and points at nothing."""
    kinds = value.table
    short = kinds.info.rows is not None and kinds.info.rows <= _MOST_KINDS
    # Kinds may have kinds above them.
    points = any(key.table != kinds.info.name for key in kinds.info.foreign_keys)
    if not short or points or value not in asked.knowledge.labels(kinds):
        return kinds
    of_kind = [
        table
        for table in asked.joins.graph.tables.values()
        if table.key != kinds.key and any(key.table == kinds.info.name for key in table.info.foreign_keys)
    ]
    if len(of_kind) > 1:
        of_kind = _spoken_of(asked, of_kind) or of_kind
    return of_kind[0] if len(of_kind) == 1 else kinds


def _spoken_of(asked: Asked, tables: list[Table]) -> list[Table]:
    """Of tables whose rows are of a kind those that a column is named of, else those whose rows have names:
    clerks by the day they were hired are staff, and not the posts that staff once had."""
    columns = [thing for thing in asked.things(asked.sketch.slots()) if thing.column is not None]
    named = [table for table in tables if any(thing.table.key == table.key for thing in columns)]
    return named or [table for table in tables if asked.knowledge.has_name(table)]


def _date_words(asked: Asked, table: Table) -> set[str]:
    """The words of dates, where a table has a first and a last day."""
    dates = asked.knowledge.dates(table)
    return {word for date in dates for word in date.words} if len(dates) > 1 else set()
