"""The shape of a MySQL or MariaDB database, from its information schema."""

import re
from collections import defaultdict

from dragoman.contracts.access import Reader
from dragoman.contracts.errors import DragomanError
from dragoman.contracts.query import Value
from dragoman.contracts.schema import ColumnInfo, Dialect, ForeignKey, Shape, TableKind, ValueType
from dragoman.databases.access.native_types import value_type
from dragoman.databases.discovery.catalog_reader import catalog_rows, count_of, text_of
from dragoman.databases.discovery.draft import Draft, Place

_TABLES = """
SELECT table_name, table_type, table_rows, table_comment FROM information_schema.tables
WHERE table_schema = DATABASE()
"""
_COLUMNS = """
SELECT table_name, column_name, column_type, is_nullable, column_comment, privileges
FROM information_schema.columns WHERE table_schema = DATABASE() ORDER BY table_name, ordinal_position
"""
_UNIQUE = """
SELECT table_name, index_name, column_name, sub_part FROM information_schema.statistics
WHERE table_schema = DATABASE() AND non_unique = 0 ORDER BY table_name, index_name, seq_in_index
"""
_FOREIGN = """
SELECT table_name, constraint_name, column_name, referenced_table_name, referenced_column_name
FROM information_schema.key_column_usage
WHERE table_schema = DATABASE() AND referenced_table_schema = DATABASE() AND referenced_table_name IS NOT NULL
ORDER BY table_name, constraint_name, ordinal_position
"""
# MariaDB keeps JSON as text with a check; MySQL has a type for it and no such column in its catalog.
_JSON = """
SELECT table_name, check_clause FROM information_schema.check_constraints
WHERE constraint_schema = DATABASE()
"""

_JSON_CHECK = re.compile(r"json_valid\(`((?:[^`]|``)+)`\)", re.IGNORECASE)
_LITERAL = re.compile(r"'((?:[^'\\]|''|\\.)*)'", re.DOTALL)
_TABLE_TYPES = {
    "BASE TABLE": TableKind.TABLE,
    "SYSTEM VERSIONED": TableKind.TABLE,
    "VIEW": TableKind.VIEW,
    "SYSTEM VIEW": TableKind.VIEW,
}


def mysql_shape(reader: Reader) -> Shape:
    draft = Draft()
    for name, kind, rows, comment in catalog_rows(reader, _TABLES):
        place, table_kind = ("", text_of(name)), _TABLE_TYPES.get(text_of(kind))
        if table_kind is None:
            continue
        told = text_of(comment)
        is_view = table_kind is TableKind.VIEW
        draft.table(place, table_kind, None if is_view else count_of(rows), "" if told == "VIEW" else told)
        # What is wrong with a view stands where its comment would.
        if is_view and told not in ("", "VIEW"):
            draft.skip(place, told)
    json = _json_columns(reader)
    for row in catalog_rows(reader, _COLUMNS):
        _add_column(draft, row, json)
    _add_unique_keys(draft, catalog_rows(reader, _UNIQUE))
    _add_foreign_keys(draft, catalog_rows(reader, _FOREIGN))
    return draft.finish()


def enumerated(native: str) -> tuple[str, ...]:
    """The words of an `enum('new','paid')`, as the type lists them."""
    if not native.lower().startswith("enum("):
        return ()
    return tuple(text.replace("''", "'") for text in _LITERAL.findall(native))


def _add_column(draft: Draft, row: tuple[Value, ...], json: set[tuple[str, str]]) -> None:
    table, name, native, nullable, comment, privileges = map(text_of, row)
    if "select" not in privileges.lower():
        return
    kind = (
        ValueType.JSON
        if (table, name) in json
        else value_type(Dialect.MYSQL, native.removesuffix(" zerofill"))
    )
    words = enumerated(native)
    draft.column(
        ("", table), ColumnInfo(name, kind, native, nullable == "YES", comment=comment, samples=words)
    )


def _json_columns(reader: Reader) -> set[tuple[str, str]]:
    try:
        rows = catalog_rows(reader, _JSON)
    except DragomanError:
        return set()
    found = ((text_of(table), _JSON_CHECK.fullmatch(text_of(check))) for table, check in rows)
    return {(table, match[1].replace("``", "`")) for table, match in found if match}


def _add_unique_keys(draft: Draft, rows: list[tuple[Value, ...]]) -> None:
    keys: dict[tuple[str, str], list[tuple[str, bool]]] = defaultdict(list)
    for table, index, name, part in rows:
        # A part of a column, or an expression in its place, makes no key of the column.
        keys[text_of(table), text_of(index)].append((text_of(name), part is None and name is not None))
    for (table_name, index_name), parts in keys.items():
        place: Place = ("", table_name)
        columns = [name for name, _ in parts]
        if index_name == "PRIMARY":
            draft.primary_key(place, columns)
        elif all(whole for _, whole in parts):
            draft.unique_key(place, columns)


def _add_foreign_keys(draft: Draft, rows: list[tuple[Value, ...]]) -> None:
    keys: dict[tuple[str, str], list[tuple[str, str, str]]] = defaultdict(list)
    for table, name, own, target, target_column in rows:
        keys[text_of(table), text_of(name)].append((text_of(own), text_of(target), text_of(target_column)))
    for (table_name, _), parts in keys.items():
        columns, targets = tuple(part[0] for part in parts), tuple(part[2] for part in parts)
        draft.foreign_key(("", table_name), ForeignKey(columns, parts[0][1], targets))
