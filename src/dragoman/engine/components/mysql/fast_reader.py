"""A process of its own that reads with connectorx and gives Arrow batches to its standard output.

In the same process connectorx could not be used: it holds the interpreter while it waits for the server, so
nothing else would run and nothing could stop it; it reads ahead into memory without end; and where it gives
up it writes to the screen. Here it can wait and be killed, and a gate on its line keeps it from reading more
than is taken. The gate is a second process for the same reason. It passes bytes as they are, so encryption
goes through, and it learns by which number the server knows the connection, which the driver does not tell.

This file runs by itself and imports nothing of ours. A line of JSON on standard input says what to read;
while that input is open, somebody wants the rows.
"""

import gc
import json
import os
import select
import socket
import sys
import time
from typing import Any

CHUNK = 256 * 1024
AHEAD_BYTES = 8 * 1024 * 1024
"""How much may pass while nobody waits."""

CONNECT_SECONDS = 10.0
WAITED_SECONDS = 0.001
"""Whoever waited longer than that found nothing lying ready."""

WANTED, TAKEN_AT_ONCE, TAKEN = b"w", b"o", b"t"
FAILED = 3


def main() -> int:
    asked = json.loads(sys.stdin.buffer.readline())
    listening = socket.create_server(("127.0.0.1", 0))
    port = listening.getsockname()[1]
    told, telling = os.pipe()
    gate = os.fork()
    if gate == 0:
        os.close(telling)
        os.close(1)
        try:
            keep_gate(listening, (asked["host"], asked["port"]), told, asked["report"])
        finally:
            os._exit(0)
    os.close(told)
    listening.close()
    os.close(asked["report"])
    try:
        read(asked, port, telling)
    except BaseException as error:  # noqa: BLE001
        # A panic of Rust's is no Exception. Whatever it is, its words are all that can be told.
        sys.stderr.write("\n" + json.dumps({"failed": str(error).partition("\n")[0]}))
        sys.stderr.flush()
        return FAILED
    finally:
        os.close(telling)
        os.waitpid(gate, 0)
    return 0


def read(asked: dict[str, Any], port: int, telling: int) -> None:
    # Nothing here lives long enough to be worth looking for.
    gc.disable()
    import connectorx
    import pyarrow as pa

    reader = connectorx.read_sql(
        asked["url"].replace("{port}", str(port)),
        asked["sql"],
        return_type="arrow_stream",
        batch_size=asked["rows"],
        pre_execution_query=asked["before"],
    )
    with open(1, "wb", closefd=False) as out, pa.ipc.new_stream(out, reader.schema) as stream:
        while True:
            os.write(telling, WANTED)
            begun = time.monotonic()
            try:
                batch = reader.read_next_batch()
            except StopIteration:
                return
            waited = time.monotonic() - begun > WAITED_SECONDS
            os.write(telling, TAKEN if waited else TAKEN_AT_ONCE)
            stream.write_batch(batch)


def keep_gate(listening: socket.socket, server: tuple[str, int], told: int, report: int) -> None:
    """Pass what the server gives while it is wanted, and a little ahead. Ends with who reads, or wants."""
    pairs: dict[socket.socket, socket.socket] = {}
    servers: set[socket.socket] = set()
    ahead = AHEAD_BYTES
    wanted = True
    buffer = memoryview(bytearray(CHUNK))
    while True:
        open_ends = [end for end in pairs if end not in servers or wanted or ahead > 0]
        watched: list[Any] = [told, 0, listening, *open_ends]
        ready, _, _ = select.select(watched, [], [])
        if 0 in ready and not os.read(0, 1):
            return
        if told in ready:
            signs = os.read(told, 4096)
            if not signs:
                return
            wanted = signs.endswith(WANTED)
            ahead = AHEAD_BYTES if signs.rstrip(WANTED).endswith(TAKEN) else 0
        if listening in ready:
            _join(listening, server, pairs, servers)
        for end in ready:
            if end not in pairs:
                continue
            size = _received(end, buffer)
            if not size:
                _part(end, pairs, servers)
                continue
            if end in servers:
                _learn(end, buffer[:size], report)
                ahead -= 0 if wanted else size
            _passed(pairs[end], buffer[:size], pairs, servers)


_greeted: set[int] = set()


def _join(
    listening: socket.socket,
    server: tuple[str, int],
    pairs: dict[socket.socket, socket.socket],
    servers: set[socket.socket],
) -> None:
    near, _ = listening.accept()
    try:
        far = socket.create_connection(server, CONNECT_SECONDS)
    except OSError:
        near.close()
        return
    far.settimeout(None)
    for end in (near, far):
        end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    pairs[near], pairs[far] = far, near
    servers.add(far)


def _received(end: socket.socket, buffer: memoryview) -> int:
    try:
        return end.recv_into(buffer)
    except OSError:
        return 0


def _passed(
    end: socket.socket,
    data: memoryview,
    pairs: dict[socket.socket, socket.socket],
    servers: set[socket.socket],
) -> None:
    try:
        end.sendall(data)
    except OSError:
        _part(end, pairs, servers)


def _part(end: socket.socket, pairs: dict[socket.socket, socket.socket], servers: set[socket.socket]) -> None:
    other = pairs.pop(end, None)
    if other is not None:
        pairs.pop(other, None)
        other.close()
    servers.discard(end)
    if other is not None:
        servers.discard(other)
    end.close()


def _learn(end: socket.socket, data: memoryview, report: int) -> None:
    """Tell the number of the connection, which a server's greeting has after its version."""
    if end.fileno() in _greeted:
        return
    _greeted.add(end.fileno())
    greeting = bytes(data[:512])
    stop = greeting.find(b"\0", 5)
    if len(greeting) > 5 and greeting[4] == 10 and 0 < stop <= len(greeting) - 5:
        os.write(report, greeting[stop + 1 : stop + 5])


if __name__ == "__main__":
    code = main()
    sys.stdout.flush()
    # Threads of the driver may still run; nothing is left for them to do.
    os._exit(code)
