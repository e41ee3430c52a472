"""The types of PostgreSQL in which what flows is kept, and those in which it first arrives."""

from dragoman.contracts.errors import ColumnRefused, StepRefused
from dragoman.contracts.flow import FlowColumn
from dragoman.contracts.schema import ValueType
from dragoman.engine.carriers import carried_as_text

_MOST_DIGITS = 1000
_LONGEST_NAME = 63
_SYSTEM_COLUMNS = frozenset({"tableoid", "xmin", "cmin", "xmax", "cmax", "ctid"})
_SIGNED = {8: "smallint", 16: "smallint", 32: "integer", 64: "bigint"}
_INTEGER_DIGITS = (4, 9, 18)
"""How many digits DuckDB holds in each of its sizes of numbers, but for the largest: the scanner takes that
one apart digit by digit, and a text is made and read in a fraction of the time."""
_UNSIGNED = {8: "smallint", 16: "integer", 32: "bigint", 64: "numeric(20,0)"}


def created_type(column: FlowColumn) -> str:
    """The type of a column that is made for this flow: every value fits, and no other meaning is added."""
    match column.type:
        case ValueType.INTEGER:
            return (_SIGNED if column.signed else _UNSIGNED)[column.bits]
        case ValueType.DECIMAL:
            if column.precision is None or column.precision > _MOST_DIGITS:
                return "numeric"
            return f"numeric({column.precision},{column.scale or 0})"
        case ValueType.FLOAT:
            return "real" if column.bits == 32 else "double precision"
        case ValueType.BOOLEAN:
            return "boolean"
        case ValueType.DATE:
            return "date"
        case ValueType.TIME:
            return "time without time zone"
        case ValueType.DATETIME:
            return "timestamp without time zone"
        case ValueType.INSTANT:
            return "timestamp with time zone"
        case ValueType.INTERVAL:
            return "interval"
        case ValueType.JSON:
            return "json"
        case ValueType.UUID:
            return "uuid"
        case ValueType.BYTES:
            return "bytea"
        case ValueType.TEXT | ValueType.OTHER:
            return "text"


def staged_type(column: FlowColumn) -> str:
    """The type in which the scanner delivers the values exactly. An interval, which the server itself reads
    best, and a decimal that the scanner would bend, arrive as text."""
    if column.type is ValueType.INTERVAL:
        return "text"
    if column.type is not ValueType.DECIMAL:
        return created_type(column)
    if column.precision is None or carried_as_text(column):
        return "text"
    return _staged_decimal(column.precision, column.scale or 0)


def _staged_decimal(precision: int, scale: int) -> str:
    """The scanner fills the digits after the point up to a multiple of four, and lets the number it holds
    them in run over: then a wider one is needed, or none is wide enough."""
    written = -(-scale // 4) * 4
    width = precision
    for digits in _INTEGER_DIGITS:
        if width <= digits:
            if written <= digits:
                return f"numeric({width},{scale})"
            width = digits + 1
    return "text"


def check_names(columns: tuple[FlowColumn, ...]) -> None:
    """Raises StepRefused and ColumnRefused for names that a table of PostgreSQL cannot have."""
    names = [column.name for column in columns]
    if not names:
        raise StepRefused("nothing flows to this step: there are no columns", hint="select some")
    for name in names:
        if names.count(name) > 1:
            raise ColumnRefused(
                f"two columns are named {name}", hint="give each a name of its own", column=name
            )
        if not name or "\0" in name or len(name.encode(errors="replace")) > _LONGEST_NAME:
            raise ColumnRefused(
                f"PostgreSQL cannot have a column named {name!r}",
                hint=f"a name has 1 to {_LONGEST_NAME} bytes and no NUL; rename it with AS",
                column=name,
            )
        if name in _SYSTEM_COLUMNS:
            raise ColumnRefused(
                f"PostgreSQL keeps the name {name} for itself", hint="rename it with AS", column=name
            )
