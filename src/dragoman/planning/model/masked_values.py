"""Values of programs, kept apart: a model gets the program with marks in their place, and the values beside.

A program in hand, or a reading, has values that the data hold and nobody said. Where no values may be sent,
the marks remain, and the program can still be edited. What a model writes has its marks replaced again.
"""

from typing import Final

from msgspec.structs import replace

from dragoman.contracts.program import (
    Argument,
    Call,
    Entry,
    Integer,
    Map,
    Number,
    Program,
    Sequence,
    Statement,
    Text,
    Value,
)

_NAMES: Final = frozenset(
    {"of", "also", "columns", "by", "per", "order", "on", "with", "connection", "column", "desc", "as"}
)
"""Arguments and keys that name columns, links and connections."""
_COUNTS: Final = frozenset(
    {"top", "limit", "how-many", "year", "quarter", "month", "day", "weekday", "hour", "having", "days"}
)
"""Arguments and keys whose numbers are of the question, not of the data."""


class MaskedValues:
    """The marks of one message."""

    def __init__(self, message: str) -> None:
        self._message = message.casefold()
        self._marks: dict[Text | Integer | Number, str] = {}
        self._values: dict[str, Value] = {}

    @property
    def legend(self) -> dict[str, str]:
        """What each mark stands for."""
        return {mark: str(getattr(value, "value", "")) for mark, value in self._values.items()}

    def masked(self, program: Program) -> Program:
        """The program with marks in the place of values that the message does not have."""
        return tuple(map(self._masked_statement, program))

    def unmasked(self, program: Program) -> Program:
        return tuple(map(self._unmasked_statement, program))

    def _masked_statement(self, statement: Statement) -> Statement:
        arguments = tuple(
            Argument(each.name, each.value if each.name in _NAMES else self._masked(each.value, each.name))
            for each in statement.arguments
        )
        return Statement(statement.verb, arguments, statement.binds)

    def _masked(self, value: Value, key: str) -> Value:
        match value:
            case Text() | Integer() | Number():
                of_question = key in _COUNTS and not isinstance(value, Text)
                return value if of_question or self._is_said(value) else Text(self._mark(value))
            case Sequence(items=items):
                return Sequence(tuple(self._masked(each, key) for each in items))
            case Map(entries=entries):
                kept = tuple(
                    Entry(each.key, each.value if each.key in _NAMES else self._masked(each.value, each.key))
                    for each in entries
                )
                return Map(kept)
            case Call(statement=statement):
                return Call(self._masked_statement(statement))
            case _:
                return value

    def _is_said(self, value: Text | Integer | Number) -> bool:
        return str(value.value).casefold() in self._message

    def _mark(self, value: Text | Integer | Number) -> str:
        if value not in self._marks:
            mark = f"${len(self._marks) + 1}"
            self._marks[value] = mark
            self._values[mark] = value
        return self._marks[value]

    def _unmasked_statement(self, statement: Statement) -> Statement:
        arguments = tuple(replace(each, value=self._unmasked(each.value)) for each in statement.arguments)
        return replace(statement, arguments=arguments)

    def _unmasked(self, value: Value) -> Value:
        match value:
            case Text(value=mark) if mark in self._values:
                return self._values[mark]
            case Sequence(items=items):
                return Sequence(tuple(map(self._unmasked, items)))
            case Map(entries=entries):
                return Map(tuple(Entry(each.key, self._unmasked(each.value)) for each in entries))
            case Call(statement=statement):
                return Call(self._unmasked_statement(statement))
            case _:
                return value
