"""The address of files that are read as tables."""

from pathlib import Path

from dragoman.contracts.access import DatabaseReader, WriteSession
from dragoman.contracts.query import ReadLimits
from dragoman.contracts.record import Record
from dragoman.databases.access.target import only_read


class FilesTarget(Record, frozen=True):
    """A folder, whose files each become a table, or single files. CSV, Parquet and JSON."""

    paths: tuple[Path, ...]

    def reader(self, limits: ReadLimits) -> DatabaseReader:
        from dragoman.databases.families.files.files_reader import FilesReader

        return FilesReader(self, limits)

    def session(self) -> WriteSession:
        raise only_read()
