"""Values of SQL as a program writes them, by the type of the column that they are held against."""

import datetime as dt
import re
from typing import Final

from sqlglot import exp

from dragoman.contracts.program import Boolean, Date, Integer, Number, Text, Value
from dragoman.contracts.schema import Dialect, ValueType
from dragoman.planning.sql.unsaid import Unsaid
from dragoman.tables.conditions import Sign
from dragoman.tables.graph import Column
from dragoman.tables.verbs import NUMBERS

_DAY: Final = re.compile(r"\d{4}-\d{2}-\d{2}")
_MOMENT: Final = re.compile(r"\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?")
_WHOLE: Final = re.compile(r"\d{1,18}")
_BROKEN: Final = re.compile(r"\d{1,18}\.\d{1,18}")
_FROM_A_DAY: Final = frozenset({Sign.AT_LEAST, Sign.BELOW})
"""What means the same of a day and of its first moment."""
_DATED: Final = (exp.DataType.Type.DATE, exp.DataType.Type.TIMESTAMP, exp.DataType.Type.DATETIME)


def number_of(node: exp.Expr) -> Value:
    """A number of a query."""
    plain = node.unnest()
    sign = ""
    if isinstance(plain, exp.Neg):
        sign, plain = "-", plain.this.unnest()
    if not isinstance(plain, exp.Literal) or plain.is_string:
        raise Unsaid("a value that is no plain number")
    digits = str(plain.this)
    if _WHOLE.fullmatch(digits):
        return Integer(int(sign + digits))
    if _BROKEN.fullmatch(digits):
        return Number(sign + digits)
    raise Unsaid(f"the number {digits}")


def text_of(node: exp.Expr) -> str:
    plain = node.unnest()
    if not isinstance(plain, exp.Literal) or not plain.is_string:
        raise Unsaid("a value that is no plain text")
    return str(plain.this)


def value_for(node: exp.Expr, column: Column, sign: Sign, dialect: Dialect) -> Value:
    """A value that a column is compared with. What the engine would bend to fit it is not said."""
    kind = column.type
    if kind in NUMBERS:
        return number_of(node)
    if kind is ValueType.TEXT:
        return Text(text_of(node))
    if kind is ValueType.BOOLEAN:
        return _truth(node, dialect)
    if kind in (ValueType.DATE, ValueType.DATETIME, ValueType.INSTANT):
        return _moment(node, kind, sign)
    raise Unsaid(f"a comparison with a column of type {kind}")


def _truth(node: exp.Expr, dialect: Dialect) -> Value:
    plain = node.unnest()
    if isinstance(plain, exp.Boolean):
        return Boolean(bool(plain.this))
    known = dialect.truth_is_a_number and isinstance(plain, exp.Literal)
    if known and not plain.is_string and plain.this in ("0", "1"):
        return Boolean(plain.this == "1")
    raise Unsaid("a truth that is no plain one")


def _moment(node: exp.Expr, kind: ValueType, sign: Sign) -> Value:
    plain = node.unnest()
    if isinstance(plain, exp.Cast) and plain.to.this in _DATED:
        plain = plain.this.unnest()
    text = text_of(plain)
    try:
        if _DAY.fullmatch(text):
            day = dt.date.fromisoformat(text)
            # Of moments a day is all of it to a program, and its first moment to SQL.
            if kind is ValueType.DATE or sign in _FROM_A_DAY:
                return Date(day)
            return Text(f"{day.isoformat()}T00:00:00")
        if _MOMENT.fullmatch(text) and kind is not ValueType.DATE:
            return Text(dt.datetime.fromisoformat(text).isoformat())
    except ValueError:
        pass
    raise Unsaid("a date that is no plain one")
