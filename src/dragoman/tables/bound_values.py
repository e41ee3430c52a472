"""Values on their way into a query: each is a parameter, as the dialect's engine stores such values."""

import datetime as dt
import decimal
import uuid
from collections.abc import Callable

from sqlglot import exp

from dragoman.contracts.query import Value
from dragoman.contracts.schema import Dialect, ValueType
from dragoman.databases.sql_text import place
from dragoman.language.verbs.limits import MAX_INTEGER, MIN_INTEGER


class Binding:
    """The parameters of one query."""

    def __init__(self, dialect: Dialect) -> None:
        self.dialect = dialect
        self.values: list[Value] = []

    def bound(self, value: Value, kind: ValueType) -> exp.Expr:
        self.values.append(_stored(value, kind, self.dialect))
        return place(len(self.values) - 1)


def _stored(value: Value, kind: ValueType, dialect: Dialect) -> Value:
    if kind is ValueType.OTHER and not dialect.is_untyped:
        return _said(value)
    if kind is ValueType.FLOAT and isinstance(value, int | decimal.Decimal):
        return float(value)
    bend = _BENT.get(dialect)
    return value if bend is None else bend(value)


def _in_sqlite(value: Value) -> Value:
    """SQLite knows numbers and texts only."""
    match value:
        case bool():
            return int(value)
        case decimal.Decimal():
            whole = value == value.to_integral_value() and MIN_INTEGER <= value <= MAX_INTEGER
            return int(value) if whole else float(value)
        case dt.datetime():
            moment = value.astimezone(dt.UTC) if value.tzinfo else value
            return f"{moment:%Y-%m-%d %H:%M:%S}.{moment.microsecond // 1000:03}".rjust(23, "0")
        case dt.date() | dt.time():
            return value.isoformat() if isinstance(value, dt.date) else f"{value:%H:%M:%S}"
        case uuid.UUID():
            return str(value)
        case _:
            return value


def _in_mysql(value: Value) -> Value:
    match value:
        case bool():
            return int(value)
        case dt.datetime() if value.tzinfo:
            return value.astimezone(dt.UTC).replace(tzinfo=None)
        case uuid.UUID():
            return str(value)
        case _:
            return value


_BENT: dict[Dialect, Callable[[Value], Value]] = {Dialect.SQLITE: _in_sqlite, Dialect.MYSQL: _in_mysql}
"""How a value is bound where the driver does not take it as it is."""


def _said(value: Value) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case dt.date():
            return value.isoformat()
        case _:
            return str(value)
