"""Requests to a local model, as a transport: everything above it is the same as for any other provider."""

from collections.abc import Callable
from pathlib import Path
from threading import Lock

import httpx

from dragoman.models.line import Line
from dragoman.models.local.process import LocalProcess

_JSON = {"Content-Type": "application/json"}


class LocalTransports:
    """Over one process, begun when something is first asked."""

    def __init__(self, weights: Callable[[], Path]) -> None:
        """`weights` finds the file. Raises `ModelUnusable` where there is none."""
        self._weights = weights
        self._lock = Lock()
        self._process: LocalProcess | None = None

    def __call__(self, line: Line) -> httpx.BaseTransport:
        with self._lock:
            if self._process is None:
                self._process = LocalProcess(self._weights())
            return _LocalTransport(self._process, line)

    def close(self) -> None:
        with self._lock:
            if self._process is not None:
                self._process.close()


class _LocalTransport(httpx.BaseTransport):
    def __init__(self, process: LocalProcess, line: Line) -> None:
        self._process = process
        self._line = line

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        status, body = self._process.answer(request.read(), self._line)
        return httpx.Response(status, headers=_JSON, stream=httpx.ByteStream(body))
