"""What a column of MariaDB or MySQL holds, and how it is asked for so that every driver gives it exactly.

A number, a text and bytes travel as they are. What a driver would bend (decimals, dates, times, JSON, what
only one of the servers knows) is written as text by the server and read back from that text.
"""

import re
from typing import Final

from pymysql.constants import FLAG

from dragoman.contracts.errors import ColumnRefused, StepRefused
from dragoman.contracts.flow import FlowColumn
from dragoman.contracts.schema import Dialect, ValueType
from dragoman.databases.access.native_types import value_type
from dragoman.databases.families.mysql.values import Field, native_name

_DIGITS = re.compile(r"decimal\((\d+),(\d+)\)")
_LENGTH = re.compile(r"(?:var)?(?:char|binary)\((\d+)\)")
_BITS: Final = {"tinyint": 8, "smallint": 16, "mediumint": 32, "int": 32, "bigint": 64, "year": 16}
_AS_TEXT: Final = frozenset(
    {
        ValueType.DECIMAL,
        ValueType.DATE,
        ValueType.DATETIME,
        ValueType.INSTANT,
        ValueType.INTERVAL,
        ValueType.JSON,
        ValueType.UUID,
    }
)
_SHORT_TEXT: Final = frozenset({"inet4", "inet6", "null"})


def quoted(name: str) -> str:
    """A name as MariaDB and MySQL read it, whatever is in it."""
    return "`" + name.replace("`", "``") + "`"


def flow_columns(fields: list[Field], json: set[int]) -> tuple[FlowColumn, ...]:
    """The columns of a result; `json` are the places of those that hold JSON. Raises StepRefused where two
    have one name, and ColumnRefused where a type has no exact carrier."""
    columns = tuple(_column(field, is_json=number in json) for number, field in enumerate(fields))
    names = [column.name for column in columns]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise StepRefused(f"the query gives two columns the name {twice[0]}", hint="name each with AS")
    return columns


def asked_for(column: FlowColumn) -> str:
    """The expression in which a column is asked for."""
    name = f"q.{quoted(column.name)}"
    if column.native.startswith("bit("):
        return f"LPAD(BIN({name} + 0), {column.length}, '0')"
    if column.type is ValueType.FLOAT and column.bits == 32:
        # As it is, a FLOAT is written with six digits. As a DOUBLE it is whole.
        return f"({name} + 0e0)"
    if column.type is ValueType.BOOLEAN:
        # A driver that knows a TINYINT(1) for a boolean makes a truth of every number but nought.
        return f"({name} + 0)"
    if column.type in _AS_TEXT or column.native in _SHORT_TEXT:
        return f"CAST({name} AS CHAR)"
    return name


def is_wide(column: FlowColumn) -> bool:
    """Whether one value can be larger than a row usually is."""
    return column.native.endswith(("text", "blob")) or column.type is ValueType.JSON


def _column(field: Field, *, is_json: bool) -> FlowColumn:
    native = "json" if is_json else native_name(field)
    plain = native.removesuffix(" unsigned")
    nullable = not field.flags & FLAG.NOT_NULL

    def column(kind: ValueType, **more: int | bool | None) -> FlowColumn:
        return FlowColumn(name=field.name, type=kind, nullable=nullable, native=native, **more)  # type: ignore[arg-type]

    held = value_type(Dialect.MYSQL, native)
    match held:
        case ValueType.INTEGER:
            return column(held, bits=_BITS[plain], signed=plain == native)
        case ValueType.DECIMAL:
            digits = _DIGITS.fullmatch(native)
            assert digits is not None  # noqa: S101
            precision, scale = int(digits[1]), int(digits[2])
            return column(held, precision=max(precision, scale, 1), scale=scale)
        case ValueType.FLOAT:
            return column(held, bits=32 if native == "float" else 64)
        case ValueType.TIME:
            # It reaches from -838 to 838 hours: a span, not a time of day.
            return column(ValueType.INTERVAL)
        case ValueType.TEXT if native.startswith("bit("):
            return column(held, length=int(native[4:-1]))
        case ValueType.TEXT | ValueType.BYTES:
            length = _LENGTH.fullmatch(native)
            return column(held, length=int(length[1]) if length else None)
        case ValueType.OTHER if native == "null":
            return column(ValueType.TEXT)
        case ValueType.OTHER:
            raise ColumnRefused(
                f"column {field.name} is a {native}, which nothing else keeps exactly",
                hint="ask for a text of it in a query, such as ST_AsText(…) or HEX(…)",
                column=field.name,
            )
        case _:
            return column(held)
