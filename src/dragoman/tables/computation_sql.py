"""Computations as SQL, exact wherever the engine lets them be.

SQLite has no decimals. Where the scale of every operand is known, a computation there is in whole numbers of
the smallest unit (cents of cents), and becomes digits when it is shown. A number of units that 64 bits do not
hold becomes a float, which SQLite does by itself.
"""

import datetime as dt
import decimal
from collections.abc import Callable

from sqlglot import exp

from dragoman.contracts.schema import Dialect, ValueType
from dragoman.tables import expressions
from dragoman.tables.column_reader import operand_scale
from dragoman.tables.computation import (
    SPANS,
    Computed,
    Constant,
    Expressed,
    Operand,
    Operator,
    columns_in,
)
from dragoman.tables.measures import scale_of
from dragoman.tables.paths import ColumnPath
from dragoman.tables.quotients import DIGITS, IN_DUCKDB, IN_SQLITE, QUOTIENT_PLACES
from dragoman.tables.templates import apart, filled, piece, piece_of

_MOST_UNITS = 18
"""So many places fit into 64 bits."""
_MOST_SCALE = 9
"""Of a column in SQLite, which is a float."""
_BINARY: dict[Operator, type[exp.Binary]] = {
    Operator.TIMES: exp.Mul,
    Operator.PLUS: exp.Add,
    Operator.MINUS: exp.Sub,
    Operator.DIVIDED: exp.Div,
}


def in_units(of: Expressed | None, dialect: Dialect) -> bool:
    """Whether a computation is in whole numbers of its smallest unit."""
    if not isinstance(of, Computed) or not dialect.is_untyped:
        return False
    return of.type is ValueType.DECIMAL and _has_units(of)


def is_exact(of: Expressed, dialect: Dialect) -> bool:
    """Whether what is shown is exactly what the columns make."""
    if isinstance(of, ColumnPath) or of.type is ValueType.INTEGER:
        return True
    if of.type is ValueType.FLOAT:
        return False
    return in_units(of, dialect) if dialect.is_untyped else not _is_approximate(of, dialect)


def shown(tree: exp.Expr, of: Expressed, dialect: Dialect) -> exp.Expr:
    """A value as a person reads it."""
    if not in_units(of, dialect):
        return tree if isinstance(of, Computed) else expressions.shown(tree, of.type, dialect)
    scale = scale_of(of.column) or 0
    return filled(DIGITS, dialect, x=tree, **_numbers(whole=10**scale, places=scale))


_COUNTS_UNITS: dict[Dialect, str] = {Dialect.DUCKDB: "HUGEINT"}
"""Engines that divide exactly only in whole numbers of the smallest unit, and in which type."""


