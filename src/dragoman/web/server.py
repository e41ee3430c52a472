"""The server process: binds the address, lets the browser of this machine in, and ends in good order."""

import ipaddress
import signal
import socket
from collections.abc import Callable
from contextlib import suppress
from typing import Final

import uvicorn
from uvicorn.supervisors import Multiprocess

from dragoman.contracts.errors import AddressRefused, DragomanError
from dragoman.contracts.record import Record
from dragoman.web.worker import Served, tell_workers
from dragoman.workspace import Workspace
from dragoman.workspace.access_tokens import LINK_SECONDS, TokenKind

_BACKLOG: Final = 2_048
_WORKER_SECONDS: Final = 120
"""A worker that says nothing for so long is replaced. On a busy machine a few seconds mean nothing."""
_APP: Final = "dragoman.web.worker:app"


class Address(Record, frozen=True):
    host: str
    port: int

    @property
    def loopback(self) -> bool:
        """Whether only this machine reaches it: then a printed link is enough to let its user in."""
        if self.host == "localhost":
            return True
        with suppress(ValueError):
            return ipaddress.ip_address(self.host).is_loopback
        return False

    @property
    def url(self) -> str:
        return f"http://[{self.host}]:{self.port}" if ":" in self.host else f"http://{self.host}:{self.port}"


def serve(
    workspace: str,
    store: str | None,
    address: Address,
    workers: int,
    announce: Callable[[str, bool], None],
) -> None:
    """Serve until the process is told to end. `announce` gets the URL, and whether anybody could use it:
    there is a link, or a token."""
    bound = _bound(address)
    at = Address(address.host, bound.getsockname()[1])
    title = f"serve {at.url}"
    # What is wrong with the workspace or its store is said here, once, and not by every worker.
    with Workspace.open(workspace, store=store) as opened:
        settings, access = opened.server_settings, opened.access
        access.forget_local(title)
        link = (
            access.issue("", title=title, kind=TokenKind.LINK, seconds=LINK_SECONDS).token
            if at.loopback
            else ""
        )
        usable = bool(link) or bool(access.list())
    tell_workers(Served(workspace, store, any_host=not at.loopback and not settings.hosts))
    config = uvicorn.Config(
        _APP,
        factory=True,
        workers=workers,
        log_level="warning",
        access_log=False,
        server_header=False,
        date_header=True,
        ws="none",
        lifespan="on",
        backlog=_BACKLOG,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=settings.shutdown_seconds,
        timeout_worker_healthcheck=_WORKER_SECONDS,
    )
    announce(f"{at.url}/login?token={link}" if link else at.url, usable)
    try:
        _run(config, bound, workers)
    finally:
        bound.close()
        with suppress(DragomanError), Workspace.open(workspace, store=store) as opened:
            opened.access.forget_local(title)


def _run(config: uvicorn.Config, bound: socket.socket, workers: int) -> None:
    # uvicorn repeats the signal that ended it, for whoever was there before: to us that is the end of a
    # server that did what it was told.
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, lambda number, frame: None)
    if workers == 1:
        uvicorn.Server(config).run(sockets=[bound])
    else:
        Multiprocess(config, sockets=[bound]).run()


def _bound(address: Address) -> socket.socket:
    """A socket that listens: whoever comes before the workers are there waits."""
    family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
    bound = socket.socket(family)
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind((address.host, address.port))
        bound.listen(_BACKLOG)
    except (OSError, OverflowError) as error:
        bound.close()
        raise AddressRefused(
            f"{address.url} cannot be served: {getattr(error, 'strerror', None) or error}",
            hint="name another --port (0 takes a free one) or an address of this machine with --host",
        ) from error
    bound.set_inheritable(True)
    return bound
