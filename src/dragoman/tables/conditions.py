"""What may be asked of rows, as a tree that knows no SQL."""

import datetime as dt
from collections.abc import Iterator
from enum import StrEnum
from typing import TYPE_CHECKING

from dragoman.contracts.query import Value
from dragoman.contracts.record import Record
from dragoman.contracts.schema import ValueType
from dragoman.tables.graph import Column, Link
from dragoman.tables.paths import ColumnPath
from dragoman.tables.verbs import DatePart

if TYPE_CHECKING:
    from dragoman.tables.request import ReadRequest
else:
    # A request holds conditions, and a condition may hold a request: at run time it is a record here.
    ReadRequest = Record


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


class Against(Record, frozen=True):
    """A value that is there, and stands so to what another column of the same row, or of the one row that a
    path leads to, has. `by_day`: a day against a moment, so that their days are compared. `written`: the
    other is a text, of which the number in it is compared."""

    sign: Sign
    path: ColumnPath
    by_day: bool = False
    written: bool = False


class AgainstResult(Record, frozen=True):
    """A value that is there, and stands so to the one value that another read gives. `type` is that of it."""

    sign: Sign
    request: "ReadRequest"
    type: ValueType
    by_day: bool = False


class PartTest(Record, frozen=True):
    """A test of a part of a date as a number: a month from 1 to 12, a weekday from 1, which is Monday."""

    part: DatePart
    test: "Test"


class NumberTest(Record, frozen=True):
    """A test of the number that is written in a text; what is no number counts as missing."""

    test: "Test"


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


Test = (
    Compared
    | Against
    | AgainstResult
    | PartTest
    | NumberTest
    | OneOf
    | Missing
    | Within
    | Matching
    | Never
    | Not
    | AllTests
    | AnyTest
)


class ColumnCondition(Record, frozen=True):
    """A test of a column of the table in question."""

    column: Column
    test: Test


class LinkedCondition(Record, frozen=True):
    """There is a linked row that fits; or, with `absent`, there is none."""

    links: tuple[Link, ...]
    conditions: tuple["Condition", ...]
    absent: bool = False


class CountedCondition(Record, frozen=True):
    """How many linked rows fit; none of them is a number too."""

    links: tuple[Link, ...]
    conditions: tuple["Condition", ...]
    test: Test


class AnyCondition(Record, frozen=True):
    choices: tuple[tuple["Condition", ...], ...]


Condition = ColumnCondition | LinkedCondition | CountedCondition | AnyCondition


def others_in(test: Test) -> Iterator[Against | AgainstResult]:
    """The columns and the results that a value is held against."""
    match test:
        case Against() | AgainstResult():
            yield test
        case PartTest(test=inner) | NumberTest(test=inner) | Not(test=inner):
            yield from others_in(inner)
        case AllTests(tests=tests) | AnyTest(tests=tests):
            for each in tests:
                yield from others_in(each)
        case Compared() | OneOf() | Missing() | Within() | Matching() | Never():
            return
