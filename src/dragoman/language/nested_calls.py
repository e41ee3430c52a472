"""Lifting: nested calls become statements of their own, and a program gets the shape both notations share.

In that shape no value holds a call, `mode` and `needs` come before the other arguments, and a statement whose
id is `step-N` at its own position has no id written.
"""

import re
from collections import Counter
from collections.abc import Iterable

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
from dragoman.language.document import ArgumentSpans, Document, StatementSpans, ValueSpans
from dragoman.language.parameters import PIPELINE
from dragoman.language.program_names import kebab_of

_IMPLICIT = re.compile(r"step-[0-9]+\Z")

Placed = tuple[Statement, StatementSpans | None]


def implicit_id(number: int) -> str:
    """The id of a statement that binds nothing, by its position among the steps, from 1."""
    return f"step-{number}"


def lift_document(document: Document) -> Document:
    """A document with its nested calls lifted; the places go with the statements."""
    placed = _Lifting(document.statements).lifted(zip(document.statements, document.spans, strict=True))
    statements = tuple(statement for statement, _ in placed)
    spans = tuple(place for _, place in placed if place is not None)
    return Document(document.notation, statements, spans, document.comments, document.diagnostics)


def lift(statements: Program) -> Program:
    placed = _Lifting(statements).lifted((statement, None) for statement in statements)
    return tuple(statement for statement, _ in placed)


class _Lifting:
    """One program under way. Names that are taken are known before the first new one is made."""

    def __init__(self, statements: Program) -> None:
        self._taken = set(_names(statements))
        self._placed: list[Placed] = []
        self._moved: dict[str, str] = {}

    def lifted(self, placed: Iterable[Placed]) -> list[Placed]:
        steps: list[tuple[int, int]] = []
        number = 0
        for statement, spans in placed:
            if statement.verb == PIPELINE and not self._placed:
                self._placed.append((statement, spans))
                continue
            number += 1
            self._placed.append(self._arguments(statement, spans))
            steps.append((number, len(self._placed) - 1))
        self._name_implicit(steps)
        return [(self._renamed(statement), spans) for statement, spans in self._placed]

    def _arguments(self, statement: Statement, spans: StatementSpans | None) -> Placed:
        """The statement without calls; what it called has been put before it, `mode` and `needs` first."""
        places = spans.arguments if spans is not None else (None,) * len(statement.arguments)
        pairs = [
            self._argument(argument, place)
            for argument, place in zip(statement.arguments, places, strict=True)
        ]
        pairs.sort(key=lambda pair: {"mode": 0, "needs": 1}.get(pair[0].name, 2))
        arguments = tuple(argument for argument, _ in pairs)
        plain = Statement(statement.verb, arguments, statement.binds, statement.comments, statement.closing)
        if spans is None:
            return plain, None
        moved = tuple(place for _, place in pairs if place is not None)
        return plain, StatementSpans(spans.extent, spans.verb, moved, spans.binds)

    def _argument(
        self, argument: Argument, place: ArgumentSpans | None
    ) -> tuple[Argument, ArgumentSpans | None]:
        value, spans = self._value(argument.value, place.value if place is not None else None)
        plain = Argument(argument.name, value, argument.display, argument.comments)
        return plain, ArgumentSpans(place.name, spans) if place is not None and spans is not None else None

    def _value(self, value: Value, spans: ValueSpans | None) -> tuple[Value, ValueSpans | None]:
        """Inner calls come first, so that they stand above what needs them. Readers bound the depth."""
        match value:
            case Call(statement=statement):
                lifted, place = self._arguments(statement, spans.call if spans is not None else None)
                name = lifted.binds or self._fresh(lifted.verb)
                bound = Statement(lifted.verb, lifted.arguments, name, lifted.comments, lifted.closing)
                self._placed.append((bound, place))
                return Symbol(name), ValueSpans(spans.extent) if spans is not None else None
            case Sequence(items=items):
                parts = self._parts(items, spans)
                return Sequence(tuple(part for part, _ in parts)), _spans_of(spans, parts)
            case Map(entries=entries):
                parts = self._parts([entry.value for entry in entries], spans)
                pairs = zip(entries, parts, strict=True)
                return Map(tuple(Entry(entry.key, part) for entry, (part, _) in pairs)), _spans_of(
                    spans, parts
                )
            case _:
                return value, spans

    def _parts(
        self, values: Iterable[Value], spans: ValueSpans | None
    ) -> list[tuple[Value, ValueSpans | None]]:
        listed = list(values)
        places = spans.items if spans is not None else (None,) * len(listed)
        return [self._value(value, place) for value, place in zip(listed, places, strict=True)]

    def _fresh(self, text: str) -> str:
        """A name made of a verb's, so that unrelated edits leave it; with a number where it is taken."""
        stem = kebab_of(text)
        # `step-2` would be somebody's place.
        name, number = (f"{stem}-call" if _IMPLICIT.match(stem) else stem), 1
        while name in self._taken:
            number += 1
            name = f"{stem}-{number}" if not _IMPLICIT.match(f"{stem}-{number}") else f"{stem}-call-{number}"
        self._taken.add(name)
        return name

    def _name_implicit(self, steps: list[tuple[int, int]]) -> None:
        """A step without an id is called by its place. Where lifting moved it, what names it follows."""
        offset = 1 if self._placed and self._placed[0][0].verb == PIPELINE else 0
        written = Counter(statement.binds for statement, _ in self._placed[offset:] if statement.binds)
        for number, index in steps:
            statement, spans = self._placed[index]
            own = implicit_id(index - offset + 1)
            if statement.binds:
                continue
            name = self._fresh(own) if written[own] else own
            if implicit_id(number) != name and not written[implicit_id(number)]:
                self._moved[implicit_id(number)] = name
            if name != own:
                self._placed[index] = _bound(statement, name), spans
        for index in range(offset, len(self._placed)):
            statement, spans = self._placed[index]
            if statement.binds == implicit_id(index - offset + 1):
                self._placed[index] = _bound(statement, ""), spans

    def _renamed(self, statement: Statement) -> Statement:
        if not self._moved:
            return statement
        arguments = tuple(
            Argument(each.name, _renamed_in(each.value, self._moved), each.display, each.comments)
            for each in statement.arguments
        )
        return Statement(statement.verb, arguments, statement.binds, statement.comments, statement.closing)


