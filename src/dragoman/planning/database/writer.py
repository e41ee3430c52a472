"""Writes a frame as one statement over table verbs: the table to ask, the paths from it, and its arguments."""

import datetime as dt
from decimal import Decimal

from dragoman.contracts.program import (
    Argument,
    Boolean,
    Call,
    Date,
    Entry,
    Integer,
    Map,
    Nil,
    Number,
    Sequence,
    Statement,
    Text,
    Value,
)
from dragoman.contracts.schema import ValueType
from dragoman.planning.database.frame import Aggregate, Condition, Frame, Group, Linked, Measure, Order, Ref
from dragoman.planning.database.joins import Joins, Way
from dragoman.planning.database.knowledge import Knowledge
from dragoman.planning.tables.things import Thing
from dragoman.tables.graph import Link, Table
from dragoman.tables.verbs import DATES, NUMBERS


class Unwritable(Exception):
    """The verbs cannot say what a frame means."""


def written(frame: Frame, knowledge: Knowledge, joins: Joins) -> Statement | None:
    """The statement of a frame; None where the verbs cannot say it."""
    for base in _bases(frame, knowledge, joins):
        try:
            return _Writer(frame, base, knowledge, joins).statement()
        except Unwritable:
            continue
    return None


def _bases(frame: Frame, knowledge: Knowledge, joins: Joins) -> list[Table]:
    """The tables that may be asked, the natural one first: the one that is measured, or listed."""
    measured = [measure.table for measure in frame.measures if measure.table is not None]
    first = measured[0] if measured else frame.subject
    if not frame.gathered:
        return [frame.subject]
    wanted = [group.target for group in frame.groups]
    wanted += [m.table for m in frame.measures if m.ref is not None and m.table is not None]
    others: list[tuple[float, int, Table]] = []
    if frame.measures and all(m.aggregate is Aggregate.COUNT for m in frame.measures):
        # Where rows of one table are counted by what several lead to, a table between them has one row for
        # each pair: what is counted is then counted once by its key.
        for place, table in enumerate(joins.graph.tables.values()):
            ways = [joins.way(table, each) for each in (*wanted, first)]
            if all(way is not None and way.single for way in ways):
                others.append((sum(way.cost for way in ways if way is not None), place, table))
    ranked = [table for _, _, table in sorted(others, key=lambda each: each[:2])]
    good = [first] if all((way := joins.way(first, each)) and way.single for each in wanted) else []
    bases = [*good, *ranked[:2], first, frame.subject]
    return list({table.key: table for table in bases}.values())


