"""A SQLite file that can be opened."""

from dragoman.contracts.access import DatabaseReader, WriteSession
from dragoman.contracts.query import ReadLimits
from dragoman.databases.families.sqlite.address import SqliteAddress


class SqliteTarget(SqliteAddress, frozen=True):
    def reader(self, limits: ReadLimits) -> DatabaseReader:
        from dragoman.databases.families.sqlite.sqlite_reader import SqliteReader

        return SqliteReader(self, limits)

    def session(self) -> WriteSession:
        from dragoman.databases.families.sqlite.write_session import SqliteSession

        return SqliteSession(self)
