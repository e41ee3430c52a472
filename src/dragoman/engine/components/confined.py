"""This side of a process that runs SQL for a step: started for it, stopped with its run, gone after it."""

import shutil
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Generic, TypeVar

import msgspec

from dragoman.contracts import errors
from dragoman.contracts.errors import DriverFailed, EngineError, SourceFailed, TransientFault
from dragoman.databases.access.worker.process import Worker
from dragoman.engine.component import StepContext
from dragoman.engine.components.interruption import cancelled
from dragoman.engine.components.worker_frames import Failed, Silence, hear, say
from dragoman.engine.time_limit import time_over
from dragoman.guards.secrets import scrubbed

_T = TypeVar("_T")


class Confined(Worker, Generic[_T]):
    """The process, and who stops it: the run's cancellation, or its time. `decoder` knows its replies, of
    which `Failed` is one that is raised."""

    def __init__(self, module: str, decoder: "msgspec.msgpack.Decoder[_T]", context: StepContext) -> None:
        super().__init__(module)
        self._decoder = decoder
        self._context = context
        self._late = False
        self._timer: threading.Timer | None = None
        if context.limits.seconds is not None:
            self._timer = threading.Timer(context.limits.seconds, self._end_late)
            self._timer.daemon = True
            self._timer.start()

    def tell(self, message: msgspec.Struct) -> None:
        """Raises EngineError."""
        try:
            say(self._in, message)
        except OSError as error:
            # It may have said why before it ended.
            with suppress(Silence, OSError):
                while not isinstance(reply := hear(self._out, self._decoder), Failed):
                    pass
                raise failure(reply) from error
            raise self._gone() from error

    def answer(self) -> _T:
        """Raises EngineError."""
        try:
            reply = hear(self._out, self._decoder)
        except (Silence, OSError) as error:
            raise self._gone() from error
        if isinstance(reply, Failed):
            raise self._why() or failure(reply)
        return reply

    def close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        super().close()

    def _end_late(self) -> None:
        self._late = True
        self.kill()

    def _gone(self) -> EngineError:
        return self._why() or SourceFailed(
            "the process that ran the query ended", hint="it may have needed more memory than it may have"
        )

    def _why(self) -> EngineError | None:
        if self._context.cancel.cancelled:
            return cancelled()
        return time_over(self._context.limits) if self._late else None


@contextmanager
def confined(
    module: str, decoder: "msgspec.msgpack.Decoder[_T]", context: StepContext
) -> Iterator[tuple[Confined[_T], Path]]:
    """A process with a folder of its own; both are gone afterwards."""
    folder = Path(tempfile.mkdtemp(dir=context.folder, prefix="sql-"))
    try:
        worker = Confined(module, decoder, context)
    except DriverFailed as error:
        raise TransientFault(error.message, hint=error.hint) from error
    try:
        with context.cancel.told_to(worker.kill):
            yield worker, folder
    finally:
        worker.close()
        shutil.rmtree(folder, ignore_errors=True)


def not_understood() -> SourceFailed:
    return SourceFailed("the process that runs the query is not understood", hint="report this")


def failure(reply: Failed) -> EngineError:
    text = scrubbed(reply.message)
    kind = getattr(errors, reply.error, None)
    if isinstance(kind, type) and issubclass(kind, EngineError):
        return kind(text, hint=reply.hint, **reply.details)
    if reply.busy:
        return TransientFault(f"another program has the database open: {text}", hint="it is tried again")
    if reply.memory:
        return SourceFailed(f"the query needs more memory than it may have: {text}", hint="narrow it")
    return SourceFailed(f"DuckDB refused the query: {text}", hint="check the query")
