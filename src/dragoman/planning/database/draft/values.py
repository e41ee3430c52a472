"""Conditions on values: which column holds them, and along which links."""

from msgspec.structs import replace

from dragoman.planning.database.draft.ways import said_way
from dragoman.planning.database.draft.work import Work
from dragoman.planning.database.frame import Aggregate, Condition, Group, Having, Measure, Ref
from dragoman.planning.database.sketch import Kept
from dragoman.planning.tables.names import name_words
from dragoman.planning.tables.things import Thing
from dragoman.tables.graph import Link

_WEAK_VALUE = 0.7
_OPPOSITE = {"from": "to", "to": "from"}


def read_number(work: Work) -> None:
    """ "5 star hotels" are those with 5 stars, "3 hotels" are three."""
    sketch = work.sketch
    work.wanted_limit = sketch.limit
    if sketch.maybe is None:
        return
    number, slot = sketch.maybe
    thing = work.asked.thing(slot)
    if thing is None:
        return
    if thing.column is not None and work.asked.is_measure(thing) and not sketch.ranked:
        work.conditions.append(Condition(Ref(thing), "equal", (float(number),)))
    elif work.wanted_limit is None:
        work.wanted_limit = number


def keep_values(work: Work) -> None:
    """Values of one column hold together: any of them, or none of them."""
    groups: dict[tuple[int, bool], list[Kept]] = {}
    for kept in work.sketch.kept:
        if kept.average:
            continue
        values = work.asked.chosen.values.get(id(kept))
        if values is None:
            work.cost += 0.8
            continue
        groups.setdefault((values[0].thing.number, kept.negative), []).append(kept)
    for (number, negative), several in groups.items():
        if len(several) > 1 and not negative and "both" in work.sketch.said:
            several = _both(work, work.knowledge.things.all[number], several)
        condition = _kept(work, work.knowledge.things.all[number], several)
        work.conditions.append(replace(condition, negative=negative))


def hold_texts(work: Work) -> None:
    """Texts that are part of what a column holds; of a table, part of the name of its rows."""
    for held in work.sketch.held:
        thing = work.asked.thing(held.column)
        if thing is not None and thing.column is None:
            labels = work.knowledge.labels(thing.table)
            thing = next((label for label in labels if label.is_text), None)
        if thing is None or not thing.is_text:
            work.cost += 0.8
            work.sketch.uncovered.append(held.text)
            continue
        work.conditions.append(Condition(Ref(thing), held.operation, (held.text,), held.negative))


def _both(work: Work, thing: Thing, several: list[Kept]) -> list[Kept]:
    """ "Who booked both A and B": each must be there. Gives those of the values that still hold together."""
    way = work.joins.way(work.subject, thing.table)
    if way is not None and not way.single:
        for kept in several[1:]:
            work.conditions.append(_kept(work, thing, [kept]))
        return several[:1]
    if any(shown.column is not None for shown in work.asked.things(work.sketch.shown)):
        figure = Measure(Aggregate.COUNT, Ref(thing), distinct=True)
        work.having.append(Having(figure, "equal", float(len(several))))
    else:
        work.guess("values", 0.3)
    return several


def _kept(work: Work, thing: Thing, several: list[Kept]) -> Condition:
    first = several[0]
    ref = Ref(thing, _role_links(work, thing, first))
    if first.like:
        named = work.asked.thing(first.qualifier)
        if named is not None and named.is_text:
            ref = Ref(named)
        return Condition(ref, first.like, (first.segment.text,))
    sketch = work.sketch
    figures = sketch.counts or sketch.measured
    if len(several) > 1 and sketch.versus and figures:
        work.groups.append(Group(ref))
    elif len(several) > 1 and not several[-1].either and figures:
        # "Male and female": both together, or one figure for each.
        work.guess("values")
    values = [value for kept in several for value in work.asked.chosen.values[id(kept)]]
    if any(value.score < _WEAK_VALUE for value in values):
        work.guess("value")
    if any(value.inside for value in values):
        return Condition(ref, "contains", (values[0].value,))
    return Condition(ref, "equal", tuple(dict.fromkeys(value.value for value in values)))


def of_average(work: Work) -> tuple[Condition, ...]:
    """What holds of the rows that an average is of."""
    chosen = work.asked.chosen.values
    several = (chosen[id(kept)] for kept in work.sketch.kept if kept.average and id(kept) in chosen)
    return tuple(Condition(Ref(each[0].thing), "equal", tuple(v.value for v in each)) for each in several)


def _role_links(work: Work, thing: Thing, kept: Kept) -> tuple[Link, ...] | None:
    """Of several ways to a value the one that its preposition speaks of."""
    if work.self_links and thing.table.key == work.subject.key:
        return work.self_links
    ways = [way.links for way in work.joins.ways(work.subject, thing.table) if way.links]
    if not ways:
        return None
    shortest = [links for links in ways if len(links) == len(ways[0])]
    directions = work.asked.words.directions
    said = directions.get(kept.preposition, frozenset())
    if not said:
        if len(shortest) == 1:
            return None
        best, spoken = said_way(work, shortest)
        if not spoken:
            work.guess("way")
        return best
    against = directions.get(_OPPOSITE.get(kept.preposition, ""), frozenset())
    best = max(shortest, key=lambda links: _direction(links, said, against))
    if _direction(best, said, against) < 0:
        work.guess("way", 0.6)
    return best if len(shortest) > 1 else None


def _direction(links: tuple[Link, ...], said: frozenset[str], against: frozenset[str]) -> int:
    words = {word for link in links for word in name_words(link.name.split("-by-")[-1])}
    return len(words & said) - len(words & against)
