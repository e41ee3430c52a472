"""A workspace for programs that use asyncio: the same calls, each in a thread of its own.

>>> import asyncio, tempfile
>>> from dragoman import AsyncWorkspace
>>> async def main() -> str:
...     async with await AsyncWorkspace.open(tempfile.mkdtemp()) as workspace:
...         session = await workspace.new_session()
...         result = await workspace.ask(session, "total sales of Alfa Trade in April 2020")
...         return result.message
>>> print(asyncio.run(main()))
Sales of Alfa Trade from 1 April 2020 to 30 April 2020: 1320.00.
"""

import functools
from collections.abc import Callable, Coroutine
from pathlib import Path
from types import TracebackType
from typing import Any, Concatenate, ParamSpec, Self, TypeVar, cast

from dragoman.contracts.cancellation import Cancellation
from dragoman.workspace.threads import in_thread
from dragoman.workspace.workspace import Workspace

_P = ParamSpec("_P")
_T = TypeVar("_T")
_Call = Callable[Concatenate[Workspace, _P], _T]
_AsyncCall = Callable[Concatenate["AsyncWorkspace", _P], Coroutine[Any, Any, _T]]


def _threaded(call: "_Call[_P, _T]") -> "_AsyncCall[_P, _T]":
    @functools.wraps(call)
    async def called(self: "AsyncWorkspace", /, *args: _P.args, **kwargs: _P.kwargs) -> _T:
        return await in_thread(functools.partial(call, self.workspace, *args, **kwargs))

    return called


def _stopped(call: "_Call[_P, _T]") -> "_AsyncCall[_P, _T]":
    """As `_threaded`, of a call that takes a `cancel`: a task that is cancelled stops what is read or run."""

    @functools.wraps(call)
    async def called(self: "AsyncWorkspace", /, *args: _P.args, **kwargs: _P.kwargs) -> _T:
        cancel = cast("Cancellation | None", kwargs.get("cancel")) or Cancellation()
        kwargs["cancel"] = cancel
        return await in_thread(functools.partial(call, self.workspace, *args, **kwargs), cancel)

    return called


class AsyncWorkspace:
    """A `Workspace` whose calls are awaited. Listeners are called in the thread of the call.

    Anything else of the workspace is at `workspace`, without waiting: call it in a thread where it may take
    a while."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace

    @classmethod
    async def open(cls, folder: str | Path = ".", *, store: str | None = None, create: bool = True) -> Self:
        """As `Workspace.open`. One that was opened with other options is wrapped: `AsyncWorkspace(it)`."""
        opened = functools.partial(Workspace.open, folder, store=store, create=create)
        return cls(await in_thread(opened))

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    ask = _stopped(Workspace.ask)
    run = _stopped(Workspace.run)
    new_session = _threaded(Workspace.new_session)
    sessions = _threaded(Workspace.sessions)
    state = _threaded(Workspace.state)
    turn_result = _threaded(Workspace.turn_result)
    check = _threaded(Workspace.check)
    compile = _threaded(Workspace.compile)
    resolve = _threaded(Workspace.resolve)
    prepare = _threaded(Workspace.prepare)
    replay = _threaded(Workspace.replay)
    close = _threaded(Workspace.close)
