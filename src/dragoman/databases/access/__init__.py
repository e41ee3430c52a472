"""Reading from a source of any family: exact values, bounded in rows, time and memory, and only reading."""

from dragoman.databases.access.cancellation import Cancellation
from dragoman.databases.access.database_reader import DatabaseReader, open_reader
from dragoman.databases.access.target import (
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
