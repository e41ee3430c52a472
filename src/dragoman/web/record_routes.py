"""The routes of what is on record: turns, why they went as they did, results, reports, runs."""

from typing import Annotated, Any, Literal

import msgspec
from fastapi import APIRouter, Path, Query, Request, Response
from fastapi.responses import StreamingResponse

from dragoman.contracts import events as ev
from dragoman.contracts.errors import ReportNotFound, RunNotFound, TurnNotFound
from dragoman.contracts.run import RunRecord
from dragoman.web.chat_response import ChatResponse
from dragoman.web.door import Door
from dragoman.web.failures import JSON, RESPONSES
from dragoman.web.reach import SSE, Limit, Offset, SessionId, TheDoor, Turn, Who
from dragoman.web.shape import Document
from dragoman.web.stage_view import END, StageTold, message, stage_id, stage_message, told
from dragoman.web.states import Column
from dragoman.web.turns import response_at
from dragoman.workspace.exports import ExportFormat, exported

router = APIRouter(prefix="/api/session/{session_id}", tags=["records"], responses=RESPONSES)

ResultSet = Annotated[str, Path(max_length=200)]
RunId = Annotated[str, Path(max_length=64)]


class TurnLine(Document):
    """A turn in one line of the conversation."""

    turn: int
    said: str
    message: str
    transition: str | None
    answer_mode: str
    result_set: str | None
    at: str


class TurnList(Document):
    turns: list[TurnLine]


class Stages(Document):
    stages: list[StageTold]


class RowsPage(Document):
    """Rows from `offset` on; `total` is how many there are. `read_again` says that they are read anew, as the
    database has them now."""

    result_set: str
    turn: int
    columns: list[Column]
    offset: int
    rows: list[list[str | int | None]]
    total: int
    read_again: bool


class Records(Document):
    """Events or records, as they are stored."""

    records: list[dict[str, Any]]


@router.get("/turns", response_model=TurnList)
async def turns(
    session_id: SessionId, door: TheDoor, who: Who, limit: Limit = 200, offset: Offset = 0
) -> Response:
    """The conversation so far, the first turn first."""

    def work() -> bytes:
        door.own(who, session_id)
        lines: list[TurnLine] = []
        for number, (events, result) in enumerate(door.workspace.turns(session_id)):
            if number < offset:
                continue
            if len(lines) == limit:
                break
            opened = next((e for e in events if isinstance(e, ev.TurnOpened)), None)
            answer = next((e.answer for e in events if isinstance(e, ev.AnswerGiven)), None)
            lines.append(
                TurnLine(
                    turn=result.turn,
                    said=opened.message if opened is not None else "",
                    message=result.message,
                    transition=result.transition.value if result.transition is not None else None,
                    answer_mode=result.answer_mode.value,
                    result_set=(answer.result_set_id or None) if answer is not None else None,
                    at=opened.at if opened is not None else "",
                )
            )
        return TurnList(turns=lines).model_dump_json().encode()

    return Response(await door.read(work), media_type=JSON)


@router.get("/turns/{turn}", response_model=ChatResponse)
async def turn(session_id: SessionId, turn: Turn, door: TheDoor, who: Who) -> Response:
    """What came of a turn, with the session as it stood after it."""

    def work() -> bytes:
        door.own(who, session_id)
        return response_at(door, session_id, turn).model_dump_json().encode()

    return Response(await door.read(work), media_type=JSON)


@router.get(
    "/turns/{turn}/stages",
    response_model=Stages,
    responses={200: {"content": {SSE: {"schema": {"type": "string"}}}, "description": "The stages."}},
)
async def stages(request: Request, session_id: SessionId, turn: Turn, door: TheDoor, who: Who) -> Response:
    """The stages of a turn from its record; as events where the request asks for that, from the one after
    `Last-Event-ID` on."""

    def work() -> tuple[list[StageTold], list[bytes]]:
        door.own(who, session_id)
        found = door.workspace.stages(session_id, turn)
        if not found:
            raise TurnNotFound(f"there is no turn {turn}", hint="read the session again", turn=turn)
        ids = [stage_id(stage) for stage in found]
        last = request.headers.get("last-event-id")
        place = ids.index(last) + 1 if last in ids else 0
        response = response_at(door, session_id, turn)
        events = [stage_message(stage) for stage in found[place:]]
        return [told(stage) for stage in found], [*events, message("response", response, f"{turn}-{END}")]

    documents, events = await door.read(work)
    if SSE in request.headers.get("accept", ""):
        return StreamingResponse(iter(events), media_type=SSE)
    return Response(Stages(stages=documents).model_dump_json(), media_type=JSON)


