"""A server of the test's own: `dragoman serve` in a process, on a free loopback port, and clients for it."""

import json
import os
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

import httpx

from dragoman import Workspace
from dragoman.workspace.setup import make_from_pack

PATIENCE: Final = 120.0
"""Nothing takes so long: a request that does has hung."""
STREAM: Final = {"accept": "text/event-stream"}
Json = dict[str, Any]


@dataclass
class Server:
    url: str
    link: str
    folder: Path
    process: subprocess.Popen[str]
    store: str | None = None
    _clients: list[httpx.Client] = field(default_factory=list)

    def token(self, owner: str) -> str:
        with Workspace.open(self.folder, store=self.store) as workspace:
            return workspace.access.issue(owner).token

    def client(self, owner: str = "ann") -> httpx.Client:
        """Somebody with a token."""
        return self.bearer(self.token(owner))

    def bearer(self, token: str) -> httpx.Client:
        headers = {"Authorization": f"Bearer {token}"}
        client = httpx.Client(base_url=self.url, headers=headers, timeout=PATIENCE)
        self._clients.append(client)
        return client

    def stranger(self) -> httpx.Client:
        """Somebody without."""
        client = httpx.Client(base_url=self.url, timeout=PATIENCE)
        self._clients.append(client)
        return client

    def workers(self) -> list[int]:
        """The processes that take turns, where there are several."""
        return sorted(
            int(entry.name)
            for entry in Path("/proc").iterdir()
            if entry.name.isdigit()
            and _parent(entry) == self.process.pid
            and b"spawn_main" in _command(entry)
        )

    def close(self) -> None:
        for client in self._clients:
            client.close()


def _parent(entry: Path) -> int:
    try:
        return int((entry / "stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return 0


def _command(entry: Path) -> bytes:
    try:
        return (entry / "cmdline").read_bytes()
    except OSError:
        return b""


@contextmanager
def serving(folder: Path, *arguments: str, store: str | None = None, workers: int = 1) -> Iterator[Server]:
    """A server over a folder. It is told to end, and has to end well."""
    command = [sys.executable, "-m", "dragoman.cli", "serve", "-w", str(folder), "--port", "0"]
    command += ["--workers", str(workers), *(("--store", store) if store else ()), *arguments]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    )
    server = None
    try:
        line = first_line(process)
        found = urlsplit(line)
        link = parse_qs(found.query).get("token", [""])[0]
        server = Server(f"{found.scheme}://{found.netloc}", link, folder, process, store)
        yield server
    finally:
        if server is not None:
            server.close()
        process.send_signal(signal.SIGTERM)
        _, complaints = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, complaints


def first_line(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    ready, _, _ = select.select([process.stdout], [], [], PATIENCE)
    line = process.stdout.readline().strip() if ready else ""
    if not line:
        process.kill()
        raise AssertionError(process.communicate()[1])
    return line


def funds(folder: Path) -> Path:
    """A workspace with the funds pack and its demo."""
    make_from_pack(folder, "funds")
    return folder


class Talk:
    """One session of a client."""

    def __init__(self, client: httpx.Client, session_id: str = "") -> None:
        self.client = client
        self.id = session_id or str(json_of(client.post("/api/sessions", json={}), 201)["session"]["id"])

    def send(self, method: str, path: str, **request: Any) -> httpx.Response:
        return self.client.request(method, f"/api/session/{self.id}{path}", **request)

    def get(self, path: str = "", **request: Any) -> Json:
        return json_of(self.send("GET", path, **request))

    def post(self, path: str, body: Json | None = None, **request: Any) -> Json:
        return json_of(self.send("POST", path, json=body, **request))

    def say(self, message: str, **request: Any) -> Json:
        return self.post("/chat", {"message": message}, **request)

    def edit(self, source: str, notation: str = "verbs") -> Json:
        return json_of(self.send("PUT", "/program", json={"source": source, "notation": notation}))

    def post_fork(self, turn: int | None = None) -> str:
        """The id of a fork of this session."""
        forked = json_of(self.send("POST", "/fork", json={"turn": turn}), 201)
        return str(forked["session"]["id"])

    def state(self) -> str:
        return state_of(self.get()["chat"])


def json_of(response: httpx.Response, status: int = 200) -> Json:
    assert response.status_code == status, response.text
    found: Json = response.json()
    return found


def state_of(response: Json) -> str:
    return str(response["session_state"]["state"])


@dataclass(frozen=True)
class Event:
    id: str
    name: str
    data: Json


def events(lines: Iterator[str]) -> Iterator[Event]:
    """The events of a stream, as a browser reads them; comments are passed over."""
    fields: dict[str, str] = {}
    for line in lines:
        if line and not line.startswith(":"):
            name, _, value = line.partition(": ")
            fields[name] = value
        elif not line and "data" in fields:
            yield Event(fields.get("id", ""), fields["event"], json.loads(fields["data"]))
            fields = {}


def streamed(talk: Talk, path: str, body: Json | None = None, **headers: str) -> list[Event]:
    """A turn told to its end."""
    method = "PUT" if path == "/program" else "POST"
    with talk.client.stream(
        method, f"/api/session/{talk.id}{path}", json=body, headers={**STREAM, **headers}
    ) as response:
        assert response.status_code == 200, response.read()
        return list(events(response.iter_lines()))
