"""The routes of what all sessions share: catalog, entities, programs, completion, transitions, metrics."""

import os
from typing import Annotated, Any, Literal

import msgspec
from fastapi import APIRouter, Path, Query, Response

from dragoman.contracts.errors import RouteNotFound
from dragoman.contracts.record import Record
from dragoman.contracts.vocabulary import Notation
from dragoman.web import bodies
from dragoman.web.failures import JSON, RESPONSES
from dragoman.web.reach import TheDoor, Who
from dragoman.web.shape import Document
from dragoman.web.state_view import compiler_error, matches, resolution_config
from dragoman.web.states import CompilerError, EntityMatch, EntityResolutionConfig
from dragoman.workspace.catalog_view import CatalogView
from dragoman.workspace.declarations import AT_REST, PHASE_EDGES, REGISTRY
from dragoman.workspace.programs import CompilerStage, findings_of
from dragoman.workspace.text import Source

router = APIRouter(prefix="/api", tags=["workspace"], responses=RESPONSES)


class ColumnView(Document):
    name: str
    type: str
    nullable: bool
    comment: str


class KeyView(Document):
    columns: list[str]
    table: str
    target_columns: list[str]


class TableView(Document):
    name: str
    kind: Literal["table", "view"]
    columns: list[ColumnView]
    primary_key: list[str]
    foreign_keys: list[KeyView]
    rows: int | None
    comment: str


class ConnectionView(Document):
    name: str
    family: str
    default: bool
    tables: list[TableView]


class EntityTypeView(Document):
    type: str
    config: EntityResolutionConfig


class WholeCatalog(Document):
    connections: list[ConnectionView]
    verbs: list[str]
    entities: list[EntityTypeView]


class EntitiesFound(Document):
    type: str
    text: str
    matches: list[EntityMatch]


class Completion(Document):
    """What may stand in the place of the last `typed` characters."""

    text: str
    kind: str
    typed: int
    of: str


class Completions(Document):
    completions: list[Completion]


class Checked(Document):
    """The verdict of the compiler: the same at every door. `stage` is how far it came."""

    ok: bool
    stage: str
    findings: list[CompilerError]


class Converted(Document):
    """The program in the other notation or laid out anew; null where the findings say why not."""

    source: str | None
    findings: list[CompilerError]


class Suggestions(Document):
    questions: list[str]


@router.get("/catalog", response_model=WholeCatalog)
async def catalog(door: TheDoor, who: Who) -> Response:
    """Connections with their tables, verbs, and types of entities, as the workspace's viewer may see them."""

    def work() -> bytes:
        return _catalog(door.workspace.catalog_view()).model_dump_json().encode()

    return Response(await door.read(work), media_type=JSON)


@router.get("/catalog/verbs/{verb}", response_model=dict[str, Any])
async def verb(verb: Annotated[str, Path(max_length=300)], door: TheDoor, who: Who) -> Response:
    """What a verb takes and gives, and what it does."""

    def work() -> bytes:
        found = door.workspace.signature(verb)
        if found is None:
            raise RouteNotFound(f"there is no verb {verb[:60]!r}", hint="GET /api/catalog lists them")
        return msgspec.json.encode(found)

    return Response(await door.read(work), media_type=JSON)


@router.get("/entities", response_model=EntitiesFound)
async def entities(
    door: TheDoor,
    who: Who,
    type: Annotated[str, Query(min_length=1, max_length=200)],
    text: Annotated[str, Query(min_length=1, max_length=500)],
    filters: Annotated[
        list[str], Query(alias="filter", max_length=20, description="A discriminator as NAME:VALUE.")
    ] = [],  # noqa: B006 - FastAPI copies it
) -> Response:
    """The entities of a type that a text may mean: exact before prefix before typo before word order."""
    given = {name: value for name, _, value in (each.partition(":") for each in filters)}

    def work() -> bytes:
        found = door.workspace.entity_matches(type, text, given)
        return EntitiesFound(type=type, text=text, matches=matches(found)).model_dump_json().encode()

    return Response(await door.read(work), media_type=JSON)


@router.get("/completion", response_model=Completions)
async def completion(door: TheDoor, who: Who, line: Annotated[str, Query(max_length=2_000)]) -> Response:
    """What the end of a line may become: names, verbs, taught words and values."""

    def work() -> bytes:
        found = door.workspace.completion().of_line(line)
        offered = [
            Completion(text=each.text, kind=each.kind.value, typed=each.typed, of=each.of) for each in found
        ]
        return Completions(completions=offered).model_dump_json().encode()

    return Response(await door.read(work), media_type=JSON)


@router.get("/suggestions", response_model=Suggestions)
async def suggestions(door: TheDoor, who: Who) -> Response:
    """Questions that work here: each was planned and run before it is given."""

    def work() -> bytes:
        return Suggestions(questions=list(door.workspace.suggestions())).model_dump_json().encode()

    return Response(await door.read(work), media_type=JSON)


