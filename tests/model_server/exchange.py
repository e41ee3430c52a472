"""One request to the server, and the ways to answer it."""

import json
import select
import socket
import threading
from typing import Any

from tests.model_server.said import Said, body_of, events_of

JSON = "application/json"
EVENTS = "text/event-stream"


class Gone(Exception):
    """The client has closed its end."""


class Asked:
    """A request as it came."""

    def __init__(self, path: str, headers: dict[str, str], raw: bytes) -> None:
        self.path = path
        self.headers = headers
        self.raw = raw
        self.body: dict[str, Any] = json.loads(raw)

    @property
    def anthropic(self) -> bool:
        return self.path.endswith("/messages")

    @property
    def stream(self) -> bool:
        return self.body.get("stream") is True

    @property
    def response_tool(self) -> str:
        """The tool that stands for a response schema in the protocol that has none."""
        chosen = self.body.get("tool_choice")
        if not self.anthropic or not isinstance(chosen, dict) or chosen.get("type") != "tool":
            return ""
        return str(chosen["name"])


class Exchange:
    """What a behaviour is handed."""

    def __init__(self, asked: Asked, connection: socket.socket, held: threading.Event) -> None:
        self.asked = asked
        self._connection = connection
        self._held = held

    def send(self, data: bytes) -> None:
        try:
            self._connection.sendall(data)
        except OSError as error:
            raise Gone from error

    def head(self, status: int = 200, content_type: str = JSON, **headers: str) -> None:
        named = {
            "Content-Type": content_type,
            **{name.replace("_", "-"): text for name, text in headers.items()},
        }
        lines = [f"HTTP/1.1 {status} Status", *(f"{name}: {text}" for name, text in named.items() if text)]
        self.send("\r\n".join((*lines, "", "")).encode())

    def whole(self, body: bytes, status: int = 200, content_type: str = JSON, **headers: str) -> None:
        """An answer in one piece."""
        self.head(status, content_type, Content_Length=str(len(body)), **headers)
        self.send(body)

    def chunk(self, data: bytes) -> None:
        self.send(f"{len(data):x}\r\n".encode() + data + b"\r\n")

    def say(self, said: Said) -> None:
        """A whole reply, in the protocol of the request."""
        if not self.asked.stream:
            self.whole(json.dumps(self.body(said)).encode())
            return
        self.head(content_type=EVENTS, Transfer_Encoding="chunked")
        for event in self.events(said):
            self.chunk(event)
        self.chunk(b"")

    def body(self, said: Said) -> dict[str, Any]:
        return body_of(said, anthropic=self.asked.anthropic, response_tool=self.asked.response_tool)

    def events(self, said: Said) -> list[bytes]:
        return events_of(said, anthropic=self.asked.anthropic, response_tool=self.asked.response_tool)

    def hold(self) -> None:
        """Keep the line open and say nothing, until the client leaves. Tells whoever waits that it does."""
        self._held.set()
        while True:
            ready, _, _ = select.select([self._connection], [], [], 0.05)
            if ready:
                try:
                    if not self._connection.recv(65_536):
                        raise Gone
                except OSError as error:
                    raise Gone from error

    def holds(self) -> None:
        """The client waits from now on."""
        self._held.set()
