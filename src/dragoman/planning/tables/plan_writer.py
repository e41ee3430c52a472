"""Writes a plan as one statement over the verbs of tables."""

from typing import NamedTuple

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
from dragoman.planning.tables.schema_names import Thing
from dragoman.planning.tables.scope import Scope

Arguments = list[Argument]
_AHEAD = ("of", "distinct", "also", "with", "by")
"""What is written before the conditions."""


def statement_of(plan: Plan) -> Statement | None:
    """The program of a plan; None where the verbs cannot say it."""
    scope = plan.scope
    conditions = written_conditions(scope, plan.conditions)
    if conditions is None:
        return None
    arguments = [] if scope.link is None else [Argument("with", Text(scope.link.name))]
    gathering = _gathering(plan) if plan.by or plan.measures else None
    told = _listed(plan) if gathering is None else _gathered(gathering)
    if told is None:
        return None
    arguments += told
    ahead = [argument for argument in arguments if argument.name in _AHEAD]
    after = [argument for argument in arguments if argument not in ahead]
    verb = "list" if gathering is None else gathering.measures[0].verb
    return Statement(f"{scope.root.name}.{verb}", (*ahead, *conditions, *after))


def _listed(plan: Plan) -> Arguments | None:
    paths, order = _paths(plan.scope, plan.columns), _ordered(plan)
    if paths is None or order is None:
        return None
    found: Arguments = []
    if paths:
        found.append(Argument("columns", one_or_list([Text(path) for path in paths])))
    if plan.distinct:
        found.append(Argument("distinct", Boolean(True)))
    found += order
    if plan.top is not None:
        found.append(Argument("top" if plan.order else "limit", Integer(plan.top)))
    return found


class _Gathering(NamedTuple):
    """A plan over figures: those asked for, and those that are only worked out to keep or order groups."""

    plan: Plan
    measures: list[Measure]
    hidden: list[Measure]


def _gathering(plan: Plan) -> _Gathering:
    measures = list(dict.fromkeys(plan.measures)) or [Measure("count")]
    needed = [
        each.measure for each in plan.having if each.measure.thing is not None or each.measure.verb != "count"
    ]
    needed += [each.measure for each in plan.order if each.measure is not None]
    hidden = [measure for measure in dict.fromkeys(needed) if measure not in measures]
    return _Gathering(plan, measures, hidden)


def _gathered(gathering: _Gathering) -> Arguments | None:
    found: Arguments = []
    for step in (_measured, _grouped, _shown, _kept):
        told = step(gathering)
        if told is None:
            return None
        found += told
    plan = gathering.plan
    order = _ordered(plan)
    if order is None:
        return None
    found += order
    if plan.top is not None and plan.by:
        found.append(Argument("top", Integer(plan.top)))
    return found


def _measured(gathering: _Gathering) -> Arguments | None:
    scope, (first, *others) = gathering.plan.scope, gathering.measures
    for measure in gathering.measures:
        if measure.thing is not None and scope.path(measure.thing) is None:
            return None
    found: Arguments = []
    if first.thing is not None:
        found.append(Argument("of", Text(scope.path(first.thing) or "")))
        if first.distinct:
            found.append(Argument("distinct", Boolean(True)))
    elif first.verb != "count":
        return None
    also = [_measure(scope, measure) for measure in (*others, *gathering.hidden)]
    if also:
        found.append(Argument("also", Sequence(tuple(also))))
    return found


def _grouped(gathering: _Gathering) -> Arguments | None:
    plan = gathering.plan
    if not plan.by:
        # One row has no order, and there is nothing to choose from.
        return None if plan.order or plan.having else []
    by = _paths(plan.scope, plan.by)
    return None if by is None else [Argument("by", one_or_list([Text(path) for path in by]))]


def _shown(gathering: _Gathering) -> Arguments | None:
    """The columns, where they are not the ones that the verb shows anyway."""
    plan, scope = gathering.plan, gathering.plan.scope
    columns = _paths(scope, plan.columns)
    if columns is None:
        return None
    figures = [_named(scope, measure) for measure in gathering.measures]
    shown: list[Value] = [Text(path) for path in columns]
    if plan.figures:
        shown += figures
    usual = [*(Text(path) for path in _paths(scope, plan.by) or ()), *figures]
    if plan.by and (shown != usual or gathering.hidden):
        return [Argument("columns", one_or_list(shown))]
    return []


def _kept(gathering: _Gathering) -> Arguments | None:
    """What must hold of a group, by the verbs of its figures."""
    having = gathering.plan.having
    if not having:
        return []
    told = [*gathering.measures, *gathering.hidden]
    if any(_first_named(told, each.measure) != each.measure for each in having):
        return None
    entries = tuple(Entry(each.measure.verb, _having(each.operation, each.number)) for each in having)
    if len({entry.key for entry in entries}) < len(entries):
        return None
    return [Argument("having", Map(entries))]


def _ordered(plan: Plan) -> Arguments | None:
    if not plan.order:
        return []
    order = _order(plan)
    return None if order is None else [Argument("order", order)]


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
