"""Rows that have something in common with one that is named: the same town, a film that both play in."""

from msgspec.structs import replace

from dragoman.planning.database.draft.work import Work
from dragoman.planning.database.frame import Condition, Ref
from dragoman.planning.tables.schema_names import Thing
from dragoman.tables.graph import Link, Table, others_by

_OTHER = ("other", "others")


def hold_likeness(work: Work) -> None:
    """Turns what names a row of the subject into what the rows wanted have in common with it."""
    sketch = work.sketch
    if sketch.same is None and not sketch.together:
        return
    named = named_rows(work)
    if not named:
        if sketch.same is not None:
            work.cost += 1.0
        return
    link = _link_to_others(work)
    if link is not None:
        beside = [replace(each, ref=Ref(each.ref.thing, (link,))) for each in named]
        work.conditions = [c for c in work.conditions if c not in named] + beside
        work.named_by = tuple(each.ref for each in named)
        sketch.uncovered[:] = [word for word in sketch.uncovered if word.casefold() not in _OTHER]
        return
    alike = _alike(work, named)
    if not alike:
        if sketch.same is not None:
            work.cost += 1.0
        return
    work.conditions = [c for c in work.conditions if c not in named] + [*alike, _others(work, named)]
    shared = {link.target for condition in alike for link in condition.ref.links or ()}
    work.linked = [each for each in work.linked if each.table.key not in shared]
    sketch.uncovered[:] = [word for word in sketch.uncovered if word.casefold() not in _OTHER]


def named_rows(work: Work) -> tuple[Condition, ...]:
    """What names a row of the subject, with the other half of its name."""
    named = [condition for condition in work.conditions if _names_subject(work, condition)]
    return tuple(c for c in work.conditions if c in named or (named and _names_too(work, c)))


def _names_too(work: Work, condition: Condition) -> bool:
    """The other half of a name."""
    own = condition.ref.table.key == work.subject.key and condition.ref.links is None
    named = any(word.endswith("name") for word in condition.ref.thing.words)
    return own and named and condition.operation == "equal" and not condition.negative


def _others(work: Work, named: tuple[Condition, ...]) -> Condition:
    """Not the row that is named itself, by its key; where it has none, by its name."""
    keys = work.subject.info.primary_key
    if len(keys) != 1:
        return replace(named[-1], negative=True)
    key = work.knowledge.things.of_column[(*work.subject.key, keys[0])]
    return Condition(Ref(key), "same", negative=True, like=named)


def _names_subject(work: Work, condition: Condition) -> bool:
    own = condition.ref.table.key == work.subject.key and condition.ref.links is None
    return (
        own
        and condition.operation == "equal"
        and not condition.negative
        and _is_name(work, condition.ref.thing)
    )


def _is_name(work: Work, thing: Thing) -> bool:
    if thing in work.asked.named_by(work.subject) or thing.is_key:
        return True
    # Where nothing else is named, "the same county as Ashby" names the row by its place.
    same = work.asked.thing(work.sketch.same)
    return same is not None and same.number != thing.number and len(work.sketch.kept) == 1


def _alike(work: Work, named: tuple[Condition, ...]) -> list[Condition]:
    thing = work.asked.thing(work.sketch.same)
    if thing is None:
        tables = work.asked.tables((*work.sketch.linked, *work.sketch.context))
        shared = next((table for table in tables if table.key != work.subject.key), None)
        return [] if shared is None else _linked_with(work, shared, named)
    if thing.column is not None and thing.table.key == work.subject.key:
        return [Condition(Ref(thing), "same", like=named)]
    key = _key_to(work, thing.table) if thing.column is None or thing.is_key else None
    if key is not None:
        return [Condition(Ref(key), "same", like=named)]
    return _linked_with(work, thing.table, named)


def _link_to_others(work: Work) -> Link | None:
    """The step to the other rows that have the same in a column of the subject, where its rows have a key."""
    thing = work.asked.thing(work.sketch.same)
    if thing is None:
        return None
    if thing.column is None or thing.table.key != work.subject.key:
        # The same town is not the same address: only a row that is pointed at is the same by its key.
        thing = _key_to(work, thing.table) if thing.column is None or thing.is_key else None
    if thing is None or thing.column is None:
        return None
    return work.joins.graph.link(work.subject, others_by(thing.column.name))


def _key_to(work: Work, table: Table) -> Thing | None:
    """The column of the subject that points at a table."""
    way = work.joins.way(work.subject, table)
    if way is None or len(way.links) != 1 or not way.single or len(way.links[0].pairs) != 1:
        return None
    return work.knowledge.things.of_column.get((*work.subject.key, way.links[0].pairs[0][0]))


def _linked_with(work: Work, table: Table, named: tuple[Condition, ...]) -> list[Condition]:
    """Along the way to what is shared and back: the films of an actor, and the actors of those."""
    there, back = work.joins.way(work.subject, table), work.joins.way(table, work.subject)
    if there is None or back is None or there.single:
        return []
    links: tuple[Link, ...] | None = (*there.links, *back.links)
    if len(there.links) == len(back.links) == 1 and back.single:
        links = _through(work, table, there.links[0], back.links[0])
    if links is None:
        return []
    return [replace(condition, ref=Ref(condition.ref.thing, links)) for condition in named]


def _through(work: Work, table: Table, there: Link, back: Link) -> tuple[Link, ...] | None:
    """Over a table that links the subject with one other: who is in the same crew is in a crew of the same
    dock. Of several others nothing says which they share."""
    links = work.joins.links(table).values()
    others = [each for each in links if each.single and "-by-" not in each.name and each != back]
    if len(others) != 1:
        return None
    (other,) = others
    target = work.joins.graph.tables[other.target]
    pairs = tuple((far, near) for near, far in other.pairs)
    returns = (each for each in work.joins.links(target).values() if each.target == table.key)
    turned = next((each for each in returns if each.pairs == pairs), None)
    return None if turned is None else (there, other, turned, back)
