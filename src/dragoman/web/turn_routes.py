"""The routes that take a turn: talk, the escape hatches, resolving names, running, stopping."""

import functools
from typing import Annotated, Any, Final

from fastapi import APIRouter, Depends, Request, Response
from fastapi.responses import StreamingResponse

from dragoman.contracts.actions import Choose, Confirm, Edit, Escape, Resolve, Search, SelectRow
from dragoman.contracts.record import Record
from dragoman.contracts.vocabulary import Notation
from dragoman.web import bodies
from dragoman.web.chat_response import ChatResponse
from dragoman.web.door import Door, Identity
from dragoman.web.failures import JSON, RESPONSES
from dragoman.web.reach import SSE, SessionId, TheDoor, Who, wish
from dragoman.web.shape import Document
from dragoman.web.streams import Streams
from dragoman.web.turns import Asked, Said, Wish, take_own

_EVENTS: Final = {
    "schema": {
        "type": "string",
        "description": "Events `stage` (StageTold), `text` (TextTold), `run` (RunTold) and `dropped`"
        " (Dropped), then `response` (ChatResponse) or `error` (Failure). A `stage` and a `response` have"
        " an `id` to go on from.",
    }
}
TURN: Final[dict[int | str, dict[str, Any]]] = {
    **RESPONSES,
    200: {"model": ChatResponse, "content": {SSE: _EVENTS}, "description": "What came of the turn."},
}

TAG: Final = "turns"

router = APIRouter(prefix="/api/session/{session_id}", tags=[TAG], responses=TURN)


class Stopped(Document):
    """Whether the session was taking a turn."""

    stopped: bool


class Taking(Record, frozen=True, gc=True):
    """What every route of a turn needs."""

    session_id: str
    door: Door
    streams: Streams
    who: Identity
    wish: Wish

    async def take(self, asked: Asked) -> Response:
        """The turn, as one document, or told while it is taken where the request asks for that."""
        if self.wish.stream:
            events = await self.streams.open(self.who, self.session_id, asked, self.wish)
            return StreamingResponse(events, media_type=SSE, headers={"X-Accel-Buffering": "no"})
        work = functools.partial(take_own, self.door, self.who, self.session_id, asked, self.wish)
        return Response(await self.door.turn(work), media_type=JSON)


async def taking(request: Request) -> Taking:
    state = request.app.state
    session_id = request.path_params["session_id"]
    return Taking(session_id, state.door, state.streams, request.scope["identity"], wish(request))


Take = Annotated[Taking, Depends(taking)]


@router.post("/chat")
async def chat(body: bodies.Message, take: Take) -> Response:
    """Say something. With `Accept: text/event-stream` the turn is told while it is taken."""
    return await take.take(Said(body.message, body.connection, body.as_sql))


@router.post("/resolve")
async def resolve(body: bodies.ResolveRef, take: Take) -> Response:
    """Settle a reference: it means this entity. The program is checked again from its semantics on."""
    return await take.take(Resolve(body.ref_id, body.entity_id, body.display))


@router.post("/skip")
async def skip(take: Take) -> Response:
    """Leave out the statement of the reference that is asked about, and every one that needs it."""
    return await take.take(Escape.SKIP)


@router.post("/create")
async def create(take: Take) -> Response:
    """Create what the reference means: the form of the verb that makes a new one. It runs after a yes."""
    return await take.take(Escape.CREATE_NEW)


@router.post("/search")
async def search(body: bodies.SearchRef, take: Take) -> Response:
    """Search for the reference in other words, or the same ones, narrowed by discriminators."""
    if body.text or body.filters:
        return await take.take(Search(body.ref_id, body.text, body.filters))
    return await take.take(Escape.SEARCH_AGAIN)


@router.post("/none")
async def none_of_these(take: Take) -> Response:
    """None of the offered answers is meant."""
    return await take.take(Escape.NONE_OF_THESE)


@router.post("/choose")
async def choose(body: bodies.ChosenOption, take: Take) -> Response:
    """Take one of the offered answers, by its place."""
    return await take.take(Choose(body.place))


@router.post("/select")
async def select(body: bodies.SelectedRow, take: Take) -> Response:
    """Open a row of the result in hand: it is the object of the conversation then (T3)."""
    return await take.take(SelectRow(body.row, body.result_set))


@router.put("/program")
async def edit(body: bodies.Program, take: Take) -> Response:
    """The program as a person has written it. It is read from scratch, and runs when they say so."""
    return await take.take(Edit(body.source, Notation(body.notation)))


@router.post("/run")
async def run(take: Take) -> Response:
    """Run the program in hand. One that writes asks for a yes first."""
    return await take.take(Escape.RUN)


@router.post("/confirm")
async def confirm(body: bodies.Answered, take: Take) -> Response:
    """Answer the question that waits for a yes or a no."""
    return await take.take(Confirm(body.yes))


@router.post("/undo")
async def undo(take: Take) -> Response:
    """Bring back the program and the frames of the turn before."""
    return await take.take(Escape.UNDO)


@router.post("/clear")
async def clear(take: Take) -> Response:
    """Start over in the same session. History and answers stay."""
    return await take.take(Escape.CLEAR)


@router.post("/cancel")
async def cancel(take: Take) -> Response:
    """Give the session up: it can be read from then on, and takes no turn. See `stop` for a turn."""
    return await take.take(Escape.CANCEL)


@router.post("/help")
async def offer_help(take: Take) -> Response:
    """What can be done from where the session stands. Nothing changes."""
    return await take.take(Escape.HELP)


@router.post("/stop", responses={200: {"model": Stopped, "description": "The turn has ended."}})
async def stop(session_id: SessionId, door: TheDoor, who: Who) -> Stopped:
    """Stop the turn that the session is taking, its query on the server too. The session stays open."""

    def work() -> bool:
        door.own(who, session_id)
        return door.workspace.stop_turn(session_id)

    return Stopped(stopped=await door.look(work))
