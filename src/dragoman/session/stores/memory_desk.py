"""Tokens and wishes of one process, kept nowhere."""

import threading
from collections.abc import Callable, Collection

from dragoman.session.stores import protocol as p


class MemoryDesk:
    def __init__(
        self, clock: Callable[[], float], turn_of: Callable[[str, str], p.StoredRecord | None]
    ) -> None:
        self._clock = clock
        self._turn_of = turn_of
        self._lock = threading.Lock()
        self._tokens: dict[str, p.StoredToken] = {}
        self._wishes: set[str] = set()

    def add_token(self, token: p.StoredToken) -> None:
        with self._lock:
            self._tokens[token.digest] = token

    def token(self, digest: str) -> p.StoredToken | None:
        with self._lock:
            return self._valid(self._tokens.get(digest))

    def take_token(self, digest: str) -> p.StoredToken | None:
        with self._lock:
            return self._valid(self._tokens.pop(digest, None))

    def tokens(self) -> list[p.StoredToken]:
        with self._lock:
            return sorted(self._tokens.values(), key=lambda token: (token.created_at, token.id))

    def drop_token(self, token_id: str) -> bool:
        with self._lock:
            found = next((d for d, token in self._tokens.items() if token.id == token_id), None)
            return found is not None and self._tokens.pop(found) is not None

    def turn_of(self, session_id: str, client_key: str) -> p.StoredRecord | None:
        return self._turn_of(session_id, client_key)

    def wish(self, turn_id: str) -> None:
        with self._lock:
            self._wishes.add(turn_id)

    def wished(self, turn_ids: Collection[str]) -> frozenset[str]:
        with self._lock:
            found = frozenset(turn_ids) & self._wishes
            self._wishes -= found
            return found

    def _valid(self, token: p.StoredToken | None) -> p.StoredToken | None:
        expired = token is not None and token.expires_at is not None and token.expires_at <= self._clock()
        return None if expired else token
