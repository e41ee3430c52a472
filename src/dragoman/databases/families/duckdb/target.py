"""A DuckDB file that can be opened."""

from dragoman.contracts.access import DatabaseReader, WriteSession
from dragoman.contracts.query import ReadLimits
from dragoman.databases.families.duckdb.address import DuckdbAddress


class DuckdbTarget(DuckdbAddress, frozen=True):
    def reader(self, limits: ReadLimits) -> DatabaseReader:
        from dragoman.databases.families.duckdb.duckdb_reader import DuckdbReader

        return DuckdbReader(self, limits)

    def session(self) -> WriteSession:
        from dragoman.databases.families.duckdb.write_session import DuckdbSession

        return DuckdbSession(self)
