"""What rows are told by: their own names, or the names of what they link."""

from dragoman.planning.database.draft.people import is_people
from dragoman.planning.database.draft.work import Asked, Work
from dragoman.planning.database.frame import Ref
from dragoman.planning.database.knowledge import Knowledge
from dragoman.planning.database.vocabulary import english
from dragoman.planning.tables.schema_names import Thing
from dragoman.tables.graph import Table

NAME_PARTS = frozenset({"first", "last"})
"""What the two names of a person are told apart by."""


def names_of(work: Work, table: Table) -> list[Ref]:
    """What identifies a row; where only keys do, also what they point at: a row between two things."""
    if (work.sketch.names_told or work.sketch.only_names) and work.knowledge.has_name(table):
        return [Ref(label) for label in work.knowledge.labels(table)]
    named = work.asked.named_by(table)
    found = [Ref(thing) for thing in named]
    for thing in named:
        target = work.asked.target(thing)
        if target is not None and work.knowledge.has_name(target) and len(named) > 1:
            found.extend(Ref(label, through=thing) for label in work.knowledge.labels(target))
    return found


def is_list_of(asked: Asked) -> bool:
    """ "A price list of the boats": the prices, and which boat each is of."""
    ends = {slot.segment.end for slot in asked.sketch.shown}
    behind = (each.text.casefold().split() for each in asked.sketch.pieces if each.start in ends)
    return any(words[:1] and words[0] in english().lists for words in behind)


def is_told_of_each(work: Work, columns: list[Thing]) -> bool:
    """ "For each player, show the team and the coach": a sentence that asks for several columns of each says
    what it wants to see."""
    slots = [slot for slot in work.sketch.shown if (it := work.asked.thing(slot)) and it.column is None]
    return work.sketch.whole and len(columns) > 1 and all(slot in work.sketch.each for slot in slots)


def linked_names(work: Work, table: Table) -> list[Ref]:
    """Rows without a name of their own are told by the names of what they link: a visit by its visitor and
    its sight. By their names alone they are told by those of people, where there are any."""
    if work.knowledge.labels(table) and work.knowledge.has_name(table):
        return []
    found: list[tuple[bool, Ref]] = []
    for key in work.knowledge.things.of_table[table.key]:
        target = work.asked.target(key)
        if target is None or target.key == table.key or not work.knowledge.has_name(target):
            continue
        person = is_people(work.asked, target)
        found.extend((person, Ref(label, through=key)) for label in work.knowledge.labels(target))
    people = [ref for person, ref in found if person]
    return people if people and work.sketch.only_names else [ref for _, ref in found]


def record_columns(work: Work, table: Table, linked: list[Ref]) -> list[Ref]:
    """All of a row, with the names of what it links in place of their keys."""
    found: list[Ref] = []
    for thing in work.knowledge.things.of_table[table.key]:
        names = [ref for ref in linked if ref.through == thing]
        # A key of text says something by itself: the code of an airline.
        found.extend([Ref(thing), *names] if thing.is_text or not names else names)
    return found


def whole_name(knowledge: Knowledge, thing: Thing) -> list[Ref]:
    """Both names of a person that are in two columns: the first and the last name of the contact."""
    parts = NAME_PARTS
    if parts.isdisjoint(thing.words):
        return [Ref(thing)]
    rest = set(thing.words) - parts
    own = knowledge.things.of_table[thing.table.key]
    names = [each for each in own if set(each.words) - parts == rest and parts & set(each.words)]
    return [Ref(each) for each in sorted(names, key=lambda each: "last" in each.words)]
