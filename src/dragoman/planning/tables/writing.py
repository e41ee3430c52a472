"""A complete reading as one statement over table verbs."""

from dragoman.contracts.program import (
    Argument,
    Boolean,
    Entry,
    Integer,
    Map,
    Sequence,
    Statement,
    Text,
    Value,
)
from dragoman.planning.tables.narrowing import number_value, one_or_list, written_conditions
from dragoman.planning.tables.plan import Plan
from dragoman.planning.tables.reading import Measure, Sorting
from dragoman.planning.tables.things import Scope, Thing


def statement_of(plan: Plan) -> Statement | None:
    """The program of a plan; None where the verbs cannot say it."""
    scope = plan.scope
    arguments: list[Argument] = []
    conditions = written_conditions(scope, plan.conditions)
    if conditions is None:
        return None
    if scope.link is not None:
        arguments.append(Argument("with", Text(scope.link.name)))
    gathered = bool(plan.by or plan.measures)
    verb = _gathered(plan, arguments) if gathered else _listed(plan, arguments)
    if verb is None:
        return None
    ahead = [argument for argument in arguments if argument.name in ("of", "distinct", "also", "with", "by")]
    after = [argument for argument in arguments if argument not in ahead]
    return Statement(f"{scope.root.name}.{verb}", (*ahead, *conditions, *after))


def _listed(plan: Plan, arguments: list[Argument]) -> str | None:
    paths = _paths(plan.scope, plan.columns)
    if paths is None:
        return None
    if paths:
        arguments.append(Argument("columns", one_or_list([Text(path) for path in paths])))
    if plan.distinct:
        arguments.append(Argument("distinct", Boolean(True)))
    if plan.order:
        order = _order(plan)
        if order is None:
            return None
        arguments.append(Argument("order", order))
    if plan.top is not None:
        arguments.append(Argument("top" if plan.order else "limit", Integer(plan.top)))
    return "list"


def _gathered(plan: Plan, arguments: list[Argument]) -> str | None:
    scope = plan.scope
    measures = list(dict.fromkeys(plan.measures)) or [Measure("count")]
    first, *others = measures
    for measure in measures:
        if measure.thing is not None and scope.path(measure.thing) is None:
            return None
    if first.thing is not None:
        arguments.append(Argument("of", Text(scope.path(first.thing) or "")))
        if first.distinct:
            arguments.append(Argument("distinct", Boolean(True)))
    elif first.verb != "count":
        return None
    needed = [
        each.measure for each in plan.having if each.measure.thing is not None or each.measure.verb != "count"
    ]
    needed += [each.measure for each in plan.order if each.measure is not None]
    hidden = [measure for measure in dict.fromkeys(needed) if measure not in measures]
    also = [_measure(scope, measure) for measure in (*others, *hidden)]
    if also:
        arguments.append(Argument("also", Sequence(tuple(also))))
    if plan.by:
        by = _paths(scope, plan.by)
        if by is None:
            return None
        arguments.append(Argument("by", one_or_list([Text(path) for path in by])))
    elif plan.order or plan.having:
        return None
    columns = _paths(scope, plan.columns)
    if columns is None:
        return None
    shown: list[Value] = [Text(path) for path in columns]
    if plan.figures:
        shown += [_named(scope, measure) for measure in measures]
    usual = [Text(path) for path in _paths(scope, plan.by) or ()] + [
        _named(scope, measure) for measure in measures
    ]
    if plan.by and (shown != usual or hidden):
        arguments.append(Argument("columns", one_or_list(shown)))
    if plan.having:
        entries = tuple(
            Entry(_title(scope, each.measure), _having(each.operation, each.number)) for each in plan.having
        )
        if len({entry.key for entry in entries}) < len(entries):
            return None
        arguments.append(Argument("having", Map(entries)))
    if plan.order:
        order = _order(plan)
        if order is None:
            return None
        arguments.append(Argument("order", order))
    if plan.top is not None and plan.by:
        arguments.append(Argument("top", Integer(plan.top)))
    return first.verb


def _having(operation: str, number: float) -> Value:
    value = number_value(number)
    return (
        value
        if operation == "equal"
        else Map((Entry("at-least" if operation == "between" else operation, value),))
    )


def _title(scope: Scope, measure: Measure) -> str:
    if measure.thing is None:
        return measure.verb
    return f"{measure.verb}/{scope.path(measure.thing)}"


def _named(scope: Scope, measure: Measure) -> Value:
    return Text(_title(scope, measure))


def _measure(scope: Scope, measure: Measure) -> Value:
    if measure.thing is None:
        return Text("count")
    entries = [Entry(measure.verb, Text(scope.path(measure.thing) or ""))]
    if measure.distinct:
        entries.append(Entry("distinct", Boolean(True)))
    return Map(tuple(entries))


def _order(plan: Plan) -> Value | None:
    found: list[Value] = []
    for each in plan.order:
        value = _sorted_by(plan, each)
        if value is None:
            return None
        found.append(Map((Entry("desc", value),)) if each.descending else value)
    return one_or_list(found)


def _sorted_by(plan: Plan, sorting: Sorting) -> Value | None:
    if sorting.thing is not None:
        path = plan.scope.path(sorting.thing)
        return None if path is None else Text(path)
    if sorting.measure is not None:
        return _named(plan.scope, sorting.measure)
    return Text("count")


def _paths(scope: Scope, things: tuple[Thing, ...]) -> list[str] | None:
    found = [scope.path(thing) for thing in dict.fromkeys(things)]
    good = [path for path in found if path is not None]
    return good if len(good) == len(found) else None
<<<<<<< HEAD


def _one_or_list(values: list[Value]) -> Value:
    return values[0] if len(values) == 1 else Sequence(tuple(values))


