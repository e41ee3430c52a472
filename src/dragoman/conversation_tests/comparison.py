"""What was expected of a turn against what came of it."""

from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal, InvalidOperation
from typing import Any

import msgspec

from dragoman.conversation_tests.dialogue import GOLD_ROWS, DialogueTurn, Expectation
from dragoman.conversation_tests.turn_line import TurnLine, plain

_TOLERANCE = Decimal("1e-9")
"""How far two numbers may be apart, of the greater one: a float is not always written as it was added up."""


class Difference(msgspec.Struct, frozen=True):
    """One expectation that was not met. `place` says where in it."""

    expectation: Expectation
    place: str
    expected: Any
    got: Any


def differences(turn: DialogueTurn, line: TurnLine) -> tuple[Difference, ...]:
    """Everything in which a turn is not what was expected of it."""
    return tuple(found for expectation in turn.expected for found in _compared(expectation, turn, line))


def _compared(expectation: Expectation, turn: DialogueTurn, line: TurnLine) -> Iterator[Difference]:
    expected = turn.expected[expectation]
    match expectation:
        case Expectation.STATE:
            state = plain(line.state)
            for key, value in expected.items():
                if not _same_part(value, state[key]):
                    yield Difference(expectation, f"state.{key}", value, state[key])
        case Expectation.ROWS:
            rows = None if line.rows is None else plain(line.rows)
            if not same_rows(expected, rows):
                yield Difference(expectation, "rows", expected, rows and rows[: GOLD_ROWS + 1])
        case _:
            got = _GOT[expectation](line)
            accepted = turn.also_accept if expectation is Expectation.TRANSITION else ()
            if got != expected and got not in accepted:
                yield Difference(expectation, expectation.label, expected, got)


def _same_part(expected: Any, got: Any) -> bool:
    """Of an object only the keys that are written down."""
    if isinstance(expected, dict) and isinstance(got, dict):
        return all(key in got and got[key] == value for key, value in expected.items())
    return bool(expected == got)


_GOT: Mapping[Expectation, Callable[[TurnLine], str | None]] = {
    Expectation.TRANSITION: lambda line: line.transition,
    Expectation.ENTRY_TRANSITION: lambda line: line.entry_transition,
    Expectation.MODE: lambda line: line.mode,
    Expectation.ANSWER_MODE: lambda line: line.answer_mode,
    Expectation.ROUTE: lambda line: line.route,
    Expectation.CARRYOVER: lambda line: line.carryover,
    Expectation.META_KIND: lambda line: line.meta_kind,
    Expectation.ERROR: lambda line: line.error.code if line.error else None,
}


def same_rows(expected: list[list[Any]] | None, got: list[list[Any]] | None) -> bool:
    """The same rows in the same order: the first twelve, or all where fewer are written down."""
    if expected is None or got is None:
        return expected is got
    if len(expected) < GOLD_ROWS and len(got) != len(expected):
        return False
    first = got[: len(expected)]
    return len(first) == len(expected) and all(map(_same_row, expected, first))


def _same_row(expected: list[Any], got: list[Any]) -> bool:
    return len(expected) == len(got) and all(map(_same_cell, expected, got))


def _same_cell(expected: Any, got: Any) -> bool:
    one, two = _number(expected), _number(got)
    if one is None or two is None:
        return type(expected) is type(got) and bool(expected == got)
    return abs(one - two) <= _TOLERANCE * max(abs(one), abs(two))


def _number(value: Any) -> Decimal | None:
    if type(value) not in (int, float):
        return None
    try:
        return Decimal(str(value))
    except InvalidOperation:
        return None
