"""The server itself: sockets and threads, because no library of servers can behave badly enough."""

import socket
import threading
from collections.abc import Sequence
from contextlib import suppress
from types import TracebackType
from typing import Any

from dragoman.contracts.model_settings import ProviderKind, ProviderSettings
from tests.model_server.behaviours import Behaviour
from tests.model_server.exchange import Asked, Exchange, Gone

__all__ = ["Asked", "ModelServer"]


class ModelServer:
    """`held` is set while a client waits for something that does not come; `gone` when one left before its
    answer was whole. `requests` has everything that came, in order."""

    def __init__(self, *script: Behaviour) -> None:
        self._script: Sequence[Behaviour] = script
        self._lock = threading.Lock()
        self._open: set[socket.socket] = set()
        self._threads: list[threading.Thread] = []
        self._answered = 0
        self.requests: list[Asked] = []
        self.held = threading.Event()
        self.gone = threading.Event()
        self._listener = socket.create_server(("127.0.0.1", 0))

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._listener.getsockname()[1]}"

    def settings(self, kind: str, name: str = "scripted", **said: Any) -> ProviderSettings:
        """A provider as dragoman.yaml would name it."""
        base = f"{self.url}/v1" if kind == "openai" else self.url
        return ProviderSettings(name, ProviderKind(kind), base, "scripted", **said)

    def plays(self, *script: Behaviour) -> None:
        """Another script from now on."""
        with self._lock:
            self._script, self._answered = script, 0

    def __enter__(self) -> "ModelServer":
        self._start(self._accept)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # Closing alone does not wake a thread that waits for a connection.
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        with self._lock:
            for connection in self._open:
                with suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join(30)

    def _start(self, work: object, *given: object) -> None:
        assert callable(work)
        thread = threading.Thread(target=work, args=given, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            with self._lock:
                self._open.add(connection)
            self._start(self._serve, connection)

    def _serve(self, connection: socket.socket) -> None:
        try:
            asked = _request(connection)
            if asked is None:
                return
            with self._lock:
                self.requests.append(asked)
                behaviour = self._script[min(self._answered, len(self._script) - 1)]
                self._answered += 1
            behaviour(Exchange(asked, connection, self.held))
            with suppress(OSError):
                connection.shutdown(socket.SHUT_WR)
                # The answer gets there before the line is reset by bytes that nobody read.
                connection.settimeout(5)
                while connection.recv(65_536):
                    pass
        except Gone:
            self.gone.set()
        finally:
            with self._lock:
                self._open.discard(connection)
            connection.close()


def _request(connection: socket.socket) -> Asked | None:
    with connection.makefile("rb") as file:
        first = file.readline().decode("ascii").split()
        if len(first) < 2:
            return None
        headers: dict[str, str] = {}
        while line := file.readline().strip():
            name, _, value = line.decode("latin-1").partition(":")
            headers[name.lower()] = value.strip()
        return Asked(first[1], headers, file.read(int(headers.get("content-length", 0))))
