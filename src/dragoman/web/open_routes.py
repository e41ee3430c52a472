"""What everybody may ask for: the front page, the link that lets a browser in, health, the documentation."""

from html import escape
from pathlib import Path
from typing import Final

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import FileResponse, HTMLResponse, RedirectResponse
from starlette.applications import Starlette
from starlette.staticfiles import StaticFiles

from dragoman._version import __version__
from dragoman.contracts.errors import DragomanError
from dragoman.web.door import Door
from dragoman.web.failures import failed
from dragoman.web.gate import cookie_name
from dragoman.web.openapi_page import openapi_page
from dragoman.web.reach import TheDoor
from dragoman.web.shape import Document
from dragoman.workspace.access_tokens import COOKIE_SECONDS

HERE: Final = Path(__file__).parent
PAGE: Final = HERE / "page"
"""Where the page is, when there is one: index.html and what it loads, from /page/."""

router = APIRouter(tags=["server"])


class Health(Document):
    status: str
    version: str


@router.get("/health", response_model=Health)
async def health() -> Health:
    """Whether the process answers."""
    return Health(status="ok", version=__version__)


@router.get("/ready", response_model=Health, responses={503: {"description": "Its store does not answer."}})
async def ready(door: TheDoor) -> Response:
    """Whether it can take turns: its store answers."""
    try:
        await door.look(_look, door)
    except DragomanError as error:
        return failed(error, 503)
    return Response(
        Health(status="ready", version=__version__).model_dump_json(), media_type="application/json"
    )


@router.get("/login", include_in_schema=False)
async def login(request: Request, door: TheDoor, token: str = Query(max_length=200)) -> Response:
    """The link that the server printed: good once, for a cookie that only this server gets."""
    issued = await door.look(door.workspace.access.exchange, token)
    response = RedirectResponse("/", 303)
    response.set_cookie(
        cookie_name(request.scope),
        issued.token,
        max_age=int(COOKIE_SECONDS),
        httponly=True,
        samesite="strict",
        secure=request.url.scheme == "https",
    )
    return response


@router.get("/", include_in_schema=False)
async def front() -> Response:
    index = PAGE / "index.html"
    if index.exists():
        return FileResponse(index, headers={"Cache-Control": "no-cache"})
    return HTMLResponse(_FRONT)


@router.get("/docs", include_in_schema=False)
async def docs(request: Request) -> Response:
    return HTMLResponse(openapi_page(request.app.openapi()))


@router.get("/style.css", include_in_schema=False)
async def style() -> Response:
    return FileResponse(HERE / "style.css", media_type="text/css", headers={"Cache-Control": "no-cache"})


def mount_page(app: Starlette) -> None:
    """The files of the page, if it is there."""
    if PAGE.is_dir():
        app.mount("/page", StaticFiles(directory=PAGE), name="page")


def _look(door: Door) -> None:
    door.workspace.access.list()


_FRONT: Final = f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Dragoman</title><link rel="stylesheet" href="/style.css"></head><body><main>
<h1>Dragoman</h1>
<p>Talk to your databases. Read the program before it runs. See how sure every answer is.</p>
<p>This is the HTTP server of a workspace, version {escape(__version__)}. <a href="/docs">The API</a> is
described here, and as <a href="/openapi.json">OpenAPI</a>. <code>dragoman chat</code> talks to the same
workspace in a terminal.</p>
</main></body></html>
"""
