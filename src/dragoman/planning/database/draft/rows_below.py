"""Rows below others of their kind: docks with their subdocks, how many each has, and those without any."""

from dataclasses import replace

from dragoman.planning.database.draft.work import Asked, Work
from dragoman.planning.database.frame import Aggregate, Condition, Group, Linked, Measure, Order, Ref
from dragoman.planning.database.sketch import Slot
from dragoman.planning.tables.schema_names import Thing
from dragoman.tables.graph import Link, Table


def without_below(asked: Asked) -> Asked:
    """What is asked, with the words for rows below taken out of it: they are held by `hold_below`."""
    sketch = asked.sketch
    below = [slot for slot in sketch.slots() if slot.segment.below and asked.thing(slot) is not None]
    if len(below) != 1 or sketch.kept or sketch.same is not None:
        # Of a row that is named the rows below are those that lead to it.
        return asked
    slot = below[0]
    ranked = [each for each in sketch.ranked if each.name is not slot]
    if not (slot in sketch.absent or len(ranked) < len(sketch.ranked)):
        return replace(asked, below=slot)
    absent = [each for each in sketch.absent if each is not slot]
    return replace(asked, below=slot, sketch=replace(sketch, ranked=ranked, absent=absent), whole=sketch)


def hold_below(work: Work) -> None:
    """Adds what the words for rows below ask for."""
    slot = work.asked.below
    thing = work.asked.thing(slot)
    up = None if thing is None else work.joins.link_up(thing.table)
    sketch = work.asked.whole or work.sketch
    if slot is None or thing is None or up is None or work.subject.key != thing.table.key:
        # What was taken out of the sketch is asked for nowhere.
        work.cost += 0.0 if work.asked.whole is None else 1.5
        return
    ranked = next((each for each in sketch.ranked if each.name is slot), None)
    if slot in sketch.absent:
        work.linked.append(Linked(work.subject, (work.joins.turned(work.subject, up),), absent=True))
        return
    _hold_above(work, up)
    if ranked is not None:
        figure = Measure(Aggregate.COUNT, counts=work.subject)
        work.groups, work.measures = [Group(table=work.subject, links=(up,))], [figure]
        work.order = [Order(figure, ranked.descending)]
        work.ranked_limit = sketch.limit or ranked.limit or 1
    elif _gathers(work, slot):
        work.groups = [Group(table=work.subject, links=(up,))]
    elif _is_named_again(work, slot):
        work.shown += [Ref(label) for label in work.asked.named_by(work.subject)]
        work.shown += [Ref(label, (up,)) for label in work.asked.named_by(work.subject)]


def _hold_above(work: Work, up: Link) -> None:
    key = work.knowledge.things.of_column[(*work.subject.key, up.pairs[0][0])]
    work.conditions.append(Condition(Ref(key), "missing", negative=True))


def _gathers(work: Work, slot: Slot) -> bool:
    """ "How many subdocks does each dock have"."""
    groups = [each for each in work.sketch.groups if isinstance(each, Slot)]
    same = any(_is_of(work.asked.thing(each), work.subject) for each in groups)
    return slot in work.sketch.counted and same


def _is_named_again(work: Work, slot: Slot) -> bool:
    """ "The subdocks with the dock they belong to"."""
    others = (*work.sketch.linked, *work.sketch.context, *work.sketch.shown)
    return any(each is not slot and _is_of(work.asked.thing(each), work.subject) for each in others)


def _is_of(thing: Thing | None, table: Table) -> bool:
    return thing is not None and thing.column is None and thing.table.key == table.key
