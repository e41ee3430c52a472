"""Reads what a value is compared with: the inner side of every condition."""

import datetime as dt
import decimal
import math
from collections.abc import Callable, Iterator
from typing import NamedTuple

from dragoman.contracts import program
from dragoman.contracts.query import Value
from dragoman.contracts.schema import ColumnInfo, ValueType
from dragoman.contracts.verb import Comparison
from dragoman.language.verbs.limits import MAX_INTEGER, MIN_INTEGER
from dragoman.tables.conditions import (
    Against,
    AgainstResult,
    AllTests,
    AnyTest,
    Compared,
    Matching,
    Missing,
    Never,
    Not,
    NumberTest,
    OneOf,
    PartTest,
    Place,
    Sign,
    Test,
    Within,
)
from dragoman.tables.findings import Findings, listed, nearest, quoted
from dragoman.tables.graph import Column, Table
from dragoman.tables.paths import Paths, takes_part
from dragoman.tables.request import ReadRequest
from dragoman.tables.values import Day, Refused, column_value, comparable, wanted, why_unfit
from dragoman.tables.verbs import COLUMN, COMPARISONS, NUMBER, NUMBERED_PARTS, OPAQUE, TEXTUAL, DatePart

MOST_VALUES = 5_000
MOST_TESTS = 200
MOST_DEPTH = 20
LONGEST_PIECE = 240
"""SQLite looks for no longer pattern than a thousand bytes."""

_SIGNS = {
    Comparison.ABOVE: Sign.ABOVE,
    Comparison.BELOW: Sign.BELOW,
    Comparison.AT_LEAST: Sign.AT_LEAST,
    Comparison.AT_MOST: Sign.AT_MOST,
}
_PLACES = {Comparison.CONTAINS: Place.ANYWHERE, Comparison.STARTS: Place.START, Comparison.ENDS: Place.END}
_UNORDERED = frozenset({ValueType.BOOLEAN, ValueType.UUID})
WRITTEN_NUMBER = Column(NUMBER, ColumnInfo(NUMBER, ValueType.DECIMAL, "DECIMAL(38,9)"), ValueType.DECIMAL)
"""The number that a text has written, as if it were a column."""

ResultReader = Callable[[program.Statement, str], tuple[ReadRequest, ValueType] | None]
"""Reads a call in the place of a value, in an argument: what it asks, and of which type its one value is."""


