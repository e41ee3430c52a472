"""Reads a statement over table verbs back as the frame that is written so: the inverse of the writer."""

from collections.abc import Iterator
from itertools import islice, product

from msgspec.structs import replace

from dragoman.contracts.program import (
    Argument,
    Boolean,
    Call,
    Date,
    Entry,
    Integer,
    Map,
    Number,
    Sequence,
    Statement,
    Text,
    Value,
)
from dragoman.planning.database.frame import Aggregate, Difference, Frame, Group, Having, Measure, Order, Ref
from dragoman.planning.database.joins import Joins
from dragoman.planning.database.knowledge import Knowledge
from dragoman.planning.database.paths import Paths, Unreadable, number
from dragoman.planning.database.said_conditions import ConditionReader
from dragoman.planning.database.writer import written
from dragoman.tables.verbs import COMPARISONS, RESERVED

_WORDS = RESERVED | {"that", "groups"}
_AGGREGATES = frozenset(each.value for each in Aggregate)
_SPANS = ("days", "seconds")
_MOST_FRAMES = 48


def frame_of(statement: Statement, knowledge: Knowledge, joins: Joins) -> Frame | None:
    """The frame of a statement; None where no frame says the same of the same rows.

    A path may be the usual way to its table, and a key may stand for a row or for itself. Each possibility
    is written again, the most telling first, and the one that gives the statement is the frame. Where none
    does, one will do that differs in the columns it shows: groups always show what names them.
    """
    name, _, verb = statement.verb.rpartition(".")
    plain = Statement(
        statement.verb, tuple(Argument(each.name, _named(each, statement)) for each in statement.arguments)
    )
    base = joins.graph.by_name.get(name)
    if base is None:
        return None
    near: Frame | None = None
    try:
        for exact in (False, True):
            frames = _Unwriter(plain, verb, Paths(base, knowledge, joins, exact=exact)).frames()
            for frame in islice(frames, _MOST_FRAMES):
                again = written(frame, knowledge, joins)
                if again is not None and _same(again, plain):
                    return frame
                if near is None and again is not None and _same(_unshown(again), _unshown(plain)):
                    near = frame
    except Unreadable:
        pass
    return near


def _named(argument: Argument, statement: Statement) -> Value:
    """The value of an argument. Groups held to a bare number are held by the one figure that there is."""
    value = argument.value
    bare = isinstance(value, Map) and all(entry.key in COMPARISONS for entry in value.entries)
    if argument.name != "having" or not bare or statement.argument("also") is not None:
        return value
    return Map((Entry(statement.verb.rpartition(".")[2], value),))


def _unshown(statement: Statement) -> Statement:
    return Statement(statement.verb, tuple(each for each in statement.arguments if each.name != "columns"))


def _same(one: Statement, other: Statement) -> bool:
    """Whether two statements differ in the order of their arguments at most."""
    alike = one.verb == other.verb and len(one.arguments) == len(other.arguments)
    return alike and set(one.arguments) == set(other.arguments)


