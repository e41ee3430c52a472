"""The line to a project: one HTTP connection to an address that was judged, and nothing but GET on it."""

import http.client
import ipaddress
import os
import socket
import ssl
import threading
import time
from contextlib import suppress
from urllib.parse import urlsplit

from dragoman.contracts.errors import (
    AddressRefused,
    AuthenticationFailed,
    ConnectionRefused,
    DriverFailed,
    HostNotFound,
    RestCannot,
    ResultTooLarge,
)
from dragoman.contracts.record import Record
from dragoman.databases.access.refusals import said
from dragoman.databases.addresses import Resolver, is_local, refuse_address

CONNECT_SECONDS = 10.0
MOST_BYTES = 64_000_000
"""What one answer may hold: it is read whole before it is understood."""

LONGEST_PATH = 30_000
"""Beyond this, servers in between cut off or refuse an address."""

_CHUNK = 65_536
_LEAST_SECONDS = 0.001
_PORTS = {"http": 80, "https": 443}


class Answer(Record, frozen=True):
    """What came back, whatever it says. The names of headers are in small letters."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes

    def header(self, name: str) -> str:
        return dict(self.headers).get(name, "")


class HttpConnection:
    """Used by one thread; `stop` may come from another, and wakes it."""

    def __init__(self, base_url: str, key: str, resolver: Resolver | None = None) -> None:
        self._secure, self._host, self._port = _place(base_url)
        self._resolver = resolver
        self._key = _checked_key(key)
        self._lock = threading.Lock()
        self._socket: socket.socket | None = None
        self._connection: http.client.HTTPConnection | None = None
        self._stopped = False
        self.received = 0
        """How many bytes of answers have come in all."""

    @property
    def where(self) -> str:
        return f"{self._host}:{self._port}"

    def start(self) -> None:
        """A new read begins: a stop that was meant for the one before is forgotten."""
        self._stopped = False

    def get(self, path: str, headers: dict[str, str], deadline: float) -> Answer:
        """Ask for one thing. `deadline` is a moment of `time.monotonic`. Raises AccessError and, where the
        line breaks, OSError or HTTPException."""
        if len(path) > LONGEST_PATH:
            raise RestCannot(
                f"the question makes an address of {len(path):,} characters",
                hint="compare with fewer or shorter values, or give the PostgreSQL URL of the project",
                part="length",
            )
        kept = self._connection is not None
        try:
            return self._asked(path, headers, deadline)
        except (http.client.RemoteDisconnected, ConnectionError):
            self.close()
            # A line kept from before may have been ended by the other side; asking again changes nothing.
            if not kept or self._stopped:
                raise
        return self._asked(path, headers, deadline)

    def stop(self) -> None:
        """Wake the thread that waits: its line ends."""
        with self._lock:
            self._stopped = True
            if self._socket is not None:
                with suppress(OSError), socket.socket(fileno=os.dup(self._socket.fileno())) as twin:
                    twin.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        with self._lock:
            if self._connection is not None:
                self._connection.close()
            if self._socket is not None:
                self._socket.close()
            self._connection = self._socket = None

    def _asked(self, path: str, headers: dict[str, str], deadline: float) -> Answer:
        connection = self._connection or self._connect(deadline)
        connection.sock.settimeout(max(_LEAST_SECONDS, deadline - time.monotonic()))
        sent = {
            "Accept": "application/json",
            "Accept-Encoding": "identity",
            "User-Agent": "dragoman",
            **({"apikey": self._key, "Authorization": f"Bearer {self._key}"} if self._key else {}),
            **headers,
        }
        connection.request("GET", path, headers=sent)
        response = connection.getresponse()
        if response.headers.get("Content-Encoding", "identity").lower() not in ("identity", ""):
            raise DriverFailed(f"{self.where} sent an answer that is packed, which was not asked for")
        body = self._body(response, deadline)
        told = tuple((name.lower(), value) for name, value in response.headers.items())
        if response.will_close:
            self.close()
        return Answer(response.status, told, body)

    def _body(self, response: http.client.HTTPResponse, deadline: float) -> bytes:
        pieces, size = list[bytes](), 0
        while piece := response.read1(_CHUNK):
            pieces.append(piece)
            size += len(piece)
            self.received += len(piece)
            if size > MOST_BYTES:
                raise ResultTooLarge(
                    f"the answer of {self.where} holds more than {MOST_BYTES:,} bytes",
                    hint="ask for fewer rows or fewer columns",
                    limit=MOST_BYTES,
                )
            if time.monotonic() > deadline:
                raise TimeoutError("the answer did not end in time")
        if response.length:
            raise http.client.IncompleteRead(b"", response.length)
        # Only then can the connection be asked again.
        response.close()
        return b"".join(pieces)

    def _connect(self, deadline: float) -> http.client.HTTPConnection:
        addresses = self._judged()
        failure: OSError | None = None
        for address in addresses:
            try:
                return self._connected(address, deadline)
            except ssl.SSLError as error:
                self.close()
                raise DriverFailed(
                    f"{self.where} and this machine do not agree on TLS: {said(error, self._key)}",
                    hint="check the address of the project, and the certificates of this machine",
                ) from error
            except OSError as error:
                self.close()
                failure = error
                if self._stopped:
                    break
        raise ConnectionRefused(
            f"{self.where} cannot be reached: {said(failure, self._key)}",
            hint="check the address of the project, and the network",
        ) from failure

    def _connected(self, address: str, deadline: float) -> http.client.HTTPConnection:
        """A connection to this very address, under the name of the host: what the name leads to a moment
        later is not asked."""
        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        plain = socket.socket(family, socket.SOCK_STREAM)
        self._hold(plain)
        plain.settimeout(max(_LEAST_SECONDS, min(CONNECT_SECONDS, deadline - time.monotonic())))
        plain.connect((address, self._port))
        plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if self._secure:
            context = ssl.create_default_context()
            context.set_alpn_protocols(["http/1.1"])
            wrapped = context.wrap_socket(plain, server_hostname=self._host, do_handshake_on_connect=False)
            self._hold(wrapped)
            wrapped.do_handshake()
        connection = http.client.HTTPConnection(self._host, self._port)
        if (self._secure, self._port) == (True, _PORTS["https"]):
            # The name alone goes into the header, as everybody else writes it.
            connection.default_port = self._port
        connection.sock = self._socket
        # It must not connect by itself: that would be to wherever the name leads by then.
        connection.auto_open = 0
        self._connection = connection
        return connection

    def _hold(self, line: socket.socket) -> None:
        with self._lock:
            self._socket = line
            if self._stopped:
                raise ConnectionAbortedError("stopped before it was connected")

    def _judged(self) -> tuple[str, ...]:
        try:
            addresses = refuse_address(self._host, self._resolver)
        except (AddressRefused, HostNotFound) as error:
            raise ConnectionRefused(error.message, hint=error.hint) from error
        if not self._secure and not all(ipaddress.ip_address(each).is_loopback for each in addresses):
            raise ConnectionRefused(f"{self.where} is another machine, and http is not encrypted", hint=_TLS)
        return addresses


_TLS = "write the address of the project with https"


def _place(base_url: str) -> tuple[bool, str, int]:
    """Whether it is encrypted, the host and the port. Raises ConnectionRefused."""
    try:
        parts = urlsplit(base_url)
        host, port = parts.hostname or "", parts.port or _PORTS.get(parts.scheme, 0)
    except ValueError as error:
        raise ConnectionRefused("the address of the project is not one", hint=_TLS) from error
    plain = parts.path in ("", "/") and not (
        parts.query or parts.fragment or parts.username or parts.password
    )
    if not host or not port or not plain or parts.scheme not in _PORTS:
        raise ConnectionRefused("the address of the project is not one", hint=_TLS)
    if parts.scheme == "http" and not is_local(host):
        raise ConnectionRefused(f"{host} is another machine, and http is not encrypted", hint=_TLS)
    return parts.scheme == "https", host, port


def _checked_key(key: str) -> str:
    if not all("!" <= character <= "~" for character in key):
        raise AuthenticationFailed(
            "the key has characters that no key has", hint="check the variable that holds the key"
        )
    return key