class ComputationSql:
    """Writes computations; `column` gives the tree of a column."""

    def __init__(self, dialect: Dialect, column: Callable[[ColumnPath], exp.Expr]) -> None:
        self._dialect = dialect
        self._column = column

    def tree(self, of: Computed) -> exp.Expr:
        if of.operator in SPANS:
            return self._span(of)
        if of.operator is Operator.NUMBER:
            return self._written_number(of)
        if self._dialect.is_untyped and of.type is not ValueType.FLOAT and _has_units(of):
            return self._units(of)
        if of.operator is Operator.DIVIDED:
            return self._divided(of)
        whole = of.type is not ValueType.FLOAT
        return self._folded(of.operator, [self._plain(each, whole=whole) for each in of.operands])

    def _written_number(self, of: Computed) -> exp.Expr:
        (text,) = columns_in(of)
        untyped = self._dialect.is_untyped
        return expressions.written_number(self._column(text), text.column, self._dialect, units=untyped)

    def _folded(self, operator: Operator, trees: list[exp.Expr]) -> exp.Expr:
        tree, *rest = trees
        for each in rest:
            tree = _BINARY[operator](this=apart(tree), expression=apart(each))
        return tree

    def _plain(self, operand: Operand, *, whole: bool) -> exp.Expr:
        """An operand as the engine has it. Whole numbers become decimals, which 64 bits do not bound."""
        match operand:
            case Constant(value=value):
                return self._wide(_literal(value), operand) if whole else _literal(value)
            case Computed():
                tree = self.tree(operand)
                if in_units(operand, self._dialect):
                    # Beside something without a known scale it counts as what it is worth.
                    unit = exp.Literal.number(f"{10 ** (scale_of(operand.column) or 0)}.0")
                    return exp.Div(this=apart(tree), expression=unit)
                return tree
            case ColumnPath():
                tree = self._column(operand)
                return self._wide(tree, operand) if whole else tree

    def _wide(self, tree: exp.Expr, operand: Operand) -> exp.Expr:
        """A number as a decimal that has room for what is made of it."""
        template = piece("wide", self._dialect, operand.type.value)
        # DuckDB multiplies decimals of up to 18 digits in 64 bits.
        if self._dialect in _COUNTS_UNITS and (scale := operand_scale(operand)) is not None:
            return exp.cast(tree, f"DECIMAL(38, {scale})")
        return tree if template is None else filled(template, self._dialect, x=tree)

    def _span(self, of: Computed) -> exp.Expr:
        """The time from the second operand to the first: in days from day to day, or in seconds."""
        by_day = of.operator is Operator.DAYS
        first, second = (self._date(each, by_day=by_day) for each in of.operands)
        return filled(piece_of(of.operator.value, self._dialect), self._dialect, x=first, y=second)

    def _date(self, operand: Operand, *, by_day: bool) -> exp.Expr:
        match operand:
            case Constant(value=value):
                text = exp.Literal.string(str(value))
                return text if self._dialect.is_untyped else exp.cast(text, "DATE")
            case ColumnPath():
                read = expressions.day if by_day else expressions.moment
                return read(self._column(operand), operand.type, self._dialect)
            case Computed():
                return self.tree(operand)

    def _divided(self, of: Computed) -> exp.Expr:
        whole = of.type is not ValueType.FLOAT
        if whole and self._dialect in _COUNTS_UNITS and not _is_approximate(of, self._dialect):
            return self._divided_units(of, IN_DUCKDB, wide=True)
        x, y = (self._plain(each, whole=whole) for each in of.operands)
        template = piece_of("divided" if whole else "divided_floats", self._dialect)
        return filled(template, self._dialect, x=x, y=y)

    def _divided_units(self, of: Computed, template: str, *, wide: bool) -> exp.Expr:
        one, other = of.operands
        least = operand_scale(one) or 0, operand_scale(other) or 0
        # Both in the same unit, so that their quotient has none.
        x, y = (self._in_scale(each, max(least), wide=wide) for each in (one, other))
        return filled(template, self._dialect, x=x, y=y, **_numbers(finer=10**QUOTIENT_PLACES))

    def _units(self, operand: Operand) -> exp.Expr:
        """In SQLite: a number of units, of the operand's own scale."""
        scale = operand_scale(operand) or 0
        match operand:
            case Constant(value=value):
                return _literal(int(decimal.Decimal(str(value)).scaleb(scale)))
            case ColumnPath():
                tree = self._column(operand)
                return filled(_CENTS, self._dialect, x=tree, **_numbers(unit=10**scale)) if scale else tree
            case Computed(operator=Operator.DAYS | Operator.SECONDS | Operator.NUMBER):
                return self.tree(operand)
            case Computed(operator=Operator.DIVIDED):
                return self._divided_units(operand, IN_SQLITE, wide=False)
            case Computed(operator=Operator.TIMES):
                return self._folded(Operator.TIMES, [self._units(each) for each in operand.operands])
            case Computed():
                parts = [self._in_scale(each, scale, wide=False) for each in operand.operands]
                return self._folded(operand.operator, parts)

    def _in_scale(self, operand: Operand, scale: int, *, wide: bool) -> exp.Expr:
        """A number of units of a scale that is at least its own; `wide`: in DuckDB's 128 bits."""
        if wide:
            unit = _numbers(unit=10**scale)
            return filled(
                "CAST(x * unit AS HUGEINT)", self._dialect, x=self._plain(operand, whole=True), **unit
            )
        tree, finer = self._units(operand), 10 ** (scale - (operand_scale(operand) or 0))
        return tree if finer == 1 else exp.Mul(this=apart(tree), expression=exp.Literal.number(finer))


def _has_units(operand: Operand) -> bool:
    """Whether all it is worked out of has a smallest unit that SQLite can count in."""
    scale = operand_scale(operand)
    match operand:
        case Constant():
            return operand.scale <= _MOST_UNITS
        case ColumnPath():
            return scale is not None and scale <= _MOST_SCALE
        case Computed(operator=Operator.DAYS | Operator.SECONDS | Operator.NUMBER):
            return True
        case Computed(operands=operands):
            return scale is not None and scale <= _MOST_UNITS and all(_has_units(each) for each in operands)


def _is_approximate(operand: Operand, dialect: Dialect) -> bool:
    """Whether a typed engine can only divide approximately: DuckDB, where a scale is not known."""
    if dialect not in _COUNTS_UNITS or not isinstance(operand, Computed):
        return False
    unknown = any(operand_scale(each) is None for each in operand.operands)
    divides = operand.operator is Operator.DIVIDED
    return (divides and unknown) or any(_is_approximate(each, dialect) for each in operand.operands)


def _literal(value: int | decimal.Decimal | dt.date) -> exp.Expr:
    text = f"{value:f}" if isinstance(value, decimal.Decimal) else str(value)
    number = exp.Literal.number(text.removeprefix("-"))
    return exp.Paren(this=exp.Neg(this=number)) if text.startswith("-") else number


def _numbers(**numbers: int) -> dict[str, exp.Expr]:
    return {name: exp.Literal.number(value) for name, value in numbers.items()}


_CENTS = (
    "CASE WHEN ABS(x * 1.0 * unit) < 9000000000000000000 THEN CAST(ROUND(x * unit) AS INTEGER) "
    "ELSE x * 1.0 * unit END"
)
