"""Hostile input, limits, headers: everything ends in one shape of error, and changes nothing."""

import json
import signal
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import pytest

from tests.patience import LONGEST, until
from tests.web.ground import Server, Talk, funds, json_of, serving

HEADERS: Final = (
    "content-security-policy",
    "x-content-type-options",
    "referrer-policy",
    "cross-origin-resource-policy",
)


def raw(server: Server, request: bytes) -> tuple[int, bytes]:
    """What the server answers to bytes: the status, and the body."""
    place = urlsplit(server.url)
    with socket.create_connection((place.hostname, place.port), timeout=60) as connection:
        connection.sendall(request)
        answer = b""
        while chunk := connection.recv(65_536):
            answer += chunk
    head, _, body = answer.partition(b"\r\n\r\n")
    return int(head.split()[1]), body


def plain(server: Server, token: str, *lines: str, body: bytes = b"", path: str = "/api/sessions") -> bytes:
    host = urlsplit(server.url).netloc
    head = [
        f"POST {path} HTTP/1.1",
        f"Host: {host}",
        f"Authorization: Bearer {token}",
        "Connection: close",
        *lines,
    ]
    return "\r\n".join(head).encode("latin-1") + b"\r\n\r\n" + body


@pytest.fixture(scope="module")
def token(server: Server) -> str:
    return server.token("eve")


@pytest.mark.parametrize(
    ("content_type", "body", "status", "code"),
    [
        ("application/json", b'{"title": "\xff\xfe"}', 400, "body_unreadable"),
        ("application/json", b'{"title": ', 400, "body_unreadable"),
        ("application/json", b"[" * 100_000, 400, "body_unreadable"),
        ("application/json", b'{"title": 5}', 422, "request_invalid"),
        ("application/json", b'{"titel": "x"}', 422, "request_invalid"),
        ("application/json", b'"x"', 422, "request_invalid"),
        ("application/json", b"", 422, "request_invalid"),
        ("application/json; charset=utf-16", b"{}", 415, "body_type_refused"),
        ("text/plain", b"{}", 415, "body_type_refused"),
        ("multipart/form-data; boundary=x", b"--x--", 415, "body_type_refused"),
        ("application/json", b'{"title": "' + b"x" * 600 + b'"}', 422, "request_invalid"),
        ("application/json", b" " * 1_100_000, 413, "body_too_large"),
        ("application/json", b'{"title": "\\ud800"}', 422, "request_invalid"),
    ],
)
def test_what_cannot_be_taken(
    server: Server, token: str, content_type: str, body: bytes, status: int, code: str
) -> None:
    given = server.bearer(token).post("/api/sessions", content=body, headers={"Content-Type": content_type})
    assert given.status_code == status, given.text
    assert set(given.json()) == {"code", "message", "hint", "details"}
    assert given.json()["code"] == code
    assert json_of(server.bearer(token).get("/api/sessions")) == {"sessions": []}


def test_a_body_without_a_length_is_bounded_too(server: Server, token: str) -> None:
    def endless() -> Iterator[bytes]:
        for _ in range(40):
            yield b" " * 65_536

    given = server.bearer(token).post(
        "/api/sessions", content=endless(), headers={"Content-Type": "application/json"}
    )
    assert (given.status_code, given.json()["code"]) == (413, "body_too_large")


@pytest.mark.parametrize(
    "lines",
    [
        ("Authorization: Bearer other", "Content-Length: 0"),
        ("Content-Type: application/json", "Content-Type: text/plain", "Content-Length: 0"),
        ("Idempotency-Key: a", "Idempotency-Key: b", "Content-Length: 0"),
        ("Host: evil.example", "Content-Length: 0"),
        ("Content-Length: 5", "Content-Length: 6"),
        ("Transfer-Encoding: chunked", "Content-Length: 6"),
    ],
)
def test_a_header_that_says_two_things(server: Server, token: str, lines: tuple[str, ...]) -> None:
    assert raw(server, plain(server, token, *lines))[0] == 400


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example", "localhost@evil.example", "", "[::"]
)
def test_another_host_is_refused(server: Server, token: str, host: str) -> None:
    """A name that somebody else's DNS leads here brings their page's requests with it."""
    given = server.bearer(token).get("/api/sessions", headers={"Host": host})
    assert given.status_code in (400, 403), given.text


