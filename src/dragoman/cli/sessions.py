"""`dragoman sessions`: list and manage the sessions of a workspace."""

import datetime as dt
import json
import re
from pathlib import Path
from typing import BinaryIO

import click

from dragoman.cli.display import show_json, show_turn
from dragoman.cli.failures import printable
from dragoman.cli.options import json_option, workspace_options
from dragoman.contracts import events as ev
from dragoman.contracts.errors import ExportFailed, ImportRefused
from dragoman.workspace import SessionHead, Workspace, living_mode
from dragoman.workspace.text import write_whole


@click.group()
def sessions() -> None:
    """List, show, close, delete, export, import and prune sessions."""


@sessions.command("list")
@click.option("--owner", help="Show only sessions of this owner.")
@click.option("--limit", default=50, show_default=True, type=click.IntRange(1, 10_000))
@click.option("--offset", default=0, type=click.IntRange(0, 10**9))
@workspace_options
@json_option
def list_sessions(
    owner: str | None, limit: int, offset: int, workspace: str, store: str | None, as_json: bool
) -> None:
    """List the sessions of the workspace, newest first."""
    with Workspace.open(workspace, store=store, create=False) as opened:
        heads = opened.sessions(owner=owner, limit=limit, offset=offset)
    if as_json:
        show_json([_head_object(head) for head in heads])
        return
    if not heads:
        click.echo('no sessions yet; begin one with: dragoman ask "…"')
    for head in heads:
        click.echo(
            f"{head.id}  {head.lifecycle:<9}  {_turns(head):>11}  {_when(head.updated_at)}  "
            f"{printable(head.title)}"
        )


@sessions.command()
@click.argument("session_id", metavar="ID")
@click.option("--last", default=20, show_default=True, type=click.IntRange(0), help="How many turns to show.")
@workspace_options
@json_option
def show(session_id: str, last: int, workspace: str, store: str | None, as_json: bool) -> None:
    """Show the turns and the current state of a session."""
    with Workspace.open(workspace, store=store, create=False) as opened:
        head, state = opened.session(session_id), opened.state(session_id)
        if as_json:
            show_json({**_head_object(head), "living_mode": living_mode(state), "state": state})
            return
        click.echo(f"session {head.id} · {head.lifecycle} · {_turns(head)} · {printable(head.title)}")
        if head.slot is not None:
            click.echo(f"  a turn is open, held until {_when(head.slot.lease_until)}")
        for events, result in opened.turns(session_id):
            if result.turn > head.version - last:
                click.secho(f"\n> {printable(_message(events))}", bold=True)
                show_turn(result, with_program=False)


@sessions.command()
@click.argument("session_id", metavar="ID")
@workspace_options
@json_option
def close(session_id: str, workspace: str, store: str | None, as_json: bool) -> None:
    """Close a session: it stays readable but takes no more turns."""
    with Workspace.open(workspace, store=store, create=False) as opened:
        opened.close_session(session_id)
        head = opened.session(session_id)
    if as_json:
        show_json(_head_object(head))
    else:
        click.echo(f"closed {session_id}")


@sessions.command()
@click.argument("session_id", metavar="ID")
@click.option("--yes", is_flag=True, help="Delete without asking.")
@workspace_options
@json_option
def delete(session_id: str, yes: bool, workspace: str, store: str | None, as_json: bool) -> None:
    """Delete a session, its records and its log. This cannot be undone."""
    with Workspace.open(workspace, store=store, create=False) as opened:
        head = opened.session(session_id)
        if not yes:
            question = f"Delete session {head.id} with {_turns(head)} for good?"
            click.confirm(question, abort=True, err=as_json)
        opened.delete_session(session_id)
    if as_json:
        show_json({"deleted": [session_id]})
    else:
        click.echo(f"deleted {session_id}")


@sessions.command()
@click.argument("session_id", metavar="ID")
@click.option("--output", "-o", type=click.Path(path_type=Path), help="Write to this file instead of stdout.")
@workspace_options
@json_option
def export(session_id: str, output: Path | None, workspace: str, store: str | None, as_json: bool) -> None:
    """Export a session as JSON lines, or with --json as one document that has those lines."""
    with Workspace.open(workspace, store=store, create=False) as opened:
        text = opened.export_session(session_id)
    if output is not None:
        _write_export(output, text)
    if as_json:
        lines = [json.loads(line) for line in text.splitlines()] if output is None else None
        file = None if output is None else str(output)
        show_json({"session_id": session_id, "file": file, "lines": lines})
    elif output is None:
        click.echo(text, nl=False)
    else:
        click.echo(f"wrote {output}", err=True)


def _write_export(output: Path, text: str) -> None:
    try:
        write_whole(output, text.encode("utf-8"))
    except (OSError, RuntimeError, ValueError) as error:
        raise ExportFailed(
            f"{str(output)[:200]} cannot be written: {error}", hint="name another file"
        ) from error


@sessions.command("import")
@click.argument("file", type=click.File("rb"))
@click.option("--new-id", is_flag=True, help="Give the session a new id, for example to keep the original.")
@workspace_options
@json_option
def import_session(file: BinaryIO, new_id: bool, workspace: str, store: str | None, as_json: bool) -> None:
    """Import a session from FILE (- for stdin)."""
    data = file.read()
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ImportRefused("the file is not UTF-8 text", hint="give a file made by export") from error
    with Workspace.open(workspace, store=store) as opened:
        session_id = opened.import_session(text, new_id=new_id)
    if as_json:
        show_json({"session_id": session_id})
    else:
        click.echo(f"imported {session_id}")


@sessions.command()
@click.option("--older-than", required=True, metavar="AGE", help="For example 90d, 12h or 30m.")
@click.option("--open-too", is_flag=True, help="Include sessions that were never closed.")
@workspace_options
@json_option
def prune(older_than: str, open_too: bool, workspace: str, store: str | None, as_json: bool) -> None:
    """Delete the sessions whose last turn is older than AGE."""
    with Workspace.open(workspace, store=store, create=False) as opened:
        gone = opened.prune(_age(older_than), open_too=open_too)
    if as_json:
        show_json({"deleted": gone})
    else:
        click.echo(f"deleted {len(gone)} sessions")


_UNITS = {"d": "days", "h": "hours", "m": "minutes"}


def _age(text: str) -> dt.timedelta:
    match = re.fullmatch(r"(\d{1,5})([dhm])", text.strip())
    if match is None:
        raise click.BadParameter("write a number and d, h or m: 90d", param_hint="--older-than")
    return dt.timedelta(**{_UNITS[match[2]]: int(match[1])})


def _turns(head: SessionHead) -> str:
    return f"{head.version} turn{'s' if head.version != 1 else ''}"


def _head_object(head: SessionHead) -> dict[str, object]:
    return {
        "session_id": head.id,
        "owner": head.owner,
        "title": head.title,
        "lifecycle": head.lifecycle,
        "turns": head.version,
        "created_at": _when(head.created_at),
        "updated_at": _when(head.updated_at),
        "turn_open": head.slot is not None,
    }


def _when(seconds: float) -> str:
    return dt.datetime.fromtimestamp(seconds, dt.UTC).isoformat(timespec="seconds")


def _message(events: list[ev.SessionEvent]) -> str:
    opened = next((event for event in events if isinstance(event, ev.TurnOpened)), None)
    return opened.message if opened else "(closed)"
