"""What is worked out of the columns of a row, as a tree that knows no SQL."""

import datetime as dt
import decimal
from collections.abc import Iterator
from enum import StrEnum

from dragoman.contracts import program
from dragoman.contracts.record import Record
from dragoman.contracts.schema import ColumnInfo, ValueType
from dragoman.tables.graph import Column, Link
from dragoman.tables.paths import ColumnPath


class Operator(StrEnum):
    TIMES = "times"
    PLUS = "plus"
    MINUS = "minus"
    DIVIDED = "divided"
    DAYS = "days"
    SECONDS = "seconds"
    NUMBER = "number"


OPERATORS: frozenset[str] = frozenset(Operator)
SPANS = frozenset({Operator.DAYS, Operator.SECONDS})
"""The operators that measure the time between two dates."""


class Constant(Record, frozen=True):
    """A number, or of :days and :seconds a day."""

    value: int | decimal.Decimal | dt.date

    @property
    def written(self) -> str:
        return f"{self.value:f}" if isinstance(self.value, decimal.Decimal) else str(self.value)

    @property
    def type(self) -> ValueType:
        match self.value:
            case decimal.Decimal():
                return ValueType.DECIMAL
            case int():
                return ValueType.INTEGER
            case dt.date():
                return ValueType.DATE

    @property
    def scale(self) -> int:
        if not isinstance(self.value, decimal.Decimal):
            return 0
        exponent = self.value.as_tuple().exponent
        return max(0, -exponent) if isinstance(exponent, int) else 0


class Computed(Record, frozen=True):
    """What an operator makes of its operands; nothing where one of them is missing.

    `column` is the result as if it were a column: its type says how exact it is, and how many places it has.
    """

    operator: Operator
    operands: tuple["Operand", ...]
    column: Column

    @property
    def type(self) -> ValueType:
        return self.column.type

    @property
    def written(self) -> str:
        return self.column.name

    @property
    def title(self) -> str:
        return self.column.name

    @property
    def links(self) -> tuple[Link, ...]:
        return ()

    @property
    def part(self) -> None:
        return None


Operand = ColumnPath | Constant | Computed
Expressed = ColumnPath | Computed
"""A column, or what is worked out of columns."""


def computed(
    operator: Operator, operands: tuple[Operand, ...], kind: ValueType, scale: int | None
) -> Computed:
    """A computation with its result: of decimals the scale is known where it is known of all of them."""
    items = [
        each.written if isinstance(each, Constant | Computed) else f'"{each.written}"' for each in operands
    ]
    listed = items[0] if operator is Operator.NUMBER else f"[{' '.join(items)}]"
    name = f"{{:{operator} {listed}}}"
    native = f"DECIMAL(38,{scale})" if kind is ValueType.DECIMAL and scale is not None else ""
    return Computed(operator, operands, Column(name, ColumnInfo(name, kind, native), kind))


def said(expressed: Operand) -> program.Value:
    """As a program says it."""
    match expressed:
        case ColumnPath():
            return program.Text(expressed.written)
        case Constant(value=value):
            if isinstance(value, dt.date):
                return program.Date(value)
            return program.Integer(value) if isinstance(value, int) else program.Number(expressed.written)
        case Computed(operator=Operator.NUMBER, operands=(text,)):
            return program.Map((program.Entry(Operator.NUMBER.value, said(text)),))
        case Computed(operator=operator, operands=operands):
            items = program.Sequence(tuple(said(each) for each in operands))
            return program.Map((program.Entry(operator.value, items),))


def columns_in(expressed: Operand) -> Iterator[ColumnPath]:
    """The columns that something is worked out of."""
    match expressed:
        case ColumnPath():
            yield expressed
        case Computed(operands=operands):
            for each in operands:
                yield from columns_in(each)
        case Constant():
            return
