"""Stops turns that somebody wants to stop, whichever server they asked: the wish stands in the store."""

import threading
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from typing import Final

from dragoman.contracts.cancellation import Cancellation
from dragoman.contracts.errors import DragomanError

POLL_SECONDS: Final = 0.25
"""Most turns end before anybody could look."""


class TurnWishes:
    """Looks for wishes as long as turns are being taken here. One thread for all of them."""

    def __init__(self, wished: Callable[[Collection[str]], frozenset[str]]) -> None:
        self._wished = wished
        self._taken: dict[str, Cancellation] = {}
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._closed = threading.Event()
        self._idle = False

    def stop(self, turn_id: str) -> bool:
        """Stop a turn that is taken here, at once; whether there is one."""
        with self._changed:
            cancel = self._taken.get(turn_id)
        if cancel is not None:
            cancel.cancel()
        return cancel is not None

    def stop_all(self) -> None:
        """Stop every turn that is taken here."""
        with self._changed:
            ids = tuple(self._taken)
        for turn_id in ids:
            self.stop(turn_id)

    @contextmanager
    def watching(self, cancel: Cancellation) -> Iterator[Callable[[str], None]]:
        """For the block; it is given what to call with the id of the turn."""
        mine: list[str] = []

        def begun(turn_id: str) -> None:
            with self._changed:
                mine.append(turn_id)
                self._taken[turn_id] = cancel
                if self._thread is None:
                    self._thread = threading.Thread(target=self._look, name="turn wishes", daemon=True)
                    self._thread.start()
                # Between two looks it sleeps: waking it for every turn would cost more than looking.
                if self._idle:
                    self._changed.notify_all()

        try:
            yield begun
        finally:
            with self._changed:
                for turn_id in mine:
                    self._taken.pop(turn_id, None)

    def close(self) -> None:
        with self._changed:
            self._closed.set()
            self._changed.notify_all()

    def _look(self) -> None:
        while True:
            with self._changed:
                self._idle = True
                self._changed.wait_for(lambda: self._closed.is_set() or bool(self._taken))
                self._idle = False
            if self._closed.wait(POLL_SECONDS):
                return
            with self._changed:
                ids = tuple(self._taken)
            if ids:
                self._stop_wished(ids)

    def _stop_wished(self, ids: tuple[str, ...]) -> None:
        try:
            wished = self._wished(ids)
        except DragomanError:
            # The store does not answer: the turn finds that out by itself.
            return
        for turn_id in wished:
            self.stop(turn_id)
