"""Reading from a source of any family: exact values, bounded in rows, time and memory, and only reading."""

from dragoman.catalog.access.cancellation import Cancellation
from dragoman.catalog.access.reader import DatabaseReader, open_reader
from dragoman.catalog.access.target import (
    DuckdbTarget,
    FilesTarget,
    MysqlTarget,
    PostgresTarget,
    RestTarget,
    SqliteTarget,
    Target,
    Tls,
)

__all__ = [
    "Cancellation",
    "DatabaseReader",
    "DuckdbTarget",
    "FilesTarget",
    "MysqlTarget",
    "PostgresTarget",
    "RestTarget",
    "SqliteTarget",
    "Target",
    "Tls",
    "open_reader",
]
