"""Writes a frame as one statement over table verbs: the table to ask, and the arguments."""

import datetime as dt

from msgspec.structs import replace

from dragoman.contracts.program import (
    Argument,
    Boolean,
    Call,
    Date,
    Entry,
    Integer,
    Map,
    Sequence,
    Statement,
    Text,
    Value,
)
from dragoman.planning.database.condition_writer import ConditionWriter
from dragoman.planning.database.frame import Aggregate, Difference, Frame, Group, Measure, Order, Ref
from dragoman.planning.database.joins import Joins, Way
from dragoman.planning.database.knowledge import Knowledge
from dragoman.planning.database.routes import Routes
from dragoman.planning.database.written_values import Unwritable, number_value, one_or_list
from dragoman.tables.graph import Table


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
    wanted += [measure.per.target for measure in frame.measures if measure.per is not None]
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


_ENDS = 2
"""So many things a link has."""


class _Writer:
    def __init__(self, frame: Frame, base: Table, knowledge: Knowledge, joins: Joins) -> None:
        self.frame = frame
        self.base = base
        self.knowledge = knowledge
        self.routes = Routes(base, joins)
        self.conditions = ConditionWriter(self.routes)

    def statement(self) -> Statement:
        for condition in self.frame.conditions:
            # A row that is compared with another one of its table stands beside it, once for each.
            if condition.other is not None and condition.other.links and condition.other.links[0].apart:
                self.routes.joined_way(condition.other.table, condition.other.links)
        if self.frame.share is not None:
            return self._shared()
        return self._gathered() if self.frame.gathered else self._listed()

    def _listed(self) -> Statement:
        frame = self.frame
        arguments: list[Argument] = []
        columns = [self.routes.path(ref) for ref in dict.fromkeys(frame.shown)]
        order = [self._ordered(each, []) for each in frame.order]
        where = self.conditions.arguments(self.frame)
        if columns and not frame.everything:
            shown: list[Value] = [Text(path) for path in dict.fromkeys(columns)]
            shown += [self._difference(each.key) for each in frame.order if isinstance(each.key, Difference)]
            arguments.append(Argument("columns", one_or_list(shown)))
        if frame.distinct:
            arguments.append(Argument("distinct", Boolean(True)))
        if order:
            arguments.append(Argument("order", one_or_list(order)))
        if frame.limit is not None:
            arguments.append(Argument("top" if order else "limit", Integer(frame.limit)))
        return self._done("list", [], where, arguments)

    def _difference(self, difference: Difference) -> Value:
        ends = (Text(self.routes.path(difference.first)), Text(self.routes.path(difference.second)))
        key = "minus" if not difference.days else "seconds" if difference.exact else "days"
        return Map((Entry(key, Sequence(ends)),))

    def _ordered(self, order: Order, measures: list[Measure]) -> Value:
        if isinstance(order.key, Ref):
            path = self.routes.path(order.key)
            value: Value = Text(f"{path}/{order.part}" if order.part else path)
        elif isinstance(order.key, Difference):
            value = self._difference(order.key)
        else:
            value = self._named(order.key, measures)
        return Map((Entry("desc", value),)) if order.descending else value

    def _gathered(self) -> Statement:
        frame = self.frame
        measures = list(dict.fromkeys(frame.measures)) or [Measure(Aggregate.COUNT)]
        hidden = [
            each.key for each in frame.order if isinstance(each.key, Measure) and each.key not in measures
        ]
        hidden += [each.measure for each in frame.having if each.measure not in measures]
        hidden = list(dict.fromkeys(each for each in hidden if not self._rows(each)))
        by: list[Value] = []
        shown: list[Value] = []
        told = {ref.table.key for ref in frame.shown} if frame.named else set()
        for group in frame.groups:
            keys, labels = self._group(group)
            by.extend(key for key in keys if key not in by)
            if group.ref is not None or group.target.key not in told:
                shown.extend(label for label in labels if label not in shown)
        for ref in frame.shown:
            path = Text(self.routes.path(ref))
            if path not in shown:
                shown.append(path)
        first, *others = measures
        ahead: list[Argument] = []
        of = self._of(first)
        if of is not None:
            ahead.append(Argument("of", of))
        if first.distinct or (of is not None and first.aggregate is Aggregate.COUNT):
            ahead.append(Argument("distinct", Boolean(True)))
        ahead += self._per(first)
        also = [self._also(measure) for measure in (*others, *hidden)]
        if also:
            ahead.append(Argument("also", one_or_list(also)))
        if by:
            ahead.append(Argument("by", one_or_list(by)))
        arguments: list[Argument] = []
        if frame.count_groups:
            ahead.append(Argument("groups", Boolean(True)))
        elif by and (shown != by or hidden or frame.unshown):
            seen = [] if frame.unshown else measures
            figures = [self._named(measure, [*measures, *hidden]) for measure in seen]
            arguments.append(Argument("columns", one_or_list([*shown, *figures])))
        having = self._having([*measures, *hidden])
        if having is not None:
            arguments.append(Argument("having", having))
        if frame.order and by and not frame.count_groups:
            arguments.append(
                Argument("order", one_or_list([self._ordered(o, [*measures, *hidden]) for o in frame.order]))
            )
        if frame.limit is not None and by and not frame.count_groups:
            arguments.append(Argument("top", Integer(frame.limit)))
        return self._done(first.aggregate.value, ahead, self.conditions.arguments(self.frame), arguments)

    def _per(self, measure: Measure) -> list[Argument]:
        if measure.per is None:
            return []
        keys, _ = self._group(measure.per)
        if (
            len(keys) != 1
            or measure.distinct
            or (not self._rows(measure) and measure.ref is None and not measure.factors)
        ):
            raise Unwritable
        return [Argument("per", keys[0])]

    def _rows(self, measure: Measure) -> bool:
        """Whether a measure counts the rows of the table that is asked."""
        counts = measure.counts
        counts_rows = counts is None or counts.key == self.base.key or self._only_links(counts)
        return measure.aggregate is Aggregate.COUNT and measure.ref is None and counts_rows

    def _only_links(self, counts: Table) -> bool:
        """Whether a row only links what is counted with what is gathered by, as a player with a team.
        Then there are as many as there are rows."""
        info, groups = self.base.info, self.frame.groups
        if len(groups) != 1 or groups[0].table is None or len(info.foreign_keys) != _ENDS:
            return False
        linked = {column for key in info.foreign_keys for column in key.columns}
        own = {column.name for column in info.columns} - linked
        ends = {(key.schema or info.schema, key.table) for key in info.foreign_keys}
        return own <= set(info.primary_key[:1]) and ends == {counts.key, groups[0].table.key}

    def _group(self, group: Group) -> tuple[list[Value], list[Value]]:
        """What a group is gathered by, and what of it is shown."""
        if group.ref is not None:
            path = self.routes.path(group.ref)
            text = Text(f"{path}/{group.part}" if group.part else path)
            return [text], [text]
        table = group.target
        links = self.routes.joined_way(table, group.links, group.through)
        named = dict.fromkeys((*self.knowledge.natural_key(table), *self.knowledge.labels(table)))
        same = self.knowledge.same_as(table)
        if same is not None:
            link = self.routes.joins.link_of(same)
            people = self.knowledge.labels(self.routes.joins.graph.tables[link.target])
            labels = [Text(self.routes.path(Ref(label, (*links, link)))) for label in people]
        else:
            labels = [Text(self.routes.path(Ref(label, links))) for label in named]
        if not labels:
            raise Unwritable
        keys = [table.by_real_name[name] for name in table.info.primary_key if name in table.by_real_name]
        if not keys:
            return list(labels), list(labels)
        near = self.routes.near_key(links, table)
        if near is not None:
            return [Text(near)], list(labels)
        steps = [link.name for link in links]
        return [Text("/".join([*steps, key.name])) for key in keys], list(labels)

    def _of(self, measure: Measure) -> Value | None:
        if self._rows(measure):
            return None
        if measure.ref is not None:
            value: Value = Text(self.routes.path(measure.ref))
        elif measure.days is not None:
            last, first = measure.days
            end = Date(last) if isinstance(last, dt.date) else Text(self.routes.path(last))
            ends = (end, Text(self.routes.path(first)))
            value = Map((Entry("seconds" if measure.exact else "days", Sequence(ends)),))
        elif measure.factors:
            items: list[Value] = [Text(self.routes.path(ref)) for ref in measure.factors]
            if measure.discounted:
                items[-1] = Map((Entry("minus", Sequence((Integer(1), items[-1]))),))
            value = Map((Entry("times", Sequence(tuple(items))),))
        elif measure.counts is not None:
            keys = measure.counts.info.primary_key
            if len(keys) != 1:
                raise Unwritable
            links = self.routes.way(measure.counts, None)
            near = self.routes.near_key(links, measure.counts)
            if near is None:
                things = self.knowledge.things
                near = self.routes.path(Ref(things.of_column[(*measure.counts.key, keys[0])]))
            return Text(near)
        else:
            return None
        if measure.divisor != 1.0:
            value = Map((Entry("divided", Sequence((value, number_value(measure.divisor)))),))
        return value

    def _also(self, measure: Measure) -> Value:
        if measure.per is not None:
            raise Unwritable
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
                test = Map((Entry(having.operation, Call(self._average(having.measure))),))
            elif having.operation == "equal":
                test = number_value(having.number)
            elif having.operation == "between" and having.most is not None:
                ends = (number_value(having.number), number_value(having.most))
                test = Map((Entry("between", Sequence(ends)),))
            else:
                test = Map((Entry(having.operation, number_value(having.number)),))
            verb = having.measure.aggregate.value
            if verb in entries:
                raise Unwritable
            entries[verb] = test
        return Map(tuple(Entry(key, value) for key, value in entries.items())) if entries else None

    def _average(self, measure: Measure) -> Statement:
        """What groups are compared with: the average of all rows, or a number or a sum for each group."""
        frame = Frame(self.frame.subject, measures=(measure,))
        if measure.aggregate in (Aggregate.COUNT, Aggregate.SUM):
            if len(self.frame.groups) != 1:
                raise Unwritable
            measured = replace(measure, per=self.frame.groups[0])
            frame = replace(self.frame, measures=(measured,), groups=(), having=(), order=(), limit=None)
            frame = replace(frame, shown=(), count_groups=False)
        return _Writer(frame, self.base, self.knowledge, self.routes.joins).statement()

    def _shared(self) -> Statement:
        frame = self.frame
        that = self.conditions.value(frame.share or (), frame.share_linked)
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
        if frame.share or frame.share_linked:
            ahead.append(Argument("that", that))
        if by:
            ahead.append(Argument("by", one_or_list(by)))
        after = []
        if by and shown != by:
            after.append(Argument("columns", one_or_list([*shown, Text("share")])))
        if by and frame.order:
            after.append(Argument("order", one_or_list([self._order_of_share(o) for o in frame.order])))
        if by and frame.limit is not None:
            after.append(Argument("top" if frame.order else "limit", Integer(frame.limit)))
        return self._done("share", ahead, self.conditions.arguments(self.frame), after)

    def _order_of_share(self, order: Order) -> Value:
        if isinstance(order.key, Measure):
            # Of each group there is one figure: its part of all.
            return Map((Entry("desc", Text("share")),)) if order.descending else Text("share")
        return self._ordered(order, [])

    def _done(
        self, verb: str, ahead: list[Argument], where: list[Argument], after: list[Argument]
    ) -> Statement:
        if self.routes.joined:
            ahead = [*ahead, Argument("with", Text(Way(self.routes.joined).written))]
        return Statement(f"{self.base.name}.{verb}", (*ahead, *where, *after))
