"""Writes the conditions of a frame as arguments of a statement."""

import datetime as dt

from msgspec.structs import replace

from dragoman.contracts.program import (
    Argument,
    Call,
    Date,
    Entry,
    Integer,
    Map,
    Nil,
    Sequence,
    Statement,
    Text,
    Value,
)
from dragoman.planning.database.condition_tree import ConditionTree
from dragoman.planning.database.frame import Condition, Frame, Linked, Ref
from dragoman.planning.database.joins import Way
from dragoman.planning.database.routes import Routes
from dragoman.planning.database.written_dates import ISO, form_of
from dragoman.planning.database.written_values import (
    Unwritable,
    negated,
    number_value,
    one_or_all,
    one_or_list,
    value_of,
)
from dragoman.tables.graph import Column


class ConditionWriter:
    """Writes conditions over the table that routes begin at."""

    def __init__(self, routes: Routes) -> None:
        self._routes = routes

    def arguments(self, frame: Frame) -> list[Argument]:
        if frame.either:
            maps = [self.value((each,)) for condition in frame.conditions for each in _each_way(condition)]
            return [Argument("where", Sequence(tuple(maps)))] if maps else []
        tree = ConditionTree()
        days = [each for each in frame.conditions if _is_span(each)]
        mirrored = [each for each in frame.conditions if each.ref.mirror is not None]
        for condition in frame.conditions:
            if not _is_span(condition) and condition not in mirrored:
                self._place(tree, condition)
        for linked in frame.linked:
            self._place_linked(tree, linked)
        during = self._during(days[0]) if len(days) == 1 else []
        if not during:
            for day in days:
                self._place(tree, day)
        own, nested = tree.split()
        arguments = [*(Argument(key, value) for key, value in own), *during]
        if mirrored:
            arguments.append(Argument("where", self._either_way(mirrored, nested)))
        elif nested:
            arguments.append(Argument("where", one_or_all(nested)))
        return arguments

    def _either_way(self, mirrored: list[Condition], nested: list[Map]) -> Value:
        """What holds along one of two ways, and beside each of them whatever else must hold."""
        if len(mirrored) > 1 or len(nested) > 1:
            raise Unwritable
        (condition,) = mirrored
        beside = nested[0].entries if nested else ()
        maps = []
        for each in _each_way(condition):
            way = self.value((each,))
            known = {entry.key for entry in beside}
            if not isinstance(way, Map) or any(entry.key in known for entry in way.entries):
                raise Unwritable
            maps.append(Map((*way.entries, *beside)))
        return Sequence(tuple(maps))

    def value(self, conditions: tuple[Condition, ...], linked: tuple[Linked, ...] = ()) -> Value:
        """Conditions as one value."""
        if any(condition.ref.mirror is not None for condition in conditions):
            raise Unwritable
        tree = ConditionTree()
        for condition in conditions:
            self._place(tree, condition)
        for each in linked:
            self._place_linked(tree, each)
        return tree.value()

    def _during(self, day: Condition) -> list[Argument]:
        """One span of days has arguments of its own, where it is of one row."""
        links = self._routes.way(day.ref.table, day.ref.links)
        if not Way(links).single:
            return []
        span = Argument("during", Sequence(tuple(Date(v) for v in day.values if isinstance(v, dt.date))))
        if not links and len(self._routes.base.dates) == 1:
            return [span]
        return [Argument("on", Text(self._routes.path(day.ref))), span]

    def _place(self, tree: ConditionTree, condition: Condition) -> None:
        links = self._routes.way(condition.ref.table, condition.ref.links, condition.ref.through)
        column = _column(condition)
        alone = condition.negative and not condition.same_row and not Way(links).single
        tree.add([link.name for link in links], column.name, self._tested(condition, column), alone=alone)

    def _tested(self, condition: Condition, column: Column) -> Value:
        if condition.operation == "average":
            value: Value = Map((Entry(str(condition.values[0]), Call(self._average(condition, column))),))
        else:
            value = one_or_list([_test(each, column) for each in (condition, *condition.others)])
        return negated(value) if condition.negative else value

    def _average(self, condition: Condition, column: Column) -> Statement:
        """The average of a column, of the rows that it is to be of."""
        table = condition.ref.table
        inner = ConditionWriter(Routes(table, self._routes.joins))
        where = inner.arguments(Frame(table, conditions=condition.within))
        return Statement(f"{table.name}.average", (Argument("of", Text(column.name)), *where))

    def _place_linked(self, tree: ConditionTree, linked: Linked) -> None:
        links = self._routes.way(linked.table, linked.links)
        if not links:
            raise Unwritable
        inner = ConditionTree()
        for condition in linked.conditions:
            column = _column(condition)
            way = self._routes.joins.way(linked.table, condition.ref.table)
            if way is None:
                raise Unwritable
            inner.add([link.name for link in way.links], column.name, self._tested(condition, column))
        # What is not there is not there along the whole way: the last link that leads to many says none.
        tree.add_linked([link.name for link in links], _linked(linked, inner.value()), absent=linked.absent)