class _Writer:
    def __init__(self, frame: Frame, base: Table, knowledge: Knowledge, joins: Joins) -> None:
        self.frame = frame
        self.base = base
        self.knowledge = knowledge
        self.joins = joins
        self.joined: tuple[Link, ...] = ()

    def statement(self) -> Statement:
        frame = self.frame
        if frame.share is not None:
            return self._shared()
        if frame.gathered:
            return self._gathered()
        return self._listed()

    # Paths

    def _way(
        self, target: Table, links: tuple[Link, ...] | None, through: Thing | None = None
    ) -> tuple[Link, ...]:
        if links is not None:
            return links
        if through is not None:
            return (*self._way(through.table, None), self.joins.link_of(through))
        if target.key == self.base.key:
            return ()
        if self.joined:
            for place, link in enumerate(self.joined, 1):
                if link.target == target.key:
                    return self.joined[:place]
        way = self.joins.way(self.base, target)
        if way is None:
            raise Unwritable
        return way.links

    def _path(self, ref: Ref) -> str:
        links = self._way(ref.table, ref.links, ref.through)
        if not Way(links).single:
            self._join(links)
        if ref.thing.column is None:
            raise Unwritable
        return "/".join([*(link.name for link in links), ref.thing.column.name])

    def _join(self, links: tuple[Link, ...]) -> None:
        """Rows are put together with others on purpose, along one way."""
        last = max((place for place, link in enumerate(links) if not link.single), default=-1)
        needed = links[: last + 1]
        if self.joined[: len(needed)] == needed:
            return
        if needed[: len(self.joined)] == self.joined:
            self.joined = needed
            return
        raise Unwritable

    # Lists

    def _listed(self) -> Statement:
        frame = self.frame
        arguments: list[Argument] = []
        columns = [self._path(ref) for ref in dict.fromkeys(frame.shown)]
        order = [self._ordered(each, []) for each in frame.order]
        where = self._conditions()
        if columns and not frame.everything:
            arguments.append(Argument("columns", _one_or_list([Text(path) for path in dict.fromkeys(columns)])))
        if frame.distinct:
            arguments.append(Argument("distinct", Boolean(True)))
        if order:
            arguments.append(Argument("order", _one_or_list(order)))
        if frame.limit is not None:
            arguments.append(Argument("top" if order else "limit", Integer(frame.limit)))
        return self._done("list", [], where, arguments)

    def _ordered(self, order: Order, measures: list[Measure]) -> Value:
        if isinstance(order.key, Ref):
            value: Value = Text(self._path(order.key))
        else:
            value = self._named(order.key, measures)
        return Map((Entry("desc", value),)) if order.descending else value

    # Groups

    def _gathered(self) -> Statement:
        frame = self.frame
        measures = list(dict.fromkeys(frame.measures)) or [Measure(Aggregate.COUNT)]
        hidden = [each.key for each in frame.order if isinstance(each.key, Measure) and each.key not in measures]
        hidden += [each.measure for each in frame.having if each.measure not in measures]
        hidden = list(dict.fromkeys(each for each in hidden if not self._rows(each)))
        by: list[Value] = []
        shown: list[Value] = []
        for group in frame.groups:
            keys, labels = self._group(group)
            by.extend(key for key in keys if key not in by)
            shown.extend(label for label in labels if label not in shown)
        for ref in frame.shown:
            path = Text(self._path(ref))
            if path not in shown:
                shown.append(path)
        first, *others = measures
        ahead: list[Argument] = []
        of = self._of(first)
        if of is not None:
            ahead.append(Argument("of", of))
        if first.distinct or (of is not None and first.aggregate is Aggregate.COUNT):
            ahead.append(Argument("distinct", Boolean(True)))
        also = [self._also(measure) for measure in (*others, *hidden)]
        if also:
            ahead.append(Argument("also", _one_or_list(also)))
        if by:
            ahead.append(Argument("by", _one_or_list(by)))
        arguments: list[Argument] = []
        if frame.count_groups:
            ahead.append(Argument("groups", Boolean(True)))
        elif by and (shown != by or hidden):
            figures = [self._named(measure, [*measures, *hidden]) for measure in measures]
            arguments.append(Argument("columns", _one_or_list([*shown, *figures])))
        having = self._having([*measures, *hidden])
        if having is not None:
            arguments.append(Argument("having", having))
        if frame.order and by and not frame.count_groups:
            arguments.append(
                Argument("order", _one_or_list([self._ordered(o, [*measures, *hidden]) for o in frame.order]))
            )
        if frame.limit is not None and by and not frame.count_groups:
            arguments.append(Argument("top", Integer(frame.limit)))
        return self._done(first.aggregate.value, ahead, self._conditions(), arguments)

    def _rows(self, measure: Measure) -> bool:
        """Whether a measure counts the rows of the table that is asked."""
        counts_rows = measure.counts is None or measure.counts.key == self.base.key
        return measure.aggregate is Aggregate.COUNT and measure.ref is None and counts_rows

    def _group(self, group: Group) -> tuple[list[Value], list[Value]]:
        """What a group is gathered by, and what of it is shown."""
        if group.ref is not None:
            path = self._path(group.ref)
            text = Text(f"{path}/{group.part}" if group.part else path)
            return [text], [text]
        table = group.table
        assert table is not None
        links = self._way(table, group.links, group.through)
        if not Way(links).single:
            self._join(links)
        named = dict.fromkeys((*self.knowledge.natural_key(table), *self.knowledge.labels(table)))
        labels = [Text(self._path(Ref(label, links))) for label in named]
        if not labels:
            raise Unwritable
        keys = [table.by_real_name[name] for name in table.info.primary_key if name in table.by_real_name]
        if not keys:
            return list(labels), list(labels)
        near = self._near_key(links, table)
        if near is not None:
            return [Text(near)], list(labels)
        steps = [link.name for link in links]
        return [Text("/".join([*steps, key.name])) for key in keys], list(labels)

    def _near_key(self, links: tuple[Link, ...], table: Table) -> str | None:
        """The column that points at a table, instead of the key that it points at: one link less to follow."""
        if not links or len(links[-1].pairs) != 1 or not links[-1].single:
            return None
        before = self.base if len(links) == 1 else self.joins.graph.tables[links[-2].target]
        here, there = links[-1].pairs[0]
        column = before.by_real_name.get(here)
        if column is None or (there,) != tuple(table.info.primary_key):
            return None
        if not any(here in key.columns for key in before.info.foreign_keys):
            return None
        return "/".join([*(link.name for link in links[:-1]), column.name])

    def _of(self, measure: Measure) -> Value | None:
        if self._rows(measure):
            return None
        if measure.ref is not None:
            value: Value = Text(self._path(measure.ref))
        elif measure.factors:
            items: list[Value] = [Text(self._path(ref)) for ref in measure.factors]
            if measure.discounted:
                items[-1] = Map((Entry("minus", Sequence((Integer(1), items[-1]))),))
            value = Map((Entry("times", Sequence(tuple(items))),))
        elif measure.counts is not None:
            keys = measure.counts.info.primary_key
            if len(keys) != 1:
                raise Unwritable
            links = self._way(measure.counts, None)
            near = self._near_key(links, measure.counts)
            if near is None:
                things = self.knowledge.things
                near = self._path(Ref(things.of_column[(*measure.counts.key, keys[0])]))
            return Text(near)
        else:
            return None
        if measure.divisor != 1.0:
            value = Map((Entry("divided", Sequence((value, number_value(measure.divisor)))),))
        return value

    def _also(self, measure: Measure) -> Value:
        of = self._of(measure)
        if of is None:
            return Text("count")
        entries = [Entry(measure.aggregate.value, of)]
        if measure.distinct or measure.aggregate is Aggregate.COUNT:
            entries.append(Entry("distinct", Boolean(True)))
        return Map(tuple(entries))

    def _named(self, measure: Measure, measures: list[Measure]) -> Value:
        """What a result calls a measure: its verb, and what it measures where two have the same verb."""
        of = self._of(measure)
        alone = [each for each in measures if each.aggregate is measure.aggregate]
        if len(alone) <= 1 or of is None:
            return Text(measure.aggregate.value)
        if isinstance(of, Text):
            return Text(f"{measure.aggregate}/{of.value}")
        return Map((Entry(measure.aggregate.value, of),))

    def _having(self, measures: list[Measure]) -> Value | None:
        entries: dict[str, Value] = {}
        for having in self.frame.having:
            test: Value
            if having.number is None:
                inner = _Writer(Frame(self.frame.subject, measures=(having.measure,)), self.base, self.knowledge, self.joins)
                test = Map((Entry(having.operation, Call(inner.statement())),))
            elif having.operation == "equal":
                test = number_value(having.number)
            elif having.operation == "between" and having.most is not None:
                test = Map((Entry("between", Sequence((number_value(having.number), number_value(having.most)))),))
            else:
                test = Map((Entry(having.operation, number_value(having.number)),))
            verb = having.measure.aggregate.value
            if verb in entries:
                raise Unwritable
            entries[verb] = test
        return Map(tuple(Entry(key, value) for key, value in entries.items())) if entries else None

    # Shares

    def _shared(self) -> Statement:
        frame = self.frame
        that = _Tree()
        for condition in frame.share or ():
            self._place(that, condition)
        ahead: list[Argument] = []
        by: list[Value] = []
        shown: list[Value] = []
        for group in frame.groups:
            keys, labels = self._group(group)
            by.extend(keys)
            shown.extend(labels)
        if frame.measures:
            of = self._of(frame.measures[0])
            if of is not None:
                ahead.append(Argument("of", of))
        if frame.share:
            ahead.append(Argument("that", that.value()))
        if by:
            ahead.append(Argument("by", _one_or_list(by)))
        after = []
        if by and shown != by:
            after.append(Argument("columns", _one_or_list([*shown, Text("share")])))
        return self._done("share", ahead, self._conditions(), after)

    # Conditions

    def _conditions(self) -> list[Argument]:
        frame = self.frame
        if frame.either:
            maps: list[Value] = []
            for condition in frame.conditions:
                tree = _Tree()
                self._place(tree, condition)
                maps.append(tree.value())
            return [Argument("where", Sequence(tuple(maps)))] if maps else []
        tree = _Tree()
        days: list[Condition] = []
        for condition in frame.conditions:
            if condition.operation == "days" and not condition.negative and _bounded(condition):
                days.append(condition)
            else:
                self._place(tree, condition)
        for linked in frame.linked:
            self._place_linked(tree, linked)
        arguments: list[Argument] = []
        if len(days) == 1:
            day = days[0]
            links = self._way(day.ref.table, day.ref.links)
            if Way(links).single:
                own = [each for each in self.base.dates]
                if links or len(own) != 1:
                    arguments.append(Argument("on", Text(self._path(day.ref))))
                first, last = day.values
                assert isinstance(first, dt.date) and isinstance(last, dt.date)
                arguments.append(Argument("during", Sequence((Date(first), Date(last)))))
                days = []
        for day in days:
            self._place(tree, day)
        own_entries, nested = tree.split()
        arguments = [*(Argument(key, value) for key, value in own_entries), *arguments]
        if nested:
            arguments.append(Argument("where", nested[0] if len(nested) == 1 else Map((Entry("all", Sequence(tuple(nested))),))))
        return arguments

    def _place(self, tree: "_Tree", condition: Condition) -> None:
        links = self._way(condition.ref.table, condition.ref.links, condition.ref.through)
        column = condition.ref.thing.column
        if column is None:
            raise Unwritable
        tree.add([link.name for link in links], column.name, self._tested(condition), alone=condition.negative and not Way(links).single)

    def _place_linked(self, tree: "_Tree", linked: Linked) -> None:
        links = self._way(linked.table, linked.links)
        if not links:
            raise Unwritable
        inner = _Tree()
        for condition in linked.conditions:
            column = condition.ref.thing.column
            if column is None:
                raise Unwritable
            way = self.joins.way(linked.table, condition.ref.table)
            if way is None:
                raise Unwritable
            inner.add([link.name for link in way.links], column.name, self._tested(condition))
        held = inner.value()
        if linked.operation:
            test = number_value(linked.number)
            how = test if linked.operation == "equal" else Map((Entry(linked.operation, test),))
            value: Value = Map((Entry("how-many", how), *(held.entries if isinstance(held, Map) else ())))
        elif linked.absent:
            value = Nil() if not linked.conditions else Map((Entry("not", held),))
        else:
            value = Map((Entry("not", Nil()),)) if not linked.conditions else held
        # What is not there is not there along the whole way: the last link that leads to many says none.
        tree.add_linked([link.name for link in links], value, absent=linked.absent)

    def _tested(self, condition: Condition) -> Value:
        value = self._test(condition)
        return Map((Entry("not", value),)) if condition.negative else value

    def _test(self, condition: Condition) -> Value:
        column = condition.ref.thing.column
        assert column is not None
        match condition.operation:
            case "missing":
                return Nil()
            case "average":
                statement = Statement(
                    f"{condition.ref.table.name}.average", (Argument("of", Text(column.name)),)
                )
                return Map((Entry(str(condition.values[0]), Call(statement)),))
            case "days":
                return _days(condition)
            case "part":
                assert condition.part is not None
                parts: list[Value] = [number_value(float(v)) for v in condition.values if isinstance(v, int | float)]
                return Map((Entry(condition.part.value, _one_or_list(parts)),))
            case "equal":
                return _one_or_list([_value(column.type, each) for each in condition.values])
            case "between":
                return Map((Entry("between", Sequence(tuple(_value(column.type, v) for v in condition.values))),))
            case operation:
                return Map((Entry(operation, _value(column.type, condition.values[0])),))

    def _done(
        self, verb: str, ahead: list[Argument], where: list[Argument], after: list[Argument]
    ) -> Statement:
        if self.joined:
            ahead = [*ahead, Argument("with", Text(Way(self.joined).written))]
        return Statement(f"{self.base.name}.{verb}", (*ahead, *where, *after))