# Conditions.


def _conditions(scope: Scope, conditions: tuple[Condition, ...]) -> list[Argument] | None:
    merged = _merged(conditions)
    written: list[tuple[Condition, Value]] = []
    for condition, values in merged:
        value = _tested(condition, values)
        if value is None:
            return None
        written.append((condition, value))
    if any(condition.either for condition, _ in written[1:]):
        choices = [Map((_entry(scope, condition, value),)) for condition, value in written]
        return [Argument("where", Sequence(tuple(choices)))]
    own: dict[str, Value] = {}
    linked: dict[str, Value] = {}
    for condition, value in written:
        column = condition.thing.column
        if column is None:
            return None
        place = own if condition.thing.table.key == scope.root.key else linked
        if column.name in place:
            joined = _both(place[column.name], value)
            if joined is None:
                return None
            place[column.name] = joined
        else:
            place[column.name] = value
    arguments = [Argument(name, value) for name, value in own.items()]
    if linked and scope.link is not None:
        inner = Map(tuple(Entry(name, value) for name, value in linked.items()))
        arguments.append(Argument("where", Map((Entry(scope.link.name, inner),))))
    return arguments


def _entry(scope: Scope, condition: Condition, value: Value) -> Entry:
    name = condition.thing.column.name if condition.thing.column else ""
    if condition.thing.table.key == scope.root.key or scope.link is None:
        return Entry(name, value)
    return Entry(scope.link.name, Map((Entry(name, value),)))


def _both(one: Value, other: Value) -> Value | None:
    match one, other:
        case Map(entries=first), Map(entries=second) if not {e.key for e in first} & {e.key for e in second}:
            return Map((*first, *second))
        case _:
            return None


def _merged(conditions: tuple[Condition, ...]) -> list[tuple[Condition, list[Condition]]]:
    """Values of one column that were said beside each other are one condition: one of them."""
    found: list[tuple[Condition, list[Condition]]] = []
    for condition in conditions:
        same = next(
            (
                each
                for first, each in found
                if first.thing is condition.thing
                and (condition.either or (first.operation == condition.operation == "equal"))
                and first.negative == condition.negative
            ),
            None,
        )
        if same is not None:
            same.append(condition)
        else:
            found.append((condition, [condition]))
    return found


def _tested(condition: Condition, together: list[Condition]) -> Value | None:
    tests = [_test(each) for each in together]
    good = [test for test in tests if test is not None]
    if len(good) < len(tests):
        return None
    value = _one_or_list(list(dict.fromkeys(good)))
    return Map((Entry("not", value),)) if condition.negative else value


def _test(condition: Condition) -> Value | None:
    column = condition.thing.column
    if column is None:
        return None
    if condition.operation == "missing":
        from dragoman.contracts.program import Nil

        return Nil()
    if condition.operation in ("contains", "starts", "ends"):
        return Map((Entry(condition.operation, Text(_text(condition.values[0]))),))
    values = [_value(each, column.type) for each in condition.values]
    good = [value for value in values if value is not None]
    if len(good) < len(values) or not good:
        return _of_year(condition, column.type)
    if condition.operation == "between":
        return Map((Entry("between", Sequence(tuple(good))),)) if len(good) == 2 else None
    return good[0] if condition.operation == "equal" else Map((Entry(condition.operation, good[0]),))


def _of_year(condition: Condition, kind: ValueType) -> Value | None:
    """A year said of a date: its first and its last day."""
    if kind not in (ValueType.DATE, ValueType.DATETIME, ValueType.INSTANT):
        return None
    years = [int(each) for each in condition.values if isinstance(each, float) and 1000 <= each <= 2999]
    if not years or len(years) < len(condition.values):
        return None
    first, last = Date(dt.date(years[0], 1, 1)), Date(dt.date(years[-1], 12, 31))
    match condition.operation:
        case "equal" | "between":
            return Map((Entry("between", Sequence((first, last))),))
        case "above" | "at-most":
            return Map((Entry(condition.operation, last),))
        case _:
            return Map((Entry(condition.operation, first),))


def _value(value: str | float, kind: ValueType) -> Value | None:
    match kind:
        case ValueType.INTEGER | ValueType.DECIMAL | ValueType.FLOAT:
            if isinstance(value, str):
                try:
                    value = float(value)
                except ValueError:
                    return None
            return _number(value)
        case ValueType.BOOLEAN:
            return None
        case ValueType.DATE | ValueType.DATETIME | ValueType.INSTANT:
            return _date(_text(value), kind)
        case _:
            return Text(_text(value))


def _date(text: str, kind: ValueType) -> Value | None:
    moment = _MOMENT.fullmatch(text)
    if moment and kind is not ValueType.DATE:
        return Text(f"{moment[1]}T{moment[2]}")
    day = _DAY.match(text)
    if day is None:
        return None
    try:
        return Date(dt.date(int(day[1]), int(day[2]), int(day[3])))
    except ValueError:
        return None


def _text(value: str | float) -> str:
    if isinstance(value, str):
        return value
    return str(int(value)) if value == int(value) else repr(value)


def _number(value: float) -> Value:
    return Integer(int(value)) if value == int(value) and abs(value) < 2**62 else Number(repr(value))


# What fragments of a statement are written with.


def tested_conditions(conditions: tuple[Condition, ...]) -> list[tuple[Condition, Value]] | None:
    """Conditions with what they say of their columns; None where one cannot be said."""
    found: list[tuple[Condition, Value]] = []
    for condition, together in _merged(conditions):
        value = _tested(condition, together)
        if value is None:
            return None
        found.append((condition, value))
    return found


def having_value(operation: str, number: float) -> Value:
    return _having(operation, number)
=======
>>>>>>> sevenA
