"""Renews the leases of the turns this process holds, so that a slow turn is not taken for a dead one."""

import threading

from dragoman.contracts.errors import StoreError
from dragoman.session.stores.protocol import SessionStore, Ticket


class LeaseKeeper:
    """One thread for all turns, started with the first; a quick turn never meets it."""

    def __init__(self, store: SessionStore, interval: float) -> None:
        self._store = store
        self._interval = interval
        self._held: dict[str, Ticket] = {}
        self._stopped = threading.Event()
        self._thread: threading.Thread | None = None

    def watch(self, ticket: Ticket) -> None:
        self._held[ticket.turn_id] = ticket
        if self._thread is None:
            self._thread = threading.Thread(target=self._renew_all, name="dragoman-leases", daemon=True)
            self._thread.start()

    def release(self, ticket: Ticket) -> None:
        self._held.pop(ticket.turn_id, None)

    def stop(self) -> None:
        self._stopped.set()
        if self._thread is not None:
            self._thread.join()

    def _renew_all(self) -> None:
        while not self._stopped.wait(self._interval):
            for ticket in list(self._held.values()):
                try:
                    self._store.renew(ticket)
                except StoreError:
                    # The next round tries again; if none succeeds the lease ends, and the commit says so.
                    continue
