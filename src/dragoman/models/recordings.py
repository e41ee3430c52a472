"""Exchanges with providers kept in a file and given again from it, for tests and for looking into failures.

Each line is an exchange, in JSON. No header of a request is kept, so no key is; the request has no secrets
when it gets here. An exchange that broke off is not kept.
"""

import json
import threading
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx

from dragoman.contracts.errors import ModelNotRecorded, RecordingUnusable
from dragoman.guards.secrets import scrubbed, scrubbed_value
from dragoman.models.line import Line
from dragoman.models.transport import NetworkTransport, Transports, chunks_of

_KEPT_HEADERS = ("content-type", "retry-after")
_MOST_BYTES = 100_000_000


def recording(path: Path, transports: Transports = NetworkTransport) -> Transports:
    """Transports that add every exchange to a file."""
    lock = threading.Lock()

    def write(line: str) -> None:
        try:
            with lock, path.open("a", encoding="ascii") as file:
                file.write(f"{line}\n")
        except OSError as error:
            raise RecordingUnusable(f"{path} cannot be written: {error.strerror}") from error

    return lambda line: _Recording(transports(line), write)


def replaying(path: Path) -> Transports:
    """Transports that answer from a file and never reach the network. Raises `RecordingUnusable`.

    A request that was made several times is answered in that order, and from then on with the last answer.
    """
    answers = _read(path)
    given: dict[str, int] = defaultdict(int)
    lock = threading.Lock()

    def answer(asked: str) -> dict[str, Any]:
        with lock:
            known = answers.get(asked, [])
            if not known:
                raise ModelNotRecorded(
                    f"{path.name} has no answer to this request",
                    hint="record the exchange first, or ask what was recorded",
                    request=asked[:1_000],
                )
            number = min(given[asked], len(known) - 1)
            given[asked] += 1
            return known[number]

    def transport(line: Line) -> httpx.BaseTransport:
        return _Replay(answer, line)

    return transport


class _Recording(httpx.BaseTransport):
    def __init__(self, inner: httpx.BaseTransport, write: Callable[[str], None]) -> None:
        self._inner = inner
        self._write = write

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        response = self._inner.handle_request(request)

        def keep(body: bytes) -> None:
            headers = {name: response.headers[name] for name in _KEPT_HEADERS if name in response.headers}
            answer = {"status": response.status_code, "headers": headers, "body": _kept(_text(body))}
            self._write(json.dumps({"request": _asked(request), "answer": answer}))

        stream = _Kept(response, keep)
        return httpx.Response(response.status_code, headers=response.headers, stream=stream)

    def close(self) -> None:
        self._inner.close()


class _Kept(httpx.SyncByteStream):
    """A body that is kept when it is closed, unless it broke off."""

    def __init__(self, response: httpx.Response, keep: Callable[[bytes], None]) -> None:
        self._response = response
        self._keep: Callable[[bytes], None] | None = keep
        self._pieces: list[bytes] = []

    def __iter__(self) -> Iterator[bytes]:
        try:
            for piece in chunks_of(self._response):
                self._pieces.append(piece)
                yield piece
        except Exception:
            self._keep = None
            raise

    def close(self) -> None:
        self._response.close()
        keep, self._keep = self._keep, None
        if keep is not None:
            keep(b"".join(self._pieces))


class _Replay(httpx.BaseTransport):
    def __init__(self, answer: Callable[[str], dict[str, Any]], line: Line) -> None:
        self._answer = answer
        self._line = line

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        self._line.remaining()
        answer = self._answer(_asked(request))
        body = answer["body"].encode("utf-8", "surrogateescape")
        return httpx.Response(answer["status"], headers=answer["headers"], stream=httpx.ByteStream(body))


def _asked(request: httpx.Request) -> str:
    """What tells one request from another: where it goes and what it says, however that is laid out."""
    body = json.dumps(json.loads(request.read()), sort_keys=True)
    return f"{request.method} {request.url.path} {body}"


def _kept(body: str) -> str:
    """An answer without secrets. The request had none, so that one could only be made up."""
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return scrubbed(body)
    clean = scrubbed_value(value)
    return body if clean == value else json.dumps(clean)


def _text(body: bytes) -> str:
    return body.decode("utf-8", "surrogateescape")


def _read(path: Path) -> dict[str, list[dict[str, Any]]]:
    try:
        with path.open("rb") as file:
            data = file.read(_MOST_BYTES + 1)
    except OSError as error:
        raise RecordingUnusable(f"{path} cannot be read: {error.strerror}") from error
    if len(data) > _MOST_BYTES:
        raise RecordingUnusable(f"{path} is longer than {_MOST_BYTES:,} bytes")
    answers: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for number, line in enumerate(data.splitlines(), 1):
        try:
            asked, answer = _exchange(json.loads(line))
        except (ValueError, RecursionError) as error:
            raise RecordingUnusable(f"{path}:{number} is no recorded exchange") from error
        answers[asked].append(answer)
    return answers


def _exchange(line: Any) -> tuple[str, dict[str, Any]]:
    """Raises `ValueError`."""
    match line:
        case {
            "request": str(asked),
            "answer": {"status": int(status), "headers": dict(headers), "body": str(body)},
        } if 100 <= status <= 599 and all(isinstance(value, str) for value in headers.values()):
            return asked, {"status": status, "headers": headers, "body": body}
        case _:
            raise ValueError("not an exchange")
