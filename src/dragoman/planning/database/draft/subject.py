"""The table whose rows a question is about."""

from collections.abc import Iterator

from dragoman.planning.database.draft.work import Asked
from dragoman.planning.database.sketch import Slot
from dragoman.planning.tables.words import stem
from dragoman.tables.graph import Table


def subject_of(asked: Asked) -> Table | None:
    return next(_subjects(asked), None)


def _subjects(asked: Asked) -> Iterator[Table]:
    """What may be the subject, the likeliest first: tables that are asked for, people for "who", then the
    tables of whatever else is named."""
    sketch = asked.sketch
    maybe = [sketch.maybe[1]] if sketch.maybe is not None else []
    ranked = [each.name for each in sketch.ranked if each.name is not None and each.aggregate is None]
    for slots in (sketch.counted, sketch.shown, maybe):
        yield from asked.tables(slots)
    if not sketch.shown:
        yield from asked.tables(ranked)
        if sketch.who:
            yield from _people(asked)
    measured = [slot for _, slot in sketch.measured if slot]
    groups = [slot for slot in sketch.groups if isinstance(slot, Slot)]
    named = (*sketch.counted, *sketch.shown, *measured, *ranked)
    beside = (*sketch.context, *sketch.linked, *groups, *sketch.absent, *sketch.missing)
    compared = (slot for each in sketch.compared for slot in (each.name, each.after))
    for thing in asked.things((*named, *beside, *compared)):
        yield thing.table
    for values in asked.chosen.values.values():
        yield values[0].thing.table
    if sketch.measured or sketch.spent:
        yield from (total.table for total in asked.knowledge.totals)
        yield from (price.table for price, _, _ in asked.knowledge.lines)


def _people(asked: Asked) -> list[Table]:
    """The tables of people that "who" may ask for, the nearest to what else is named first."""
    knowledge, joins, sketch, words = asked.knowledge, asked.joins, asked.sketch, asked.words
    verbs = {stem(word) for verb in sketch.verbs for word in words.date_verbs.get(verb, ())} | set(
        sketch.verbs
    )
    found: list[tuple[float, Table]] = []
    for table in joins.graph.tables.values():
        named = words.people & set(knowledge.things.table_thing[table.key].words)
        # A first name and a last name are those of a person, whatever the table is called.
        if not (named or len(knowledge.labels(table)) == 2) or not knowledge.has_name(table):
            continue
        distance = min((joins.distance(table, other) for other in asked.chosen.tables), default=0.0)
        # A person with the date that the verb speaks of: born, hired.
        dated = any(verbs & set(date.words) for date in knowledge.dates(table))
        found.append((distance - (2.0 if dated else 0.0), table))
    return [table for _, table in sorted(found, key=lambda each: each[0])]