def _bound(statement: Statement, name: str) -> Statement:
    return Statement(statement.verb, statement.arguments, name, statement.comments, statement.closing)


def _spans_of(spans: ValueSpans | None, parts: list[tuple[Value, ValueSpans | None]]) -> ValueSpans | None:
    if spans is None:
        return None
    return ValueSpans(spans.extent, tuple(place for _, place in parts if place is not None))


def _renamed_in(value: Value, moved: dict[str, str]) -> Value:
    match value:
        case Symbol(name=name):
            return Symbol(moved.get(name, name))
        case Sequence(items=items):
            return Sequence(tuple(_renamed_in(item, moved) for item in items))
        case Map(entries=entries):
            return Map(tuple(Entry(entry.key, _renamed_in(entry.value, moved)) for entry in entries))
        case _:
            return value


def _names(statements: Iterable[Statement]) -> Iterable[str]:
    """Every name that is bound or used anywhere."""
    pending: list[Statement | Value] = list(statements)
    while pending:
        match pending.pop():
            case Statement(binds=binds, arguments=arguments):
                yield binds
                pending.extend(argument.value for argument in arguments)
            case Call(statement=statement):
                pending.append(statement)
            case Symbol(name=name):
                yield name
            case Sequence(items=items):
                pending.extend(items)
            case Map(entries=entries):
                pending.extend(entry.value for entry in entries)
            case _:
                continue
