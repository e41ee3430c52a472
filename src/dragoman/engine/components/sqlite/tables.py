"""A table of SQLite as a target: which types hold a flow exactly, and whether the one that is there fits."""

import sqlite3

from dragoman.catalog.access.native_types import value_type
from dragoman.contracts.errors import ColumnRefused, SchemaDrift, StepRefused
from dragoman.contracts.flow import ColumnWarning, FlowColumn, OnDrift
from dragoman.contracts.record import Record
from dragoman.contracts.schema import Dialect, ValueType
from dragoman.engine.hub import quoted

_NUMERIC_DIGITS = 15
"""So many digits of a decimal SQLite keeps where it makes a float of it."""

_TYPES = {
    ValueType.INTEGER: "INTEGER",
    ValueType.FLOAT: "REAL",
    ValueType.BOOLEAN: "BOOLEAN",
    ValueType.DATE: "DATE",
    ValueType.TIME: "TIME",
    ValueType.DATETIME: "DATETIME",
    ValueType.INSTANT: "TIMESTAMPTZ",
    ValueType.UUID: "UUID",
    ValueType.BYTES: "BLOB",
    ValueType.JSON: "JSON_TEXT",
}
"""A name with TEXT in it keeps what looks like a number as the text it is."""


class ExistingColumn(Record, frozen=True):
    name: str
    native: str
    required: bool
    generated: bool = False


def sqlite_type(column: FlowColumn) -> str:
    match column.type:
        case ValueType.DECIMAL if column.precision is None:
            return "DECIMAL_TEXT"
        case ValueType.DECIMAL:
            return f"DECIMAL_TEXT({column.precision},{column.scale or 0})"
        case ValueType.INTEGER if column.bits == 64 and not column.signed:
            return "DECIMAL_TEXT(20,0)"
        case _:
            return _TYPES.get(column.type, "TEXT")


def warnings_of(columns: tuple[FlowColumn, ...]) -> tuple[ColumnWarning, ...]:
    found = list[ColumnWarning]()
    for column in columns:
        name = column.name
        match column.type:
            case ValueType.FLOAT:
                said = f"SQLite keeps no minus before a nought in {name}"
                found.append(ColumnWarning(name, "negative_zero_to_zero", said))
            case ValueType.INTEGER if column.bits == 64 and not column.signed:
                said = f"{name} may go beyond SQLite's whole numbers and is kept as decimal text"
                found.append(ColumnWarning(name, "unsigned_as_decimal", said))
            case ValueType.INTERVAL | ValueType.OTHER:
                found.append(ColumnWarning(name, f"{column.type.value}_as_text", f"{name} is kept as text"))
            case _:
                pass
    return tuple(found)


def refuse_names(columns: tuple[FlowColumn, ...]) -> None:
    """SQLite does not tell names apart that differ by case alone. Raises ColumnRefused, StepRefused."""
    if not columns:
        raise StepRefused("nothing flows into the table: there are no columns", hint="select some")
    seen = set[str]()
    for column in columns:
        folded = folded_name(column.name)
        if not column.name or "\0" in column.name or folded in seen:
            raise ColumnRefused(
                f"SQLite cannot have a column {column.name!r} beside the others",
                hint="name it otherwise in the query",
                column=column.name,
            )
        seen.add(folded)


def folded_name(name: str) -> str:
    """As SQLite compares names: only the letters of ASCII lose their case."""
    return "".join(chr(ord(c) + 32) if "A" <= c <= "Z" else c for c in name)


def existing_columns(connection: sqlite3.Connection, table: str) -> tuple[ExistingColumn, ...]:
    """None where there is no such table. Raises StepRefused of a view."""
    found = connection.execute(
        "SELECT type FROM sqlite_master WHERE name = ? COLLATE NOCASE AND type IN ('table', 'view')", (table,)
    ).fetchone()
    if found is None:
        return ()
    if found[0] == "view":
        raise StepRefused(f"{table} is a view", hint="write to a table")
    rows = connection.execute(f"PRAGMA table_xinfo({quoted(table)})").fetchall()
    return tuple(
        ExistingColumn(row[1], row[2] or "", bool(row[3]) and row[4] is None and not row[5], row[6] in (2, 3))
        for row in rows
        if row[6] != 1
    )


