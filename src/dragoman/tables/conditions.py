"""What may be asked of rows, as a tree that knows no SQL."""

import datetime as dt
from enum import StrEnum

from dragoman.contracts.query import Value
from dragoman.contracts.record import Record
from dragoman.tables.graph import Column, Link


class Sign(StrEnum):
    EQUAL = "equal"
    ABOVE = "above"
    BELOW = "below"
    AT_LEAST = "at-least"
    AT_MOST = "at-most"


class Place(StrEnum):
    """Where in a text another one stands."""

    ANYWHERE = "contains"
    START = "starts"
    END = "ends"


class Compared(Record, frozen=True):
    """A value that is there, and stands so to another."""

    sign: Sign
    value: Value


class OneOf(Record, frozen=True):
    values: tuple[Value, ...]


class Missing(Record, frozen=True):
    """Nothing is there."""


class Within(Record, frozen=True):
    """Days, both included; None where it is open."""

    first: dt.date | None
    last: dt.date | None


class Matching(Record, frozen=True):
    """A piece of text, capital or small letters alike."""

    place: Place
    text: str


class Never(Record, frozen=True):
    """What no value can be."""


class Not(Record, frozen=True):
    """All for which the test is not true, a missing value too."""

    test: "Test"


class AllTests(Record, frozen=True):
    tests: tuple["Test", ...]


class AnyTest(Record, frozen=True):
    tests: tuple["Test", ...]


Test = Compared | OneOf | Missing | Within | Matching | Never | Not | AllTests | AnyTest


class ColumnCondition(Record, frozen=True):
    """A test of a column of the table in question."""

    column: Column
    test: Test


class LinkedCondition(Record, frozen=True):
    """There is a linked row that fits; or, with `absent`, there is none."""

    links: tuple[Link, ...]
    conditions: tuple["Condition", ...]
    absent: bool = False


class AnyCondition(Record, frozen=True):
    choices: tuple[tuple["Condition", ...], ...]


Condition = ColumnCondition | LinkedCondition | AnyCondition
