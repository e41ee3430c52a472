"""The reader's side of a worker: starting it, asking it, killing it."""

import os
import signal
import subprocess
import sys
from contextlib import suppress
from typing import BinaryIO, cast

from dragoman.contracts.errors import DriverFailed, InternalSignal
from dragoman.databases.access.worker.frames import BrokenFrame, Message, Reply, Request, receive_reply, send

_KEPT = ("PATH", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "TMPDIR")
"""All that a worker sees of the environment: passwords of other connections stand there."""

_END_SECONDS = 5


class WorkerGone(InternalSignal):
    """The worker ended before it answered. `exit` is how."""

    def __init__(self, code: int | None) -> None:
        super().__init__(f"the worker ended with {code}")
        self.exit = code


class Worker:
    """A worker process, in a group of its own."""

    def __init__(self, module: str) -> None:
        environment = {name: os.environ[name] for name in _KEPT if name in os.environ}
        environment["PYTHONPATH"] = os.pathsep.join(path for path in sys.path if path)
        try:
            self._process = subprocess.Popen(  # noqa: S603 - our own module, no word of it from outside
                # -P: a file in the folder one happens to be in is no module of ours.
                [sys.executable, "-P", "-s", "-m", module],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=environment,
                start_new_session=True,
            )
        except OSError as error:
            raise DriverFailed(
                f"the process that reads does not start: {error.strerror}",
                hint="see the system's limits",
            ) from error
        self._in = cast(BinaryIO, self._process.stdin)
        self._out = cast(BinaryIO, self._process.stdout)

    @property
    def pid(self) -> int:
        return self._process.pid

    def ask(self, request: Request) -> None:
        """Raises WorkerGone."""
        try:
            send(self._in, cast(Message, request))
        except OSError as error:
            raise WorkerGone(self._code()) from error

    def hear(self) -> Reply:
        """The next of its answers. Raises WorkerGone."""
        try:
            return receive_reply(self._out)
        except (BrokenFrame, OSError, ValueError) as error:
            raise WorkerGone(self._code()) from error

    def kill(self) -> None:
        """End it at once, and whatever it may have started; the one who waits for an answer hears of it."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)

    def close(self) -> None:
        self.kill()
        self._process.wait()
        for stream in (self._in, self._out):
            with suppress(OSError):
                stream.close()

    def _code(self) -> int | None:
        try:
            return self._process.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:
            return None