class ComparisonReader:
    """Makes tests, and says all that is wrong with them. What is wrong becomes None."""

    def __init__(self, paths: Paths, findings: Findings, results: ResultReader) -> None:
        self._paths = paths
        self._results = results
        self._findings = findings
        self._values = 0
        self._tests = 0

    def test(self, column: Column, value: program.Value, where: str, at: Table | None = None) -> Test | None:
        """A test of anything that has a type. `at`: the table whose row it is of, where it is of one."""
        return self._test(_Tested(column, where, at), value, 0)

    def _test(self, tested: "_Tested", value: program.Value, depth: int) -> Test | None:
        if depth > MOST_DEPTH:
            self.too_deep(tested.where)
            return None
        match value:
            case program.Nil():
                self.count_test(tested.where)
                return Missing()
            case program.Map(entries=(program.Entry(key=key),)) if key == COLUMN:
                self.count_test(tested.where)
                return self._plain(tested, Sign.EQUAL, value)
            case program.Map(entries=entries):
                if not entries:
                    hint = "write {:above 5} or another comparison"
                    self._findings.error("argument_type", f"an empty map in :{tested.where}", hint)
                return _all([self._compared(tested, entry, depth) for entry in entries])
            case program.Sequence(items=items):
                return self._any(tested, items, depth)
            case _:
                self.count_test(tested.where)
                return self._plain(tested, Sign.EQUAL, value)

    def _any(self, tested: "_Tested", items: tuple[program.Value, ...], depth: int) -> Test | None:
        """One of several. Plain values are gathered: they are one test."""
        plain, tests = list[Value](), list[Test | None]()
        self.count_test(tested.where)
        if len(items) > MOST_VALUES:
            self.too_many(tested.where)
            return None
        for item in items:
            match item:
                case program.Nil() | program.Map() | program.Sequence():
                    tests.append(self._test(tested, item, depth + 1))
                case _:
                    match self._plain(tested, Sign.EQUAL, item):
                        case Compared(value=found):
                            plain.append(found)
                        case test:
                            self.count_test(tested.where)
                            tests.append(test)
        if plain:
            tests.append(OneOf(tuple(dict.fromkeys(plain))))
        good = tuple(test for test in tests if test is not None)
        return good[0] if len(good) == 1 else AnyTest(good)

    def _compared(self, tested: "_Tested", entry: program.Entry, depth: int) -> Test | None:
        if entry.key not in COMPARISONS:
            return self._of_part(tested, entry, depth)
        comparison = Comparison(entry.key)
        self.count_test(tested.where)
        match comparison:
            case Comparison.NOT:
                test = self._test(tested, entry.value, depth + 1)
                return None if test is None else Not(test)
            case Comparison.CONTAINS | Comparison.STARTS | Comparison.ENDS:
                return self._piece(tested, _PLACES[comparison], entry.value)
            case Comparison.BETWEEN:
                return self._between(tested, entry.value)
            case _:
                return self._ordered(tested, _SIGNS[comparison], entry.value)

    def _of_part(self, tested: "_Tested", entry: program.Entry, depth: int) -> Test | None:
        """`{:month 7}` of a date, `{:number {:above 5}}` of a text."""
        column, where = tested.column, tested.where
        parts = asked_parts(column)
        if entry.key not in parts:
            message = f"{quoted(entry.key)} is no comparison (in :{where})"
            self._findings.error(
                "unknown_comparison", message, nearest(entry.key, [*Comparison, COLUMN, *parts])
            )
            return None
        if entry.key == NUMBER and column.type is not ValueType.TEXT:
            # A text that is read as a number anyway.
            return self._test(tested, entry.value, depth + 1)
        if entry.key == NUMBER:
            number = self._test(_Tested(WRITTEN_NUMBER, where, tested.at), entry.value, depth + 1)
            return None if number is None else NumberTest(number)
        part = DatePart(entry.key)
        test = self._test(_Tested(counted(part.value), where), entry.value, depth + 1)
        if test is None:
            return None
        least, most = NUMBERED_PARTS[part]
        if any(not least <= number <= most for number in _equalled(test)):
            message = f"there is no such {part} ({column.name} in :{where})"
            self._findings.error("number_out_of_range", message, f"write a number from {least} to {most}")
            return None
        return PartTest(part, test)

    def _between(self, tested: "_Tested", value: program.Value) -> Test | None:
        match value:
            case program.Sequence(items=(least, most)):
                ends = [
                    self._ordered(tested, Sign.AT_LEAST, least),
                    self._ordered(tested, Sign.AT_MOST, most),
                ]
                return _all(ends)
            case _:
                hint = "write the least and the greatest value, {:between [1 5]}"
                self._findings.error("argument_type", f":between in :{tested.where} takes two values", hint)
                return None

    def _ordered(self, tested: "_Tested", sign: Sign, value: program.Value) -> Test | None:
        column = tested.column
        if column.type in _UNORDERED | OPAQUE:
            message = f"{column.name} in :{tested.where} has no order: it is of type {column.type}"
            self._findings.error("argument_type", message, f"write {wanted(column.type)}")
            return None
        return self._plain(tested, sign, value)

    def _plain(self, tested: "_Tested", sign: Sign, value: program.Value) -> Test | None:
        column, where = tested.column, tested.where
        self._values += 1
        if self._values > MOST_VALUES:
            self.too_many(where)
            return None
        match value:
            case program.Map(entries=(program.Entry(key=key, value=named),)) if key == COLUMN:
                return self._against(tested, sign, named)
            case program.Call(statement=statement):
                return self._against_result(tested, sign, statement)
        found = column_value(value, column.type)
        match found:
            case Refused(code=code, message=message, hint=hint):
                self._findings.error(code, f"{message} ({column.name} in :{where})", hint)
                return None
            case Day(value=day):
                return _of_day(sign, day)
            case decimal.Decimal() if column.type is ValueType.INTEGER:
                return _of_whole(sign, found)
            case _:
                return Compared(sign, found)

    def _against(self, tested: "_Tested", sign: Sign, value: program.Value) -> Test | None:
        """`{:column "scheduled"}`: what another column of the row has."""
        column, where, at = tested.column, tested.where, tested.at
        if at is None or not isinstance(value, program.Text):
            message = f":{COLUMN} in :{where} names a column of the same row"
            hint = f'write {{:{COLUMN} "price"}}' if at is not None else "write a value"
            self._findings.error("argument_type", message, hint)
            return None
        path = self._paths.column(at, value.value, where, parts=False)
        if path is None:
            return None
        written = column is WRITTEN_NUMBER and path.type is ValueType.TEXT
        if not written and not comparable(column.type, path.type):
            message = (
                f"{column.name} in :{where} is of type {column.type}, and {path.written} of type {path.type}"
            )
            alike = listed(c.name for c in at.columns.values() if comparable(column.type, c.type))
            self._findings.error("argument_type", message, f"to compare it with there are: {alike}")
            return None
        by_day = ValueType.DATE in (column.type, path.type) and column.type != path.type
        return Against(sign, path, by_day, written)

    def _against_result(self, tested: "_Tested", sign: Sign, statement: program.Statement) -> Test | None:
        """`(products.average :of "price")`: the one value that another read gives."""
        column, where = tested.column, tested.where
        result = self._results(statement, where)
        if result is None:
            return None
        request, kind = result
        if not comparable(column.type, kind):
            message = f"{column.name} in :{where} is of type {column.type}, and {statement.verb} gives {kind}"
            self._findings.error(
                "argument_type", message, f"write {wanted(column.type)}, or a call that gives one"
            )
            return None
        return AgainstResult(
            sign, request, kind, ValueType.DATE in (column.type, kind) and column.type != kind
        )

    def _piece(self, tested: "_Tested", place: Place, value: program.Value) -> Test | None:
        column, where = tested.column, tested.where
        if column.type not in TEXTUAL or not isinstance(value, program.Text):
            message = (
                f":{place} in :{where} compares a text with a text; {column.name} is of type {column.type}"
            )
            hint = "write a text in quotes" if column.type in TEXTUAL else f"write {wanted(column.type)}"
            self._findings.error("argument_type", message, hint)
            return None
        unfit = why_unfit(value.value)
        if unfit is None and len(value.value) > LONGEST_PIECE:
            hint = f"write at most {LONGEST_PIECE} characters"
            unfit = Refused("text_too_long", "the piece of text is too long", hint)
        if unfit is not None:
            self._findings.error(unfit.code, f"{unfit.message} ({column.name} in :{where})", unfit.hint)
            return None
        self._values += 1
        return Matching(place, value.value)

    def count_test(self, where: str) -> None:
        self._tests += 1
        # Said once, not for every test beyond the limit.
        if self._tests == MOST_TESTS + 1:
            self.too_many(where)

    def too_many(self, where: str) -> None:
        message = f"too many conditions or values in :{where}"
        hint = f"write at most {MOST_TESTS} conditions and {MOST_VALUES} values"
        self._findings.error("too_many_values", message, hint)

    def too_deep(self, where: str) -> None:
        hint = f"write at most {MOST_DEPTH} maps and lists inside each other"
        self._findings.error("too_deep", f":{where} is nested too deeply", hint)