@router.get("/turns/{turn}/why", response_model=Records)
async def why(session_id: SessionId, turn: Turn, door: TheDoor, who: Who) -> Response:
    """The whole record of a turn: what was read, weighed, routed, compiled, run and answered."""

    def work() -> bytes:
        door.own(who, session_id)
        return msgspec.json.encode({"records": door.workspace.turn_events(session_id, turn)})

    return Response(await door.read(work), media_type=JSON)


@router.get("/turns/{turn}/report", response_model=dict[str, Any])
async def report(session_id: SessionId, turn: Turn, door: TheDoor, who: Who) -> Response:
    """The status report of a turn, and what its guard said of it."""

    def work() -> bytes:
        door.own(who, session_id)
        found = door.workspace.report(session_id, turn)
        if found is None:
            raise ReportNotFound(f"turn {turn} has no status report", hint="name another turn")
        return msgspec.json.encode(found)

    return Response(await door.read(work), media_type=JSON)


@router.get("/results/{result_set}", response_model=RowsPage)
async def rows(
    session_id: SessionId,
    result_set: ResultSet,
    door: TheDoor,
    who: Who,
    limit: Limit = 100,
    offset: Offset = 0,
) -> Response:
    """A page of the rows of a result. An answer keeps the first 50; the others are read again."""

    def work() -> bytes:
        door.own(who, session_id)
        most = min(limit, door.settings.rows_per_page)
        page = door.workspace.rows(session_id, result_set, offset=offset, limit=most)
        headings = page.headings or (None,) * len(page.columns)
        columns = [
            Column(
                name=column.name,
                type=column.type.value,
                heading=heading.text if heading is not None else column.name,
                rounded=heading is not None and heading.rounded,
            )
            for column, heading in zip(page.columns, headings, strict=True)
        ]
        document = RowsPage(
            result_set=page.result_set,
            turn=page.turn,
            columns=columns,
            offset=page.offset,
            rows=[list(row) for row in page.rows],
            total=page.total,
            read_again=page.read_again,
        )
        return document.model_dump_json().encode()

    return Response(await door.read(work), media_type=JSON)


@router.get(
    "/results/{result_set}/file",
    response_class=Response,
    responses={
        200: {
            "content": {
                "text/csv": {"schema": {"type": "string"}},
                "application/vnd.apache.parquet": {"schema": {"type": "string", "format": "binary"}},
            },
            "description": "All rows.",
        }
    },
)
async def file(
    session_id: SessionId,
    result_set: ResultSet,
    door: TheDoor,
    who: Who,
    form: Annotated[Literal["csv", "parquet"], Query(alias="format")] = "csv",
) -> Response:
    """All rows of a result, under the real names of its columns, with all digits."""

    def work() -> bytes:
        door.own(who, session_id)
        return exported(door.workspace.whole_result(session_id, result_set), ExportFormat(form))

    data = await door.read(work)
    kind = "text/csv" if form == "csv" else "application/vnd.apache.parquet"
    headers = {"Content-Disposition": f'attachment; filename="result.{form}"'}
    return Response(data, media_type=kind, headers=headers)


@router.get("/runs", response_model=Records)
async def runs(session_id: SessionId, door: TheDoor, who: Who) -> Response:
    """The pipelines that the session has run, the first one first."""

    def work() -> bytes:
        door.own(who, session_id)
        return msgspec.json.encode({"records": _runs(door, session_id)})

    return Response(await door.read(work), media_type=JSON)


@router.get("/runs/{run_id}", response_model=dict[str, Any])
async def run(session_id: SessionId, run_id: RunId, door: TheDoor, who: Who) -> Response:
    """The record of a run: its steps, what each read and wrote, what failed."""

    def work() -> bytes:
        door.own(who, session_id)
        return msgspec.json.encode(_run(door, session_id, run_id))

    return Response(await door.read(work), media_type=JSON)


@router.get("/runs/{run_id}/events", response_model=Records)
async def run_events(session_id: SessionId, run_id: RunId, door: TheDoor, who: Who) -> Response:
    """What happened in a run, in order: what a page draws its progress from."""

    def work() -> bytes:
        door.own(who, session_id)
        found = _run(door, session_id, run_id)
        return msgspec.json.encode({"records": door.workspace.pipelines.events(found.id)})

    return Response(await door.read(work), media_type=JSON)


def _runs(door: Door, session_id: str) -> list[RunRecord]:
    """A run belongs to the session that has begun it. A read that answers a message keeps no record."""
    begun = [
        event.run_id
        for events, _ in door.workspace.turns(session_id)
        for event in events
        if isinstance(event, ev.RunStarted)
    ]
    records = []
    for run_id in begun:
        try:
            records.append(door.workspace.pipelines.find(run_id))
        except RunNotFound:
            continue
    return records


def _run(door: Door, session_id: str, run_id: str) -> RunRecord:
    found = next((each for each in _runs(door, session_id) if each.id == run_id), None)
    if found is None:
        raise RunNotFound(f"the session has no run {run_id[:60]!r}", hint="GET …/runs lists them")
    return found
