"""A proxy of the tests' own: bytes pass between a client and a server until it cuts the line."""

import contextlib
import selectors
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from tests.server_process import LOOPBACK


class Proxy:
    """Cuts a connection once, after so many bytes have passed; then it lets everything pass."""

    def __init__(self, port: int, cut_after: int) -> None:
        self._target = port
        self._left = cut_after
        self._lock = threading.Lock()
        self.cuts = 0
        self._listener = socket.create_server((LOOPBACK, 0))
        self.port: int = self._listener.getsockname()[1]
        self._over = threading.Event()
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while not self._over.is_set():
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._pass_on, args=(client,), daemon=True).start()

    def _pass_on(self, client: socket.socket) -> None:
        with (
            contextlib.suppress(OSError),
            client,
            socket.create_connection((LOOPBACK, self._target)) as server,
            selectors.DefaultSelector() as selector,
        ):
            selector.register(client, selectors.EVENT_READ, server)
            selector.register(server, selectors.EVENT_READ, client)
            while not self._over.is_set():
                for key, _ in selector.select(timeout=0.2):
                    source, other = key.fileobj, key.data
                    assert isinstance(source, socket.socket)
                    data = source.recv(65_536)
                    if not data or self._cut(len(data)):
                        return
                    other.sendall(data)

    def _cut(self, passed: int) -> bool:
        with self._lock:
            before = self._left
            self._left -= passed
            if before > 0 >= self._left:
                self.cuts += 1
                return True
        return False

    def close(self) -> None:
        self._over.set()
        # Closing alone does not wake the thread that waits for a client.
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()


@contextmanager
def proxy_before(port: int, *, cut_after: int) -> Iterator[Proxy]:
    proxy = Proxy(port, cut_after)
    try:
        yield proxy
    finally:
        proxy.close()
