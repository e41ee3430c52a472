"""How a route reaches what it works on: the door, who asks, and what the headers say of a turn.

All of these are coroutines: FastAPI would send plain functions to a thread, which costs more than they do.
"""

from typing import Annotated

from fastapi import Depends, Header, Path, Query, Request

from dragoman.web.door import Door, Identity
from dragoman.web.streams import Streams
from dragoman.web.turns import Wish

SSE = "text/event-stream"


async def door(request: Request) -> Door:
    found: Door = request.app.state.door
    return found


async def streams(request: Request) -> Streams:
    found: Streams = request.app.state.streams
    return found


async def identity(request: Request) -> Identity:
    """The gate has found out who it is: no route is reached without."""
    found: Identity = request.scope["identity"]
    return found


async def wish(
    request: Request,
    idempotency_key: Annotated[
        str | None,
        Header(min_length=1, max_length=200, description="A request with a key that was sent before gets what"
               " came of the first one."),
    ] = None,
    expected_revision: Annotated[
        int | None,
        Header(ge=0, le=1_000_000_000, description="Fail unless the session is at this revision."),
    ] = None,
    last_event_id: Annotated[
        str | None,
        Header(max_length=100, description="Of a stream that broke off: its last event."),
    ] = None,
) -> Wish:  # fmt: skip
    return Wish(
        idempotency_key, expected_revision, last_event_id, SSE in request.headers.get("accept", "").lower()
    )


TheDoor = Annotated[Door, Depends(door)]
TheStreams = Annotated[Streams, Depends(streams)]
Who = Annotated[Identity, Depends(identity)]
TheWish = Annotated[Wish, Depends(wish)]
SessionId = Annotated[str, Path(max_length=64)]
Turn = Annotated[int, Path(ge=1, le=1_000_000_000)]
Limit = Annotated[int, Query(ge=1, le=1_000)]
Offset = Annotated[int, Query(ge=0, le=10_000_000)]
