"""A table of pairs, both of another table: who is a friend of whom, what requires what."""

from dragoman.planning.database.draft.work import Work
from dragoman.planning.database.segments import Segment
from dragoman.planning.database.vocabulary import english
from dragoman.planning.tables.schema_names import Thing
from dragoman.tables.graph import Link, Table

_MOST_COLUMNS = 4
_Pair = tuple[Link, Link]
"""The link of a pair to the row that it is told of, and the one to what that row has."""


def find_pair_link(work: Work) -> None:
    """Where a row is named, the rows that it is paired with are asked for. The pair itself says little: rows
    of what it pairs are shown."""
    for slot in work.sketch.slots():
        thing = work.asked.thing(slot)
        pair = None if thing is None else _pair_of(work, thing)
        if thing is None or pair is None:
            continue
        table = work.joins.graph.tables[pair[0].target]
        named = _named_row(work, table)
        if named is None or not _asks_for(work, table, thing.table):
            continue
        own, other = pair
        work.subject, work.pairs = table, thing.table
        work.self_links = (
            (_back(work, thing.table, own), other)
            if _has(work, slot.segment, named)
            else (_back(work, thing.table, other), own)
        )
        return


def _pair_of(work: Work, thing: Thing) -> _Pair | None:
    """The two links of a table that holds little beside them, both to the same table: the plain one first."""
    table = thing.table
    if len(table.info.columns) > _MOST_COLUMNS:
        return None
    links = [link for link in work.joins.graph.links(table).values() if link.single and len(link.pairs) == 1]
    if len(links) != 2 or links[0].target != links[1].target or links[0].target == table.key:
        return None
    if thing.column is not None and thing.column.info.name not in (link.pairs[0][0] for link in links):
        return None
    first, second = (work.knowledge.things.of_column.get((*table.key, link.pairs[0][0])) for link in links)
    if first is None or second is None:
        return None
    words = set(work.knowledge.things.table_thing[links[0].target].required)
    plain = [bool(words & set(each.words)) for each in (first, second)]
    return (links[1], links[0]) if plain == [False, True] else (links[0], links[1])


def _back(work: Work, pairs: Table, link: Link) -> Link:
    """The link from a row to the pairs that it is in at one end."""
    turned = tuple((there, here) for here, there in link.pairs)
    links = work.joins.graph.links(work.subject).values()
    return next(each for each in links if each.target == pairs.key and each.pairs == turned)


def _named_row(work: Work, table: Table) -> Segment | None:
    for kept in work.sketch.kept:
        values = work.asked.chosen.values.get(id(kept))
        if values is None or values[0].thing.table.key != table.key or kept.negative:
            continue
        if values[0].thing in work.asked.named_by(table):
            return kept.segment
    return None


def _asks_for(work: Work, table: Table, pairs: Table) -> bool:
    return work.subject.key in (table.key, pairs.key) and not work.sketch.counts and not work.sketch.measured


def _has(work: Work, word: Segment, named: Segment) -> bool:
    """ "Who likes her" and "what requires it" have it; "friends of hers", "what it requires" are had."""
    between = [each for each in work.sketch.pieces if word.end <= each.start and each.end <= named.start]
    ahead = (each.text.casefold() for each in work.sketch.pieces if each.end <= named.start)
    asks = not set(english().asks).isdisjoint(ahead)
    if named.start < word.start:
        before = [each.text.casefold() for each in work.sketch.pieces if named.end <= each.start < word.start]
        behind = [each.text.casefold() for each in work.sketch.pieces if each.start == word.end]
        return ("as" in before and not asks) or behind[:1] == ["for"]
    return not any(each.text.casefold() in ("of", "for", "to") for each in between)
