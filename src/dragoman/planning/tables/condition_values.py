"""The conditions of a reading as values of a statement."""

import datetime as dt
import re

from dragoman.contracts.program import (
    Argument,
    Date,
    Entry,
    Integer,
    Map,
    Nil,
    Number,
    Sequence,
    Text,
    Value,
)
from dragoman.contracts.schema import ValueType
from dragoman.planning.tables.partial_reading import Condition
from dragoman.planning.tables.scope import Scope

_DAY = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})")
_MOMENT = re.compile(r"(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}(?::\d{2})?)")


def one_or_list(values: list[Value]) -> Value:
    return values[0] if len(values) == 1 else Sequence(tuple(values))


def tested_conditions(conditions: tuple[Condition, ...]) -> list[tuple[Condition, Value]] | None:
    """Conditions with what they say of their columns; None where one cannot be said."""
    written: list[tuple[Condition, Value]] = []
    for condition, values in _merged(conditions):
        value = _tested(condition, values)
        if value is None:
            return None
        written.append((condition, value))
    return written


def written_conditions(scope: Scope, conditions: tuple[Condition, ...]) -> list[Argument] | None:
    written = tested_conditions(conditions)
    if written is None:
        return None
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
    value = one_or_list(list(dict.fromkeys(good)))
    return Map((Entry("not", value),)) if condition.negative else value


def _test(condition: Condition) -> Value | None:
    column = condition.thing.column
    if column is None:
        return None
    if condition.operation == "missing":
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
            return number_value(value)
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


def number_value(value: float) -> Value:
    return Integer(int(value)) if value == int(value) and abs(value) < 2**62 else Number(repr(value))
