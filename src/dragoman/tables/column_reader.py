"""Reads the columns that a statement names, parts of their dates, and what is worked out of them."""

import decimal

from dragoman.contracts import program
from dragoman.contracts.schema import ValueType
from dragoman.tables.computation import (
    OPERATORS,
    SPANS,
    Computed,
    Constant,
    Expressed,
    Operand,
    Operator,
    computed,
)
from dragoman.tables.findings import Findings, listed, nearest, quoted
from dragoman.tables.graph import Table
from dragoman.tables.measures import scale_of
from dragoman.tables.paths import ColumnPath, Paths, takes_part
from dragoman.tables.quotients import QUOTIENT_PLACES
from dragoman.tables.values import Refused, column_value
from dragoman.tables.verbs import DATES, NUMBERS, PARTS, DatePart

MOST_COLUMNS = 500
MOST_OPERANDS = 20
MOST_DEPTH = 8
MOST_WEIGHT = 2_000
_PAIRS = SPANS | {Operator.MINUS, Operator.DIVIDED}
"""The operators that have a first and a second operand."""


class ColumnReader:
    """The columns of one statement."""

    def __init__(self, table: Table, paths: Paths, findings: Findings) -> None:
        self._table = table
        self._paths = paths
        self._findings = findings

    def column(self, value: program.Value, word: str) -> ColumnPath | None:
        """`"customer/country"`, `"order-date/month"` or `{:month "order-date"}`."""
        match value:
            case program.Text(value=text):
                return self._paths.column(self._table, text, word)
            case program.Map(entries=(program.Entry(key=key, value=program.Text(value=text)),)):
                return self._part(key, text, word)
            case _:
                message = f"a value of :{word} is no column"
                hint = 'write its name in quotes, "customer/country" or {:month "order-date"}'
                self._findings.error("argument_type", message, hint)
                return None

    def expressed(self, value: program.Value, word: str, *, parts: bool = True) -> Expressed | None:
        """A column, or `{:times ["unit_price" "quantity"]}`."""
        match value:
            case program.Map(entries=(program.Entry(key=key, value=inner),)) if key in OPERATORS:
                return self._short(self._computed(Operator(key), inner, word, 0), word)
            case program.Text(value=text) if not parts:
                return self._paths.column(self._table, text, word, parts=False)
            case program.Map() | program.Text() if parts:
                return self.column(value, word)
            case _:
                message = f"a value of :{word} is no column"
                hint = 'write its name in quotes, "price", or {:times ["price" "quantity"]}'
                self._findings.error("argument_type", message, hint)
                return None

    def _part(self, key: str, text: str, word: str) -> ColumnPath | None:
        path = self._paths.column(self._table, text, word, parts=False)
        if key not in PARTS:
            message = f"{quoted(key)} is no part of a date (in :{word})"
            self._findings.error("unknown_date_part", message, nearest(key, PARTS))
            return None
        if path is None:
            return None
        if not takes_part(path.column, DatePart(key)):
            message = f"{path.written} in :{word} has no {key}: it is of type {path.column.type}"
            dates = listed(column.name for column in self._table.dates)
            self._findings.error("unknown_date_part", message, f"the dates here are: {dates}")
            return None
        return ColumnPath(path.links, path.column, DatePart(key))

    def _computed(self, operator: Operator, value: program.Value, word: str, depth: int) -> Expressed | None:
        if operator is Operator.NUMBER:
            return self._written_number(value, word)
        items = value.items if isinstance(value, program.Sequence) else ()
        if depth >= MOST_DEPTH:
            hint = f"write at most {MOST_DEPTH} of them inside each other"
            self._findings.error("too_deep", f"an expression in :{word} is nested too deeply", hint)
            return None
        if not 2 <= len(items) <= (2 if operator in _PAIRS else MOST_OPERANDS):
            count = "two" if operator in _PAIRS else f"from two to {MOST_OPERANDS}"
            message = f":{operator} in :{word} takes a list of {count} columns, numbers or expressions"
            self._findings.error("argument_type", message, f"write {_EXAMPLES[operator]}")
            return None
        found = [self._operand(operator, item, word, depth) for item in items]
        operands = tuple(each for each in found if each is not None)
        return _result(operator, operands) if len(operands) == len(items) else None

    def _short(self, found: Expressed | None, word: str) -> Expressed | None:
        if found is None or _weight(found) <= MOST_WEIGHT:
            return found
        hint = "write fewer items, or fewer :divided inside each other"
        self._findings.error("too_deep", f"an expression in :{word} is too long", hint)
        return None

    def _written_number(self, value: program.Value, word: str) -> Expressed | None:
        """`{:number "price_text"}`: the number that a text has written. Where such a text is read as a number
        anyway, as planners read it, that is the column itself."""
        if not isinstance(value, program.Text):
            message = f":{Operator.NUMBER} in :{word} takes a column of texts"
            self._findings.error("argument_type", message, f"write {_EXAMPLES[Operator.NUMBER]}")
            return None
        path = self._paths.column(self._table, value.value, word, parts=False)
        if path is None or path.type is ValueType.TEXT:
            return None if path is None else _result(Operator.NUMBER, (path,))
        if path.column.info.writes is not None:
            return path
        message = f"{path.written} in :{word} is no text: it is of type {path.type}"
        texts = listed(c.name for c in self._table.columns.values() if c.type is ValueType.TEXT)
        self._findings.error("not_a_measure", message, f"the texts here are: {texts}")
        return None

    def _operand(self, operator: Operator, value: program.Value, word: str, depth: int) -> Operand | None:
        match value:
            case program.Text(value=text):
                operand: Operand | None = self._paths.column(self._table, text, word, parts=False)
            case program.Map(entries=(program.Entry(key=key, value=inner),)) if key in OPERATORS:
                operand = self._computed(Operator(key), inner, word, depth + 1)
            case program.Integer() | program.Number():
                operand = self._number(value, word)
            case program.Date(value=day):
                operand = Constant(day)
            case _:
                message = f"a value of :{operator} in :{word} is no column, number or expression"
                self._findings.error("argument_type", message, f"write {_EXAMPLES[operator]}")
                return None
        return None if operand is None else self._fitting(operator, operand, word)

    def _number(self, value: program.Value, word: str) -> Constant | None:
        kind = ValueType.INTEGER if isinstance(value, program.Integer) else ValueType.DECIMAL
        found = column_value(value, kind)
        match found:
            case Refused(code=code, message=message, hint=hint):
                self._findings.error(code, f"{message} (in :{word})", hint)
                return None
            case int() | decimal.Decimal():
                return Constant(found)
            case _:
                return None

    def _fitting(self, operator: Operator, operand: Operand, word: str) -> Operand | None:
        wanted, kinds = ("date", DATES) if operator in SPANS else ("number", NUMBERS)
        if operand.type in kinds:
            return operand
        message = f"{operand.written} in :{word} is no {wanted}: it is of type {operand.type}"
        there = listed(column.name for column in self._table.columns.values() if column.type in kinds)
        self._findings.error("not_a_measure", message, f"the {wanted}s here are: {there}")
        return None