@router.post("/check", response_model=Checked)
async def check(body: bodies.ProgramToCheck, door: TheDoor, who: Who) -> Response:
    """What the compiler says of a program. Nothing changes, and nothing runs."""

    def work() -> bytes:
        programs = door.workspace.own_programs
        done = programs.check(Source(body.source), Notation(body.notation), CompilerStage(body.stage))
        findings = [compiler_error(each) for each in findings_of(done)]
        return Checked(ok=done.ok, stage=done.stage.value, findings=findings).model_dump_json().encode()

    return Response(await door.read(work), media_type=JSON)


@router.post("/format", response_model=Converted)
async def lay_out(body: bodies.ProgramText, door: TheDoor, who: Who) -> Response:
    """The program laid out anew, comments kept."""

    def work() -> bytes:
        return _converted(door.workspace.own_programs.format(Source(body.source), Notation(body.notation)))

    return Response(await door.read(work), media_type=JSON)


@router.post("/convert", response_model=Converted)
async def convert(body: bodies.ProgramToConvert, door: TheDoor, who: Who) -> Response:
    """The program in the other notation: it is the same program."""

    def work() -> bytes:
        source, notation = Source(body.source), Notation(body.notation)
        return _converted(door.workspace.own_programs.convert(source, notation, Notation(body.to)))

    return Response(await door.read(work), media_type=JSON)


@router.get("/transitions", response_model=dict[str, Any])
async def transitions(who: Who) -> Response:
    """The declared classes of turns, and the moves of a program between its phases."""
    document = {
        "transitions": [_whole(each) for each in REGISTRY],
        "phases": {"at_rest": list(AT_REST), "edges": [_whole(edge) for edge in PHASE_EDGES]},
    }
    return Response(msgspec.json.encode(document), media_type=JSON)


@router.get("/metrics", response_class=Response, responses={200: {"content": {"text/plain": {}}}})
async def metrics(door: TheDoor, who: Who) -> Response:
    """The metrics of the workspace and of this worker, as Prometheus reads them."""
    from dragoman.workspace.reports import prometheus_text

    def work() -> str:
        return prometheus_text(door.workspace.metrics(), door.workspace.stage_metrics())

    worker = str(os.getpid())
    text = await door.read(work)
    counted = [
        "# HELP dragoman_http_requests_total Requests by method, route and status.",
        "# TYPE dragoman_http_requests_total counter",
    ]
    for (method, route, status), count in sorted(door.requests.items()):
        labels = f'worker="{worker}",method="{method}",route="{route}",status="{status}"'
        counted.append(f"dragoman_http_requests_total{{{labels}}} {count}")
    for name, what, value in (
        ("turns_running", "Turns that are being taken.", door.turns_running),
        ("turns_waiting", "Turns that wait for room.", door.turns_waiting),
        ("streams_open", "Streams that are being read.", door.streams_open),
    ):
        counted.append(f"# HELP dragoman_http_{name} {what}")
        counted.append(f"# TYPE dragoman_http_{name} gauge")
        counted.append(f'dragoman_http_{name}{{worker="{worker}"}} {value}')
    return Response(text + "".join(f"{line}\n" for line in counted), media_type="text/plain; version=0.0.4")


def _converted(done: Any) -> bytes:
    text = done if isinstance(done, str) else None
    findings = [] if isinstance(done, str) else [compiler_error(each) for each in done]
    return Converted(source=text, findings=findings).model_dump_json().encode()


def _whole(value: Any) -> Any:
    """A record with its defaults written out."""
    if isinstance(value, Record):
        return {field: _whole(getattr(value, field)) for field in value.__struct_fields__}
    return [_whole(item) for item in value] if isinstance(value, tuple) else value


def _catalog(found: CatalogView) -> WholeCatalog:
    return WholeCatalog(
        connections=[
            ConnectionView(
                name=each.name,
                family=each.family,
                default=each.default,
                tables=[
                    TableView(
                        name=f"{table.schema}.{table.name}" if table.schema else table.name,
                        kind=table.kind.value,
                        columns=[
                            ColumnView(
                                name=column.name,
                                type=column.type.value,
                                nullable=column.nullable,
                                comment=column.comment,
                            )
                            for column in table.columns
                        ],
                        primary_key=list(table.primary_key),
                        foreign_keys=[
                            KeyView(
                                columns=list(key.columns),
                                table=key.table,
                                target_columns=list(key.target_columns),
                            )
                            for key in table.foreign_keys
                        ],
                        rows=table.rows,
                        comment=table.comment,
                    )
                    for table in each.tables
                ],
            )
            for each in found.connections
        ],
        verbs=list(found.verbs),
        entities=[
            EntityTypeView(type=each.type, config=resolution_config(each.config)) for each in found.entities
        ],
    )
