"""Changes of a program that leave all else as it stands: one value replaced, or statements left out."""

import re
from collections.abc import Collection, Iterator, Mapping

from msgspec.structs import replace

from dragoman.contracts.program import (
    Argument,
    Call,
    Entry,
    Map,
    Program,
    Sequence,
    Statement,
    Symbol,
    Value,
)
from dragoman.language.document import Document, Extent, StatementSpans, ValueSpans
from dragoman.language.parameters import PIPELINE
from dragoman.language.types import parts

_IMPLICIT = re.compile(r"step-[0-9]+\Z")


def with_value(document: Document, extent: Extent, value: Value, display: str = "") -> Document:
    """The document with another value where one stands. `display` is told beside it, where it is all of an
    argument's value; the spans are those of the old text."""
    statements = tuple(
        _in_statement(statement, spans, extent, value, display)
        for statement, spans in zip(document.statements, document.spans, strict=True)
    )
    return replace(document, statements=statements)


def _in_statement(
    statement: Statement, spans: StatementSpans, extent: Extent, value: Value, display: str
) -> Statement:
    if not _holds(spans.extent, extent):
        return statement
    arguments = tuple(
        _in_argument(argument, place.value, extent, value, display)
        for argument, place in zip(statement.arguments, spans.arguments, strict=True)
    )
    return replace(statement, arguments=arguments)


def _in_argument(
    argument: Argument, spans: ValueSpans, extent: Extent, value: Value, display: str
) -> Argument:
    if spans.extent == extent:
        return replace(argument, value=value, display=display or argument.display)
    if not _holds(spans.extent, extent):
        return argument
    return replace(argument, value=_in_value(argument.value, spans, extent, value, display))


def _in_value(value: Value, spans: ValueSpans, extent: Extent, new: Value, display: str) -> Value:
    if spans.extent == extent:
        return new
    if not _holds(spans.extent, extent):
        return value
    match value:
        case Sequence(items=items):
            pairs = zip(items, spans.items, strict=True)
            return Sequence(tuple(_in_value(item, place, extent, new, display) for item, place in pairs))
        case Map(entries=entries):
            places = zip(entries, spans.items, strict=True)
            return Map(
                tuple(Entry(e.key, _in_value(e.value, place, extent, new, display)) for e, place in places)
            )
        case Call(statement=statement) if spans.call is not None:
            return Call(_in_statement(statement, spans.call, extent, new, display))
        case _:
            return value


def _holds(outer: Extent, inner: Extent) -> bool:
    return outer[0] <= inner[0] and inner[1] <= outer[1]


def statement_at(document: Document, extent: Extent) -> int:
    """Which of the document's own statements a place is in."""
    return next(index for index, spans in enumerate(document.spans) if _holds(spans.extent, extent))


def needing(statements: Program, gone: Collection[int]) -> frozenset[int]:
    """These statements, and every one that needs what they bind, however indirectly."""
    names = _numbered(statements)
    uses = [frozenset(_symbols(statement)) for statement in statements]
    binds = [frozenset((*_bound(statement), names[index])) for index, statement in enumerate(statements)]
    left = set(gone)
    while True:
        lost = frozenset[str]().union(*(binds[index] for index in left))
        more = {index for index, used in enumerate(uses) if index not in left and used & lost}
        if not more:
            return frozenset(left)
        left |= more


def without(document: Document, gone: Collection[int]) -> Document:
    """The document without some statements. One that was called by its place keeps the name it had there."""
    if not gone:
        return document
    kept = [index for index in range(len(document.statements)) if index not in gone]
    names = _numbered(document.statements)
    used = {name for index in kept for name in _symbols(document.statements[index])}
    written = any(_IMPLICIT.match(each.binds) for each in document.statements)
    taken = used | {name for each in document.statements for name in _bound(each)}
    moved: dict[str, str] = {}
    for index in kept:
        statement = document.statements[index]
        if not statement.binds and statement.verb != PIPELINE and (written or names[index] in used):
            moved[names[index]] = _free(f"kept-{names[index]}", taken)
            taken.add(moved[names[index]])
    statements = tuple(_renamed(document.statements[index], names[index], moved) for index in kept)
    return replace(document, statements=statements, spans=tuple(document.spans[index] for index in kept))


def _numbered(statements: Program) -> list[str]:
    """What each statement is called: what it binds, or its place among the steps."""
    first = 1 if statements and statements[0].verb == PIPELINE else 0
    return [statement.binds or f"step-{index + 1 - first}" for index, statement in enumerate(statements)]


def _free(name: str, taken: Collection[str]) -> str:
    number, free = 1, name
    while free in taken:
        number += 1
        free = f"{name}-{number}"
    return free


def _values(statement: Statement) -> Iterator[Value]:
    pending = [argument.value for argument in statement.arguments]
    while pending:
        value = pending.pop()
        yield value
        pending.extend(parts(value))


def _symbols(statement: Statement) -> Iterator[str]:
    return (value.name for value in _values(statement) if isinstance(value, Symbol))


def _bound(statement: Statement) -> Iterator[str]:
    """What a statement and the calls in it bind."""
    yield from (name for name in (statement.binds,) if name)
    for value in _values(statement):
        if isinstance(value, Call) and value.statement.binds:
            yield value.statement.binds


def _renamed(statement: Statement, name: str, moved: Mapping[str, str]) -> Statement:
    if not moved:
        return statement
    binds = moved.get(name, statement.binds) if not statement.binds else statement.binds
    arguments = tuple(replace(each, value=_moved(each.value, moved)) for each in statement.arguments)
    return replace(statement, binds=binds, arguments=arguments)


def _moved(value: Value, moved: Mapping[str, str]) -> Value:
    match value:
        case Symbol(name=name):
            return Symbol(moved.get(name, name))
        case Sequence(items=items):
            return Sequence(tuple(_moved(item, moved) for item in items))
        case Map(entries=entries):
            return Map(tuple(Entry(entry.key, _moved(entry.value, moved)) for entry in entries))
        case Call(statement=statement):
            arguments = tuple(replace(each, value=_moved(each.value, moved)) for each in statement.arguments)
            return Call(replace(statement, arguments=arguments))
        case _:
            return value
