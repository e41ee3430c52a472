"""The shape of a MySQL or MariaDB database, from its information schema."""

import contextlib
import re
from collections import defaultdict

from dragoman.contracts.access import Reader
from dragoman.contracts.errors import DragomanError
from dragoman.contracts.query import Value
from dragoman.contracts.schema import ColumnInfo, Dialect, ForeignKey, Shape, TableKind, ValueType
from dragoman.databases.access.native_types import value_type
from dragoman.databases.discovery.catalog_reader import catalog_rows, count_of, text_of
from dragoman.databases.discovery.declared_options import listed_in_type, options_in_check, together
from dragoman.databases.discovery.draft import Draft, Place

_TABLES = """
SELECT table_name, table_type, table_rows, table_comment FROM information_schema.tables
WHERE table_schema = DATABASE()
"""
_COLUMNS = """
SELECT table_name, column_name, column_type, is_nullable, column_comment, privileges,
  generation_expression
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
# MariaDB names the table of a check. MySQL, where names of checks are unique, tells it elsewhere.
_CHECKS = (
    """
SELECT table_name, check_clause FROM information_schema.check_constraints
WHERE constraint_schema = DATABASE()
""",
    """
SELECT t.table_name, c.check_clause FROM information_schema.check_constraints AS c
  JOIN information_schema.table_constraints AS t
    ON t.constraint_schema = c.constraint_schema AND t.constraint_name = c.constraint_name
WHERE c.constraint_schema = DATABASE() AND t.constraint_type = 'CHECK'
""",
)

_DEFINITIONS = """
SELECT table_name, view_definition FROM information_schema.views WHERE table_schema = DATABASE()
"""

_JSON_CHECK = re.compile(r"json_valid\(`((?:[^`]|``)+)`\)", re.IGNORECASE)
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
    for name, text in catalog_rows(reader, _DEFINITIONS):
        draft.definition(("", text_of(name)), text_of(text))
    checks = _checks(reader)
    json = _json_columns(checks)
    for row in catalog_rows(reader, _COLUMNS):
        _add_column(draft, row, json)
    listed = (
        (("", table), each) for table, check in checks for each in options_in_check(check, Dialect.MYSQL)
    )
    for (place, column), options in together(listed).items():
        draft.options(place, column, options)
    _add_unique_keys(draft, catalog_rows(reader, _UNIQUE))
    _add_foreign_keys(draft, catalog_rows(reader, _FOREIGN))
    return draft.finish()


def _add_column(draft: Draft, row: tuple[Value, ...], json: set[tuple[str, str]]) -> None:
    table, name, native, nullable, comment, privileges, formula = map(text_of, row)
    if "select" not in privileges.lower():
        return
    kind = (
        ValueType.JSON
        if (table, name) in json
        else value_type(Dialect.MYSQL, native.removesuffix(" zerofill"))
    )
    words = listed_in_type(native)
    draft.column(
        ("", table),
        ColumnInfo(
            name,
            kind,
            native,
            nullable == "YES",
            comment=comment,
            samples=words,
            options=words,
            formula=formula,
        ),
    )


def _checks(reader: Reader) -> list[tuple[str, str]]:
    """The CHECKs by their tables, from whichever catalog is there; an old server has none."""
    for query in _CHECKS:
        with contextlib.suppress(DragomanError):
            return [(text_of(table), text_of(check)) for table, check in catalog_rows(reader, query)]
    return []


def _json_columns(checks: list[tuple[str, str]]) -> set[tuple[str, str]]:
    """MariaDB keeps JSON as text with a check; MySQL has a type for it."""
    found = ((table, _JSON_CHECK.fullmatch(check)) for table, check in checks)
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
