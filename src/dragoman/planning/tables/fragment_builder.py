"""A message that was read within the tables of a statement in hand, as a fragment of a statement."""

from dragoman.contracts import program
from dragoman.contracts.program import Entry, Map
from dragoman.planning.tables.condition_values import number_value, tested_conditions
from dragoman.planning.tables.fragment import Fragment
from dragoman.planning.tables.partial_reading import Condition, Draft, Having, Measure, Sorting
from dragoman.planning.tables.reachable_tables import ReachableTables, to_join
from dragoman.planning.tables.schema_names import Thing
from dragoman.planning.tables.statement_parts import Holds, StatementParts
from dragoman.tables.paths import ColumnPath, Links
from dragoman.tables.request import Measured, Ordering
from dragoman.tables.verbs import TableVerb

_COUNT = Measured(TableVerb.COUNT)
_MOST_TOP = 1000
_ORDERED = {"between": "at-least"}
"""Of a range that was only begun, the beginning."""


class Unsaid(Exception):
    """Something of the message cannot be said of the statement in hand."""


def fragment_of(draft: Draft, previous: StatementParts, reachable: ReachableTables) -> Fragment | None:
    """What a draft says, in paths from the table of the statement in hand; None where it leads elsewhere."""
    try:
        return _Fragments(previous, reachable).of(draft)
    except Unsaid:
        return None


