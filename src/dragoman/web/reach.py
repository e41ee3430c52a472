"""How a route reaches what it works on: the door, who asks, and what the headers say of a turn.

All of these are coroutines: FastAPI would send plain functions to a thread, which costs more than they do.
"""

from typing import Annotated, Any, Final

from fastapi import Depends, Path, Query, Request

from dragoman.contracts.errors import RequestInvalid
from dragoman.web.door import Door, Identity
from dragoman.web.turns import Wish

SSE: Final = "text/event-stream"
_LONGEST_KEY: Final = 200
_LONGEST_ID: Final = 100
_DIGITS: Final = 10


async def door(request: Request) -> Door:
    found: Door = request.app.state.door
    return found


async def identity(request: Request) -> Identity:
    """The gate has found out who it is: no route is reached without."""
    found: Identity = request.scope["identity"]
    return found


def wish(request: Request) -> Wish:
    """What the headers say of a turn. Read by hand: every request of a conversation does it."""
    headers = request.headers
    key, expected = headers.get("idempotency-key"), headers.get("expected-revision")
    last = headers.get("last-event-id")
    if key is not None and not 0 < len(key) <= _LONGEST_KEY:
        raise _invalid("idempotency-key", f"it has 1 to {_LONGEST_KEY} characters")
    if expected is not None and not (expected.isascii() and expected.isdecimal() and len(expected) < _DIGITS):
        raise _invalid("expected-revision", "it is a whole number")
    if last is not None and len(last) > _LONGEST_ID:
        raise _invalid("last-event-id", f"it has {_LONGEST_ID} characters at most")
    return Wish(
        key, int(expected) if expected is not None else None, last, SSE in headers.get("accept", "").lower()
    )


def _invalid(header: str, why: str) -> RequestInvalid:
    problems: list[dict[str, object]] = [{"path": f"header.{header}", "code": "header", "message": why}]
    return RequestInvalid(f"header.{header}: {why}", hint="/docs describes the route", problems=problems)


WISH_PARAMETERS: Final[list[dict[str, Any]]] = [
    {
        "name": "session_id",
        "in": "path",
        "required": True,
        "schema": {"type": "string", "maxLength": 64},
    },
    {
        "name": "Idempotency-Key",
        "in": "header",
        "description": "A request with a key that was sent before gets what came of the first one.",
        "schema": {"type": "string", "minLength": 1, "maxLength": _LONGEST_KEY},
    },
    {
        "name": "Expected-Revision",
        "in": "header",
        "description": "Fail unless the session is at this revision.",
        "schema": {"type": "integer", "minimum": 0, "maximum": 999_999_999},
    },
    {
        "name": "Last-Event-ID",
        "in": "header",
        "description": "Of a stream that broke off: its last event.",
        "schema": {"type": "string", "maxLength": _LONGEST_ID},
    },
]
"""The same for the OpenAPI document."""


TheDoor = Annotated[Door, Depends(door)]
Who = Annotated[Identity, Depends(identity)]
SessionId = Annotated[str, Path(max_length=64)]
Turn = Annotated[int, Path(ge=1, le=1_000_000_000)]
Limit = Annotated[int, Query(ge=1, le=1_000)]
Offset = Annotated[int, Query(ge=0, le=10_000_000)]
