"""Renews the leases of the turns this process holds, so that a slow turn is not taken for a dead one."""

import threading

from dragoman.contracts.errors import StoreError
from dragoman.session.stores.protocol import SessionStore, Ticket

THREAD_NAME = "dragoman-leases"


class LeaseKeeper:
    """One thread for all turns, started with the first; a quick turn never meets it.

    The thread ends when it wakes and finds no turn to keep, and the next turn starts another. So a journal
    that nobody closes leaves no thread behind, and one that is asked again and again starts one seldom.
    """

    def __init__(self, store: SessionStore, interval: float) -> None:
        self._store = store
        self._interval = interval
        self._lock = threading.Lock()
        self._held: dict[str, Ticket] = {}
        self._stopped = threading.Event()
        self._thread: threading.Thread | None = None

    def watch(self, ticket: Ticket) -> None:
        with self._lock:
            self._held[ticket.turn_id] = ticket
            # A process that was forked has the thread's record, but not the thread.
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._renew_all, name=THREAD_NAME, daemon=True)
                self._thread.start()

    def release(self, ticket: Ticket) -> None:
        with self._lock:
            self._held.pop(ticket.turn_id, None)

    def stop(self) -> None:
        self._stopped.set()
        with self._lock:
            thread = self._thread
        if thread is not None:
            thread.join()

    def _renew_all(self) -> None:
        while not self._stopped.wait(self._interval):
            held = self._still_held()
            if not held:
                return
            for ticket in held:
                try:
                    self._store.renew(ticket)
                except StoreError:
                    # The next round tries again; if none succeeds the lease ends, and the commit says so.
                    continue

    def _still_held(self) -> list[Ticket]:
        """The turns to keep. Without any the thread is given up here, under the lock that `watch` takes: a
        turn that begins now starts another and does not count on this one."""
        with self._lock:
            if not self._held:
                self._thread = None
            return list(self._held.values())
