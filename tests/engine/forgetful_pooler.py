"""A pooler of the tests' own: it forwards sessions to a server, and forgets or refuses what they are told at
their start."""

import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

_SSL = 80877103
_GSS = 80877104
_CANCEL = 80877102
_REFUSAL = b"SFATAL\0VFATAL\0C08P01\0Munsupported startup parameter: options\0\0"


@contextmanager
def pooler(host: str, port: int, *, refuses: bool) -> Iterator[int]:
    """The port under which the server can be reached through it."""
    listener = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        with suppress(OSError):
            while True:
                line, _ = listener.accept()
                threading.Thread(target=_session, args=(line, host, port, refuses), daemon=True).start()

    threading.Thread(target=serve, daemon=True).start()
    try:
        yield int(listener.getsockname()[1])
    finally:
        listener.close()


def _session(line: socket.socket, host: str, port: int, refuses: bool) -> None:
    with suppress(OSError), line, socket.create_connection((host, port)) as server:
        while True:
            message = _exactly(line, struct.unpack("!I", _exactly(line, 4))[0] - 4)
            code = struct.unpack("!I", message[:4])[0]
            if code not in (_SSL, _GSS):
                break
            line.sendall(b"N")
        if code != _CANCEL:
            words = message[4:].rstrip(b"\0").split(b"\0")
            pairs = dict(zip(words[::2], words[1::2], strict=False))
            if pairs.pop(b"options", b"") and refuses:
                line.sendall(b"E" + struct.pack("!I", len(_REFUSAL) + 4) + _REFUSAL)
                return
            message = message[:4] + b"".join(k + b"\0" + v + b"\0" for k, v in pairs.items()) + b"\0"
        server.sendall(struct.pack("!I", len(message) + 4) + message)
        threading.Thread(target=_pump, args=(server, line), daemon=True).start()
        _pump(line, server)


def _exactly(line: socket.socket, size: int) -> bytes:
    data = b""
    while len(data) < size:
        piece = line.recv(size - len(data))
        if not piece:
            raise ConnectionError("ended")
        data += piece
    return data


def _pump(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while piece := source.recv(65536):
            target.sendall(piece)
        target.shutdown(socket.SHUT_WR)
