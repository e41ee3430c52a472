"""Whether a value fits the type of an argument, and how to write one that does."""

import datetime as dt
import re
from collections.abc import Iterable, Iterator
from typing import Final, assert_never

from dragoman.contracts import verb as types
from dragoman.contracts.program import (
    Boolean,
    Call,
    Date,
    Entry,
    Integer,
    Map,
    Nil,
    Number,
    Sequence,
    Symbol,
    Text,
    Value,
)
from dragoman.language.document import Extent, ValueSpans

_ALIAS = re.compile(r"@(?:[A-Za-z_][A-Za-z0-9_-]*\.)?[A-Za-z_][A-Za-z0-9_-]*\Z")

_BOUNDS = 2
_PART = types.FilterType(
    types.DecimalType(),
    (
        types.Comparison.ABOVE,
        types.Comparison.BELOW,
        types.Comparison.AT_LEAST,
        types.Comparison.AT_MOST,
        types.Comparison.BETWEEN,
        types.Comparison.NOT,
    ),
    related=True,
)
"""What may be asked of a part of a value, which is a number."""


def fits(value: Value, wanted: types.ArgumentType) -> bool:
    """Whether a value may stand where `wanted` is declared. A call stands for its result."""
    match wanted:
        case types.StringType() | types.SqlType() | types.EntityType():
            return isinstance(value, Text)
        case types.ConnectionType():
            return isinstance(value, Text) and _ALIAS.match(value.value) is not None
        case types.IntType(minimum=minimum):
            return isinstance(value, Integer) and (minimum is None or value.value >= minimum)
        case types.DecimalType():
            return isinstance(value, Integer | Number)
        case types.BoolType():
            return isinstance(value, Boolean)
        case types.DateType():
            return isinstance(value, Date)
        case types.DatetimeType():
            return isinstance(value, Date) or (isinstance(value, Text) and _is_moment(value.value))
        case types.PeriodType():
            return isinstance(value, Sequence) and _is_period(value.items)
        case types.JsonType(results=results):
            return _is_json(value, results=results)
        case types.EnumType(options=options):
            return isinstance(value, Text) and value.value in options
        case types.ListType(item=item):
            return isinstance(value, Sequence) and all(fits(each, item) for each in value.items)
        case types.FilterType():
            return _is_filter(value, wanted)
        case types.ResultType():
            return isinstance(value, Symbol | Call)
        case _:
            assert_never(wanted)


def misfits(given: Iterable[tuple[Value, types.ArgumentType]]) -> tuple[int, ...]:
    """The places of the values that do not fit what is declared for them."""
    return tuple(place for place, (value, wanted) in enumerate(given) if not fits(value, wanted))


def leaves(
    value: Value, wanted: types.ArgumentType, spans: ValueSpans
) -> Iterator[tuple[Value, types.ArgumentType, Extent]]:
    """A value that fits, taken apart: what stands in lists, each with its own type and place."""
    if isinstance(wanted, types.ListType) and isinstance(value, Sequence):
        for item, place in zip(value.items, spans.items, strict=True):
            yield from leaves(item, wanted.item, place)
    elif isinstance(wanted, types.FilterType):
        yield from _compared_leaves(value, wanted, spans)
    else:
        yield value, wanted, spans.extent


def _compared_leaves(
    value: Value, wanted: types.FilterType, spans: ValueSpans
) -> Iterator[tuple[Value, types.ArgumentType, Extent]]:
    """The values that a column is compared with as a whole. A piece of a text is no value of its own."""
    match value:
        case Sequence(items=items):
            for item, place in zip(items, spans.items, strict=True):
                yield from _compared_leaves(item, wanted, place)
        case Map(entries=entries):
            for entry, place in zip(entries, spans.items, strict=True):
                if entry.key == types.Comparison.NOT:
                    yield from _compared_leaves(entry.value, wanted, place)
        case _:
            yield value, wanted.item, spans.extent


def _is_filter(value: Value, wanted: types.FilterType) -> bool:
    match value:
        case Nil():
            return True
        case Sequence(items=items):
            return all(_is_filter(item, wanted) for item in items)
        case Map(entries=entries):
            return _is_column(value, wanted) or (
                bool(entries) and all(_is_asked(entry.key, entry.value, wanted) for entry in entries)
            )
        case Symbol() | Call():
            return wanted.related
        case Integer() if wanted.numbered:
            return True
        case _:
            return fits(value, wanted.item)


def _is_asked(key: str, value: Value, wanted: types.FilterType) -> bool:
    if key in wanted.comparisons:
        return _is_compared(key, value, wanted)
    return key in wanted.parts and _is_filter(value, _PART)


