"""`dragoman serve` and `dragoman token`."""

import datetime as dt
import json
from collections.abc import Callable
from typing import Any, TypeVar

import click

from dragoman.workspace import Workspace

_F = TypeVar("_F", bound=Callable[..., Any])


def _workspace_options(function: _F) -> _F:
    function = click.option(
        "--store",
        envvar="DRAGOMAN_STORE",
        metavar="URL",
        help="Keep sessions and tokens in this PostgreSQL database instead (postgresql://…).",
    )(function)
    return click.option(
        "--workspace",
        "-w",
        envvar="DRAGOMAN_WORKSPACE",
        default=".",
        metavar="DIR",
        help="The workspace folder; its sessions are under DIR/.dragoman. Default: this folder.",
    )(function)


def _json_option(function: _F) -> _F:
    return click.option("--json", "as_json", is_flag=True, help="Print one JSON document, stable in shape.")(
        function
    )


@click.command()
@click.option(
    "--host", default="127.0.0.1", show_default=True, metavar="ADDRESS", help="The address to listen at."
)
@click.option("--port", default=8765, show_default=True, metavar="N", help="The port; 0 takes a free one.")
@click.option(
    "--workers",
    type=click.IntRange(1, 64),
    default=1,
    show_default=True,
    metavar="N",
    help="Processes that take turns.",
)
@_workspace_options
@_json_option
def serve(host: str, port: int, workers: int, workspace: str, store: str | None, as_json: bool) -> None:
    """Serve the workspace over HTTP and print the URL to open.

    On the loopback address the URL lets its first visitor in, once. Everybody else needs a token:
    dragoman token create --owner NAME
    """
    # Imported for this alone: a question on the command line needs no server.
    from dragoman.web.server import Address
    from dragoman.web.server import serve as serve_at

    def announce(url: str, usable: bool) -> None:
        click.echo(json.dumps({"url": url}) if as_json else url)
        if not usable:
            click.echo("nobody has a token yet: dragoman token create --owner NAME", err=True)

    serve_at(workspace, store, Address(host, port), workers, announce)


@click.group()
def token() -> None:
    """Create, list and revoke the tokens of the HTTP server."""


@token.command()
@click.option("--owner", required=True, metavar="NAME", help="Whose sessions it opens.")
@click.option("--title", default="", metavar="TEXT", help="What it is for.")
@click.option("--days", type=click.IntRange(1, 36_500), metavar="N", help="How long it is valid.")
@_workspace_options
@_json_option
def create(
    owner: str, title: str, days: int | None, workspace: str, store: str | None, as_json: bool
) -> None:
    """Create a token. It is shown once: only its digest is kept."""
    with Workspace.open(workspace, store=store) as opened:
        seconds = days * 86_400.0 if days is not None else None
        issued = opened.access.issue(owner, title=title, seconds=seconds)
    if as_json:
        click.echo(json.dumps({"id": issued.stored.id, "owner": issued.stored.owner, "token": issued.token}))
        return
    click.echo(issued.token)
    click.echo(f"token {issued.stored.id} of {issued.stored.owner}; it is not shown again", err=True)


@token.command("list")
@_workspace_options
@_json_option
def list_tokens(workspace: str, store: str | None, as_json: bool) -> None:
    """List the tokens: whose they are, what for, until when."""
    with Workspace.open(workspace, store=store, create=False) as opened:
        found = opened.access.list()
    if as_json:
        documents = [
            {
                "id": each.id,
                "owner": each.owner,
                "title": each.title,
                "created_at": each.created_at,
                "expires_at": each.expires_at,
            }
            for each in found
        ]
        click.echo(json.dumps(documents, ensure_ascii=False))
        return
    for each in found:
        until = f"until {_day(each.expires_at)}" if each.expires_at is not None else "without an end"
        click.echo(f"{each.id}  {each.owner}  since {_day(each.created_at)}, {until}  {each.title}".rstrip())
    if not found:
        click.echo("there are no tokens: dragoman token create --owner NAME", err=True)


@token.command()
@click.argument("token_id", metavar="ID")
@_workspace_options
@_json_option
def revoke(token_id: str, workspace: str, store: str | None, as_json: bool) -> None:
    """Revoke a token by its ID. Servers forget it within a second."""
    with Workspace.open(workspace, store=store) as opened:
        opened.access.revoke(token_id)
    click.echo(json.dumps({"revoked": token_id}) if as_json else f"token {token_id} is revoked")


def _day(moment: float) -> str:
    return dt.datetime.fromtimestamp(moment, dt.UTC).date().isoformat()
