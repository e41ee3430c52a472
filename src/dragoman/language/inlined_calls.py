"""The opposite of lifting: a statement with the calls in it whose results it names.

A pipeline has a step for each call, and a symbol where its result is meant. Where a statement is looked at as
a whole, to be checked or to become one query, the calls are put back in the place of the symbols.
"""

from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum

from dragoman.contracts.program import Argument, Call, Entry, Map, Program, Sequence, Statement, Symbol, Value
from dragoman.language.dependencies import step_id
from dragoman.language.types import parts

MOST_CALLS = 50
"""A call is put in for each symbol that stands for it: that grows faster than what is written."""

MOST_DEPTH = 100


def bound_in(statements: Program) -> dict[str, Statement]:
    """What each symbol of a program stands for."""
    return {step_id(statement, place): statement for place, statement in enumerate(statements)}


class Unfit(StrEnum):
    """Why calls cannot be put in the place of symbols."""

    UNBOUND = "unbound"
    """A symbol stands for nothing, or for what needs the statement itself."""
    TOO_MANY = "too_many"


def with_calls(statement: Statement, bound: Mapping[str, Statement]) -> Statement | Unfit:
    """The statement with calls in the place of symbols."""
    if not needs_values(statement):
        return statement
    inlining = _Inlining(bound)
    return inlining.statement(statement, ()) or (
        Unfit.TOO_MANY if inlining.calls > MOST_CALLS else Unfit.UNBOUND
    )


def needs_values(statement: Statement) -> bool:
    """Whether a symbol stands in the place of a value."""
    return any(_has_symbol(each.value) for each in statement.arguments if each.name != "needs")


def _has_symbol(value: Value) -> bool:
    return isinstance(value, Symbol) or any(_has_symbol(part) for part in parts(value))


class _Inlining:
    def __init__(self, bound: Mapping[str, Statement]) -> None:
        self._bound = bound
        self.calls = 0

    def statement(self, statement: Statement, inside: tuple[str, ...]) -> Statement | None:
        arguments: list[Argument] = []
        for each in statement.arguments:
            value = each.value if each.name == "needs" else self._value(each.value, inside)
            if value is None:
                return None
            arguments.append(Argument(each.name, value, each.display, each.comments))
        return Statement(
            statement.verb, tuple(arguments), statement.binds, statement.comments, statement.closing
        )

    def _value(self, value: Value, inside: tuple[str, ...]) -> Value | None:
        match value:
            case Symbol(name=name):
                return self._call(name, inside)
            case Call(statement=statement):
                call = self.statement(statement, inside)
                return None if call is None else Call(call)
            case Sequence(items=items):
                inner = self._values(items, inside)
                return None if inner is None else Sequence(inner)
            case Map(entries=entries):
                inner = self._values(tuple(entry.value for entry in entries), inside)
                if inner is None:
                    return None
                return Map(tuple(Entry(each.key, part) for each, part in zip(entries, inner, strict=True)))
            case _:
                return value

    def _values(self, values: tuple[Value, ...], inside: tuple[str, ...]) -> tuple[Value, ...] | None:
        found = [self._value(value, inside) for value in values]
        good = tuple(each for each in found if each is not None)
        return good if len(good) == len(found) else None

    def _call(self, name: str, inside: tuple[str, ...]) -> Call | None:
        named = self._bound.get(name)
        self.calls += 1
        if named is None or name in inside or self.calls > MOST_CALLS:
            return None
        inner = self.statement(named, (*inside, name))
        return None if inner is None else Call(inner)


def with_inner(statement: Statement, change: Callable[[Statement], Statement], depth: int = 0) -> Statement:
    """A statement changed, and so every call inside of it."""
    changed = change(statement)
    arguments = tuple(
        Argument(each.name, _with_inner(each.value, change, depth + 1), each.display, each.comments)
        for each in changed.arguments
    )
    return Statement(changed.verb, arguments, changed.binds, changed.comments, changed.closing)


def _with_inner(value: Value, change: Callable[[Statement], Statement], depth: int) -> Value:
    # Readers bound the depth. What was put together by hand and is deeper is refused by whoever reads it.
    if depth > MOST_DEPTH:
        return value
    match value:
        case Call(statement=statement):
            return Call(with_inner(statement, change, depth + 1))
        case Sequence(items=items):
            return Sequence(tuple(_with_inner(item, change, depth + 1) for item in items))
        case Map(entries=entries):
            inner = (Entry(entry.key, _with_inner(entry.value, change, depth + 1)) for entry in entries)
            return Map(tuple(inner))
        case _:
            return value


def inner_calls(statement: Statement) -> Iterator[Statement]:
    """Every call inside of a statement, at any depth."""
    pending: list[Value] = [argument.value for argument in statement.arguments]
    while pending:
        value = pending.pop()
        if isinstance(value, Call):
            yield value.statement
        pending.extend(parts(value))
