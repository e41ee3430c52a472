"""The way to what is named, where several lead there: the one whose words are said, over the tables that are
named on it."""

from collections.abc import Sequence

from msgspec.structs import replace

from dragoman.planning.database.draft.work import Work
from dragoman.planning.database.frame import Group, Linked, Ref
from dragoman.planning.database.segments import Piece
from dragoman.planning.tables.name_words import name_words
from dragoman.planning.tables.words import stem
from dragoman.tables.graph import Link, Table

Links = tuple[Link, ...]
_LEAST_LETTERS = 4
_CHOICE = 2


def said_way(work: Work, ways: Sequence[Links]) -> tuple[Links, bool]:
    """Of ways that are as long the one that is spoken of; and whether words say so."""
    pieces = [piece for piece in work.sketch.pieces if piece.piece is not Piece.VALUE]
    said = [stem(word) for piece in pieces for word in piece.text.casefold().split()]
    # Who sold it is its salesperson: the records of a verb are in the names of those who do it.
    records = (work.asked.words.record_verbs.get(verb, ()) for verb in work.sketch.verbs)
    said += [stem(word) for words in records for word in words]
    # Who reported it is its author.
    said += [stem(word) for each in list(said) for word in work.asked.words.doers.get(each, ())]
    scores = [spoken_of(links, said) for links in ways]
    best = max(scores)
    left = [links for links, score in zip(ways, scores, strict=True) if score == best]
    side = work.asked.words.side_roles
    left.sort(key=lambda links: sum(word in side for word in _words(links)))
    return left[0], best > 0 and len(left) == 1


def chosen_way(work: Work, table: Table) -> Links | None:
    """The way from the subject to a table, where there is a choice; None: the only one."""
    ways = [way.links for way in work.joins.ways(work.subject, table) if way.links]
    shortest = [links for links in ways if len(links) == len(ways[0])]
    return said_way(work, shortest)[0] if len(shortest) > 1 else None


def lead_groups(work: Work, subject: Table, groups: tuple[Group, ...]) -> tuple[Group, ...]:
    """The way to what rows are gathered by, where there is a choice: who reported them, or whom they are
    assigned to."""
    base = next((measure.table for measure in work.measures if measure.table is not None), subject)
    return tuple(_led(work, base, each) for each in groups)


def _led(work: Work, base: Table, group: Group) -> Group:
    ref = group.ref
    led = group.links or group.through or (ref is not None and (ref.links or ref.through))
    ways = [way.links for way in work.joins.ways(base, group.target) if way.links]
    shortest = [links for links in ways if len(links) == len(ways[0])]
    if led or len(shortest) < _CHOICE:
        return group
    best, said = said_way(work, shortest)
    if not said:
        # Of two ways that nobody speaks of the plain one is meant.
        if not work.joins.is_plainest(base, shortest):
            work.guess("way")
        return group
    if ref is not None:
        return replace(group, ref=replace(ref, links=best))
    return replace(group, links=best)


def _words(links: Links) -> list[str]:
    return [word for link in links for word in name_words(link.name.split("-by-")[-1])]


def spoken_of(links: Links, said: list[str]) -> int:
    """How many words of a way are said: of its keys, and of the tables that it passes."""
    passed = {
        word for link in links if "-by-" in link.name for word in name_words(link.name.split("-by-")[0])
    }
    return sum(any(_alike(word, other) for other in said) for word in {*_words(links), *passed})


def _alike(one: str, other: str) -> bool:
    """The reporter has reported."""
    if one == other:
        return True
    long = min(len(one), len(other)) >= _LEAST_LETTERS
    return long and (one.startswith(other) or other.startswith(one))


def _leave_out_implied(work: Work) -> None:
    """Rows on the way to what is not there need not be there either: courses that no student takes. Nor need
    those behind it: who never bought a ticket has bought nothing."""
    absent = [each for each in work.linked if each.absent]
    ways = [each.links or _usual(work, each.table) for each in absent]
    passed = {link.target for links in ways for link in links}

    def implied(each: Linked) -> bool:
        beyond = _usual(work, each.table)
        return each.table.key in passed or any(beyond[: len(links)] == links for links in ways)

    work.linked = [each for each in work.linked if each != Linked(each.table) or not implied(each)]


def _usual(work: Work, table: Table) -> Links:
    way = work.joins.way(work.subject, table)
    return () if way is None else way.links


def lead_through(work: Work) -> None:
    """ "Who commented on issues of the project": the way to the project goes over the comments."""
    _leave_out_implied(work)
    if work.groups or work.measures or work.self_links:
        return
    bridge = _bridge(work)
    if bridge is None:
        return
    table, first = bridge
    changed = []
    for condition in work.conditions:
        ref = condition.ref
        free = (
            ref.links is None and ref.through is None and ref.table.key not in (table.key, work.subject.key)
        )
        links = _over(work, first, table, ref.table) if free else None
        changed.append(condition if links is None else replace(condition, ref=Ref(ref.thing, links)))
    work.conditions = changed
    if any(condition.ref.links and condition.ref.links[: len(first)] == first for condition in changed):
        # Rows that meet a condition are there.
        work.linked = [each for each in work.linked if each != Linked(table)]


def _bridge(work: Work) -> tuple[Table, Links] | None:
    """The first table that is named behind the subject and holds many rows for each of its rows."""
    sketch = work.sketch
    named = sorted((*sketch.context, *sketch.linked), key=lambda slot: slot.segment.start)
    for table in work.asked.tables(named):
        ways = [way.links for way in work.joins.ways(work.subject, table) if way.links and not way.single]
        if not ways:
            continue
        shortest = [links for links in ways if len(links) == len(ways[0])]
        if len(shortest[0]) == 1:
            return table, said_way(work, shortest)[0]
    return None


def _over(work: Work, first: Links, bridge: Table, target: Table) -> Links | None:
    """The way over a bridge, where it does not lead back."""
    direct = work.joins.way(work.subject, target)
    rest = work.joins.way(bridge, target)
    if rest is None or not rest.links or direct is None or direct.links[: len(first)] == first:
        return None
    back = any(link.target == work.subject.key for link in rest.links)
    return None if back or not rest.single else (*first, *rest.links)
