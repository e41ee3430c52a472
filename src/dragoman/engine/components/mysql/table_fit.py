"""Whether a table that is there can take a flow, and what has to be watched where it could bend a value."""

import re
from typing import Final

from dragoman.contracts.flow import FlowColumn
from dragoman.contracts.record import Record
from dragoman.contracts.schema import ValueType
from dragoman.databases.families.mysql.connection import Connection
from dragoman.databases.families.mysql.literals import text_literal
from dragoman.engine.components.mysql.columns import quoted
from dragoman.engine.components.mysql.session import rows_of

_WHOLE: Final = frozenset({"tinyint", "smallint", "mediumint", "int", "bigint"})
_TEXTS: Final = frozenset({"char", "varchar", "tinytext", "text", "mediumtext", "longtext"})
_BYTES: Final = frozenset({"binary", "varbinary", "tinyblob", "blob", "mediumblob", "longblob"})
_FITTING: Final[dict[ValueType, frozenset[str]]] = {
    ValueType.INTEGER: _WHOLE | {"decimal", "year"},
    ValueType.DECIMAL: frozenset({"decimal"}),
    ValueType.BOOLEAN: _WHOLE,
    ValueType.DATE: frozenset({"date"}),
    ValueType.TIME: frozenset({"time"}),
    ValueType.DATETIME: frozenset({"datetime"}),
    ValueType.INSTANT: frozenset({"timestamp", "datetime"}),
    ValueType.INTERVAL: _TEXTS,
    ValueType.JSON: _TEXTS | {"json"},
    ValueType.UUID: _TEXTS | {"uuid"},
    ValueType.BYTES: _BYTES,
    ValueType.TEXT: _TEXTS | {"enum", "set", "inet4", "inet6", "uuid"},
    ValueType.OTHER: _TEXTS,
}
_FRACTION = re.compile(r"(?:datetime|timestamp|time)(?:\((\d)\))?")


class TableColumn(Record, frozen=True):
    name: str
    kind: str
    native: str
    nullable: bool
    filled: bool
    """Whether a row may leave it out."""
    generated: bool


class TableShape(Record, frozen=True):
    """A table that is there."""

    columns: tuple[TableColumn, ...]
    engine: str
    is_view: bool
    comment: str
    unique: tuple[tuple[str, ...], ...]

    def column(self, name: str) -> TableColumn | None:
        return next((each for each in self.columns if each.name.lower() == name.lower()), None)


def shape_of(connection: Connection, place: tuple[str, str]) -> TableShape | None:
    schema, name = (text_literal(part) for part in place)
    here = f"table_schema = {schema} AND table_name = {name}"
    found = rows_of(
        connection, f"SELECT engine, table_type, table_comment FROM information_schema.tables WHERE {here}"
    )
    if not found:
        return None
    columns = rows_of(
        connection,
        "SELECT column_name, data_type, column_type, is_nullable, column_default, extra "
        f"FROM information_schema.columns WHERE {here} ORDER BY ordinal_position",
    )
    keys: dict[str, list[str]] = {}
    for index, column, part in rows_of(
        connection,
        "SELECT index_name, column_name, sub_part FROM information_schema.statistics "
        f"WHERE {here} AND non_unique = 0 ORDER BY index_name, seq_in_index",
    ):
        keys.setdefault(str(index), []).append(str(column) if part is None else "")
    engine, kind, comment = found[0]
    return TableShape(
        columns=tuple(_table_column(row) for row in columns),
        engine=(engine or "").lower(),
        is_view="VIEW" in str(kind),
        comment=comment or "",
        unique=tuple(tuple(parts) for parts in keys.values()),
    )


def why_not(column: FlowColumn, there: TableColumn) -> str | None:
    """Why a column of a table cannot take one of a flow; None where it can, or where it will refuse what it
    cannot take when it meets it."""
    if there.generated:
        return f"{there.name} is computed by the table"
    if _fits(column, there):
        return None
    return (
        f"{column.name} is {column.native or column.type.value} in the flow and {there.native} in the table"
    )


def staged_as(there: TableColumn) -> str | None:
    """The type in which a column is staged where its own would bend values without a word."""
    if (fraction := _FRACTION.fullmatch(there.native)) and fraction[1] != "6":
        return f"{there.kind}(6)"
    if there.kind == "char":
        return there.native.replace("char", "varchar", 1)
    if there.kind == "binary":
        return there.native.replace("binary", "varbinary", 1)
    return None


def bent(there: TableColumn) -> str | None:
    """The condition on a staged row that the table's own type would bend."""
    name = quoted(there.name)
    if (fraction := _FRACTION.fullmatch(there.native)) and fraction[1] != "6":
        return f"MICROSECOND({name}) % {10 ** (6 - int(fraction[1] or 0))} <> 0"
    if there.kind == "char":
        return f"{name} LIKE '% '"
    if there.kind == "binary":
        length = re.search(r"\d+", there.native)
        return f"LENGTH({name}) <> {length[0] if length else 1}"
    return None


def _fits(column: FlowColumn, there: TableColumn) -> bool:
    kind = there.kind
    match column.type:
        case ValueType.FLOAT:
            return kind == "double" or (kind == "float" and column.bits == 32)
        case ValueType.INTEGER if kind in ("double", "float"):
            return column.bits <= (32 if kind == "double" else 16)
        case ValueType.DECIMAL if kind in _WHOLE:
            return column.precision is not None and not column.scale
        case ValueType.INTERVAL if kind == "time":
            return column.native == "time"
        case _:
            return kind in _FITTING[column.type]


def _table_column(row: tuple[str | None, ...]) -> TableColumn:
    name, kind, native, nullable, default, extra = row
    told = (extra or "").lower()
    generated = "generated" in told.replace("default_generated", "") or "virtual" in told or "stored" in told
    filled = nullable == "YES" or default is not None or "auto_increment" in told or generated
    return TableColumn(
        str(name), str(kind).lower(), str(native).lower(), nullable == "YES", filled, generated
    )
