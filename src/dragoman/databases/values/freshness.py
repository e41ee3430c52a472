"""Whether there is more to know of a database's values than was known when they were last asked for."""

from dragoman.contracts.connection import ResolvedConnection
from dragoman.databases.values.kept_values import Kept, KeptValues
from dragoman.databases.values.origin import origin_of

State = tuple[str, tuple[int, int] | None]


class Freshness:
    """What was seen of the kept values of one database. Every message asks it, so it knows no room above."""

    def __init__(self) -> None:
        self._connection: ResolvedConnection | None = None
        self._file: KeptValues | None = None
        self._token: tuple[int, int] | None = None
        self._kept: Kept | None = None
        self._sent: State | None = None

    def follow(self, connection: ResolvedConnection, file: KeptValues) -> None:
        """From now on it is about this file, as it is now."""
        self._connection, self._file, self._token = connection, file, file.token

    def saw(self, kept: Kept | None) -> None:
        """What the index is made of."""
        self._kept = kept

    def wrote(self, kept: Kept | None) -> None:
        """The file is as this process left it."""
        self._kept = kept
        self._token = None if self._file is None else self._file.token

    def is_first_sent(self, stamp: str) -> bool:
        """Whether nobody was sent yet to read the data as they are, for the file as it is: once is enough."""
        state = (stamp, self._token)
        first, self._sent = self._sent != state, state
        return first

    def is_outdated(self) -> bool:
        if self._file is None or self._connection is None or self._kept is None:
            return False
        if self._file.token != self._token:
            return True
        origin = origin_of(self._connection)
        if not self._file.is_due(self._kept, origin):
            return False
        return self._sent != (origin.stamp, self._token) and not self._file.is_locked