_EXAMPLES: dict[Operator, str] = {
    Operator.TIMES: '{:times ["price" "quantity"]}',
    Operator.PLUS: '{:plus ["price" "tax"]}',
    Operator.MINUS: '{:minus ["price" "discount"]}',
    Operator.DIVIDED: '{:divided ["price" "quantity"]}',
    Operator.DAYS: '{:days ["end_date" "start_date"]}',
    Operator.SECONDS: '{:seconds ["ended_at" "started_at"]}',
    Operator.NUMBER: '{:number "price_text"}',
}


def _result(operator: Operator, operands: tuple[Operand, ...]) -> Computed:
    kinds = {each.type for each in operands}
    if operator in SPANS:
        return computed(operator, operands, ValueType.INTEGER, 0)
    if ValueType.FLOAT in kinds:
        return computed(operator, operands, ValueType.FLOAT, None)
    if operator in (Operator.DIVIDED, Operator.NUMBER):
        return computed(operator, operands, ValueType.DECIMAL, QUOTIENT_PLACES)
    kind = ValueType.DECIMAL if ValueType.DECIMAL in kinds else ValueType.INTEGER
    scales = [operand_scale(each) for each in operands]
    known = [scale for scale in scales if scale is not None]
    scale = sum(known) if operator is Operator.TIMES else max(known, default=0)
    return computed(operator, operands, kind, scale if len(known) == len(scales) else None)


def _weight(operand: Operand) -> int:
    """How often columns stand in the SQL of an expression. A quotient in whole numbers mentions its sides
    many times, so that quotients of quotients grow fast."""
    match operand:
        case Computed(operator=Operator.DIVIDED, operands=operands):
            return 7 * sum(_weight(each) for each in operands)
        case Computed(operator=Operator.NUMBER):
            return 12
        case Computed(operands=operands):
            return sum(_weight(each) for each in operands)
        case _:
            return 1


def operand_scale(operand: Operand) -> int | None:
    """How many decimal places an operand has, as far as its type says."""
    return operand.scale if isinstance(operand, Constant) else scale_of(operand.column)
