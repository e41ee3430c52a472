"""Two columns that may change places: the two countries of a border, the home and the away team of a match.

Rows that one of them leads to are those that the other leads to as well, unless the question says which.
"""

from msgspec.structs import replace

from dragoman.planning.database.draft.work import Work
from dragoman.planning.database.frame import Condition, Linked, Ref
from dragoman.planning.tables.name_words import name_words
from dragoman.planning.tables.schema_names import Thing
from dragoman.planning.tables.words import stem
from dragoman.tables.graph import Link, Table

Links = tuple[Link, ...]
_WAY = "way"


def hold_either_way(work: Work) -> None:
    """What must hold along one of two such links may hold along the other; what must not, along neither."""
    work.conditions = [held for each in work.conditions for held in _held(work, each)]
    work.linked = [held for each in work.linked for held in _linked(work, each)]
    # Rows are gathered by one end only: which of them, nobody said.
    ways = [_links(work, group.target, group.links, group.through) for group in work.groups]
    if any(links is not None and _mirrored(work, links) is not None for links in ways):
        work.guess(_WAY)


def _held(work: Work, condition: Condition) -> list[Condition]:
    ref = _behind(work, condition.ref)
    links = _links(work, ref.table, ref.links, ref.through)
    mirror = None if links is None else _mirrored(work, links)
    if links is None or mirror is None:
        return [condition]
    if len(condition.values) > 1:
        # "Between A and B" names both ends; "of A or B" does not.
        work.guess(_WAY)
        return [condition]
    if _WAY in work.guesses:
        work.guesses.remove(_WAY)
    if condition.negative:
        return [replace(condition, ref=Ref(ref.thing, each)) for each in (links, mirror)]
    # The same two ways are one reading, whichever of them was found first.
    first, second = sorted((links, mirror), key=lambda way: [link.name for link in way])
    return [replace(condition, ref=Ref(ref.thing, first, mirror=second))]


def _linked(work: Work, linked: Linked) -> list[Linked]:
    links = _links(work, linked.table, linked.links)
    mirror = None if links is None else _mirrored(work, links)
    if mirror is None:
        return [linked]
    if linked.absent:
        return [replace(linked, links=links), replace(linked, links=mirror)]
    if linked.operation:
        # How many there are on both sides together is not what either link counts.
        work.guess(_WAY)
    return [linked]


def _behind(work: Work, ref: Ref) -> Ref:
    """The key that a column of the table itself points at, in the place of that column."""
    link = None
    if ref.table.key == (work.base or work.subject).key and ref.links is None:
        link = work.joins.find_link(ref.thing)
    if link is None or len(link.pairs) != 1 or link.target == ref.table.key:
        return ref
    key = work.knowledge.things.of_column.get((*link.target, link.pairs[0][1]))
    return ref if key is None else Ref(key, (link,))


def _links(work: Work, table: Table, links: Links | None, through: Thing | None = None) -> Links | None:
    if links is not None:
        return links
    if through is not None:
        link = work.joins.find_link(through)
        return None if link is None or through.table.key != work.subject.key else (link,)
    way = work.joins.way(work.base or work.subject, table)
    return None if way is None else way.links


def _mirrored(work: Work, links: Links) -> Links | None:
    """The way with the two columns in each other's place; None where that is the same way, or one is said."""
    at = work.base or work.subject
    found = []
    for link in links:
        found.append(_twin(work, at, link) or link)
        at = work.joins.graph.tables[link.target]
    mirror = tuple(found)
    return None if mirror == links else mirror


def _twin(work: Work, table: Table, link: Link) -> Link | None:
    said = {piece.stem for piece in work.sketch.pieces}
    for other in work.joins.graph.links(table).values():
        if other.target != link.target or other.single != link.single or other.name == link.name:
            continue
        apart = _apart(link, other)
        if apart in work.asked.words.sides and said.isdisjoint(apart):
            return other
    return None


def _apart(one: Link, other: Link) -> frozenset[str]:
    """The words in which the names of two keys differ, where they differ in one place."""
    (*before, last), (*others, ending) = (link.name.split("-by-") for link in (one, other))
    words, against = name_words(last), name_words(ending)
    if before != others or len(words) != len(against):
        return frozenset()
    pairs = [pair for pair in zip(words, against, strict=True) if pair[0] != pair[1]]
    return frozenset(map(stem, pairs[0])) if len(pairs) == 1 else frozenset()
