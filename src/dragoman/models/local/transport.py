"""Requests to a local model, as a transport: everything above it is the same as for any other provider."""

from collections.abc import Callable
from pathlib import Path

import httpx

from dragoman.models.line import Line
from dragoman.models.local.process import LocalProcess
from dragoman.models.transport import Transports

_JSON = {"Content-Type": "application/json"}


def local_transports(weights: Callable[[], Path]) -> Transports:
    """Over one process, begun when something is first asked. Raises `ModelUnusable` then."""
    held: list[LocalProcess] = []

    def transport(line: Line) -> httpx.BaseTransport:
        if not held:
            held.append(LocalProcess(weights()))
        return _LocalTransport(held[0], line)

    return transport


class _LocalTransport(httpx.BaseTransport):
    def __init__(self, process: LocalProcess, line: Line) -> None:
        self._process = process
        self._line = line

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        status, body = self._process.answer(request.read(), self._line)
        return httpx.Response(status, headers=_JSON, stream=httpx.ByteStream(body))
