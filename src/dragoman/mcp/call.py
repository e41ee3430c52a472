"""A call of a tool while it runs: what stops it, and who is told how far it is."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any, TypeVar

from mcp.server.context import ServerRequestContext

from dragoman.contracts.cancellation import Cancellation
from dragoman.workspace.threads import in_thread

_T = TypeVar("_T")


class Call:
    """What the work of a call is given. `tell` may be called from any thread."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        self.cancel = Cancellation()
        self.tell = tell


class Calls:
    """The calls that are running, so that all of them can be stopped."""

    def __init__(self) -> None:
        self._running: set[Call] = set()

    @property
    def running(self) -> bool:
        return bool(self._running)

    def stop(self) -> None:
        for call in tuple(self._running):
            call.cancel.cancel()

    async def run(self, context: ServerRequestContext[Any], work: Callable[[Call], _T]) -> _T:
        """What the work returns. It runs in a thread; a request that is cancelled stops it."""
        loop, stages = asyncio.get_running_loop(), asyncio.Queue[str | None]()

        def tell(stage: str) -> None:
            # A loop that is closed has nobody left to tell.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(stages.put_nowait, stage)

        call = Call(tell)
        self._running.add(call)
        teller = asyncio.create_task(_told(context, stages))
        try:
            done = await in_thread(partial(work, call), call.cancel)
            # What was told before the end is told before the answer.
            stages.put_nowait(None)
            await teller
            return done
        finally:
            teller.cancel()
            self._running.discard(call)


async def _told(context: ServerRequestContext[Any], stages: "asyncio.Queue[str | None]") -> None:
    number = 0
    while (stage := await stages.get()) is not None:
        number += 1
        await context.session.report_progress(number, message=stage)
