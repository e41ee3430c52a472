"""Whether what flows fits a column that is already there, without losing anything."""

import dataclasses

from dragoman.contracts.flow import ColumnWarning, FlowColumn
from dragoman.contracts.schema import ValueType
from dragoman.engine.components.postgres.column_types import decimal_size
from dragoman.engine.components.postgres.ddl import staged_type
from dragoman.engine.components.postgres.description import ServerType
from dragoman.engine.components.postgres.table import TargetColumn

_TEXTS = frozenset({"text", "varchar", "bpchar", "citext"})
_WHOLE = {"int2": 16, "int4": 32, "int8": 64}
_HEADER = 4
_MICROSECOND_DIGITS = 6
_BASIC = frozenset(
    {
        *("bool", "int2", "int4", "int8", "float4", "float8", "numeric", "money", "date", "time"),
        *("timestamp", "timestamptz", "interval", "uuid", "bytea", "oid"),
    }
)
"""Types that something else than a text in PostgreSQL's own spelling has to be put into."""

_AS_TEXT = frozenset(
    {
        ValueType.TEXT,
        ValueType.OTHER,
        ValueType.JSON,
        ValueType.UUID,
        ValueType.INTEGER,
        ValueType.DECIMAL,
        ValueType.DATE,
        ValueType.TIME,
        ValueType.DATETIME,
        ValueType.INTERVAL,
    }
)

# The types of the server that take such values as they are.
_UNCHANGED = {
    ValueType.BOOLEAN: {"bool"},
    ValueType.DATE: {"date", "timestamp"},
    ValueType.UUID: {"uuid"},
    ValueType.BYTES: {"bytea"},
}
_CLOCKS = {ValueType.TIME: "time", ValueType.DATETIME: "timestamp", ValueType.INSTANT: "timestamptz"}


@dataclasses.dataclass(frozen=True)
class Fit:
    """`value` is what is inserted, of the staged column `{0}`. `unfit` is a condition on staged rows that
    must hold of none, or nothing is published: `why` says what it would lose."""

    value: str = "{0}"
    unfit: str = ""
    why: str = ""
    warning: ColumnWarning | None = None


def fit(column: FlowColumn, target: TargetColumn) -> Fit | None:
    """None where the types do not fit."""
    server = target.type
    if server.name in _TEXTS and (server.builtin or server.name == "citext"):
        return _text(column, server)
    if server.kind == "e":
        return Fit(f"{{0}}::{server.plain}") if column.type in (ValueType.TEXT, ValueType.OTHER) else None
    if not server.builtin or server.category == "A" or server.name not in _BASIC | {"json", "jsonb", "xml"}:
        # By way of its own spelling; the length, if it has one, is minded when the row is inserted.
        return Fit(f"{{0}}::{server.plain}") if column.type in (ValueType.OTHER, ValueType.TEXT) else None
    match column.type:
        case ValueType.INTEGER:
            return _integer(column, server)
        case ValueType.DECIMAL:
            return _decimal(column, server)
        case ValueType.FLOAT:
            wide = server.name == "float8" or (server.name == "float4" and column.bits == 32)
            return Fit() if wide else None
        case ValueType.BOOLEAN | ValueType.DATE | ValueType.UUID | ValueType.BYTES:
            return Fit() if server.name in _UNCHANGED[column.type] else None
        case ValueType.TIME | ValueType.DATETIME | ValueType.INSTANT:
            return _clock(server) if server.name == _CLOCKS[column.type] else None
        case ValueType.INTERVAL:
            return _interval(server)
        case ValueType.JSON:
            return _json(column, server)
        case ValueType.TEXT | ValueType.OTHER:
            return Fit(f"{{0}}::{server.plain}") if server.name in ("json", "xml") else None


def _text(column: FlowColumn, server: ServerType) -> Fit | None:
    if column.type not in _AS_TEXT:
        return None
    most = server.typmod - _HEADER if server.typmod > _HEADER and server.name != "citext" else None
    value = "{0}" if column.type in (ValueType.TEXT, ValueType.OTHER) else "{0}::text"
    if column.type is ValueType.DECIMAL:
        value = "{0}::numeric::text"
    warning = None
    if server.name == "bpchar" and column.length != most:
        warning = ColumnWarning(
            column.name, "char_padded", f"texts of {column.name} are padded with blanks to {most} characters"
        )
    if most is None:
        return Fit(value, warning=warning)
    # PostgreSQL itself refuses what is longer, except for blanks, which it cuts off.
    why = f"a text longer than {most} characters"
    return Fit(value, f"char_length({value}) > {most}", why, warning)


def _integer(column: FlowColumn, server: ServerType) -> Fit | None:
    """What is too large for a narrower type is the server's own error."""
    if server.name in _WHOLE or server.name == "numeric":
        return Fit()
    exact = (server.name == "float8" and column.bits <= 32) or (server.name == "float4" and column.bits <= 16)
    return Fit() if exact else None


def _decimal(column: FlowColumn, server: ServerType) -> Fit | None:
    arrives_as_text = staged_type(column) == "text"
    value = "{0}::numeric" if arrives_as_text else "{0}"
    places = column.scale if column.precision is not None else None
    if server.name in _WHOLE:
        if places == 0 and not arrives_as_text:
            return Fit(value)
        return Fit(value, f"{value} <> trunc({value})", "digits after the point")
    if server.name != "numeric":
        return None
    size = decimal_size(server.typmod)
    if size is None or (places is not None and places <= size[1]):
        return Fit(value)
    return Fit(value, f"{value} <> round({value}, {size[1]})", f"more than {size[1]} digits after the point")


def _clock(server: ServerType) -> Fit:
    digits = server.typmod
    if digits < 0 or digits >= _MICROSECOND_DIGITS:
        return Fit()
    return Fit("{0}", f"{{0}} <> {{0}}::{server.name}({digits})", f"more than {digits} digits of a second")


def _interval(server: ServerType) -> Fit | None:
    if server.name == "interval":
        if server.typmod < 0:
            return Fit("{0}::interval")
        return Fit(
            "{0}::interval", f"{{0}}::interval <> {{0}}::{server.written}", "what this interval leaves out"
        )
    return Fit("{0}::time") if server.name == "time" and server.typmod < 0 else None


def _json(column: FlowColumn, server: ServerType) -> Fit | None:
    if server.name == "json":
        return Fit()
    if server.name != "jsonb":
        return None
    message = f"{column.name} is kept as jsonb: blanks, the order of keys and repeated keys are not"
    return Fit("{0}::jsonb", warning=ColumnWarning(column.name, "json_as_jsonb", message))
