"""A wish to stop a read, made from another thread than the one that reads."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class Cancellation:
    """Asked for once, it stays asked for: a read that is given it afterwards does not begin."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._asked = threading.Event()
        self._listeners: list[Callable[[], None]] = []

    @property
    def cancelled(self) -> bool:
        return self._asked.is_set()

    def cancel(self) -> None:
        with self._lock:
            self._asked.set()
            listeners = tuple(self._listeners)
        for listener in listeners:
            listener()

    @contextmanager
    def told_to(self, listener: Callable[[], None]) -> Iterator[None]:
        """Call the listener when it is cancelled meanwhile, or at once where it already was."""
        with self._lock:
            self._listeners.append(listener)
            asked = self._asked.is_set()
        if asked:
            listener()
        try:
            yield
        finally:
            with self._lock:
                self._listeners.remove(listener)
