"""Every text in the values of a program, with the name it stands under and its place.

A number is given as its digits: under some names that is a password too.
"""

from collections.abc import Iterable, Iterator

from dragoman.contracts.program import Call, Integer, Map, Number, Sequence, Statement, Text, Value
from dragoman.language.document import Extent, StatementSpans, ValueSpans

PlacedText = tuple[str, str, Extent]
"""The name a text stands under, the text, and its place."""

MOST = 10**30
"""Nobody has a password of more digits, and to write them out takes its time."""


def texts_in(statements: Iterable[Statement], spans: Iterable[StatementSpans]) -> Iterator[PlacedText]:
    for statement, places in zip(statements, spans, strict=True):
        for argument, place in zip(statement.arguments, places.arguments, strict=True):
            value = argument.value
            if isinstance(value, Text):
                yield argument.name, value.value, place.value.extent
            elif isinstance(value, Sequence | Map | Call | Integer | Number):
                yield from texts_of(argument.name, value, place.value)


def texts_of(name: str, value: Value, spans: ValueSpans) -> Iterator[PlacedText]:
    """The texts in one value. What stands in a list stands under the list's name."""
    pending: list[tuple[str, Value, ValueSpans]] = [(name, value, spans)]
    while pending:
        under, each, where = pending.pop()
        match each:
            case Text(value=text):
                yield under, text, where.extent
            case Number(value=text):
                yield under, text, where.extent
            case Integer(value=number) if abs(number) < MOST:
                yield under, str(number), where.extent
            case Sequence(items=items):
                named = zip((under for _ in items), items, where.items, strict=True)
                pending.extend(reversed(list(named)))
            case Map(entries=entries):
                parts = zip(entries, where.items, strict=True)
                pending.extend(reversed([(entry.key, entry.value, place) for entry, place in parts]))
            case Call(statement=statement):
                pairs = zip(statement.arguments, where.call.arguments if where.call else (), strict=True)
                pending.extend(reversed([(arg.name, arg.value, place.value) for arg, place in pairs]))
            case _:
                continue
