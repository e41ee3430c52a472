"""The fingerprint of a shape: names, types and keys, whatever the order they were told in."""

import hashlib

import msgspec

from dragoman.contracts.schema import Dialect, Shape, TableInfo


def fingerprint_of(dialect: Dialect, shape: Shape) -> str:
    """Data, comments, estimates and what was inferred from data do not count."""
    tables = sorted(_told(table) for table in shape.tables)
    return hashlib.sha256(msgspec.json.encode([dialect.value, tables])).hexdigest()


def _told(table: TableInfo) -> list[object]:
    return [
        table.schema,
        table.name,
        table.kind.value,
        sorted(
            [column.name, column.native, str(column.nullable), *column.options] for column in table.columns
        ),
        list(table.primary_key),
        sorted(sorted(key) for key in table.unique_keys),
        sorted(
            [
                key.schema,
                key.table,
                *map("\0".join, sorted(zip(key.columns, key.target_columns, strict=True))),
            ]
            for key in table.foreign_keys
            if key.declared
        ),
        # A view whose query changes shows other rows, though its columns stay.
        *([table.definition, *table.parents] if table.definition or table.parents else ()),
    ]
