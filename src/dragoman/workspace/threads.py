"""Work in a thread that a task waits for. A task that is cancelled stops the work, and waits until it has."""

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

from dragoman.contracts.cancellation import Cancellation
from dragoman.contracts.errors import DragomanError

_T = TypeVar("_T")


async def in_thread(work: Callable[[], _T], cancel: Cancellation | None = None) -> _T:
    """What `work` returns or raises; `cancel` is what it listens to."""
    working = asyncio.ensure_future(asyncio.to_thread(work))
    try:
        return await asyncio.shield(working)
    except asyncio.CancelledError:
        if cancel is not None:
            # Whoever is told may have to ask a server: the event loop must not wait for that, and neither
            # must a pool whose threads are all taken by what is to be stopped.
            threading.Thread(target=cancel.cancel, name="cancel", daemon=True).start()
        working.add_done_callback(_heard)
        # How it ended is of no interest any more; that it has ended is.
        with suppress(DragomanError):
            await asyncio.shield(working)
        raise


def _heard(work: "asyncio.Future[_T]") -> None:
    """An error that nobody waits for is not a lost one."""
    if not work.cancelled():
        work.exception()
