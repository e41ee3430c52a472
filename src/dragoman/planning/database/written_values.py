"""Values as the notation of programs writes them."""

import datetime as dt
from decimal import Decimal

from dragoman.contracts.program import Boolean, Date, Entry, Integer, Map, Nil, Number, Sequence, Text, Value
from dragoman.contracts.schema import ValueType
from dragoman.tables.verbs import DATES, NUMBERS


class Unwritable(Exception):
    """The verbs cannot say what a frame means."""


def value_of(known: ValueType, value: str | float | dt.date | None) -> Value:
    match value:
        case None:
            return Nil()
        case dt.date():
            return Date(value)
        case str() if known is ValueType.BOOLEAN:
            return Boolean(value.casefold() in ("true", "1", "yes", "y", "t"))
        case str() if known in NUMBERS:
            return number_value(float(value))
        case str():
            return Text(value)
        case _ if known in NUMBERS:
            return number_value(value)
        case _ if known in DATES:
            raise Unwritable
        case _:
            return Text(f"{value:g}")


def number_value(number: float) -> Value:
    """A number as the notation writes it: whole where it is."""
    if number == int(number):
        return Integer(int(number))
    return Number(format(Decimal(repr(number)), "f"))


def one_or_list(values: list[Value]) -> Value:
    return values[0] if len(values) == 1 else Sequence(tuple(values))


def one_or_all(maps: list[Map]) -> Value:
    """Conditions that must all hold."""
    return maps[0] if len(maps) == 1 else Map((Entry("all", Sequence(tuple(maps))),))


def negated(value: Value) -> Map:
    return Map((Entry("not", value),))
