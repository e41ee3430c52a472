"""A reader: the one way to the rows of a source, whatever family it is of."""

from types import TracebackType
from typing import Protocol, Self

from dragoman.contracts.query import Query, ReadLimits, ResultSet
from dragoman.contracts.schema import Dialect
from dragoman.databases.access.cancellation import Cancellation
from dragoman.databases.access.target import (
    DuckdbTarget,
    FilesTarget,
    MysqlTarget,
    PostgresTarget,
    RestTarget,
    SqliteTarget,
    Target,
)


class DatabaseReader(Protocol):
    """Reads one source. It can be used from several threads; reads then wait for each other."""

    @property
    def dialect(self) -> Dialect: ...

    def read(
        self,
        query: Query,
        limits: ReadLimits | None = None,
        cancel: Cancellation | None = None,
        *,
        user_sql: bool = False,
    ) -> ResultSet:
        """The rows of a query, up to the limits. `user_sql`: somebody outside wrote it, so nothing it may
        have done to the connection is kept. Raises AccessError."""
        ...

    def close(self) -> None: ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


def open_reader(target: Target, limits: ReadLimits | None = None) -> DatabaseReader:
    """A reader of a source. It connects when the first query comes, not before.

    Each family is imported when it is opened: nobody pays for a driver that is not used.
    """
    allowed = limits or ReadLimits()
    match target:
        case SqliteTarget():
            from dragoman.databases.access.sqlite.sqlite_reader import SqliteReader

            return SqliteReader(target, allowed)
        case PostgresTarget():
            from dragoman.databases.access.postgres.postgres_reader import PostgresReader

            return PostgresReader(target, allowed)
        case MysqlTarget():
            from dragoman.databases.access.mysql.mysql_reader import MysqlReader

            return MysqlReader(target, allowed)
        case DuckdbTarget():
            from dragoman.databases.access.duck.duckdb_reader import DuckdbReader

            return DuckdbReader(target, allowed)
        case FilesTarget():
            from dragoman.databases.access.duck.files import FilesReader

            return FilesReader(target, allowed)
        case RestTarget():
            from dragoman.databases.access.rest.rest_reader import RestReader

            return RestReader(target, allowed)
