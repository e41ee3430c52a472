"""The columns that are shown because they are named."""

from dragoman.planning.database.draft.groups import says_id
from dragoman.planning.database.draft.presence import hold_flag
from dragoman.planning.database.draft.row_names import NAME_PARTS, whole_name
from dragoman.planning.database.draft.work import Asked, Work
from dragoman.planning.database.frame import Ref
from dragoman.planning.database.sketch import Slot
from dragoman.planning.tables.schema_names import Thing
from dragoman.planning.tables.words import tokens_of

_TWICE = 0.3


def show_columns(work: Work) -> None:
    """Named columns in the order of the question, before those that earlier steps show."""
    sketch = work.sketch
    absent = {each.table.key for each in work.linked if each.absent} - {work.subject.key}
    compared = {id(each.name) for each in sketch.compared if each.name is not None}
    several = len(sketch.shown) > 1
    work.cost += _TWICE * _said_twice(work)
    for place, slot in enumerate(sketch.shown):
        thing = work.asked.thing(slot)
        if thing is None or thing.column is None or thing.table is work.pairs:
            continue
        if thing.table.key in absent:
            # Nothing can be shown of what is not there.
            continue
        # A column beside others that a number is compared with is said for the comparison.
        if several and id(slot) in compared:
            continue
        if several and _only_says_which(work, place, thing):
            continue
        if work.asked.is_kind(slot) or (several and work.asked.is_flag(thing)):
            hold_flag(work, thing)
        else:
            at = min(len(work.shown), place)
            work.shown[at:at] = _refs(work.asked, slot, thing)


def _said_twice(work: Work) -> int:
    """How many names bring nothing that another has not brought: "rooms and their kinds", where both would be
    rooms, forgets the kind."""
    tables: dict[tuple[str, str], str] = {}
    found = 0
    for slot in work.sketch.shown:
        thing = work.asked.thing(slot)
        if thing is None or work.asked.qualifies(slot):
            continue
        own = thing.column is None or thing in work.knowledge.labels(thing.table)
        before = tables.setdefault(thing.table.key, slot.segment.stem) if own else slot.segment.stem
        found += before != slot.segment.stem and thing.column is None
    return found


def _only_says_which(work: Work, place: int, thing: Thing) -> bool:
    """ "Bike stations": a column of other rows, directly before a table, says of which kind its rows are."""
    shown = work.sketch.shown
    after = work.asked.thing(shown[place + 1]) if place + 1 < len(shown) else None
    if (
        after is None
        or after.column is not None
        or shown[place].segment.end != shown[place + 1].segment.start
    ):
        return False
    way = work.joins.way(after.table, thing.table)
    return way is None or not way.single


def _refs(asked: Asked, slot: Slot, thing: Thing) -> list[Ref]:
    """A name is shown whole, and a key as what it points at unless the key itself is asked for."""
    labels = asked.knowledge.labels(thing.table)
    if len(labels) > 1 and thing in labels and slot.segment.stem == "name":
        return [Ref(label) for label in labels]
    target = asked.target(thing)
    if target is not None and asked.knowledge.labels(target) and not says_id(slot):
        return [Ref(named, through=thing) for named in asked.named_by(target)]
    if _says_neither(slot, thing):
        # "The contact of each customer": a person is called by both names.
        return whole_name(asked.knowledge, thing)
    return [Ref(thing)]


def _says_neither(slot: Slot, thing: Thing) -> bool:
    """Whether a name of two is meant by words that do not say which of the two."""
    said = {token.stem for token in tokens_of(slot.segment.text)}
    return len(said & set(thing.words)) > 0 and said.isdisjoint(NAME_PARTS)
