"""A PostgreSQL that looks like a Supabase project's, and the project's REST interface in front of it.

REST is served by `@supabase/lite` in the version below, on the same PostgreSQL. Two things that PostgREST
does and it does not are made up for on the way to it: the description at `/rest/v1/`, which is made from the
catalog of the server, and quotes around names, which are taken off where they are not needed. The rest cannot
be: it makes floating-point numbers of whole numbers and decimals, also of those that come as text, and keeps
the notation of bytes instead of the bytes.
"""

import http.client
import json
import os
import re
import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Final
from urllib.parse import parse_qsl, quote, urlencode

import psycopg

from tests.databases.rest.postgrest import described
from tests.servers import MissingError

LITE: Final = "0.10.0"
DRIVER: Final = "3.4.9"
SECRET: Final = "sb_secret_abcdefghijklmnopqrstuvwx"
PUBLISHABLE: Final = "sb_publishable_abcdefghijklmnopqrst"
_CACHE: Final = Path(__file__).parents[2] / ".cache" / f"supabase-lite-{LITE}"
_SECONDS: Final = 30.0
_NAME: Final = re.compile(r'(?<!\.)"([a-z_][a-z0-9_]*)"(?=[.,:)]|$)')
ROLES: Final = """
DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'anon') THEN CREATE ROLE anon NOLOGIN NOINHERIT; END IF;
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'authenticated') THEN
    CREATE ROLE authenticated NOLOGIN NOINHERIT; END IF;
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'service_role') THEN
    CREATE ROLE service_role NOLOGIN NOINHERIT BYPASSRLS; END IF;
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'authenticator') THEN
    CREATE ROLE authenticator LOGIN NOINHERIT PASSWORD 'authenticator'; END IF;
END $$;
GRANT anon, authenticated, service_role TO authenticator;
CREATE SCHEMA IF NOT EXISTS auth;
CREATE SCHEMA IF NOT EXISTS extensions;
GRANT USAGE ON SCHEMA public, extensions TO anon, authenticated, service_role;
GRANT CREATE ON SCHEMA public TO service_role;
ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT ALL ON TABLES TO anon, authenticated, service_role;
"""
"""Roles and rights as a project has them: what is made in `public` is open to everybody by default."""


@dataclass(frozen=True)
class Project:
    database: str
    base_url: str


@contextmanager
def rest_project(database: str, folder: Path) -> Iterator[Project]:
    """Raises MissingError where Node.js or the package is not there and cannot be had."""
    program = _installed()
    settings = folder / "supabase" / "config.toml"
    settings.parent.mkdir(parents=True)
    with _describing(database) as (port, forward):
        inner = _free_port()
        settings.write_text(_config(database, inner))
        process = subprocess.Popen(
            ["node", str(program), "start", "--no-admin"],
            cwd=folder,
            env={**os.environ, "LITE_TELEMETRY": "0", "DO_NOT_TRACK": "1"},
            stdout=(folder / "lite.log").open("wb"),
            stderr=subprocess.STDOUT,
        )
        try:
            _wait(process, inner, folder / "lite.log")
            forward.port = inner
            yield Project(database, f"http://127.0.0.1:{port}")
        finally:
            process.terminate()
            process.wait()


class _Forward:
    port = 0


def _installed() -> Path:
    """The program, installed once into the checkout's cache."""
    program = _CACHE / "node_modules" / "@supabase" / "lite" / "dist" / "cli" / "index.js"
    if program.is_file() and shutil.which("node"):
        return program
    if not shutil.which("node") or not shutil.which("npm"):
        raise MissingError("Node.js and npm are not installed")
    if os.environ.get("DRAGOMAN_INSTALL") == "never":
        raise MissingError("it is not installed, and DRAGOMAN_INSTALL=never forbids installing it")
    making = _CACHE.with_name(f"{_CACHE.name}.{os.getpid()}.partial")
    making.mkdir(parents=True, exist_ok=True)
    try:
        packages = [f"@supabase/lite@{LITE}", f"postgres@{DRIVER}"]
        outcome = subprocess.run(
            ["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", *packages],
            cwd=making,
            capture_output=True,
            text=True,
            check=False,
        )
        if outcome.returncode:
            raise MissingError(f"npm could not install it: {outcome.stderr.strip()[-200:]}")
        if not program.is_file():
            making.rename(_CACHE)
    finally:
        shutil.rmtree(making, ignore_errors=True)
    return program


def _config(database: str, port: int) -> str:
    return f"""
project_id = "trial"
[api]
enabled = true
port = {port}
[db]
driver = "postgres"
url = "{database}"
[auth]
enabled = true
jwt_secret = "only-for-tests-0123456789abcdefghijklmnop"
publishable_key = "{PUBLISHABLE}"
secret_key = "{SECRET}"
"""


@contextmanager
def _describing(database: str) -> Iterator[tuple[int, _Forward]]:
    forward = _Forward()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, format: str, *args: object) -> None:
            """Tests are quiet."""

        def do_GET(self) -> None:
            if self.path.partition("?")[0] == "/rest/v1/":
                with psycopg.connect(database) as connection:
                    told = described(connection, self.headers.get("Accept-Profile", "public"))
                self._send(200, json.dumps(told).encode(), {"Content-Type": "application/openapi+json"})
            else:
                self._passed_on()

        def do_POST(self) -> None:
            self._passed_on()

        def _passed_on(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            line = http.client.HTTPConnection("127.0.0.1", forward.port, timeout=_SECONDS)
            line.request(self.command, _unquoted(self.path), body, dict(self.headers.items()))
            answer = line.getresponse()
            skipped = ("content-length", "transfer-encoding", "connection", "keep-alive")
            headers = {name: value for name, value in answer.headers.items() if name.lower() not in skipped}
            self._send(answer.status, answer.read(), headers)
            line.close()

        def _send(self, status: int, body: bytes, headers: dict[str, str]) -> None:
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield server.server_address[1], forward
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _unquoted(path: str) -> str:
    place, _, asked = path.partition("?")
    parameters = [(name, _NAME.sub(r"\1", value)) for name, value in parse_qsl(asked, keep_blank_values=True)]
    return f"{place}?{urlencode(parameters, quote_via=quote)}" if parameters else place


def _free_port() -> int:
    with socket.socket() as line:
        line.bind(("127.0.0.1", 0))
        return int(line.getsockname()[1])


def _wait(process: subprocess.Popen[bytes], port: int, log: Path) -> None:
    end = time.monotonic() + _SECONDS
    while time.monotonic() < end:
        if process.poll() is not None:
            raise MissingError(f"it ended at once: {log.read_text(errors='replace')[-300:]}")
        try:
            line = http.client.HTTPConnection("127.0.0.1", port, timeout=1)
            line.request("GET", "/rest/v1/", headers={"apikey": SECRET})
            line.getresponse()
            return
        except OSError:
            time.sleep(0.1)
        finally:
            line.close()
    raise MissingError(f"it did not answer: {log.read_text(errors='replace')[-300:]}")