class _Tested(NamedTuple):
    """What is tested, in which argument, and of a row of which table."""

    column: Column
    where: str
    at: Table | None = None


def asked_parts(column: Column) -> list[str]:
    """What of a column's values may be asked for as a number: parts of dates, and what a text has written."""
    if column.type is ValueType.TEXT or column.info.writes is not None:
        return [NUMBER]
    return [part.value for part in NUMBERED_PARTS if takes_part(column, part)]


def counted(name: str) -> Column:
    """A whole number as if it were a column."""
    return Column(name, ColumnInfo(name, ValueType.INTEGER, ""), ValueType.INTEGER)


def _equalled(test: Test) -> Iterator[int]:
    """The whole numbers that a value has to be one of."""
    match test:
        case Compared(sign=Sign.EQUAL, value=int(value)):
            yield value
        case OneOf(values=values):
            yield from (value for value in values if isinstance(value, int))
        case Not(test=inner):
            yield from _equalled(inner)
        case AllTests(tests=tests) | AnyTest(tests=tests):
            for each in tests:
                yield from _equalled(each)
        case _:
            return


def _all(tests: list[Test | None]) -> Test | None:
    good = tuple(test for test in tests if test is not None)
    # One bad test makes the whole unusable: leaving it out would ask for more rows than were meant.
    if len(good) < len(tests) or not good:
        return None
    return good[0] if len(good) == 1 else AllTests(good)


def _of_day(sign: Sign, day: dt.date) -> Test:
    """A day against moments: it is all of its moments."""
    match sign:
        case Sign.EQUAL:
            return Within(day, day)
        case Sign.AT_LEAST:
            return Within(day, None)
        case Sign.AT_MOST:
            return Within(None, day)
        case Sign.ABOVE:
            return Never() if day == dt.date.max else Within(day + dt.timedelta(1), None)
        case Sign.BELOW:
            return Never() if day == dt.date.min else Within(None, day - dt.timedelta(1))


def _of_whole(sign: Sign, number: decimal.Decimal) -> Test:
    """A broken number against whole ones: the same question with a whole number."""
    match sign:
        case Sign.EQUAL:
            # No whole number equals 2.5. Rounding would find rows that do not fit.
            return Never()
        case Sign.ABOVE | Sign.AT_MOST:
            whole = math.floor(number)
        case Sign.BELOW | Sign.AT_LEAST:
            whole = math.ceil(number)
    if MIN_INTEGER <= whole <= MAX_INTEGER:
        return Compared(sign, whole)
    upwards = sign in (Sign.ABOVE, Sign.AT_LEAST)
    return Never() if upwards is (whole > MAX_INTEGER) else Not(Missing())
