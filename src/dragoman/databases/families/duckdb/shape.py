"""The shape of a DuckDB database, and of files that are read through one."""

from sqlglot import exp

from dragoman.contracts.access import Reader
from dragoman.contracts.decoding import decoded
from dragoman.contracts.errors import DragomanError
from dragoman.contracts.query import ReadLimits
from dragoman.contracts.schema import ColumnInfo, Dialect, ForeignKey, Shape, TableKind
from dragoman.databases.access.native_types import value_type
from dragoman.databases.discovery.catalog_reader import catalog_rows, count_of, text_of
from dragoman.databases.discovery.declared_options import listed_in_type, options_in_check, together
from dragoman.databases.discovery.draft import Draft, Place
from dragoman.databases.discovery.statements import query_of, selected, table_at

_TABLES = """
SELECT schema_name, table_name, 'table' AS kind, estimated_size, comment FROM duckdb_tables()
WHERE database_name = current_database() AND NOT internal AND NOT temporary
UNION ALL
SELECT schema_name, view_name, 'view', NULL, comment FROM duckdb_views()
WHERE database_name = current_database() AND NOT internal AND NOT temporary
"""
_DEFINITIONS = """
SELECT schema_name, view_name, sql FROM duckdb_views()
WHERE database_name = current_database() AND NOT internal AND NOT temporary
"""
_COLUMNS = """
SELECT c.schema_name, c.table_name, c.column_name, c.data_type, c.is_nullable, c.comment,
  CASE WHEN t.sql LIKE '%GENERATED ALWAYS AS%' THEN c.column_default END
FROM duckdb_columns() AS c LEFT JOIN duckdb_tables() AS t USING (database_name, schema_name, table_name)
WHERE c.database_name = current_database() AND NOT c.internal
ORDER BY c.schema_name, c.table_name, c.column_index
"""
"""The catalog tells what a column is computed from where it tells what others begin with."""
_CHECKS = """
SELECT schema_name, table_name, expression FROM duckdb_constraints()
WHERE database_name = current_database() AND constraint_type = 'CHECK'
ORDER BY schema_name, table_name, constraint_index
"""
_KEYS = """
SELECT schema_name, table_name, constraint_type, CAST(to_json(constraint_column_names) AS VARCHAR),
  referenced_table, CAST(to_json(referenced_column_names) AS VARCHAR)
FROM duckdb_constraints()
WHERE database_name = current_database() AND constraint_type IN ('PRIMARY KEY', 'UNIQUE', 'FOREIGN KEY')
ORDER BY schema_name, table_name, constraint_index
"""
_DEFAULT = "main"
_PROBE = ReadLimits(rows=1, seconds=5.0)


def duckdb_shape(reader: Reader) -> Shape:
    draft = Draft()
    for schema, name, kind, size, comment in catalog_rows(reader, _TABLES):
        draft.table(
            _place(text_of(schema), text_of(name)), TableKind(text_of(kind)), count_of(size), text_of(comment)
        )
    for schema, table, name, native, nullable, comment, formula in catalog_rows(reader, _COLUMNS):
        kind_of_value = value_type(Dialect.DUCKDB, text_of(native))
        column = ColumnInfo(
            text_of(name),
            kind_of_value,
            text_of(native),
            bool(nullable),
            comment=text_of(comment),
            options=listed_in_type(text_of(native)),
            formula=text_of(formula),
        )
        draft.column(_place(text_of(schema), text_of(table)), column)
    for schema, name, text in catalog_rows(reader, _DEFINITIONS):
        draft.definition(_place(text_of(schema), text_of(name)), text_of(text))
    _add_options(reader, draft)
    _add_keys(reader, draft)
    _skip_broken_views(reader, draft)
    return draft.finish()


def _add_options(reader: Reader, draft: Draft) -> None:
    listed = (
        (_place(text_of(schema), text_of(table)), each)
        for schema, table, check in catalog_rows(reader, _CHECKS)
        for each in options_in_check(text_of(check), Dialect.DUCKDB)
    )
    for (place, column), options in together(listed).items():
        draft.options(place, column, options)


def _add_keys(reader: Reader, draft: Draft) -> None:
    for schema, table, kind, columns, target, target_columns in catalog_rows(reader, _KEYS):
        place = _place(text_of(schema), text_of(table))
        names = _names(text_of(columns))
        match text_of(kind):
            case "PRIMARY KEY":
                draft.primary_key(place, names)
            case "UNIQUE":
                draft.unique_key(place, names)
            case _:
                # A key cannot leave its schema.
                key = ForeignKey(names, text_of(target), _names(text_of(target_columns)), place[0])
                draft.foreign_key(place, key)


def _skip_broken_views(reader: Reader, draft: Draft) -> None:
    """The catalog tells a view's columns as they were when it was made, whatever became of its tables."""
    for place in draft.places(TableKind.VIEW):
        nothing = selected([exp.Star()], table_at(place), 0)
        try:
            reader.read(query_of(nothing, Dialect.DUCKDB), _PROBE)
        except DragomanError as error:
            draft.skip(place, error.message)


def _names(array: str) -> tuple[str, ...]:
    return tuple(decoded(array, list[str])) if array else ()


def _place(schema: str, name: str) -> Place:
    return ("" if schema == _DEFAULT else schema), name
