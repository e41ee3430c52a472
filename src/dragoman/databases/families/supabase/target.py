"""The address of a project that is only asked over REST."""

from dragoman.contracts.access import DatabaseReader, WriteSession
from dragoman.contracts.query import ReadLimits
from dragoman.contracts.record import Record
from dragoman.databases.access.target import HIDDEN, only_read


class RestTarget(Record, frozen=True):
    """A project that is only asked over REST, as PostgREST speaks it. `schemas` as in PostgreSQL: the first
    is the default one."""

    base_url: str
    key: str = ""
    schemas: tuple[str, ...] = ("public",)

    def __repr__(self) -> str:
        return f"RestTarget({self.base_url}{f', key={HIDDEN}' if self.key else ''})"

    def reader(self, limits: ReadLimits) -> DatabaseReader:
        from dragoman.databases.families.supabase.rest_reader import RestReader

        return RestReader(self, limits)

    def session(self) -> WriteSession:
        raise only_read()
