"""Ctrl-C and SIGTERM while a command works: the first stops it in good order, the second at once."""

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

import click

from dragoman.cli.failures import INTERRUPTED
from dragoman.contracts.cancellation import Cancellation

_SIGNALS = (signal.SIGINT, signal.SIGTERM)
GRACE_SECONDS = 5.0
"""What has not stopped and cleaned up by then is ended; the next start settles what it left."""


class Stopping:
    """What was heard, and the wish that follows from it."""

    def __init__(self) -> None:
        self.cancel = Cancellation()
        self.heard: list[int] = []
        self._last: threading.Timer | None = None

    def listen(self, pipe: int) -> None:
        """Until the pipe is closed, take the numbers of signals from it."""
        while data := os.read(pipe, 1):
            if data[0] in _SIGNALS:
                self._hear(data[0])

    def rest(self) -> None:
        """What was to be stopped has stopped."""
        if self._last is not None:
            self._last.cancel()

    def _hear(self, number: int) -> None:
        if self.heard:
            os._exit(INTERRUPTED)
        self.heard.append(number)
        self._last = threading.Timer(GRACE_SECONDS, os._exit, (INTERRUPTED,))
        self._last.daemon = True
        self._last.start()
        # Whoever is told may have to ask a server, and a second signal must not wait for that.
        threading.Thread(target=self.cancel.cancel, daemon=True).start()


@contextmanager
def stoppable() -> Iterator[Stopping]:
    """While the block works, signals are heard by a thread of their own.

    Python calls a handler on the main thread, between two of its instructions; a main thread that waits for a
    database inside a driver makes none for as long as the query takes. So the handler does nothing: what
    counts is that the number of the signal is written to a pipe at the moment when it comes.
    """
    stopping = Stopping()
    if threading.current_thread() is not threading.main_thread():
        yield stopping
        return
    hearing, telling = os.pipe()
    os.set_blocking(telling, False)
    listener = threading.Thread(target=stopping.listen, args=(hearing,), name="signals", daemon=True)
    listener.start()
    before = {number: signal.signal(number, _nothing) for number in _SIGNALS}
    pipe_before = signal.set_wakeup_fd(telling, warn_on_full_buffer=False)
    try:
        yield stopping
    finally:
        signal.set_wakeup_fd(pipe_before)
        for number, handler in before.items():
            signal.signal(number, handler)
        os.close(telling)
        listener.join()
        os.close(hearing)
        stopping.rest()


def exit_if_stopped(stopping: Stopping) -> None:
    """The exit code of a command that was told to stop, though it had something to show."""
    if stopping.heard:
        raise click.exceptions.Exit(INTERRUPTED)


def _nothing(number: int, frame: FrameType | None) -> None:
    pass
