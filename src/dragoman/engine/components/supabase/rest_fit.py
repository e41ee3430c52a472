"""Whether what flows fits a column as a project describes it: by the name of its type, without its size."""

from dragoman.contracts.flow import ColumnWarning, FlowColumn
from dragoman.contracts.schema import ValueType
from dragoman.databases.families.supabase.description import RestColumn

_SAME = frozenset(
    {
        ValueType.BOOLEAN,
        ValueType.DATE,
        ValueType.TIME,
        ValueType.DATETIME,
        ValueType.INSTANT,
        ValueType.INTERVAL,
        ValueType.UUID,
        ValueType.BYTES,
        ValueType.TEXT,
    }
)
_INTO_TEXT = frozenset(
    {ValueType.INTEGER, ValueType.DECIMAL, ValueType.UUID, ValueType.OTHER, ValueType.DATE, ValueType.TIME}
)


def fitted(column: FlowColumn, target: RestColumn) -> tuple[ColumnWarning, ...] | None:
    """What is bent, by which rule; None where it does not fit."""
    match column.type, target.type:
        case held, there if held is there and held in _SAME:
            return ()
        case held, ValueType.TEXT if held in _INTO_TEXT:
            return ()
        case ValueType.INTEGER, ValueType.INTEGER:
            return ()
        case ValueType.INTEGER | ValueType.DECIMAL, ValueType.DECIMAL if target.native != "money":
            return () if column.type is ValueType.INTEGER or column.scale == 0 else _rounded(column)
        case ValueType.FLOAT, ValueType.FLOAT if target.native != "real" or column.bits == 32:
            return ()
        case ValueType.JSON, ValueType.JSON if not target.native.endswith("]"):
            rule = "json_written_anew"
            message = f"{column.name} is read and written anew: blanks in it are not kept"
            return (ColumnWarning(column.name, rule, message),)
        case ValueType.OTHER, ValueType.OTHER:
            return ()
        case _:
            return None


def _rounded(column: FlowColumn) -> tuple[ColumnWarning, ...]:
    message = f"the project does not tell how many digits {column.name} keeps after the point: it may round"
    return (ColumnWarning(column.name, "scale_unknown", message),)
