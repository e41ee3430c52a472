"""A gate on the line between a driver and its server: the server gives no more than is being taken.

connectorx reads ahead as far as the server gives, into memory without end. Through the gate the line stands still
while nobody asks for rows and enough of them lie ready. It also learns under which number the server knows the
connection, which the driver does not tell. The bytes are passed as they are: encryption goes through.
"""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

_CHUNK = 256 * 1024
_AHEAD_BYTES = 8 * 1024 * 1024
"""How much may pass while nobody waits."""

_CONNECT_SECONDS = 10.0
_WAITED = 0.001
"""Whoever waited longer than that found nothing lying ready."""


class Gate:
    def __init__(self, host: str, port: int) -> None:
        self._server = (host, port)
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listening.getsockname()[1]
        self.threads: list[int] = []
        """The numbers under which the server knows the connections."""
        self._lines: list[socket.socket] = []
        self._pass = threading.Condition()
        self._wanted = True
        self._ahead = _AHEAD_BYTES
        self._closed = False
        threading.Thread(target=self._accept, name="dragoman-gate", daemon=True).start()

    @contextmanager
    def wanting(self) -> Iterator[None]:
        """Rows are waited for: while it lasts everything passes."""
        import time

        begun = time.monotonic()
        with self._pass:
            self._wanted = True
            self._pass.notify_all()
        try:
            yield
        finally:
            with self._pass:
                self._wanted = False
                self._ahead = _AHEAD_BYTES if time.monotonic() - begun > _WAITED else 0
                self._pass.notify_all()

    def close(self) -> None:
        with self._pass:
            self._closed = True
            lines = [self._listening, *self._lines]
            self._pass.notify_all()
        for line in lines:
            with suppress(OSError):
                line.shutdown(socket.SHUT_RDWR)
            line.close()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listening.accept()
            except OSError:
                return
            try:
                far = socket.create_connection(self._server, _CONNECT_SECONDS)
            except OSError:
                near.close()
                continue
            far.settimeout(None)
            for line in (near, far):
                line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            with self._pass:
                self._lines += [near, far]
                if self._closed:
                    near.close()
                    far.close()
                    return
            threading.Thread(target=self._forth, args=(near, far), name="dragoman-gate", daemon=True).start()
            threading.Thread(target=self._back, args=(far, near), name="dragoman-gate", daemon=True).start()

    def _forth(self, near: socket.socket, far: socket.socket) -> None:
        with suppress(OSError):
            while data := near.recv(_CHUNK):
                far.sendall(data)
        _end(near, far)

    def _back(self, far: socket.socket, near: socket.socket) -> None:
        buffer = memoryview(bytearray(_CHUNK))
        first = True
        with suppress(OSError):
            while size := far.recv_into(buffer):
                if first:
                    self.threads += _number_in(bytes(buffer[:size]))
                    first = False
                self._let(size)
                near.sendall(buffer[:size])
        _end(near, far)

    def _let(self, size: int) -> None:
        """Wait until so many bytes may pass."""
        with self._pass:
            self._pass.wait_for(lambda: self._closed or self._wanted or self._ahead > 0)
            if not self._wanted:
                self._ahead -= size


@contextmanager
def gate_to(host: str, port: int) -> Iterator[Gate]:
    gate = Gate(host, port)
    try:
        yield gate
    finally:
        gate.close()


def _number_in(greeting: bytes) -> list[int]:
    """The number of the connection in the greeting of a server: after its version, which ends in a nought."""
    end = greeting.find(b"\0", 5)
    if len(greeting) < 5 or greeting[4] != 10 or end < 0 or len(greeting) < end + 5:
        return []
    return [int.from_bytes(greeting[end + 1 : end + 5], "little")]


def _end(*lines: socket.socket) -> None:
    for line in lines:
        with suppress(OSError):
            line.shutdown(socket.SHUT_RDWR)
        line.close()
