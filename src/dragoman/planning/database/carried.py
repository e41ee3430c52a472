"""The rows of an answer kept while another thing is asked of them: conditions seen from another table."""

from msgspec.structs import replace

from dragoman.planning.database.frame import Condition, Frame, Linked, Ref
from dragoman.planning.database.joins import Joins, Way
from dragoman.tables.graph import Link, Table


def carried(frame: Frame, base: Table, subject: Table, joins: Joins) -> Frame | None:
    """The rows of a table that belong to the rows of a frame over `base`; None where the verbs cannot say it.

    What is cut to a top or by figures of groups is not a condition of rows, and cannot be carried.
    """
    if frame.limit is not None or frame.having or frame.either or frame.share is not None:
        return None
    if subject.key == base.key:
        return Frame(subject, conditions=frame.conditions, linked=frame.linked)
    way = joins.way(subject, base)
    if way is None:
        return None
    conditions = tuple(
        _seen(_of_one(each, base, way, joins), base, subject, way.links, joins) for each in frame.conditions
    )
    if any(each is None for each in conditions):
        return None
    linked = tuple(
        found for each in frame.linked if (found := _linked(each, base, subject, way.links, joins))
    )
    if len(linked) != len(frame.linked):
        return None
    kept = tuple(each for each in conditions if each is not None)
    if not way.single and all(each.ref.table.key == subject.key for each in kept) and not linked:
        linked = (Linked(base),)
    return Frame(subject, conditions=kept, linked=linked)


def _of_one(condition: Condition, base: Table, way: Way, joins: Joins) -> Condition:
    """ "Who supplies those" of goods that are not dear: one of the goods is not, and not none of them."""
    if not condition.negative or way.single:
        return condition
    links = _from(condition.ref, base, joins)
    one = links is not None and all(link.single for link in links)
    return replace(condition, same_row=True) if one else condition


def _seen(
    condition: Condition, base: Table, subject: Table, way: tuple[Link, ...], joins: Joins
) -> Condition | None:
    ref = condition.ref
    links = _from(ref, base, joins)
    if links is None or ref.mirror is not None:
        return None
    if ref.table.key == subject.key:
        return replace(condition, ref=Ref(ref.thing))
    # A way through the subject comes back to it: what lies beyond is seen from there.
    for place, link in enumerate(links, 1):
        if link.target == subject.key:
            return replace(condition, ref=Ref(ref.thing, links[place:]))
    if ref.links is None and ref.through is None and not links:
        return condition
    return replace(condition, ref=Ref(ref.thing, (*way, *links)))


def _from(ref: Ref, base: Table, joins: Joins) -> tuple[Link, ...] | None:
    if ref.links is not None:
        return ref.links
    if ref.through is not None:
        way = joins.way(base, ref.through.table)
        return None if way is None else (*way.links, joins.link_of(ref.through))
    way = joins.way(base, ref.table)
    return None if way is None else way.links


def _linked(
    linked: Linked, base: Table, subject: Table, way: tuple[Link, ...], joins: Joins
) -> Linked | None:
    if (
        linked.table.key == subject.key
        and not linked.absent
        and not linked.conditions
        and not linked.operation
    ):
        return linked
    if not all(link.single for link in way):
        return None
    found = joins.way(base, linked.table)
    links = linked.links if linked.links is not None else (found.links if found else None)
    return None if links is None else replace(linked, links=(*way, *links))
