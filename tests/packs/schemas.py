"""The schema of an SQLite database, as far as tests of packs need it."""

import sqlite3
from contextlib import closing

from dragoman.contracts.schema import (
    ColumnInfo,
    DatabaseSchema,
    Dialect,
    ForeignKey,
    TableInfo,
    TableKind,
    ValueType,
)

_TYPES = {
    "INTEGER": ValueType.INTEGER,
    "DATE": ValueType.DATE,
    "DECIMAL": ValueType.DECIMAL,
    "VARCHAR": ValueType.TEXT,
}


def schema_of(script: str, dialect: Dialect = Dialect.POSTGRES) -> DatabaseSchema:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(script)
        read = connection.execute
        tables = [
            TableInfo(
                name,
                TableKind(kind),
                tuple(
                    ColumnInfo(column, _TYPES.get(native.partition("(")[0], ValueType.TEXT), native)
                    for _, column, native, *_ in read(f"PRAGMA table_info({name})")
                ),
                primary_key=tuple(row[1] for row in read(f"PRAGMA table_info({name})") if row[5]),
                foreign_keys=tuple(
                    ForeignKey((row[3],), row[2], (row[4],))
                    for row in read(f"PRAGMA foreign_key_list({name})")
                ),
                definition=sql if kind == "view" else "",
            )
            for name, kind, sql in read(
                "SELECT name, type, sql FROM sqlite_master WHERE type IN ('table', 'view')"
            )
        ]
    return DatabaseSchema("postgres", dialect, tuple(tables), "f")
