"""The process of a local model, as it is used from here: begun when first asked, ended when too slow."""

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import weakref
from pathlib import Path
from typing import Any, Final

import msgspec

from dragoman.contracts.errors import ModelError, ModelReplyTruncated, ModelTimeout, ModelUnusable
from dragoman.models.line import Line

CONTEXT: Final = 8_192
"""So many tokens a question and its reply may have together."""
_MOST_BYTES: Final = 10_000_000
_TURN: Final = 0.1
_PIECE: Final = 65_536


class LocalProcess:
    """Threads may share it: they are served one after the other."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._lock = threading.Lock()
        self._running: _Running | None = None

    def answer(self, body: bytes, line: Line) -> tuple[int, bytes]:
        """Status and body of the reply to a chat completion. Raises `ModelError`.

        A model that writes past the deadline is ended with its process. One that is only being loaded is
        left alone, so that whoever asks next finds it ready."""
        while not self._lock.acquire(timeout=min(_TURN, line.remaining())):
            line.remaining()
        try:
            try:
                return self._replied(body, line)
            except ModelReplyTruncated:
                # Something ended its process, perhaps long ago: one more is begun.
                return self._replied(body, line)
        finally:
            self._lock.release()

    def close(self) -> None:
        with self._lock:
            self._end()

    def _replied(self, body: bytes, line: Line) -> tuple[int, bytes]:
        running = self._ready(line)
        try:
            return running.reply(body, line)
        except BaseException:
            self._end()
            raise

    def _ready(self, line: Line) -> "_Running":
        running = self._running
        if running is None or running.is_over:
            self._end()
            running = self._running = _Running(self._file)
        try:
            running.wait(line)
        except (ModelUnusable, ModelReplyTruncated):
            self._end()
            raise
        return running

    def _end(self) -> None:
        running, self._running = self._running, None
        if running is not None:
            running.end()


class _Running:
    def __init__(self, file: Path) -> None:
        self._socket, other = socket.socketpair()
        threads = max(1, (os.cpu_count() or 1) // 2)
        # Nobody else may enter it: the runtime opens a socket in it.
        folder = tempfile.mkdtemp(prefix="dragoman-model-")
        told = (str(other.fileno()), folder, str(file), str(CONTEXT), str(threads))
        with other:
            # Our own module, with a path and figures of ours.
            self._process = subprocess.Popen(  # noqa: S603
                (sys.executable, "-m", "dragoman.models.local.worker", *told),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=(other.fileno(),),
            )
        self._held = bytearray()
        self._is_ready = False
        # Whoever forgets to close it, or ends without a word, leaves no process behind.
        self._finish = weakref.finalize(self, _ended, self._process, self._socket, folder)

    @property
    def is_over(self) -> bool:
        return self._process.poll() is not None

    def wait(self, line: Line) -> None:
        """Until the model is loaded."""
        if self._is_ready:
            return
        said = self._line(line)
        if "failed" in said:
            hint = "check the file of the weights"
            raise ModelUnusable(f"the model could not be loaded: {said['failed']}", hint=hint)
        self._is_ready = True

    def reply(self, body: bytes, line: Line) -> tuple[int, bytes]:
        self._socket.settimeout(line.remaining())
        try:
            self._socket.sendall(body.replace(b"\n", b" ") + b"\n")
        except OSError as error:
            raise line.failure(error, ModelReplyTruncated) from error
        said = self._line(line)
        return int(said.get("status", 500)), msgspec.json.encode(said.get("body"))

    def end(self) -> None:
        self._finish()

    def _line(self, line: Line) -> dict[str, Any]:
        """The next thing that it says, within the deadline of whoever waits."""
        twin = self._socket.dup()
        try:
            line.hold(twin)
            while b"\n" not in self._held:
                twin.settimeout(line.remaining())
                self._held += self._piece(twin, line)
        finally:
            line.close(twin)
        said, _, self._held = self._held.partition(b"\n")
        found: dict[str, Any] = msgspec.json.decode(said)
        return found

    def _piece(self, twin: socket.socket, line: Line) -> bytes:
        try:
            piece = twin.recv(_PIECE)
        except OSError as error:
            raise _named(line.failure(error, ModelReplyTruncated)) from error
        line.check()
        if not piece or len(self._held) > _MOST_BYTES:
            raise ModelReplyTruncated("the process of the model ended before its reply", cause="connection")
        return piece


def _named(error: Exception) -> ModelError:
    return error if isinstance(error, ModelError) else ModelTimeout(str(error))


def _ended(process: subprocess.Popen[bytes], held: socket.socket, folder: str) -> None:
    held.close()
    process.kill()
    process.wait()
    shutil.rmtree(folder, ignore_errors=True)