def _each_way(condition: Condition) -> list[Condition]:
    """A condition along each of the ways on which it may hold."""
    ref = condition.ref
    if ref.mirror is None:
        return [condition]
    return [replace(condition, ref=Ref(ref.thing, links)) for links in (ref.links, ref.mirror)]


def _linked(linked: Linked, held: Value) -> Value:
    """What is said of the rows at the end of links: how many, none, some."""
    if linked.operation:
        test = number_value(linked.number)
        how = test if linked.operation == "equal" else Map((Entry(linked.operation, test),))
        return Map((Entry("how-many", how), *(held.entries if isinstance(held, Map) else ())))
    if linked.absent:
        return negated(held) if linked.conditions else Nil()
    return held if linked.conditions else negated(Nil())


def _column(condition: Condition) -> Column:
    column = condition.ref.thing.column
    if column is None:
        raise Unwritable
    return column


def _test(condition: Condition, column: Column) -> Value:
    values = condition.values
    if condition.other is not None:
        return _against(condition, condition.other)
    match condition.operation:
        case "missing":
            return Nil()
        case "same":
            return Call(_row_alike(condition, column))
        case "days":
            return _days(condition) if condition.ref.thing.is_date else _text_days(condition)
        case "starts" | "ends" | "contains":
            return one_or_list([Map((Entry(condition.operation, Text(str(each))),)) for each in values])
        case "part" if condition.part is not None:
            parts = [number_value(float(each)) for each in values if isinstance(each, int | float)]
            return Map((Entry(condition.part.value, one_or_list(parts)),))
        case "equal":
            return one_or_list([value_of(column.type, each) for each in values])
        case "between":
            ends = tuple(value_of(column.type, each) for each in values)
            return Map((Entry("between", Sequence(ends)),))
        case operation:
            return Map((Entry(operation, value_of(column.type, values[0])),))


def _row_alike(condition: Condition, column: Column) -> Statement:
    """What the row that is named has in the column."""
    named = [(_column(each), each) for each in condition.like]
    held = [Argument(own.name, _test(each, own)) for own, each in named]
    first = [Argument("columns", Text(column.name)), Argument("order", Text(column.name))]
    return Statement(f"{condition.ref.table.name}.list", (*held, *first, Argument("top", Integer(1))))


def _is_span(condition: Condition) -> bool:
    """Whether a condition is a span of days with both ends."""
    bounded = all(isinstance(each, dt.date) for each in condition.values)
    return (
        condition.operation == "days"
        and not (condition.negative or condition.others)
        and bounded
        and condition.ref.thing.is_date
    )


def _days(condition: Condition) -> Value:
    first, last = condition.values
    entries = []
    if isinstance(first, dt.date):
        entries.append(Entry("at-least", Date(first)))
    if isinstance(last, dt.date):
        entries.append(Entry("at-most", Date(last)))
    return Map(tuple(entries))


def _text_days(condition: Condition) -> Value:
    """Days over texts that begin with the year. A text may go on behind its day, with a time."""
    first, last = condition.values
    column = condition.ref.thing.column
    form = (None if column is None else form_of(column.info.samples)) or ISO
    entries = []
    if isinstance(first, dt.date):
        entries.append(Entry("at-least", Text(form.day(first))))
    if isinstance(last, dt.date):
        entries.append(Entry("below", Text(form.day(last + dt.timedelta(days=1)))))
    return Map(tuple(entries))


def _against(condition: Condition, other: Ref) -> Value:
    """Another column of the same row, or of the one row that links lead to from there."""
    links = other.links or ()
    near = links or other.table.key == condition.ref.table.key
    if other.thing.column is None or not near:
        raise Unwritable
    # Beside rows that are put together with the others of their table stands one other.
    if not Way(links).single and not links[0].apart:
        raise Unwritable
    path = "/".join([*(link.name for link in links), other.thing.column.name])
    named = Map((Entry("column", Text(path)),))
    return named if condition.operation == "equal" else Map((Entry(condition.operation, named),))
