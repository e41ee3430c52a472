"""BoltKit's scripted server in this process, with nodes and paths, which its scripts cannot write."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import boltkit.server
from boltkit.packstream import Structure
from boltkit.server import StubServer

HEAD = "!: BOLT 3\n!: AUTO HELLO\n!: AUTO RESET\n!: AUTO GOODBYE\n!: AUTO ROLLBACK\n\n"
_NODE, _UNBOUND, _PATH, _RELATIONSHIP = 0x4E, 0x72, 0x50, 0x52


# Its log writes every message as JSON, which nodes are not.
boltkit.server.message_repr = lambda version, message: repr(message.tag)


class Stub:
    """What the script has left when the client is gone is what the client did not do."""

    def __init__(self, server: StubServer) -> None:
        self._server = server
        self.asked: list[tuple[str, Any]] = []
        """The queries that stood for `*` in the script, with their parameters."""
        exactly = server.script.match_request

        def matched(request: Any) -> int:
            lines = server.script.lines
            expected = lines[0].message if lines and lines[0].peer == "C" else None
            if expected is not None and expected.tag == request.tag and expected.fields[:1] == ("*",):
                self.asked.append((request.fields[0], request.fields[1]))
                expected.fields = request.fields
            return int(exactly(request))

        server.script.match_request = matched

    @property
    def uri(self) -> str:
        host, port = self._server.server.getsockname()
        return f"bolt://{host}:{port}"

    @property
    def left(self) -> list[str]:
        return [str(line) for line in self._server.script.lines]


@contextmanager
def scripted(folder: Path, script: str) -> Iterator[Stub]:
    """A server that speaks this script once, on a free port."""
    file = folder / "script.bolt"
    file.write_text(HEAD + script)
    server = StubServer(("127.0.0.1", 0), str(file), timeout=20)
    for line in server.script.lines:
        message = line.message
        if isinstance(message, Structure):
            message.fields = tuple(map(_built, message.fields))
    stub = Stub(server)
    uri = stub.uri
    assert uri
    server.start()
    try:
        yield stub
    finally:
        server.running = False
        server.join(timeout=30)


def _built(value: Any) -> Any:
    """`{"node": [id, labels, properties]}` and the like as what they stand for."""
    if isinstance(value, list):
        return [_built(each) for each in value]
    if not isinstance(value, dict) or len(value) != 1:
        return value
    ((kind, parts),) = value.items()
    match kind:
        case "node":
            return Structure(_NODE, *parts)
        case "relationship":
            return Structure(_RELATIONSHIP, *parts)
        case "path":
            nodes, edges, steps = parts
            plain = [Structure(_UNBOUND, *each) for each in edges]
            return Structure(_PATH, [_built(each) for each in nodes], plain, steps)
        case _:
            return value