class _Unwriter:
    def __init__(self, statement: Statement, verb: str, paths: Paths) -> None:
        self.verb = verb
        self.paths = paths
        self.base = paths.base
        self.arguments = {each.name: each.value for each in statement.arguments}
        if len(self.arguments) != len(statement.arguments):
            raise Unreadable

    def frames(self) -> Iterator[Frame]:
        conditions = ConditionReader(self.paths)
        own = [Entry(name, value) for name, value in self.arguments.items() if name not in _WORDS]
        conditions.read(own, self.arguments)
        held = {
            "conditions": tuple(conditions.conditions),
            "linked": tuple(conditions.linked),
            "either": conditions.either,
        }
        match self.verb:
            case "list":
                return iter([self._listed(held)])
            case "share":
                return self._shared(held)
            case "count" | "sum" | "average" | "min" | "max":
                return self._gathered(Aggregate(self.verb), held)
            case _:
                raise Unreadable

    # Lists

    def _listed(self, held: dict[str, object]) -> Frame:
        # A difference that rows are sorted by is shown because of that.
        columns = [_text(each) for each in self._items("columns") if not isinstance(each, Map)]
        return Frame(
            self.base,
            shown=tuple(self._column(path) for path in columns),
            everything=not columns,
            order=tuple(self._order(each, {}) for each in self._items("order")),
            limit=self._whole("top", "limit"),
            distinct=self._true("distinct"),
            **held,  # type: ignore[arg-type]
        )

    def _column(self, path: str) -> Ref:
        links, thing, part = self.paths.column(path)
        if part is not None:
            raise Unreadable
        return self.paths.ref(links, thing)

    def _order(self, value: Value, figures: dict[Value, Measure]) -> Order:
        descending = isinstance(value, Map) and len(value.entries) == 1 and value.entries[0].key == "desc"
        key = value.entries[0].value if descending and isinstance(value, Map) else value
        if key in figures:
            return Order(figures[key], descending)
        if key == Text("count") and self.verb != "list":
            return Order(Measure(Aggregate.COUNT, counts=self.base), descending)
        if isinstance(key, Map):
            return Order(self._difference(key), descending)
        links, thing, part = self.paths.column(_text(key))
        return Order(self.paths.ref(links, thing), descending, part)

    def _difference(self, value: Map) -> Difference:
        if len(value.entries) != 1 or value.entries[0].key not in (*_SPANS, "minus"):
            raise Unreadable
        first, second = _pair(value.entries[0].value)
        key = value.entries[0].key
        ends = self._column(_text(first)), self._column(_text(second))
        return Difference(*ends, days=key in _SPANS, exact=key == "seconds")

    # Groups

    def _gathered(self, aggregate: Aggregate, held: dict[str, object]) -> Iterator[Frame]:
        alone = [self._measures(aggregate, self.arguments.get("of"), distinct=self._true("distinct"))]
        if "per" in self.arguments:
            every = list(self.paths.groups(self._texts("per")))
            alone = [[replace(measure, per=each) for measure in alone[0] for each in every]]
        alone += [self._also(each) for each in self._items("also")]
        by = self._texts("by")
        for measures in product(*alone):
            for groups in self._groupings(by):
                frame = self._grouped(list(measures), groups, held)
                if frame is not None:
                    yield frame

    def _grouped(
        self, measures: list[Measure], groups: tuple[Group, ...], held: dict[str, object]
    ) -> Frame | None:
        figures = self._figures(measures)
        columns = self._items("columns")
        shown, seen = [], []
        if columns:
            known = {label for group in groups for label in self.paths.labels(group)}
            for column in columns:
                if column in figures:
                    seen.append(figures[column])
                elif column == Text("count"):
                    seen.append(Measure(Aggregate.COUNT, counts=self.base))
                elif _text(column) not in known:
                    shown.append(self._column(_text(column)))
            if seen and seen[0] != measures[0]:
                return None
        orders = [self._order(each, figures) for each in self._items("order")]
        return Frame(
            self.base,
            shown=tuple(shown),
            measures=tuple(seen or measures),
            groups=groups,
            having=self._having(figures),
            order=tuple(orders),
            limit=self._whole("top"),
            count_groups=self._true("groups"),
            unshown=bool(columns) and not seen,
            **held,  # type: ignore[arg-type]
        )

    def _figures(self, measures: list[Measure]) -> dict[Value, Measure]:
        """Measures by what a result calls them."""
        found: dict[Value, Measure] = {}
        of = [self.arguments.get("of"), *map(_measured, self._items("also"))]
        for measure, value in zip(measures, of, strict=True):
            alike = [each for each in measures if each.aggregate is measure.aggregate]
            name: Value = Text(measure.aggregate.value)
            if len(alike) > 1 and isinstance(value, Text):
                name = Text(f"{measure.aggregate}/{value.value}")
            elif len(alike) > 1 and value is not None:
                name = Map((Entry(measure.aggregate.value, value),))
            found[name] = measure
        return found

    def _groupings(self, by: list[str]) -> Iterator[tuple[Group, ...]]:
        """Rows of a table before its key. The keys of several columns are one group."""
        if not by:
            yield ()
            return
        for length in (1, 2, 3):
            if len(by) < length:
                continue
            for group in self.paths.groups(by[:length]):
                for rest in self._groupings(by[length:]):
                    yield (group, *rest)
        # A key may have been asked for twice, as itself and for the row that it points at.
        both = tuple(self.paths.groups(by[:1]))
        for rest in self._groupings(by[1:]) if len(both) > 1 else ():
            yield (*both, *rest)
            yield (*reversed(both), *rest)

    def _also(self, value: Value) -> list[Measure]:
        if value == Text("count"):
            return [Measure(Aggregate.COUNT, counts=self.base)]
        if not isinstance(value, Map) or not value.entries:
            raise Unreadable
        first, *rest = value.entries
        if first.key not in _AGGREGATES:
            raise Unreadable
        return self._measures(Aggregate(first.key), first.value, distinct=bool(rest))

    def _measures(self, aggregate: Aggregate, of: Value | None, *, distinct: bool) -> list[Measure]:
        """What may be measured: things that are counted by their key, before the values of a column."""
        if of is None:
            return [Measure(Aggregate.COUNT, counts=self.base)]
        divisor = 1.0
        if isinstance(of, Map) and of.entries[0].key == "divided":
            of, by = _pair(of.entries[0].value)
            divisor = number(by)
        if isinstance(of, Map) and len(of.entries) == 1 and of.entries[0].key in _SPANS:
            last, first = _pair(of.entries[0].value)
            end = last.value if isinstance(last, Date) else self._column(_text(last))
            ends = end, self._column(_text(first))
            return [Measure(aggregate, days=ends, exact=of.entries[0].key == "seconds", divisor=divisor)]
        if isinstance(of, Map):
            factors, discounted = self._factors(of)
            return [Measure(aggregate, factors=factors, discounted=discounted, divisor=divisor)]
        links, thing, part = self.paths.column(_text(of))
        if part is not None:
            raise Unreadable
        found = [Measure(aggregate, self.paths.ref(links, thing), distinct=distinct, divisor=divisor)]
        counted = self.paths.keyed(links, thing)
        if aggregate is Aggregate.COUNT and distinct and counted is not None:
            found.insert(0, Measure(Aggregate.COUNT, counts=counted))
        return found

    def _factors(self, of: Map) -> tuple[tuple[Ref, ...], bool]:
        if len(of.entries) != 1 or of.entries[0].key != "times":
            raise Unreadable
        items = list(_items(of.entries[0].value))
        last = items[-1]
        discounted = isinstance(last, Map)
        if isinstance(last, Map) and len(last.entries) == 1 and last.entries[0].key == "minus":
            one, items[-1] = _pair(last.entries[0].value)
            if one != Integer(1):
                raise Unreadable
        return tuple(self._column(_text(item)) for item in items), discounted

    def _having(self, figures: dict[Value, Measure]) -> tuple[Having, ...]:
        value = self.arguments.get("having")
        if value is None:
            return ()
        if not isinstance(value, Map):
            raise Unreadable
        rows = {Text("count"): Measure(Aggregate.COUNT, counts=self.base)}
        by_verb = {measure.aggregate.value: measure for measure in reversed(figures.values())}
        found = []
        for entry in value.entries:
            measure = by_verb.get(entry.key) or rows.get(Text(entry.key))
            if measure is None:
                raise Unreadable
            found.append(_had(measure, entry.value))
        return tuple(found)

    # Shares

    def _shared(self, held: dict[str, object]) -> Iterator[Frame]:
        inside = ConditionReader(self.paths)
        that = self.arguments.get("that")
        if isinstance(that, Map):
            inside.nested(that.entries, ())
        of = self.arguments.get("of")
        measures = self._measures(Aggregate.SUM, of, distinct=False) if of is not None else []
        share = measures[0] if measures else Measure(Aggregate.COUNT)
        for groups in self._groupings(self._texts("by")):
            yield Frame(
                self.base,
                measures=tuple(measures),
                groups=groups,
                share=tuple(inside.conditions),
                share_linked=tuple(inside.linked),
                order=tuple(self._order(each, {Text("share"): share}) for each in self._items("order")),
                limit=self._whole("top", "limit"),
                **held,  # type: ignore[arg-type]
            )

    # Arguments

    def _items(self, name: str) -> tuple[Value, ...]:
        value = self.arguments.get(name)
        return () if value is None else _items(value)

    def _texts(self, name: str) -> list[str]:
        return [_text(each) for each in self._items(name)] if name != "columns" or self.verb == "list" else []

    def _whole(self, *names: str) -> int | None:
        for name in names:
            value = self.arguments.get(name)
            if isinstance(value, Integer):
                return value.value
        return None

    def _true(self, name: str) -> bool:
        return self.arguments.get(name) == Boolean(True)


def _had(measure: Measure, test: Value) -> Having:
    if isinstance(test, Integer | Number):
        return Having(measure, "equal", number(test))
    if not isinstance(test, Map) or len(test.entries) != 1:
        raise Unreadable
    entry = test.entries[0]
    if isinstance(entry.value, Call):
        return Having(measure, entry.key, None)
    if entry.key == "between":
        least, most = _pair(entry.value)
        return Having(measure, "between", number(least), number(most))
    return Having(measure, entry.key, number(entry.value))


def _measured(value: Value) -> Value | None:
    return value.entries[0].value if isinstance(value, Map) else None


def _items(value: Value) -> tuple[Value, ...]:
    return value.items if isinstance(value, Sequence) else (value,)


def _pair(value: Value) -> tuple[Value, Value]:
    items = _items(value)
    if len(items) != 2:
        raise Unreadable
    return items[0], items[1]


def _text(value: Value) -> str:
    if not isinstance(value, Text):
        raise Unreadable
    return value.value