def missing_columns(
    table: str, existing: tuple[ExistingColumn, ...], columns: tuple[FlowColumn, ...], policy: OnDrift
) -> tuple[FlowColumn, ...]:
    """What has to be added to the table. Raises SchemaDrift where it must not be, or a type does not fit."""
    known = {folded_name(each.name): each for each in existing}
    new = tuple(column for column in columns if folded_name(column.name) not in known)
    if new and policy is OnDrift.FAIL:
        names = [column.name for column in new]
        raise SchemaDrift(
            f"{table} has no column {', '.join(names)}",
            hint='add it, or say :on_drift "add_columns"',
            columns=names,
        )
    for column in columns:
        there = known.get(folded_name(column.name))
        if there is not None and (there.generated or not _fits(column, there.native)):
            raise SchemaDrift(
                f"the column {there.name} of {table} is {there.native or 'without a type'}, "
                f"which does not keep {column.native or column.type.value} exactly",
                hint=f"make it {sqlite_type(column)}",
                columns=[column.name],
            )
    given = {folded_name(column.name) for column in columns}
    empty = [each.name for each in existing if each.required and folded_name(each.name) not in given]
    if empty:
        raise SchemaDrift(
            f"{table} requires {', '.join(empty)}, which does not flow", hint="select it too", columns=empty
        )
    return new


def _fits(column: FlowColumn, native: str) -> bool:
    """Whether a column declared so gives back what is put in."""
    affinity, held = _affinity(native), value_type(Dialect.SQLITE, native) if native else ValueType.OTHER
    match column.type:
        case ValueType.INTEGER if column.bits == 64 and not column.signed:
            return affinity in ("TEXT", "BLOB") and held is not ValueType.BYTES
        case ValueType.INTEGER:
            return affinity in ("INTEGER", "NUMERIC", "BLOB") and held in (
                ValueType.INTEGER,
                ValueType.DECIMAL,
                ValueType.OTHER,
            )
        case ValueType.DECIMAL if affinity == "NUMERIC":
            return held is ValueType.DECIMAL and (column.precision or 99) <= _NUMERIC_DIGITS
        case ValueType.DECIMAL | ValueType.TEXT | ValueType.JSON | ValueType.OTHER | ValueType.INTERVAL:
            return affinity == "TEXT" or not native
        case ValueType.FLOAT:
            return affinity == "REAL" or not native
        case ValueType.BOOLEAN:
            return held in (ValueType.BOOLEAN, ValueType.INTEGER) or not native
        case ValueType.BYTES:
            return affinity == "BLOB"
        case _:
            return held in (column.type, ValueType.TEXT) or not native


def _affinity(native: str) -> str:
    """How SQLite itself reads a declared type."""
    name = native.upper()
    if "INT" in name:
        return "INTEGER"
    if any(part in name for part in ("CHAR", "CLOB", "TEXT")):
        return "TEXT"
    if "BLOB" in name or not name.strip():
        return "BLOB"
    return "REAL" if any(part in name for part in ("REAL", "FLOA", "DOUB")) else "NUMERIC"


def has_unique_key(connection: sqlite3.Connection, table: str, key: tuple[str, ...]) -> bool:
    wanted = {folded_name(name) for name in key}
    rows = connection.execute(f"PRAGMA table_info({quoted(table)})").fetchall()
    if {folded_name(row[1]) for row in rows if row[5]} == wanted:
        return True
    for _, index, unique, _, partial in connection.execute(f"PRAGMA index_list({quoted(table)})").fetchall():
        parts = connection.execute(f"PRAGMA index_info({quoted(index)})").fetchall()
        if unique and not partial and {folded_name(part[2] or "") for part in parts} == wanted:
            return True
    return False


def created(table: str, columns: tuple[FlowColumn, ...], key: tuple[str, ...]) -> str:
    keys = {folded_name(name) for name in key}
    parts = [
        f"{quoted(column.name)} {sqlite_type(column)}"
        + (" NOT NULL" if folded_name(column.name) in keys or not column.nullable else "")
        for column in columns
    ]
    if key:
        parts.append(f"PRIMARY KEY ({', '.join(map(quoted, key))})")
    return f"CREATE TABLE {quoted(table)} ({', '.join(parts)})"
