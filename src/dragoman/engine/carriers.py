"""Carriers: the one Arrow type, and the one DuckDB type, in which each kind of column travels.

Every flow keeps to this table, so a reader and a writer that never heard of each other agree on every value.
What no native type holds exactly travels as text, in the one spelling that is written down here.
"""

import pyarrow as pa

from dragoman.contracts.flow import FlowColumn
from dragoman.contracts.schema import ValueType

MAX_DIGITS = 38
"""The most digits that a decimal of DuckDB, and of Arrow's 128 bits, holds."""


def carried_as_text(column: FlowColumn) -> bool:
    """Whether the values travel as text though they are something else.

    The spellings: a decimal as plain digits (`-12.50`, never with an exponent), or `NaN`, `Infinity`,
    `-Infinity` where its source has them; a UUID in lower case with hyphens; JSON as the source writes it; an
    interval that is only hours and smaller, MariaDB's TIME, as `[-]HH:MM:SS[.ffffff]`, any other as ISO 8601
    has it; what is OTHER as its source writes it.
    """
    match column.type:
        case ValueType.JSON | ValueType.UUID | ValueType.INTERVAL | ValueType.OTHER:
            return True
        case ValueType.DECIMAL:
            return column.precision is None or column.precision > MAX_DIGITS
        case _:
            return False


def arrow_type(column: FlowColumn) -> pa.DataType:
    if carried_as_text(column):
        return pa.string()
    match column.type:
        case ValueType.INTEGER:
            return _integer(column.bits, signed=column.signed)
        case ValueType.DECIMAL:
            return pa.decimal128(column.precision or MAX_DIGITS, column.scale or 0)
        case ValueType.FLOAT:
            return pa.float32() if column.bits == 32 else pa.float64()
        case ValueType.BOOLEAN:
            return pa.bool_()
        case ValueType.DATE:
            return pa.date32()
        case ValueType.TIME:
            return pa.time64("us")
        case ValueType.DATETIME:
            return pa.timestamp("us")
        case ValueType.INSTANT:
            return pa.timestamp("us", tz="UTC")
        case ValueType.BYTES:
            return pa.binary()
        case _:
            return pa.string()


def duckdb_type(column: FlowColumn) -> str:
    """The type of the column in the run's database, as DuckDB writes it."""
    if carried_as_text(column):
        return "VARCHAR"
    match column.type:
        case ValueType.INTEGER:
            return f"{'' if column.signed else 'U'}{_DUCKDB_INTEGERS[column.bits]}"
        case ValueType.DECIMAL:
            return f"DECIMAL({column.precision},{column.scale or 0})"
        case ValueType.FLOAT:
            return "FLOAT" if column.bits == 32 else "DOUBLE"
        case ValueType.BOOLEAN:
            return "BOOLEAN"
        case ValueType.DATE:
            return "DATE"
        case ValueType.TIME:
            return "TIME"
        case ValueType.DATETIME:
            return "TIMESTAMP"
        case ValueType.INSTANT:
            return "TIMESTAMPTZ"
        case ValueType.BYTES:
            return "BLOB"
        case _:
            return "VARCHAR"


def arrow_schema(columns: tuple[FlowColumn, ...]) -> pa.Schema:
    return pa.schema([pa.field(c.name, arrow_type(c), nullable=c.nullable) for c in columns])


def columns_of(schema: pa.Schema) -> tuple[FlowColumn, ...]:
    """The columns of an Arrow stream that comes from elsewhere. Raises TypeError, naming the column, where a
    type has no carrier."""
    return tuple(_column(field) for field in schema)


def _integer(bits: int, *, signed: bool) -> pa.DataType:
    sized = {8: pa.int8(), 16: pa.int16(), 32: pa.int32(), 64: pa.int64()}
    unsigned = {8: pa.uint8(), 16: pa.uint16(), 32: pa.uint32(), 64: pa.uint64()}
    return (sized if signed else unsigned)[bits]


_DUCKDB_INTEGERS = {8: "TINYINT", 16: "SMALLINT", 32: "INTEGER", 64: "BIGINT"}


def _column(field: pa.Field) -> FlowColumn:
    kind = field.type
    described = {"name": field.name, "nullable": field.nullable, "native": str(kind)}
    if pa.types.is_integer(kind):
        signed = pa.types.is_signed_integer(kind)
        return FlowColumn(type=ValueType.INTEGER, bits=kind.bit_width, signed=signed, **described)
    if pa.types.is_decimal(kind):
        if kind.scale < 0 or kind.scale > kind.precision:
            raise TypeError(f"column {field.name}: a {kind} has no carrier")
        return FlowColumn(type=ValueType.DECIMAL, precision=kind.precision, scale=kind.scale, **described)
    for test, value_type in _ARROW_TYPES:
        if test(kind):
            bits = 32 if pa.types.is_float32(kind) else 64
            return FlowColumn(type=value_type, bits=bits, **described)
    if pa.types.is_timestamp(kind) and kind.unit != "ns":
        return FlowColumn(type=ValueType.DATETIME if kind.tz is None else ValueType.INSTANT, **described)
    raise TypeError(f"column {field.name}: a {kind} has no carrier")


_ARROW_TYPES = (
    (pa.types.is_string, ValueType.TEXT),
    (pa.types.is_large_string, ValueType.TEXT),
    (pa.types.is_string_view, ValueType.TEXT),
    (pa.types.is_boolean, ValueType.BOOLEAN),
    (pa.types.is_float32, ValueType.FLOAT),
    (pa.types.is_float64, ValueType.FLOAT),
    (pa.types.is_date32, ValueType.DATE),
    (pa.types.is_time64, ValueType.TIME),
    (pa.types.is_binary, ValueType.BYTES),
    (pa.types.is_large_binary, ValueType.BYTES),
)
