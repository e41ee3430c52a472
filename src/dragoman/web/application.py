"""The application: routes behind a gate, over one workspace."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.openapi.utils import get_openapi
from starlette.exceptions import HTTPException

from dragoman._version import __version__
from dragoman.contracts.errors import (
    BodyUnreadable,
    DragomanError,
    InternalError,
    MemoryLimitExceeded,
    MethodNotAllowed,
    RequestInvalid,
    RouteNotFound,
)
from dragoman.web import open_routes, record_routes, session_routes, turn_routes, workspace_routes
from dragoman.web.door import Door
from dragoman.web.failures import failed
from dragoman.web.gate import OPEN_PATHS, Gate
from dragoman.web.reach import WISH_PARAMETERS
from dragoman.web.stage_view import Dropped, RunTold, StageTold, TextTold
from dragoman.web.streams import Streams
from dragoman.workspace import Workspace

_log = logging.getLogger("dragoman.web")

TITLE = "Dragoman"
ABOUT = (
    "Conversations with databases. A session belongs to the owner of the token that opened it; to everybody"
    " else it does not exist. Every error has one shape, Failure."
)


def application(open_workspace: Callable[[], Workspace], *, any_host: bool = False) -> FastAPI:
    """The application. The workspace is opened when it starts and closed when it ends; with `any_host` it
    may be called by any name."""
    held: list[Door] = []

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        with open_workspace() as workspace:
            door = Door(workspace, workspace.server_settings)
            held.append(door)
            app.state.door, app.state.streams = door, Streams(door)
            gate_hosts.extend(door.settings.hosts)
            warming = asyncio.create_task(_warm(door))
            yield
            warming.cancel()
            door.close()

    gate_hosts: list[str] = []
    app = _Described(
        title=TITLE,
        version=__version__,
        description=ABOUT,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
    )
    app.add_middleware(Gate, door=lambda: held[-1], hosts=None if any_host else gate_hosts)
    for routes in (turn_routes, session_routes, record_routes, workspace_routes, open_routes):
        app.include_router(routes.router)
    open_routes.mount_page(app)
    app.add_exception_handler(DragomanError, _refused)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _unroutable)
    app.add_exception_handler(MemoryError, _no_memory)
    app.add_exception_handler(Exception, _defect)
    return app


async def _warm(door: Door) -> None:
    try:
        await door.read(door.workspace.warm)
    except DragomanError as error:
        # Whoever asks first hears it, too.
        _log.warning("%s: %s", error.code, error.message)


class _Described(FastAPI):
    """Its document names what FastAPI cannot see: the data of events, and how somebody shows who they are."""

    def openapi(self) -> dict[str, Any]:
        if self.openapi_schema is None:
            self.openapi_schema = _openapi(self)
        return self.openapi_schema


async def _refused(request: Request, error: Exception) -> Response:
    if not isinstance(error, DragomanError):
        raise error
    if isinstance(error, InternalError):
        _log.error("%s %s: %s", request.method, request.url.path, error, exc_info=error)
    return failed(error)


async def _invalid(request: Request, error: Exception) -> Response:
    """Every field that is wrong, at once. What was sent is not repeated: it may hold anything."""
    if not isinstance(error, RequestValidationError):
        raise error
    found = error.errors()
    if any(each["type"] == "json_invalid" for each in found):
        return failed(BodyUnreadable("the body is not JSON", hint="send one JSON document in UTF-8"))
    problems: list[dict[str, object]] = [
        {"path": ".".join(str(part) for part in each["loc"]), "code": each["type"], "message": each["msg"]}
        for each in found
    ]
    first = problems[0]
    refusal = RequestInvalid(
        f"{first['path']}: {first['message']}",
        hint="details names every field that is wrong; /docs describes the route",
        problems=problems,
    )
    return failed(refusal)


async def _unroutable(request: Request, error: Exception) -> Response:
    if not isinstance(error, HTTPException):
        raise error
    if error.status_code == 404:
        return failed(RouteNotFound("there is nothing at this path", hint="/docs lists the routes"))
    if error.status_code == 405:
        refusal = MethodNotAllowed(f"not with {request.method}", hint="/docs lists the routes")
        response = failed(refusal)
        response.headers.update(error.headers or {})
        return response
    return failed(BodyUnreadable("the request cannot be read", hint="send one JSON document in UTF-8"), 400)


async def _no_memory(request: Request, error: Exception) -> Response:
    return failed(MemoryLimitExceeded())


async def _defect(request: Request, error: Exception) -> Response:
    """The last resort. The server goes on, its log has the whole of it, and the client hears no secret."""
    return failed(InternalError("a defect of Dragoman", hint="the log of the server says where"))


def _openapi(app: FastAPI) -> dict[str, Any]:
    document = get_openapi(title=app.title, version=app.version, description=ABOUT, routes=app.routes)
    components = document["components"]
    for model in (StageTold, TextTold, RunTold, Dropped):
        components["schemas"][model.__name__] = model.model_json_schema()
    components["securitySchemes"] = {
        "bearer": {"type": "http", "scheme": "bearer"},
        "cookie": {"type": "apiKey", "in": "cookie", "name": "dragoman-PORT"},
    }
    for path, methods in document["paths"].items():
        for operation in methods.values():
            if operation.get("tags") == [turn_routes.TAG]:
                operation["parameters"] = WISH_PARAMETERS
            if path not in OPEN_PATHS:
                operation["security"] = [{"bearer": []}, {"cookie": []}]
    return document
