"""Files that can be opened as tables."""

from dragoman.contracts.access import DatabaseReader, WriteSession
from dragoman.contracts.query import ReadLimits
from dragoman.databases.access.target import only_read
from dragoman.databases.families.files.address import FilesAddress


class FilesTarget(FilesAddress, frozen=True):
    def reader(self, limits: ReadLimits) -> DatabaseReader:
        from dragoman.databases.families.files.files_reader import FilesReader

        return FilesReader(self, limits)

    def session(self) -> WriteSession:
        raise only_read()
