"""The watch over one read: it stops what runs too long or is no longer wanted."""

import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from enum import Enum, auto
from types import TracebackType

from dragoman.contracts.cancellation import Cancellation
from dragoman.contracts.errors import AccessError, QueryCancelled, QueryTimeout

GRACE_SECONDS = 2.0
"""How long something that was asked to stop may take before it is cut off."""

_AGAIN_SECONDS = 0.1


class Reason(Enum):
    TIME = auto()
    WISH = auto()


class Watch:
    """While the block runs, a thread waits for its deadline or a cancellation, then calls `stop`, and
    `cut_off` if that did not end it. `patience` is added to the deadline where something else is meant to
    keep it. After the block, `reason` tells whether it came to that.

    A server that is asked to stop between two statements has nothing to stop, and goes on with the next one.
    With `again` it is asked until the block ends."""

    def __init__(
        self,
        seconds: float,
        cancel: Cancellation | None,
        stop: Callable[[], None],
        cut_off: Callable[[], None] = lambda: None,
        patience: float = 0.0,
        *,
        again: bool = False,
    ) -> None:
        self.reason: Reason | None = None
        self._seconds = seconds
        self._patience = patience
        self._cancel = cancel
        self._stop = stop
        self._cut_off = cut_off
        self._again = again
        self._woken = threading.Event()
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._wait, name="dragoman-watch", daemon=True)
        self._listening = ExitStack()

    def __enter__(self) -> "Watch":
        if self._cancel is not None:
            self._listening.enter_context(self._cancel.told_to(self._woken.set))
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._done.set()
        self._woken.set()
        self._listening.close()
        # A stop that came too late must not hit what is read next.
        self._thread.join()

    def error(self) -> AccessError | None:
        """The error that tells why the read was stopped, if it was."""
        match self.reason:
            case None:
                return None
            case Reason.TIME:
                return timed_out(self._seconds)
            case Reason.WISH:
                return cancelled()

    def _wait(self) -> None:
        self._woken.wait(self._seconds + self._patience)
        if self._done.is_set():
            return
        asked = self._cancel is not None and self._cancel.cancelled
        self.reason = Reason.WISH if asked else Reason.TIME
        end = time.monotonic() + GRACE_SECONDS
        self._stop()
        while not self._done.wait(_AGAIN_SECONDS if self._again else GRACE_SECONDS):
            if time.monotonic() >= end:
                self._cut_off()
            if not self._again:
                return
            self._stop()


def timed_out(seconds: float) -> QueryTimeout:
    return QueryTimeout(
        f"the query took longer than {seconds:g} seconds and was stopped",
        hint="narrow the question, or allow more time",
        seconds=seconds,
    )


def cancelled() -> QueryCancelled:
    return QueryCancelled("the query was cancelled")
