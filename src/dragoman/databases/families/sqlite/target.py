"""The address of a SQLite file."""

from pathlib import Path

from dragoman.contracts.access import DatabaseReader, WriteSession
from dragoman.contracts.query import ReadLimits
from dragoman.contracts.record import Record


class SqliteTarget(Record, frozen=True):
    path: Path

    def reader(self, limits: ReadLimits) -> DatabaseReader:
        from dragoman.databases.families.sqlite.sqlite_reader import SqliteReader

        return SqliteReader(self, limits)

    def session(self) -> WriteSession:
        from dragoman.databases.families.sqlite.write_session import SqliteSession

        return SqliteSession(self)