class _Fragments:
    def __init__(self, previous: StatementParts, reachable: ReachableTables) -> None:
        self._previous = previous
        self._reachable = reachable

    def of(self, draft: Draft) -> Fragment:
        extreme, most = self._extreme(draft)
        order = tuple(self._ordering(each) for each in draft.orders)
        counting = draft.waiting.counting and draft.ordering and not order
        if counting:
            order = (Ordering(_COUNT, bool(draft.descending)),)
        shown = tuple(self._path(thing) for thing in draft.shown)
        measures = () if counting else self._measures(draft)
        by = tuple(path for thing in draft.groups for path in self._group(thing))
        paths = [path.links for path in (*shown, *by)]
        paths += [each.of.links for each in measures if each.of is not None]
        paths += [self._reachable.links(thing.table) or () for thing in draft.counted if thing is not None]
        paths += [
            each.by.links
            for each in (*order, *([extreme] if extreme else ()))
            if isinstance(each.by, ColumnPath)
        ]
        wanted = to_join(self._previous, paths)
        if wanted is None:
            raise Unsaid
        if draft.ordering and not order and extreme is None and draft.descending is not None:
            most = draft.descending
        return Fragment(
            shown=shown,
            everything=draft.everything,
            measures=measures,
            by=by,
            holds=self._holds(draft.conditions),
            having=self._having(draft.having),
            order=order,
            extreme=extreme,
            most=most,
            top=_top(draft),
            distinct=draft.distinct,
            verbs=()
            if draft.measures
            else tuple(TableVerb(verb) for verb in dict.fromkeys(draft.waiting.verbs)),
            compared=_compared(draft),
            subjects=tuple(dict.fromkeys(thing.table for thing in draft.subjects)),
            wanted=wanted,
        )

    def _path(self, thing: Thing) -> ColumnPath:
        path = self._reachable.path(thing)
        if path is None:
            raise Unsaid
        return path

    def _group(self, thing: Thing) -> tuple[ColumnPath, ...]:
        """What tells the rows of a table apart, where a table was named."""
        if thing.column is not None:
            return (self._path(thing),)
        links = self._reachable.links(thing.table)
        if links is None:
            raise Unsaid
        if not links:
            return tuple(
                ColumnPath((), thing.table.by_real_name[name]) for name in thing.table.info.primary_key
            )
        if len(links) == 1 and links[0].single:
            here = self._previous.table.by_real_name
            return tuple(ColumnPath((), here[near]) for near, _ in links[0].pairs)
        return tuple(
            ColumnPath(links, thing.table.by_real_name[name]) for name in thing.table.info.primary_key
        )

    def _measures(self, draft: Draft) -> tuple[Measured, ...]:
        found = [self._measured(each) for each in draft.measures]
        counted = list(draft.counted)
        if draft.waiting.counting and not counted:
            counted = [None]
        for thing in counted:
            if thing is None or thing.column is None:
                found.append(self._rows_of(thing))
            else:
                found.append(Measured(TableVerb.COUNT, self._path(thing), distinct=True))
        return tuple(dict.fromkeys(found))

    def _rows_of(self, thing: Thing | None) -> Measured:
        """Rows are counted; rows of another table that are many here once each."""
        if thing is None:
            return _COUNT
        links = self._reachable.links(thing.table)
        if links is None:
            raise Unsaid
        return _COUNT

    def _measured(self, measure: Measure) -> Measured:
        of = None if measure.thing is None else self._path(measure.thing)
        return Measured(TableVerb(measure.verb), of, measure.distinct)

    def _ordering(self, sorting: Sorting) -> Ordering:
        descending = bool(sorting.descending)
        if sorting.thing is not None:
            return Ordering(self._path(sorting.thing), descending)
        if sorting.measure is not None:
            return Ordering(self._measured(sorting.measure), descending)
        return Ordering(_COUNT, descending)

    def _extreme(self, draft: Draft) -> tuple[Ordering | None, bool | None]:
        """The first of an order, or only which end of it."""
        waiting = draft.waiting.extreme if draft.top is None else ""
        if draft.extreme is None:
            return None, (waiting in ("most", "common")) if waiting else None
        if draft.extreme.thing is None and draft.extreme.measure is None:
            return None, bool(draft.extreme.descending)
        return self._ordering(draft.extreme), None

    def _having(self, having: tuple[Having, ...]) -> program.Value | None:
        if not having:
            return None
        tests = {each.measure.verb: _test(each.operation, each.number) for each in having}
        return Map(tuple(Entry(verb, value) for verb, value in tests.items()))

    def _holds(self, conditions: tuple[Condition, ...]) -> tuple[Holds, ...]:
        written = tested_conditions(conditions)
        if written is None:
            raise Unsaid
        found: list[Holds] = []
        if any(condition.either for condition, _ in written[1:]):
            choices = [Map((_nested(self._hold(c, v)),)) for c, v in written]
            return (Holds((), "", program.Sequence(tuple(choices))),)
        for condition, value in written:
            found.append(self._hold(condition, value))
        return tuple(found)

    def _hold(self, condition: Condition, value: program.Value) -> Holds:
        path = self._path(condition.thing)
        links: Links = path.links
        single = next((n for n, link in enumerate(links) if not link.single), len(links))
        if single == len(links):
            return Holds(links, path.column.name, value)
        inner: program.Value = value
        key = path.column.name
        for link in reversed(links[single:]):
            inner, key = Map((Entry(key, inner),)), link.name
        return Holds(links[:single], key, inner)


def _top(draft: Draft) -> int | None:
    """How many of the first: as many as were said, or one."""
    waiting = draft.waiting
    if draft.top is not None or not (waiting.first or (waiting.extreme and waiting.numbers)):
        return draft.top
    said = next((int(number) for number in waiting.numbers if 1 <= number <= _MOST_TOP), None)
    return said or 1


def _compared(draft: Draft) -> program.Value | None:
    """A comparison that nothing was named for."""
    waiting = draft.waiting
    if not waiting.numbers or waiting.comparison in ("", "equal") or draft.having:
        return None
    return _test(waiting.comparison, waiting.numbers[-1])


def _test(operation: str, number: float) -> program.Value:
    value = number_value(number)
    return value if operation == "equal" else Map((Entry(_ORDERED.get(operation, operation), value),))


def _nested(hold: Holds) -> Entry:
    entry = Entry(hold.key, hold.value)
    for link in reversed(hold.links):
        entry = Entry(link.name, Map((entry,)))
    return entry