class _Tree:
    """Conditions by the links that lead to them. Those of one way speak of the same row."""

    def __init__(self) -> None:
        self._own: list[tuple[tuple[str, ...], str, Value]] = []
        self._alone: list[tuple[tuple[str, ...], str, Value]] = []

    def add_linked(self, links: list[str], value: Value, *, absent: bool) -> None:
        """What is said of rows at the end of links, whose last one is named last."""
        *before, last = links
        if not absent or not before:
            self._alone.append((tuple(before), last, value))
            return
        # Nowhere along the way: {:a {:not {:b {:not nil}}}} says that no a has a b.
        inner = Map((Entry(last, Map((Entry("not", Nil()),)) if isinstance(value, Nil) else _inner(value)),))
        for link in reversed(before[1:]):
            inner = Map((Entry(link, inner),))
        self._alone.append(((), before[0], Map((Entry("not", inner),))))

    def add(self, links: list[str], name: str, value: Value, *, alone: bool = False) -> None:
        if alone and isinstance(value, Map) and value.entries[0].key == "not":
            inner = Map((Entry(name, value.entries[0].value),))
            for link in reversed(links[1:]):
                inner = Map((Entry(link, inner),))
            self._alone.append(((), links[0], Map((Entry("not", inner),))))
            return
        self._own.append((tuple(links), name, value))

    def split(self) -> tuple[list[tuple[str, Value]], list[Value]]:
        """The conditions on the table's own columns, and maps of the others."""
        own: dict[str, Value] = {}
        nested: list[Value] = []
        linked: list[tuple[tuple[str, ...], str, Value]] = []
        for links, name, value in self._own:
            if links or (isinstance(value, Nil) and False):
                linked.append((links, name, value))
            elif name in own:
                own[name] = _both(own[name], value)
            else:
                own[name] = value
        clashing = [each for each in linked if sum(o[:2] == each[:2] for o in linked) > 1]
        plain = [each for each in linked if each not in clashing]
        if plain:
            nested.append(_nested(plain))
        nested.extend(_nested([each]) for each in clashing)
        nested.extend(_nested([each]) for each in self._alone)
        return list(own.items()), _merged(nested)

    def value(self) -> Value:
        own, nested = self.split()
        first = Map(tuple(Entry(key, value) for key, value in own))
        if not nested:
            return first
        if not own:
            return nested[0] if len(nested) == 1 else Map((Entry("all", Sequence(tuple(nested))),))
        whole = [first, *nested]
        merged = _merged(whole)
        return merged[0] if len(merged) == 1 else Map((Entry("all", Sequence(tuple(merged))),))


