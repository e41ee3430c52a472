"""Conditions by the links that lead to them, as one value of a program."""

from dragoman.contracts.program import Entry, Map, Nil, Value
from dragoman.planning.database.written_values import Unwritable, negated, one_or_all

_Placed = tuple[tuple[str, ...], str, Value]
"""The links to a column, the column, and what is said of it."""


_BOUNDS = frozenset({"above", "below", "at-least", "at-most", "between"})


class ConditionTree:
    """Conditions by the links that lead to them. Those of one way speak of the same row."""

    def __init__(self) -> None:
        self._own: list[_Placed] = []
        self._alone: list[_Placed] = []

    def add_linked(self, links: list[str], value: Value, *, absent: bool) -> None:
        """What is said of rows at the end of links, whose last one is named last."""
        *before, last = links
        if not absent or not before:
            self._alone.append((tuple(before), last, value))
            return
        # Nowhere along the way: {:a {:not {:b {:not nil}}}} says that no a has a b.
        inner = Map((Entry(last, negated(Nil()) if isinstance(value, Nil) else _inner(value)),))
        for link in reversed(before[1:]):
            inner = Map((Entry(link, inner),))
        self._alone.append(((), before[0], negated(inner)))

    def add(self, links: list[str], name: str, value: Value, *, alone: bool = False) -> None:
        if alone and isinstance(value, Map) and value.entries[0].key == "not":
            inner = Map((Entry(name, value.entries[0].value),))
            for link in reversed(links[1:]):
                inner = Map((Entry(link, inner),))
            self._alone.append(((), links[0], negated(inner)))
            return
        self._own.append((tuple(links), name, value))

    def split(self) -> tuple[list[tuple[str, Value]], list[Map]]:
        """The conditions on the table's own columns, and maps of the others."""
        own: dict[str, Value] = {}
        nested: list[Map] = []
        linked: list[_Placed] = []
        for links, name, value in self._own:
            if links:
                linked.append((links, name, value))
            elif name in own:
                own[name] = _both(own[name], value)
            else:
                own[name] = value
        linked = _bounded(linked)
        clashing = [each for each in linked if sum(o[:2] == each[:2] for o in linked) > 1]
        plain = [each for each in linked if each not in clashing]
        # "Who made a claim on a car policy": the claim is one on that policy.
        along = [each for each in self._alone if _goes_along(each, plain)]
        if plain:
            nested.append(_nested([*plain, *along]))
        nested.extend(_nested([each]) for each in clashing)
        nested.extend(_nested([each]) for each in self._alone if each not in along)
        return list(own.items()), _merged(nested)

    def value(self) -> Value:
        """All of it as one value."""
        own, nested = self.split()
        first = [Map(tuple(Entry(key, value) for key, value in own))] if own or not nested else []
        return one_or_all(_merged([*first, *nested]))


def _bounded(items: list[_Placed]) -> list[_Placed]:
    """Bounds of one column are of the same row: at least 3, and below 8."""
    found: list[_Placed] = []
    for links, name, value in items:
        place = next((n for n, each in enumerate(found) if each[:2] == (links, name)), None)
        if place is not None and _bounds_alone(value) and _bounds_alone(found[place][2]):
            try:
                found[place] = (links, name, _both(found[place][2], value))
                continue
            except Unwritable:
                pass
        found.append((links, name, value))
    return found


def _bounds_alone(value: Value) -> bool:
    return isinstance(value, Map) and all(entry.key in _BOUNDS for entry in value.entries)


def _goes_along(linked: _Placed, plain: list[_Placed]) -> bool:
    """Whether rows that there are stand behind a row that something else is said of."""
    before, last, value = linked
    if not before or value != negated(Nil()):
        return False
    ways = [links for links, *_ in plain if links[: len(before)] == before]
    return bool(ways) and not any(links[len(before) :][:1] == (last,) for links in ways)


def _inner(value: Value) -> Value:
    """What is inside of a not."""
    if isinstance(value, Map) and value.entries and value.entries[0].key == "not":
        return value.entries[0].value
    return value


def _merged(maps: list[Map]) -> list[Map]:
    """Maps with different keys are one map."""
    found: list[Map] = []
    for each in maps:
        keys = {entry.key for entry in each.entries}
        fit = next((m for m in found if not keys & {entry.key for entry in m.entries}), None)
        if fit is None:
            found.append(each)
        else:
            found[found.index(fit)] = Map((*fit.entries, *each.entries))
    return found


def _nested(items: list[_Placed]) -> Map:
    """Conditions as maps of links within each other."""
    here: dict[str, Value] = {}
    deeper: dict[str, list[_Placed]] = {}
    for links, name, value in items:
        if links:
            deeper.setdefault(links[0], []).append((links[1:], name, value))
        elif name in here:
            here[name] = _both(here[name], value)
        else:
            here[name] = value
    if here.keys() & deeper.keys():
        # A link may be called as its column is: the same key cannot stand for both.
        raise Unwritable
    entries = [Entry(key, value) for key, value in here.items()]
    entries += [Entry(key, _nested(inner)) for key, inner in deeper.items()]
    return Map(tuple(entries))


def _both(one: Value, other: Value) -> Value:
    if isinstance(one, Map) and isinstance(other, Map):
        keys = {entry.key for entry in one.entries}
        if not any(entry.key in keys for entry in other.entries):
            return Map((*one.entries, *other.entries))
    raise Unwritable