@pytest.mark.parametrize(
    "path",
    [
        "/../../etc/passwd",
        "/page/../style.css",
        "/page/%2e%2e/%2e%2e/etc/passwd",
        "/api/session/..%2f..%2fetc",
        "/api//sessions",
        "/api/sessions/",
        "/api/session/%00",
        "/api/session/" + "x" * 2_000,
        "/style.css/..",
        "/docs/../api/sessions",
        "//evil.example/",
        "/api/session/\\..\\..",
    ],
)
def test_tricks_with_paths_find_nothing(server: Server, token: str, path: str) -> None:
    host = urlsplit(server.url).netloc
    request = (
        f"GET {path} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\nConnection: close\r\n\r\n"
    )
    status, body = raw(server, request.encode("latin-1"))
    assert status in (400, 401, 404, 422), body
    assert b"root:" not in body


def test_every_answer_has_the_headers(server: Server, token: str) -> None:
    client = server.bearer(token)
    for path in ("/", "/docs", "/openapi.json", "/style.css", "/health", "/api/sessions", "/nothing"):
        given = client.get(path)
        assert all(name in given.headers for name in HEADERS), path
        assert "'unsafe" not in given.headers["content-security-policy"]
    assert client.get("/api/sessions").headers["cache-control"] == "no-store"


def test_the_pages_need_no_script_and_no_other_server(server: Server) -> None:
    for path in ("/", "/docs"):
        page = server.stranger().get(path).text
        assert "<script" not in page
        assert " style=" not in page
        assert "http" not in page.replace("HTTP", "").replace("http_", "").replace("httpx", ""), path
    assert '"UnresolvedRefs"' in server.stranger().get("/openapi.json").text


def test_limits_are_settings(tmp_path: Path) -> None:
    funds(tmp_path)
    with (tmp_path / "dragoman.yaml").open("a") as file:
        file.write("server: {burst: 5, requests_per_minute: 1, body_kb: 1}\n")
    with serving(tmp_path) as server:
        client = server.client()
        large = client.post("/api/sessions", json={"title": "x" * 1_100})
        assert large.status_code == 413
        given = [client.get("/api/sessions").status_code for _ in range(6)]
        assert given == [200, 200, 200, 200, 429, 429]
        last = client.get("/api/sessions")
        assert int(last.headers["retry-after"]) >= 1
        assert last.json()["code"] == "too_many_requests"
        assert server.client("bob").get("/api/sessions").status_code == 200, (
            "everybody has a bucket of their own"
        )


def test_a_refused_message_takes_no_turn(server: Server) -> None:
    talk = Talk(server.client())
    for message, status in (
        ("", 422),
        ("   ", 422),
        ("x" * 30_000, 422),
        ("a\u0000b", 422),
        ("a\ud800", 422),
    ):
        body = json.dumps({"message": message}).encode()
        given = talk.send("POST", "/chat", content=body, headers={"Content-Type": "application/json"})
        assert given.status_code == status, (message[:10], given.text)
    wrong = talk.send("POST", "/chat", json={"message": "hi"}, headers={"Expected-Revision": "7"})
    assert (wrong.status_code, wrong.json()["code"]) == (409, "session_conflict")
    assert talk.get()["session"]["revision"] == 0


def test_a_request_that_outlives_its_server_is_told_so(tmp_path: Path) -> None:
    with (funds(tmp_path) / "dragoman.yaml").open("a") as file:
        file.write("server: {shutdown_seconds: 1}\n")
    endless = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) AS n FROM c"
    with serving(tmp_path) as server, ThreadPoolExecutor(1) as pool:
        talk = Talk(server.client())
        asked = pool.submit(talk.send, "POST", "/chat", json={"message": endless, "as_sql": True})
        until(lambda: talk.get()["session"]["taking_turn"], "the turn is being taken")
        server.process.send_signal(signal.SIGTERM)
        answer = asked.result()
        assert json_of(answer, 503)["code"] == "server_busy"
        assert all(name in answer.headers for name in (*HEADERS, "retry-after"))
        _, complaints = server.process.communicate(timeout=LONGEST)
        assert "Traceback" not in complaints
