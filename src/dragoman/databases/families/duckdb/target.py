"""The address of a DuckDB file."""

from pathlib import Path

from dragoman.contracts.access import DatabaseReader, WriteSession
from dragoman.contracts.query import ReadLimits
from dragoman.contracts.record import Record


class DuckdbTarget(Record, frozen=True):
    path: Path

    def reader(self, limits: ReadLimits) -> DatabaseReader:
        from dragoman.databases.families.duckdb.duckdb_reader import DuckdbReader

        return DuckdbReader(self, limits)

    def session(self) -> WriteSession:
        from dragoman.databases.families.duckdb.write_session import DuckdbSession

        return DuckdbSession(self)