def _inner(value: Value) -> Value:
    """What is inside of a not."""
    if isinstance(value, Map) and value.entries and value.entries[0].key == "not":
        return value.entries[0].value
    return value


def _merged(maps: list[Value]) -> list[Value]:
    """Maps with different keys are one map."""
    found: list[Map] = []
    for each in maps:
        assert isinstance(each, Map)
        keys = {entry.key for entry in each.entries}
        fit = next((m for m in found if not keys & {entry.key for entry in m.entries}), None)
        if fit is None:
            found.append(each)
        else:
            found[found.index(fit)] = Map((*fit.entries, *each.entries))
    return list(found)


def _nested(items: list[tuple[tuple[str, ...], str, Value]]) -> Value:
    here: dict[str, Value] = {}
    deeper: dict[str, list[tuple[tuple[str, ...], str, Value]]] = {}
    for links, name, value in items:
        if links:
            deeper.setdefault(links[0], []).append((links[1:], name, value))
        elif name in here:
            here[name] = _both(here[name], value)
        else:
            here[name] = value
    entries = [Entry(key, value) for key, value in here.items()]
    entries += [Entry(key, _nested(inner)) for key, inner in deeper.items()]
    return Map(tuple(entries))


def _both(one: Value, other: Value) -> Value:
    if isinstance(one, Map) and isinstance(other, Map):
        keys = {entry.key for entry in one.entries}
        if not any(entry.key in keys for entry in other.entries):
            return Map((*one.entries, *other.entries))
    raise Unwritable


def _bounded(condition: Condition) -> bool:
    return all(isinstance(each, dt.date) for each in condition.values)


def _days(condition: Condition) -> Value:
    first, last = condition.values
    entries = []
    if isinstance(first, dt.date):
        entries.append(Entry("at-least", Date(first)))
    if isinstance(last, dt.date):
        entries.append(Entry("at-most", Date(last)))
    return Map(tuple(entries))


def _value(known: ValueType, value: str | float | dt.date | None) -> Value:
    match value:
        case None:
            return Nil()
        case dt.date():
            return Date(value)
        case str() if known is ValueType.BOOLEAN:
            return Boolean(value.casefold() in ("true", "1", "yes", "y", "t"))
        case str() if known in NUMBERS:
            return number_value(float(value))
        case str():
            return Text(value)
        case _ if known in NUMBERS:
            return number_value(value)
        case _ if known in DATES:
            raise Unwritable
        case _:
            return Text(f"{value:g}")


def number_value(number: float) -> Value:
    """A number as the notation writes it: whole where it is."""
    if number == int(number):
        return Integer(int(number))
    return Number(format(Decimal(repr(number)), "f"))


def _one_or_list(values: list[Value]) -> Value:
    return values[0] if len(values) == 1 else Sequence(tuple(values))
