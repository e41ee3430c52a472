"""The sessions that were used last, kept in memory: a bounded cache that several threads may share."""

from collections import OrderedDict
from threading import Lock
from typing import Generic, TypeVar

Kept = TypeVar("Kept")


class RecentSessions(Generic[Kept]):
    """At most `size` sessions, the newest kept.

    Two threads may keep one session at once, and the later one stays although it may have the older state.
    That is harmless: what is kept is always compared with the store before a turn is built on it.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._lock = Lock()
        self._kept: OrderedDict[str, Kept] = OrderedDict()

    def get(self, session_id: str) -> Kept | None:
        with self._lock:
            return self._kept.get(session_id)

    def keep(self, session_id: str, found: Kept) -> Kept:
        with self._lock:
            self._kept[session_id] = found
            self._kept.move_to_end(session_id)
            if len(self._kept) > self._size:
                self._kept.popitem(last=False)
        return found

    def forget(self, session_id: str) -> Kept | None:
        """Drop a session, and give back what was kept of it."""
        with self._lock:
            return self._kept.pop(session_id, None)
