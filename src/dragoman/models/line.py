"""The line to a provider: one connection for one request, with one deadline, that can be stopped.

Limits for single reads are not enough: a server that sends a byte now and then never exceeds one. Here every
wait, from looking up the name on, gets what is left of the one deadline.
"""

import os
import queue
import socket
import ssl
import threading
import time
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from typing import Any

import httpcore

from dragoman.contracts.errors import (
    AddressRefused,
    HostNotFound,
    ModelCancelled,
    ModelTimeout,
    ModelUnreachable,
    ModelUnusable,
)
from dragoman.databases.addresses import Resolver, refuse_address

_CHECK_ADDRESS = "check base_url in dragoman.yaml, and the network"
_LATE = "there was no whole reply in time"
_CANCELLED = "the request to the model was cancelled"


class Line(httpcore.NetworkBackend):
    """Used by one thread; `stop` may come from any other, and wakes it. `deadline` is of `time.monotonic`."""

    def __init__(self, deadline: float, resolver: Resolver | None = None) -> None:
        self._deadline = deadline
        self._resolver = resolver or _addresses
        self._lock = threading.Lock()
        self._stopped = False
        self._socket: socket.socket | None = None
        self._names: queue.SimpleQueue[list[str] | OSError | None] = queue.SimpleQueue()
        self.ended = False
        """Whether the other side ended the connection."""

    def remaining(self) -> float:
        """The seconds that are left, more than none. Raises `ModelTimeout` and `ModelCancelled`."""
        self.check()
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise ModelTimeout(_LATE)
        return left

    def check(self) -> None:
        if self._stopped:
            raise ModelCancelled(_CANCELLED)

    def failure(self, error: OSError, otherwise: type[Exception]) -> Exception:
        """What an error of a socket means: waits end with the deadline, and stopping ends sockets."""
        if self._stopped:
            return ModelCancelled(_CANCELLED)
        return ModelTimeout(_LATE) if isinstance(error, TimeoutError) else otherwise(str(error))

    def stop(self) -> None:
        """Wake the thread that waits. What it waits for does not matter: its socket ends."""
        with self._lock:
            self._stopped = True
            self._names.put(None)
            if self._socket is not None:
                # TLS sockets forget their state when they are shut down; their twin has none.
                with suppress(OSError), socket.socket(fileno=os.dup(self._socket.fileno())) as twin:
                    twin.shutdown(socket.SHUT_RDWR)

    def hold(self, held: socket.socket) -> None:
        with self._lock:
            self._socket = held
        self.check()

    def close(self, held: socket.socket) -> None:
        """Under the lock: the number of a closed socket may be another's by the time `stop` takes it."""
        with self._lock:
            if self._socket is held:
                self._socket = None
            held.close()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.NetworkStream:
        """A connection to the very address that was judged: what the name leads to later is not asked."""
        failure: OSError | None = None
        try:
            addresses = refuse_address(host, self._resolved)
        except AddressRefused as error:
            raise ModelUnusable(error.message, hint=_CHECK_ADDRESS) from error
        except HostNotFound as error:
            raise ModelUnreachable(error.message, hint=_CHECK_ADDRESS) from error
        for number, address in enumerate(addresses):
            held = socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET, socket.SOCK_STREAM)
            try:
                self.hold(held)
                # No address may use up the time of those after it.
                held.settimeout(self.remaining() / (len(addresses) - number))
                held.connect((address, port))
                held.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                self.check()
            except OSError as error:
                self.close(held)
                self.remaining()
                failure = error
            except BaseException:
                self.close(held)
                raise
            else:
                return _Stream(held, self)
        raise ModelUnreachable("it cannot be reached", hint=_CHECK_ADDRESS) from failure

    def _resolved(self, host: str) -> list[str]:
        """Asked in a thread of its own: nothing else can end a question to a name server."""

        def ask() -> None:
            try:
                self._names.put(self._resolver(host))
            except (OSError, UnicodeError) as error:
                self._names.put(OSError(str(error)))

        threading.Thread(target=ask, name="dragoman-names", daemon=True).start()
        try:
            found = self._names.get(timeout=self.remaining())
        except queue.Empty:
            raise ModelTimeout("its name was not resolved in time", hint=_CHECK_ADDRESS) from None
        self.check()
        if isinstance(found, OSError):
            raise found
        return found or []


class _Stream(httpcore.NetworkStream):
    """The socket of a line. The limits that httpcore hands in are not used: the line knows what is left."""

    def __init__(self, held: socket.socket, line: Line) -> None:
        self._socket = held
        self._line = line

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        self._socket.settimeout(self._line.remaining())
        try:
            data = self._socket.recv(max_bytes)
        except OSError as error:
            self._line.ended = True
            raise self._line.failure(error, httpcore.ReadError) from error
        # What arrived after the end of the time is as good as nothing.
        self._line.remaining()
        self._line.ended = not data
        return data

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._socket.settimeout(self._line.remaining())
        try:
            self._socket.sendall(buffer)
        except OSError as error:
            raise self._line.failure(error, httpcore.WriteError) from error

    def close(self) -> None:
        self._line.close(self._socket)

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        try:
            wrapped = ssl_context.wrap_socket(
                self._socket, server_hostname=server_hostname, do_handshake_on_connect=False
            )
            # Wrapping takes the socket away from its first object.
            self._socket = wrapped
            self._line.hold(wrapped)
            wrapped.settimeout(self._line.remaining())
            wrapped.do_handshake()
        except OSError as error:
            self.close()
            self._line.remaining()
            raise ModelUnreachable(
                f"it and this machine do not agree on TLS: {getattr(error, 'reason', '') or 'no handshake'}",
                hint="check base_url in dragoman.yaml, and the certificates of this machine",
            ) from error
        except BaseException:
            self.close()
            raise
        return self

    def get_extra_info(self, info: str) -> Any:
        match info:
            case "ssl_object" if isinstance(self._socket, ssl.SSLSocket):
                return self._socket
            case "socket":
                return self._socket
            case "is_readable":
                return False
            case _:
                return None


@cache
def tls() -> ssl.SSLContext:
    """The certificates that this machine trusts. Reading them takes a while."""
    return ssl.create_default_context()


def _addresses(host: str) -> list[str]:
    found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    return [str(info[4][0]).partition("%")[0] for info in found]
