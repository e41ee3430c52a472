"""Values out of the text that MariaDB and MySQL write them in, by what they tell of a column."""

from collections.abc import Callable
from typing import Protocol

from pymysql.constants import FIELD_TYPE, FLAG

from dragoman.contracts.query import Value
from dragoman.contracts.schema import Dialect, ValueType
from dragoman.databases.access.native_types import value_type
from dragoman.databases.access.values import DECODERS, to_datetime, to_instant, to_span_or_time

_BINARY = 63
"""The number of the character set of what is no text."""

_BYTES_OF_A_CHARACTER = 4

_PLAIN = {
    FIELD_TYPE.TINY: "tinyint",
    FIELD_TYPE.SHORT: "smallint",
    FIELD_TYPE.INT24: "mediumint",
    FIELD_TYPE.LONG: "int",
    FIELD_TYPE.LONGLONG: "bigint",
    FIELD_TYPE.FLOAT: "float",
    FIELD_TYPE.DOUBLE: "double",
    FIELD_TYPE.DATE: "date",
    FIELD_TYPE.NEWDATE: "date",
    FIELD_TYPE.TIME: "time",
    FIELD_TYPE.DATETIME: "datetime",
    FIELD_TYPE.TIMESTAMP: "timestamp",
    FIELD_TYPE.YEAR: "year",
    FIELD_TYPE.JSON: "json",
    FIELD_TYPE.GEOMETRY: "geometry",
    FIELD_TYPE.NULL: "null",
}
_WHOLE = frozenset({"tinyint", "smallint", "mediumint", "int", "bigint"})
_SIZES = ((255, "tiny"), (65_535, ""), (16_777_215, "medium"))
"""The most bytes that each kind of TEXT and BLOB holds; what is larger is long."""

_UUID, _INET6 = 36, 39
"""How long the text of these types of MariaDB is. It marks them as unsigned, which no text is."""


class Field(Protocol):
    """What a server tells of a column of a result."""

    name: str
    type_code: int
    flags: int
    length: int
    scale: int
    charsetnr: int
    db: bytes
    org_table: str
    org_name: str


def native_name(field: Field) -> str:
    """The type as it would be declared.

    TINYINT(1) without UNSIGNED is how both servers keep a column declared BOOLEAN; only that is one.
    """
    unsigned = bool(field.flags & FLAG.UNSIGNED)
    match field.type_code:
        case FIELD_TYPE.TINY if field.length == 1 and not unsigned:
            return "tinyint(1)"
        case FIELD_TYPE.DECIMAL | FIELD_TYPE.NEWDECIMAL:
            digits = field.length - (0 if unsigned else 1) - (1 if field.scale else 0)
            return f"decimal({digits},{field.scale})"
        case FIELD_TYPE.BIT:
            return f"bit({field.length})"
        case code if code in _PLAIN:
            name = _PLAIN[code]
            return f"{name} unsigned" if unsigned and name in _WHOLE else name
        case _:
            return _text_name(field)


def _text_name(field: Field) -> str:
    binary = field.charsetnr == _BINARY
    length = field.length if binary else field.length // _BYTES_OF_A_CHARACTER
    if field.flags & FLAG.ENUM or field.type_code == FIELD_TYPE.ENUM:
        return "enum"
    if field.flags & FLAG.SET or field.type_code == FIELD_TYPE.SET:
        return "set"
    match field.type_code:
        case FIELD_TYPE.STRING if field.flags & FLAG.UNSIGNED and length in (_UUID, _INET6):
            return "uuid" if length == _UUID else "inet6"
        case FIELD_TYPE.STRING:
            return f"{'binary' if binary else 'char'}({length})"
        case FIELD_TYPE.VAR_STRING | FIELD_TYPE.VARCHAR:
            return f"{'varbinary' if binary else 'varchar'}({length})"
        case _:
            size = next((name for most, name in _SIZES if length <= most), "long")
            return size + ("blob" if binary else "text")


def decoder(native: str) -> Callable[[str | bytes], Value]:
    """How the cells of a type are read."""
    if native.startswith("bit("):
        width = int(native[4:-1])
        return lambda cell: f"{int.from_bytes(cell):0{width}b}" if isinstance(cell, bytes) else cell
    match held := value_type(Dialect.MYSQL, native):
        case ValueType.BOOLEAN:
            return _boolean
        case ValueType.TIME:
            return lambda cell: to_span_or_time(cell) if isinstance(cell, str) else cell
        case ValueType.INSTANT:
            # The session's zone is UTC.
            return _instant
        case _:
            read = DECODERS[held]
            return lambda cell: read(cell) if isinstance(cell, str) else cell


def read_cell(cell: object, decode: Callable[[str | bytes], Value]) -> Value:
    """A cell as the driver gave it: text, bytes or nothing."""
    return decode(cell) if isinstance(cell, str | bytes) else None


def _instant(cell: str | bytes) -> Value:
    if not isinstance(cell, str) or isinstance(to_datetime(cell), str):
        return cell
    return to_instant(f"{cell}Z")


def _boolean(cell: str | bytes) -> Value:
    """Nought and one; a TINYINT(1) that holds another number gives that number."""
    if cell in ("0", "1"):
        return cell == "1"
    return DECODERS[ValueType.INTEGER](cell) if isinstance(cell, str) else cell