def _is_column(value: Value, wanted: types.FilterType) -> bool:
    """Another column in the place of a value, `{:column "scheduled"}`."""
    match value:
        case Map(entries=(Entry(key="column", value=Text()),)):
            return wanted.related
        case _:
            return False


def _is_compared(key: str, value: Value, wanted: types.FilterType) -> bool:
    match types.Comparison(key):
        case types.Comparison.NOT:
            return _is_filter(value, wanted)
        case types.Comparison.BETWEEN:
            bounds = value.items if isinstance(value, Sequence) else ()
            return len(bounds) == _BOUNDS and all(_is_plain(bound, wanted) for bound in bounds)
        case types.Comparison.CONTAINS | types.Comparison.STARTS | types.Comparison.ENDS:
            return isinstance(value, Text)
        case _:
            return _is_plain(value, wanted)


def _is_plain(value: Value, wanted: types.FilterType) -> bool:
    """A single value, with nothing inside of it, or what stands for one."""
    if _is_column(value, wanted):
        return True
    return not isinstance(value, Sequence | Map | Nil) and _is_filter(value, wanted)


def _is_moment(text: str) -> bool:
    try:
        dt.datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


def _is_period(items: tuple[Value, ...]) -> bool:
    match items:
        case (Date(value=start), Date(value=end)):
            return start <= end
        case _:
            return False


def _is_json(value: Value, *, results: bool) -> bool:
    """Nothing that would have to run first, unless `results` may stand there. Depth is bounded by the
    readers."""
    pending: list[Value] = [value]
    while pending:
        match pending.pop():
            case Symbol() | Call():
                if not results:
                    return False
            case Sequence(items=items):
                pending.extend(items)
            case Map(entries=entries):
                pending.extend(entry.value for entry in entries)
            case Text() | Integer() | Number() | Boolean() | Nil() | Date():
                continue
    return True


_DESCRIBED: Final = {
    types.StringType: 'a text in quotes, "…"',
    types.ConnectionType: 'the alias of a connection in quotes, "@shop"',
    types.DecimalType: "a number, 12.50",
    types.BoolType: "true or false",
    types.DateType: "a date, 2020-03-31",
    types.DatetimeType: 'a date or a moment in quotes, "2020-03-31T12:00:00"',
    types.PeriodType: "a first and a last day, [2020-03-01 2020-03-31]",
    types.JsonType: "a text, number, list or map",
    types.ResultType: "the symbol of another statement, @name",
}
"""Types that are always described in the same words."""


def describe(wanted: types.ArgumentType) -> str:
    """What is wanted, in words, with an example."""
    match wanted:
        case (
            types.StringType()
            | types.ConnectionType()
            | types.DecimalType()
            | types.BoolType()
            | types.DateType()
            | types.DatetimeType()
            | types.PeriodType()
            | types.JsonType()
            | types.ResultType()
        ):
            return _DESCRIBED[type(wanted)]
        case types.SqlType(condition=condition):
            return 'a condition in quotes, "age > 17"' if condition else 'a query in quotes, "SELECT …"'
        case types.IntType(minimum=minimum):
            return "a whole number" if minimum is None else f"a whole number from {minimum} on"
        case types.EnumType(options=options):
            return "one of " + ", ".join(f'"{option}"' for option in options)
        case types.ListType(item=item):
            return f"a list, each of it {describe(item)}"
        case types.EntityType(entity=entity):
            return f"the key or the name of a {entity} in quotes"
        case types.FilterType(item=item, comparisons=comparisons):
            forms = "".join(f", {{:{each} …}}" for each in comparisons)
            return f"{describe(item)}; or a list of such, nil{forms}"
        case _:
            assert_never(wanted)


def plain(value: Value) -> object:
    """A value as JSON has it; decimals and dates as text, symbols as `@name`."""
    match value:
        case Text(value=text):
            return text
        case Integer(value=number):
            return number
        case Number(value=digits):
            return {"decimal": digits}
        case Boolean(value=truth):
            return truth
        case Nil():
            return None
        case Date(value=day):
            return {"date": day.isoformat()}
        case Symbol(name=name):
            return {"symbol": name}
        case Sequence(items=items):
            return [plain(item) for item in items]
        case Map(entries=entries):
            return {"map": [[entry.key, plain(entry.value)] for entry in entries]}
        case Call(statement=statement):
            return {"call": statement.verb}
        case _:
            assert_never(value)


def parts(value: Value) -> tuple[Value, ...]:
    """The values directly inside a value."""
    match value:
        case Sequence(items=items):
            return items
        case Map(entries=entries):
            return tuple(entry.value for entry in entries)
        case Call(statement=statement):
            return tuple(argument.value for argument in statement.arguments)
        case _:
            return ()
