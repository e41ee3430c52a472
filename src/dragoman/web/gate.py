"""What every request passes before a route sees it: host, origin, who it is, how often, how large.

It is plain ASGI: a layer that costs microseconds and holds no response back.
"""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from http.cookies import CookieError, SimpleCookie
from typing import Final
from urllib.parse import urlsplit

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from dragoman.contracts.errors import (
    BodyTooLarge,
    BodyTypeRefused,
    BodyUnreadable,
    DragomanError,
    OriginRefused,
    ServerBusy,
    TooManyRequests,
    Unauthorized,
)
from dragoman.web.door import Door, Identity
from dragoman.web.failures import failed
from dragoman.workspace.access_tokens import unauthorized

OPEN_PATHS: Final = frozenset({"/", "/health", "/ready", "/docs", "/openapi.json", "/style.css", "/login"})
"""Everybody may ask for these: they tell nothing of a workspace."""

_LOOPBACK: Final = frozenset({"127.0.0.1", "localhost", "::1"})
_SINGLE: Final = frozenset(
    (
        *(b"host", b"authorization", b"cookie", b"origin", b"content-length", b"content-type"),
        *(b"idempotency-key", b"expected-revision", b"last-event-id"),
    )
)
"""A request that sends one of these twice may mean two things."""
_READING: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_MOST_BUCKETS: Final = 10_000
_MOST_IN_FLIGHT: Final = 1_000
_EVERYWHERE: Final[tuple[tuple[bytes, bytes], ...]] = (
    (
        b"content-security-policy",
        b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self';"
        b" connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    ),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
)
_PAGES: Final[tuple[tuple[bytes, bytes], ...]] = (
    (b"x-frame-options", b"DENY"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
)
"""What only a page that is shown needs."""


class Gate:
    """`door` is asked for when a request comes: it is opened after the application is built."""

    def __init__(self, app: ASGIApp, door: Callable[[], Door], hosts: Collection[str] | None) -> None:
        """`hosts` are what the server is called beside the names of loopback; with None any name is taken."""
        self._app = app
        self._door = door
        self._hosts = hosts
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            # The lifespan belongs to the application; there are no web sockets here.
            await self._app(scope, receive, send)
            return
        door = self._door()
        status, begun = 500, False

        async def guarded(message: Message) -> None:
            nonlocal status, begun
            if message["type"] == "http.response.start":
                status, begun = message["status"], True
                headers = list(message["headers"])
                headers += _EVERYWHERE
                named = dict(headers)
                if named.get(b"content-type", b"").startswith(b"text/html"):
                    headers += _PAGES
                if b"cache-control" not in named:
                    headers.append((b"cache-control", b"no-store"))
                message["headers"] = headers
            await send(message)

        door.in_flight += 1
        try:
            headers = _headers(scope)
            self._accept_place(headers)
            identity = await self._counted(scope, headers)
            body = await self._body(scope, headers, receive)
        except DragomanError as error:
            await failed(error)(scope, receive, guarded)
        except TimeoutError:
            late = BodyUnreadable("the body did not arrive in time", hint="send it at once")
            await failed(late, 408)(scope, receive, guarded)
        else:
            scope["identity"] = identity
            with suppress(asyncio.CancelledError):
                await self._app(scope, _replayed(body, receive), guarded)
                return
            # The server ends, and the request has had its time. A stream breaks off: it is resumed elsewhere.
            if not begun:
                await failed(_ending())(scope, receive, guarded)
        finally:
            door.in_flight -= 1
            route = scope.get("route")
            door.requests[scope["method"], getattr(route, "path", "-"), status] += 1

    def _accept_place(self, headers: Mapping[bytes, bytes]) -> None:
        host = headers.get(b"host", b"").decode("latin-1")
        name = _hostname(host)
        if self._hosts is not None and name not in _LOOPBACK and name not in self._hosts:
            raise OriginRefused(
                f"this server is not called {host[:80]!r}",
                hint="open the URL that it printed, or name the host under server.hosts in dragoman.yaml",
            )
        origin = headers.get(b"origin")
        if origin is not None and _place(origin.decode("latin-1")) != host:
            raise OriginRefused("the request comes from another site", hint="only the server's own pages may")

    async def _counted(self, scope: Scope, headers: Mapping[bytes, bytes]) -> Identity | None:
        """Who it is. Whoever is refused is counted too, by where they come from."""
        door = self._door()
        if door.in_flight >= _MOST_IN_FLIGHT:
            raise ServerBusy("as many requests are under way as may be", hint="try again in a moment")
        try:
            identity = await self._identity(scope, headers)
        except Unauthorized:
            self._count(None, scope)
            raise
        self._count(identity, scope)
        return identity

    async def _identity(self, scope: Scope, headers: Mapping[bytes, bytes]) -> Identity | None:
        path, method = scope["path"], scope["method"]
        if path in OPEN_PATHS or path.startswith("/page/"):
            return None
        shown = headers.get(b"authorization")
        if shown is not None:
            kind, _, token = shown.decode("latin-1").partition(" ")
            if kind.lower() != "bearer":
                raise unauthorized()
            return await self._door().identify(token.strip(), by_cookie=False)
        token = _cookie(cookie_name(scope), headers.get(b"cookie", b"").decode("latin-1"))
        if not token:
            raise unauthorized()
        if method not in _READING and headers.get(b"sec-fetch-site", b"same-origin") not in (
            b"same-origin",
            b"none",
        ):
            raise OriginRefused("the request comes from another site", hint="only the server's own pages may")
        return await self._door().identify(token, by_cookie=True)

    def _count(self, identity: Identity | None, scope: Scope) -> None:
        """A bucket for each token, and for each address that shows none."""
        settings, now = self._door().settings, time.monotonic()
        client = scope.get("client") or ("", 0)
        name = identity.token_id if identity is not None else f"from {client[0]}"
        left, since = self._buckets.pop(name, (float(settings.burst), now))
        rate = settings.requests_per_minute / 60
        left = min(float(settings.burst), left + (now - since) * rate)
        self._buckets[name] = (max(0.0, left - 1), now)
        while len(self._buckets) > _MOST_BUCKETS:
            self._buckets.popitem(last=False)
        if left < 1:
            wait = max(1, round((1 - left) / rate))
            raise TooManyRequests(
                f"more than {settings.requests_per_minute:,} requests a minute",
                hint="wait as long as Retry-After says",
                retry_after=wait,
            )

    async def _body(self, scope: Scope, headers: Mapping[bytes, bytes], receive: Receive) -> bytes:
        """The whole body, checked for size and form before a route is asked."""
        if scope["method"] in _READING:
            return b""
        settings = self._door().settings
        most = settings.body_kb * 1024
        said = headers.get(b"content-length", b"0")
        if said.isdigit() and int(said) > most:
            raise _too_large(most)
        parts: list[bytes] = []
        size = 0
        async with asyncio.timeout(settings.body_seconds):
            while True:
                message = await receive()
                if message["type"] != "http.request":
                    break
                parts.append(message.get("body", b""))
                size += len(parts[-1])
                if size > most:
                    raise _too_large(most)
                if not message.get("more_body", False):
                    break
        body = b"".join(parts)
        if body:
            _accept_form(headers.get(b"content-type", b"").decode("latin-1"), body)
        return body


def _headers(scope: Scope) -> dict[bytes, bytes]:
    found: dict[bytes, bytes] = {}
    for name, value in scope["headers"]:
        if name in found and name in _SINGLE:
            raise BodyUnreadable(f"the header {name.decode('latin-1')} is sent twice", hint="send it once")
        found[name] = value
    if b"transfer-encoding" in found and b"content-length" in found:
        raise BodyUnreadable("the body has a length and none", hint="send Content-Length, or chunks")
    return found


def _accept_form(content_type: str, body: bytes) -> None:
    kind, _, parameters = content_type.partition(";")
    charset = parameters.strip().lower().removeprefix("charset=").strip('"')
    if kind.strip().lower() != "application/json" or charset not in ("", "utf-8"):
        raise BodyTypeRefused(
            f"a body of the type {content_type[:80]!r} is not taken", hint="send application/json in UTF-8"
        )
    try:
        body.decode("utf-8")
    except UnicodeDecodeError as error:
        raise BodyUnreadable(
            f"the body is not UTF-8: byte {error.start}", hint="send JSON in UTF-8"
        ) from error


def _ending() -> ServerBusy:
    return ServerBusy(
        "the server ends before the request does",
        hint="read the session again: what was done by then is on record",
    )


def _too_large(most: int) -> BodyTooLarge:
    return BodyTooLarge(
        f"the body has more than {most:,} bytes", hint="send less, or raise server.body_kb in dragoman.yaml"
    )


def _place(origin: str) -> str | None:
    """Host and port of an origin; None where it is no URL."""
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return None


def _hostname(host: str) -> str:
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def cookie_name(scope: Scope) -> str:
    """Cookies of one machine are shared by all its ports: each server has a name of its own."""
    place = scope.get("server") or ("", 0)
    return f"dragoman-{place[1]}"


def _cookie(name: str, header: str) -> str:
    try:
        found = SimpleCookie(header).get(name)
    except CookieError:
        return ""
    return found.value if found is not None else ""


def _replayed(body: bytes, receive: Receive) -> Receive:
    """The body once more, for the route that reads it; then whatever comes."""
    told = False

    async def again() -> Message:
        nonlocal told
        if told:
            return await receive()
        told = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again
