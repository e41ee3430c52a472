"""The routes of sessions: opened, listed, read, forked, exported, closed, deleted."""

from typing import Annotated, Literal

from fastapi import APIRouter, Query, Response

from dragoman.contracts import events as ev
from dragoman.web import bodies
from dragoman.web.chat_response import ChatResponse
from dragoman.web.door import Door, Identity
from dragoman.web.failures import RESPONSES
from dragoman.web.reach import Limit, Offset, SessionId, TheDoor, Who
from dragoman.web.shape import Document
from dragoman.web.turns import response_at
from dragoman.workspace import SessionHead

NDJSON = "application/x-ndjson"

router = APIRouter(prefix="/api", tags=["sessions"], responses=RESPONSES)


class SessionView(Document):
    """A session without its history. `revision` is what the next request may expect."""

    id: str
    title: str
    lifecycle: Literal["open", "cancelled", "closed"]
    revision: int
    created_at: float
    updated_at: float
    taking_turn: bool


class Origin(Document):
    """Where the first turns of a fork were taken."""

    session: str
    turn: int


class OneSession(Document):
    session: SessionView
    forked: Origin | None
    chat: ChatResponse


class SessionList(Document):
    sessions: list[SessionView]


@router.post("/sessions", status_code=201, response_model=OneSession)
async def open_session(body: bodies.NewSession, door: TheDoor, who: Who) -> Response:
    """Open a session of one's own."""

    def work() -> OneSession:
        session_id = door.workspace.new_session(owner=who.owner, title=body.title)
        return _one(door, who, session_id)

    return _json(await door.read(work), 201)


@router.get("/sessions", response_model=SessionList)
async def list_sessions(door: TheDoor, who: Who, limit: Limit = 50, offset: Offset = 0) -> Response:
    """One's own sessions, the newest first."""

    def work() -> SessionList:
        heads = door.workspace.sessions(owner=who.owner, limit=limit, offset=offset)
        return SessionList(sessions=[_view(head) for head in heads])

    return _json(await door.read(work))


@router.get("/session/{session_id}", response_model=OneSession)
async def read_session(session_id: SessionId, door: TheDoor, who: Who) -> Response:
    """A session as it stands, with what came of its last turn."""
    return _json(await door.read(_one, door, who, session_id))


@router.delete("/session/{session_id}", status_code=204, response_class=Response)
async def delete_session(session_id: SessionId, door: TheDoor, who: Who) -> Response:
    """Remove a session and its records. There is no way back."""

    def work() -> None:
        door.own(who, session_id)
        door.workspace.delete_session(session_id)

    await door.read(work)
    return Response(status_code=204)


@router.post("/session/{session_id}/close", response_model=OneSession)
async def close_session(session_id: SessionId, door: TheDoor, who: Who) -> Response:
    """End a session normally: it can be read from then on."""

    def work() -> OneSession:
        door.own(who, session_id)
        door.workspace.close_session(session_id)
        return _one(door, who, session_id)

    return _json(await door.read(work))


@router.post("/session/{session_id}/fork", status_code=201, response_model=OneSession)
async def fork_session(session_id: SessionId, body: bodies.Fork, door: TheDoor, who: Who) -> Response:
    """A new session that goes on from the state after a turn of this one. This one stays as it is."""

    def work() -> OneSession:
        head = door.own(who, session_id)
        turn = head.version if body.turn is None else body.turn
        forked = door.workspace.fork_session(session_id, turn, owner=who.owner, title=body.title)
        return _one(door, who, forked)

    return _json(await door.read(work), 201)


@router.get(
    "/session/{session_id}/export",
    response_class=Response,
    responses={200: {"content": {NDJSON: {"schema": {"type": "string"}}}, "description": "The session."}},
)
async def export_session(
    session_id: SessionId, door: TheDoor, who: Who, download: Annotated[bool, Query()] = False
) -> Response:
    """The whole session as JSON lines, as `dragoman sessions import` takes it."""

    def work() -> str:
        door.own(who, session_id)
        return door.workspace.export_session(session_id)

    text = await door.read(work)
    headers = {"Content-Disposition": f'attachment; filename="{session_id}.jsonl"'} if download else {}
    return Response(text, media_type=NDJSON, headers=headers)


def _one(door: Door, who: Identity, session_id: str) -> OneSession:
    head = door.own(who, session_id)
    opened = door.workspace.opening(session_id)
    origin = opened.forked if isinstance(opened, ev.SessionOpened) else None
    return OneSession(
        session=_view(head),
        forked=Origin(session=origin.session, turn=origin.turn) if origin is not None else None,
        chat=response_at(door, session_id, head.version),
    )


def _view(head: SessionHead) -> SessionView:
    return SessionView(
        id=head.id,
        title=head.title,
        lifecycle=head.lifecycle.value,
        revision=head.version,
        created_at=head.created_at,
        updated_at=head.updated_at,
        taking_turn=head.slot is not None,
    )


def _json(document: Document, status: int = 200) -> Response:
    """The document is what the schema says: it is built from it, and need not be checked again."""
    return Response(document.model_dump_json(), status, media_type="application/json")
