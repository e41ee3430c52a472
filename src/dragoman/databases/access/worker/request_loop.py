"""The worker's side: take requests, answer them one by one, end with the one who asks.

Requests come on the standard input and answers go to the standard output. When the input ends, the worker
ends, in the middle of a query too.
"""

import os
import queue
import sys
import threading
from collections.abc import Callable
from typing import BinaryIO, NoReturn

from dragoman.contracts.errors import AccessError
from dragoman.databases.access.worker.frames import (
    BrokenFrame,
    Failed,
    Message,
    OpenDatabase,
    Request,
    receive_request,
    send,
)

IDLE_EXIT = 75
"""How a worker ends when nobody asked for a while. The reader then starts another one."""

Say = Callable[[Message], None]
Requests = queue.SimpleQueue


def serve(handle: Callable[[Request, Say], None]) -> NoReturn:
    """Answer for ever. What the handler raises as an AccessError is told to the other side."""
    requests: Requests[Request] = queue.SimpleQueue()
    replies = os.fdopen(os.dup(1), "wb")
    # Whatever prints must not fall into the conversation.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    threading.Thread(target=_listen, args=(sys.stdin.buffer, requests), daemon=True).start()
    idle_seconds: float | None = None

    def say(message: Message) -> None:
        send(replies, message)

    while True:
        try:
            request = requests.get(timeout=idle_seconds)
        except queue.Empty:
            os._exit(IDLE_EXIT)
        if isinstance(request, OpenDatabase):
            idle_seconds = request.idle_seconds
        try:
            handle(request, say)
        except AccessError as error:
            say(failure(error))


def failure(error: AccessError) -> Failed:
    details = {name: value for name, value in error.details.items() if isinstance(value, str | int | float)}
    return Failed(type(error).__name__, error.message, error.hint, details)


def _listen(stream: BinaryIO, requests: "Requests[Request]") -> None:
    """Take requests while a query runs, so that the end of the reader is the end of the query too."""
    try:
        while True:
            requests.put(receive_request(stream))
    except BrokenFrame:
        os._exit(0)
