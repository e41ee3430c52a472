"""The address of a project that is only asked over REST."""

from dragoman.contracts.record import Record
from dragoman.databases.access.target import HIDDEN


class RestAddress(Record, frozen=True):
    """A project that is only asked over REST, as PostgREST speaks it. `schemas` as in PostgreSQL: the first
    is the default one."""

    base_url: str
    key: str = ""
    schemas: tuple[str, ...] = ("public",)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.base_url}{f', key={HIDDEN}' if self.key else ''})"
