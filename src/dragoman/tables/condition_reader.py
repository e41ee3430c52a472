"""Reads the conditions of a statement: the arguments that are columns, and `:where`."""

import datetime as dt
import decimal
import math

from dragoman.contracts import program
from dragoman.contracts.query import Value
from dragoman.contracts.schema import ValueType
from dragoman.contracts.verb import Comparison
from dragoman.language.verbs.limits import MAX_INTEGER, MIN_INTEGER
from dragoman.tables.conditions import (
    AllTests,
    AnyCondition,
    AnyTest,
    ColumnCondition,
    Compared,
    Condition,
    LinkedCondition,
    Matching,
    Missing,
    Never,
    Not,
    OneOf,
    Place,
    Sign,
    Test,
    Within,
)
from dragoman.tables.findings import Findings, nearest, quoted
from dragoman.tables.graph import Column, Graph, Table
from dragoman.tables.paths import Paths
from dragoman.tables.values import Day, Refused, column_value, wanted, why_unfit
from dragoman.tables.verbs import COMPARISONS, OPAQUE, TEXTUAL

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


class ConditionReader:
    """Makes conditions, and says all that is wrong with them. What is wrong becomes None and is left out."""

    def __init__(self, graph: Graph, paths: Paths, findings: Findings) -> None:
        self._graph = graph
        self._paths = paths
        self._findings = findings
        self._values = 0
        self._tests = 0

    def test(self, known: Column, value: program.Value, where: str) -> Test | None:
        """A test of anything that has a type."""
        return self._test(known, value, where, 0)

    def column(self, column: Column, value: program.Value, where: str) -> Condition | None:
        test = self.test(column, value, where)
        return None if test is None else ColumnCondition(column, test)

    def where(self, table: Table, value: program.Value, where: str, depth: int = 0) -> tuple[Condition, ...]:
        """`{:country "FR" :orders {:status "open"}}`: all of it; a list of such maps: any of them."""
        if depth > MOST_DEPTH:
            self._too_deep(where)
            return ()
        match value:
            case program.Map(entries=entries):
                found = [self._entry(table, entry, where, depth) for entry in entries]
                return tuple(condition for condition in found if condition is not None)
            case program.Sequence(items=items):
                if len(items) > MOST_TESTS:
                    self._too_many(where)
                    return ()
                return (AnyCondition(tuple(self.where(table, item, where, depth + 1) for item in items)),)
            case _:
                hint = 'write a map of columns and links, {:customer {:country "FR"}}'
                self._findings.error("argument_type", f":{where} is no map", hint)
                return ()

    def _entry(self, table: Table, entry: program.Entry, where: str, depth: int) -> Condition | None:
        column = table.column(entry.key)
        # A column and a link may share a name. A map that says anything but comparisons can only mean the
        # link.
        if column is not None and not (_is_nested(entry.value) and self._leads_on(table, entry.key)):
            return self.column(column, entry.value, where)
        if column is None and not self._leads_on(table, entry.key):
            message = f"{table.name} has no column and no link {quoted(entry.key)} (in :{where})"
            known = [*table.columns, *self._graph.links(table)]
            self._findings.error("unknown_column", message, nearest(entry.key, known))
            return None
        return self._linked(table, entry, where, depth)

    def _leads_on(self, table: Table, name: str) -> bool:
        return name in self._graph.links(table) or name in self._graph.by_name

    def _linked(self, table: Table, entry: program.Entry, where: str, depth: int) -> Condition | None:
        links = self._paths.links(table, entry.key, where)
        if links is None:
            return None
        self._count_test(where)
        target = self._graph.tables[links[-1].target]
        match entry.value:
            case program.Nil():
                return LinkedCondition(links, (), absent=True)
            case program.Map(entries=(program.Entry(key="not", value=program.Nil()),)):
                return LinkedCondition(links, ())
            case program.Map(entries=(program.Entry(key="not", value=inner),)) if not target.column("not"):
                return LinkedCondition(links, self.where(target, inner, where, depth + 1), absent=True)
            case inner:
                return LinkedCondition(links, self.where(target, inner, where, depth + 1))

    def _test(self, column: Column, value: program.Value, where: str, depth: int) -> Test | None:
        if depth > MOST_DEPTH:
            self._too_deep(where)
            return None
        match value:
            case program.Nil():
                self._count_test(where)
                return Missing()
            case program.Map(entries=entries):
                if not entries:
                    hint = "write {:above 5} or another comparison"
                    self._findings.error("argument_type", f"an empty map in :{where}", hint)
                return _all([self._compared(column, entry, where, depth) for entry in entries])
            case program.Sequence(items=items):
                return self._any(column, items, where, depth)
            case _:
                self._count_test(where)
                return self._plain(column, Sign.EQUAL, value, where)

    def _any(self, column: Column, items: tuple[program.Value, ...], where: str, depth: int) -> Test | None:
        """One of several. Plain values are gathered: they are one test."""
        plain, tests = list[Value](), list[Test | None]()
        self._count_test(where)
        if len(items) > MOST_VALUES:
            self._too_many(where)
            return None
        for item in items:
            match item:
                case program.Nil() | program.Map() | program.Sequence():
                    tests.append(self._test(column, item, where, depth + 1))
                case _:
                    match self._plain(column, Sign.EQUAL, item, where):
                        case Compared(value=found):
                            plain.append(found)
                        case test:
                            self._count_test(where)
                            tests.append(test)
        if plain:
            tests.append(OneOf(tuple(dict.fromkeys(plain))))
        good = tuple(test for test in tests if test is not None)
        return good[0] if len(good) == 1 else AnyTest(good)

    def _compared(self, column: Column, entry: program.Entry, where: str, depth: int) -> Test | None:
        if entry.key not in COMPARISONS:
            message = f"{quoted(entry.key)} is no comparison (in :{where})"
            self._findings.error("unknown_comparison", message, nearest(entry.key, Comparison))
            return None
        comparison = Comparison(entry.key)
        self._count_test(where)
        match comparison:
            case Comparison.NOT:
                test = self._test(column, entry.value, where, depth + 1)
                return None if test is None else Not(test)
            case Comparison.CONTAINS | Comparison.STARTS | Comparison.ENDS:
                return self._piece(column, _PLACES[comparison], entry.value, where)
            case Comparison.BETWEEN:
                return self._between(column, entry.value, where)
            case _:
                return self._ordered(column, _SIGNS[comparison], entry.value, where)

    def _between(self, column: Column, value: program.Value, where: str) -> Test | None:
        match value:
            case program.Sequence(items=(least, most)):
                ends = [
                    self._ordered(column, Sign.AT_LEAST, least, where),
                    self._ordered(column, Sign.AT_MOST, most, where),
                ]
                return _all(ends)
            case _:
                hint = "write the least and the greatest value, {:between [1 5]}"
                self._findings.error("argument_type", f":between in :{where} takes two values", hint)
                return None

    def _ordered(self, column: Column, sign: Sign, value: program.Value, where: str) -> Test | None:
        if column.type in _UNORDERED | OPAQUE:
            message = f"{column.name} in :{where} has no order: it is of type {column.type}"
            self._findings.error("argument_type", message, f"write {wanted(column.type)}")
            return None
        return self._plain(column, sign, value, where)

    def _plain(self, column: Column, sign: Sign, value: program.Value, where: str) -> Test | None:
        self._values += 1
        if self._values > MOST_VALUES:
            self._too_many(where)
            return None
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

    def _piece(self, column: Column, place: Place, value: program.Value, where: str) -> Test | None:
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

    def _count_test(self, where: str) -> None:
        self._tests += 1
        # Said once, not for every test beyond the limit.
        if self._tests == MOST_TESTS + 1:
            self._too_many(where)

    def _too_many(self, where: str) -> None:
        message = f"too many conditions or values in :{where}"
        hint = f"write at most {MOST_TESTS} conditions and {MOST_VALUES} values"
        self._findings.error("too_many_values", message, hint)

    def _too_deep(self, where: str) -> None:
        hint = f"write at most {MOST_DEPTH} maps and lists inside each other"
        self._findings.error("too_deep", f":{where} is nested too deeply", hint)


def _is_nested(value: program.Value) -> bool:
    """Whether a map speaks of another row's columns: it says something that is no comparison."""
    return isinstance(value, program.Map) and any(entry.key not in COMPARISONS for entry in value.entries)


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
