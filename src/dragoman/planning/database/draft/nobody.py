"""Rows that point at nothing: no group that is asked for is theirs."""

from dragoman.planning.database.draft.work import Work
from dragoman.planning.database.frame import Condition, Group, Ref
from dragoman.planning.tables.schema_names import Thing
from dragoman.tables.graph import Link, Table

_INCLUDING = frozenset({"including", "incl", "included", "unassigned", "even"})


def leave_out_nobody(work: Work, subject: Table, groups: tuple[Group, ...], *, chosen: bool) -> None:
    """Rows that point at nothing are a group too, and often the greatest, but it is the group of nobody.
    Where groups are `chosen` by a figure a key that may be empty is enough; otherwise it is known to be."""
    base = next((measure.table for measure in work.measures if measure.table is not None), subject)
    held = {condition.ref.thing.number for condition in work.conditions}
    for group in groups:
        if group.table is None or _are_included(work):
            continue
        key = _open_key(work, base, group) if chosen else None
        key = key or _empty_key(work, base, group)
        if key is not None and key.number not in held:
            through = group.through if group.table.key == key.table.key else None
            work.conditions.append(Condition(Ref(key, through=through), "missing", negative=True))


def _are_included(work: Work) -> bool:
    said = {word for text in work.sketch.said for word in text.split()}
    return not _INCLUDING.isdisjoint(said | {piece.text.casefold() for piece in work.sketch.pieces})


def _open_key(work: Work, base: Table, group: Group) -> Thing | None:
    """The key that leads from a row to its group, or to nothing."""
    links = _links(work, base, group)
    if len(links) != 1 or len(links[0].pairs) != 1:
        return None
    key = work.knowledge.things.of_column.get((*base.key, links[0].pairs[0][0]))
    return key if key is not None and key.column is not None and key.column.info.nullable else None


def _empty_key(work: Work, base: Table, group: Group) -> Thing | None:
    """What is missing in rows that lead to no group: the key that points at it, or its own where a row is
    known to point at what is not there."""
    links, tables = _links(work, base, group), work.joins.graph.tables
    of_column, at, gaps, near = work.knowledge.things.of_column, base, False, None
    for link in links:
        if len(link.pairs) != 1 or not link.single:
            return None
        here, there = link.pairs[0]
        near, far = of_column.get((*at.key, here)), of_column.get((*link.target, there))
        if near is None or far is None or near.column is None or far.column is None:
            return None
        if _points_beyond(near, far):
            keys = group.target.info.primary_key
            return of_column.get((*group.target.key, keys[0])) if len(keys) == 1 else None
        gaps = gaps or near.column.info.has_gaps
        at = tables[link.target]
    return near if gaps else None


def _points_beyond(near: Thing, far: Thing) -> bool:
    """Whether numbers of a key are less or more than any that it could point at: 0 for none."""
    if near.column is None or far.column is None:
        return False
    one, other = near.column.info, far.column.info
    if one.least is None or one.most is None or other.least is None or other.most is None:
        return False
    return one.least < other.least or one.most > other.most


def _links(work: Work, base: Table, group: Group) -> tuple[Link, ...]:
    """The links from a row to its group, where they lead to one at most."""
    if group.links is not None:
        return group.links
    target = group.target if group.through is None else group.through.table
    way = work.joins.way(base, target)
    if way is None or not way.single:
        return ()
    return way.links if group.through is None else (*way.links, work.joins.link_of(group.through))
