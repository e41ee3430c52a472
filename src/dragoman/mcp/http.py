"""The server over streamable HTTP: on loopback alone, for clients that have the token."""

import hmac
import socket
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, Final

import uvicorn
from mcp.server.transport_security import TransportSecuritySettings

from dragoman.contracts.errors import PortTaken
from dragoman.mcp.server import Door

HOST: Final = "127.0.0.1"
PATH: Final = "/mcp"
_NAMES: Final = (HOST, "localhost")
_MOST_BYTES: Final = 8 * 1024 * 1024
_MOST_CONNECTIONS: Final = 128
_GRACE_SECONDS: Final = 5

_Scope = MutableMapping[str, Any]
_Receive = Callable[[], Awaitable[_Scope]]
_Send = Callable[[_Scope], Awaitable[None]]
_App = Callable[[_Scope, _Receive, _Send], Awaitable[None]]


def listening(port: int) -> socket.socket:
    """A socket on loopback; port 0 takes a free one."""
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((HOST, port))
        # Whoever reads the address may connect at once: they wait until the server takes them.
        listener.listen(_MOST_CONNECTIONS)
    except OSError as error:
        listener.close()
        raise PortTaken(
            f"port {port} of {HOST} cannot be listened on: {error.strerror}",
            hint="name another one: --port; 0 takes a free one",
        ) from error
    return listener


async def serve_http(door: Door, listener: socket.socket, token: str) -> None:
    """Until a signal ends it."""
    port = listener.getsockname()[1]
    security = TransportSecuritySettings(
        enable_dns_rebinding_protection=True,
        allowed_hosts=[f"{name}:{port}" for name in _NAMES],
        allowed_origins=[f"http://{name}:{port}" for name in _NAMES],
    )
    app = door.server().streamable_http_app(
        streamable_http_path=PATH, transport_security=security, max_request_body_size=_MOST_BYTES
    )
    config = uvicorn.Config(
        bearers_only(app, token),
        log_level="warning",
        access_log=False,
        limit_concurrency=_MOST_CONNECTIONS,
        timeout_graceful_shutdown=_GRACE_SECONDS,
        server_header=False,
    )
    await uvicorn.Server(config).serve(sockets=[listener])


def bearers_only(app: _App, token: str) -> _App:
    """The app for whoever brings the token; anybody else is told to, and no more."""
    wanted = f"Bearer {token}".encode()

    async def guarded(scope: _Scope, receive: _Receive, send: _Send) -> None:
        if scope["type"] == "lifespan":
            await app(scope, receive, send)
            return
        given = [value for name, value in scope.get("headers", ()) if name == b"authorization"]
        if scope["type"] == "http" and len(given) == 1 and hmac.compare_digest(given[0], wanted):
            await app(scope, receive, send)
            return
        body = b'{"error": {"code": "unauthorized", "message": "a bearer token is needed"}}'
        headers = [(b"content-type", b"application/json"), (b"www-authenticate", b"Bearer")]
        await send({"type": "http.response.start", "status": 401, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    return guarded
