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
from dragoman.planning.tables.condition_values import number_value, one_or_list, written_conditions
from dragoman.planning.tables.partial_reading import Measure, Sorting
from dragoman.planning.tables.plan import Plan
from dragoman.planning.tables.schema_names import Scope, Thing


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
        told = [*measures, *hidden]
        if any(_first_named(told, each.measure) != each.measure for each in plan.having):
            return None
        entries = tuple(
            Entry(each.measure.verb, _having(each.operation, each.number)) for each in plan.having
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


def _first_named(told: list[Measure], measure: Measure) -> Measure:
    """The measure that `:having` means by a verb: the first of them; rows can always be counted."""
    return next((each for each in told if each.verb == measure.verb), Measure("count"))


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
    last = plan.order[-1]
    if last.thing is None and last.descending:
        # Groups that are equal stay in the direction of what they are ordered by.
        keys = [plan.scope.path(thing) for thing in dict.fromkeys(plan.by)]
        found.extend(Map((Entry("desc", Text(key)),)) for key in keys if key is not None)
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
