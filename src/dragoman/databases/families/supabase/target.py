"""A project over REST that can be opened."""

from dragoman.contracts.access import DatabaseReader, WriteSession
from dragoman.contracts.query import ReadLimits
from dragoman.databases.access.target import only_read
from dragoman.databases.families.supabase.address import RestAddress


class RestTarget(RestAddress, frozen=True):
    def reader(self, limits: ReadLimits) -> DatabaseReader:
        from dragoman.databases.families.supabase.rest_reader import RestReader

        return RestReader(self, limits)

    def session(self) -> WriteSession:
        raise only_read()
