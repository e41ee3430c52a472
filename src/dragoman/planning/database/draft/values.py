"""Conditions on values: which column holds them, and along which links."""

from msgspec.structs import replace

from dragoman.planning.database.draft.ways import Links, said_way, spoken_of
from dragoman.planning.database.draft.work import Work
from dragoman.planning.database.frame import Aggregate, Condition, Group, Having, Measure, Ref
from dragoman.planning.database.sketch import Kept
from dragoman.planning.tables.name_words import name_words
from dragoman.planning.tables.schema_names import Thing
from dragoman.tables.graph import Link

_WEAK_VALUE = 0.7
_SPOKEN_OF = 0.2
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
    groups: dict[tuple[int, bool, Links | None], list[Kept]] = {}
    heading: Links | None = None
    for kept in work.sketch.kept:
        if kept.average:
            continue
        values = work.asked.chosen.values.get(id(kept))
        if values is None:
            work.cost += 0.8
            continue
        listed = kept.listed or kept.either
        # "From Hull or York": what is listed lies in one direction.
        heading = heading if listed else _heading(work, values[0].thing, kept)
        work.cost -= 0.0 if heading is None or listed or len(heading) > 1 else _SPOKEN_OF
        groups.setdefault((values[0].thing.number, kept.negative, heading), []).append(kept)
    for (number, negative, _), several in groups.items():
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
        return Condition(ref, first.like, tuple(dict.fromkeys(kept.segment.text for kept in several)))
    sketch = work.sketch
    figures = sketch.counts or sketch.measured
    if len(several) > 1 and figures and (sketch.versus or _says_all(work, several, thing)):
        work.groups.append(Group(ref))
    elif len(_values(work, several)) > 1 and not several[-1].either and figures:
        # "Male and female": both together, or one figure for each.
        work.guess("values")
    values = [value for kept in several for value in work.asked.chosen.values[id(kept)]]
    if any(value.score < _WEAK_VALUE for value in values):
        work.guess("value")
    if any(value.inside for value in values):
        return Condition(ref, "contains", (values[0].value,))
    return Condition(ref, "equal", tuple(dict.fromkeys(value.value for value in values)))


def _says_all(work: Work, several: list[Kept], thing: Thing) -> bool:
    """Whether all values of a column are listed: "male and female" leaves nobody out, and so it gathers."""
    distinct = None if thing.column is None else thing.column.info.distinct
    return len(_values(work, several)) == distinct and not any(kept.either for kept in several)


def _values(work: Work, several: list[Kept]) -> set[str]:
    """The values of a column that are said; "males (sex is M)" says one of them twice."""
    return {work.asked.chosen.values[id(kept)][0].value for kept in several}


def of_average(work: Work) -> tuple[Condition, ...]:
    """What holds of the rows that an average is of."""
    chosen = work.asked.chosen.values
    several = (chosen[id(kept)] for kept in work.sketch.kept if kept.average and id(kept) in chosen)
    return tuple(Condition(Ref(each[0].thing), "equal", tuple(v.value for v in each)) for each in several)


def _role_links(work: Work, thing: Thing, kept: Kept) -> tuple[Link, ...] | None:
    """Of several ways to a value the one that its preposition speaks of."""
    if work.self_links and thing.table.key == work.subject.key:
        return work.self_links
    shortest = _shortest(work, thing)
    if not shortest:
        return None
    heading = _heading(work, thing, kept)
    if heading is not None:
        return heading
    directions = work.asked.words.directions
    said = directions.get(kept.preposition, frozenset())
    if not said:
        if len(shortest) == 1:
            return None
        best, spoken = said_way(work, shortest)
        if not spoken and not work.joins.is_plainest(work.subject, shortest):
            work.guess("way")
        return best
    against = directions.get(_OPPOSITE.get(kept.preposition, ""), frozenset())
    best = max(shortest, key=lambda links: _direction(links, said, against))
    if _direction(best, said, against) < 0:
        work.guess("way", 0.6)
    return best if len(shortest) > 1 else None


def _shortest(work: Work, thing: Thing) -> list[Links]:
    ways = [way.links for way in work.joins.ways(work.subject, thing.table) if way.links]
    return [links for links in ways if len(links) == len(ways[0])]


def _heading(work: Work, thing: Thing, kept: Kept) -> Links | None:
    """The way to a value that the words just before it speak of, where it is the only one: taken in Oslo and
    brought back to Bergen, from a pier in the north to one in the south."""
    ways = _shortest(work, thing)
    if len(ways) < 2:
        return None
    before = (each.segment.end for each in work.sketch.kept if each.segment.end <= kept.segment.start)
    start = max(before, default=0)
    near = [p for p in work.sketch.pieces if start <= p.start and p.end <= kept.segment.start]
    said = _only_best(ways, [spoken_of(links, [piece.stem for piece in near]) for links in ways])
    if said is not None:
        return said
    turns = [piece.text.casefold() for piece in near if piece.text.casefold() in _OPPOSITE]
    if not turns:
        return None
    directions = work.asked.words.directions
    towards, against = (directions.get(turn, frozenset()) for turn in (turns[0], _OPPOSITE[turns[0]]))
    return _only_best(ways, [_direction(links, towards, against) for links in ways])


def _only_best(ways: list[Links], scores: list[int]) -> Links | None:
    best = [links for links, score in zip(ways, scores, strict=True) if score == max(scores)]
    return best[0] if len(best) == 1 and max(scores) > 0 else None


def _direction(links: tuple[Link, ...], said: frozenset[str], against: frozenset[str]) -> int:
    words = {word for link in links for word in name_words(link.name.split("-by-")[-1])}
    return len(words & said) - len(words & against)
