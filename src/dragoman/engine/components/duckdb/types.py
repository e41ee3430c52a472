"""Types of DuckDB as columns of a flow, and the expression that gives each in its carrier."""

import re

from dragoman.contracts.errors import ColumnRefused
from dragoman.contracts.flow import FlowColumn
from dragoman.contracts.schema import ValueType
from dragoman.engine.carriers import MAX_DIGITS, carried_as_text, duckdb_type

_DECIMAL = re.compile(r"DECIMAL\((\d+),(\d+)\)")
_INTEGER = re.compile(r"(U?)(TINYINT|SMALLINT|INTEGER|BIGINT)")
_BITS = {"TINYINT": 8, "SMALLINT": 16, "INTEGER": 32, "BIGINT": 64}
_PLAIN = {
    "VARCHAR": ValueType.TEXT,
    '"NULL"': ValueType.TEXT,
    "BOOLEAN": ValueType.BOOLEAN,
    "DOUBLE": ValueType.FLOAT,
    "DATE": ValueType.DATE,
    "TIME": ValueType.TIME,
    "TIMESTAMP": ValueType.DATETIME,
    "TIMESTAMP_S": ValueType.DATETIME,
    "TIMESTAMP_MS": ValueType.DATETIME,
    "TIMESTAMP_NS": ValueType.DATETIME,
    "TIMESTAMP WITH TIME ZONE": ValueType.INSTANT,
    "BLOB": ValueType.BYTES,
    "UUID": ValueType.UUID,
    "JSON": ValueType.JSON,
}
_MARK = re.compile(r"dragoman cannot carry (\d+)")


def column_of(name: str, native: str) -> FlowColumn:
    """Raises ColumnRefused where a type has no carrier."""
    if found := _INTEGER.fullmatch(native):
        return FlowColumn(name, ValueType.INTEGER, bits=_BITS[found[2]], signed=not found[1], native=native)
    if found := _DECIMAL.fullmatch(native):
        return FlowColumn(
            name, ValueType.DECIMAL, precision=int(found[1]), scale=int(found[2]), native=native
        )
    if native == "HUGEINT":
        # The sum of whole numbers. One with 39 digits is refused when it is met.
        return FlowColumn(name, ValueType.DECIMAL, precision=MAX_DIGITS, scale=0, native=native)
    if native == "FLOAT":
        return FlowColumn(name, ValueType.FLOAT, bits=32, native=native)
    if native.startswith("ENUM("):
        return FlowColumn(name, ValueType.TEXT, native="ENUM")
    if native in _PLAIN:
        return FlowColumn(name, _PLAIN[native], native=native)
    raise ColumnRefused(
        f"the column {name} is a {native[:80]}, which does not flow from step to step",
        hint=f'cast it in the query: CAST("{name}" AS VARCHAR), or to_json("{name}")',
        column=name,
    )


def carrying(column: FlowColumn, number: int) -> str:
    """The expression for the column that the query calls `c1`, `c2` …"""
    value = f"c{number}"
    cast = f"CAST({value} AS {duckdb_type(column)})"
    error = f"error('dragoman cannot carry {number}')"
    match column.native:
        case "TIMESTAMP_NS":
            return f"CASE WHEN {value} IS NULL OR epoch_ns({value}) % 1000 = 0 THEN {cast} ELSE {error} END"
        case "HUGEINT":
            tried = f"TRY_CAST({value} AS {duckdb_type(column)})"
            return f"CASE WHEN {value} IS NULL OR {tried} IS NOT NULL THEN {tried} ELSE {error} END"
        case _:
            return cast


def refusal(message: str, columns: tuple[FlowColumn, ...]) -> ColumnRefused | None:
    found = _MARK.search(message)
    if found is None:
        return None
    name = columns[int(found[1]) - 1].name
    return ColumnRefused(
        f"the column {name} has a value that does not flow exactly: it has over 38 digits, or is finer than "
        "a microsecond",
        hint=f'cast it in the query: CAST("{name}" AS VARCHAR)',
        column=name,
    )


def table_type(column: FlowColumn) -> str:
    """The type in which a column stands in a table of a transform."""
    if carried_as_text(column) and column.type in (ValueType.JSON, ValueType.UUID):
        return column.type.value.upper()
    return duckdb_type(column)
