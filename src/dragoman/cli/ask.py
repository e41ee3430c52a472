"""`dragoman ask`: one question, in a new or existing session."""

import sys

import click
from msgspec.structs import replace

from dragoman.cli.display import show_json, show_turn
from dragoman.cli.options import json_option, workspace_options
from dragoman.contracts.errors import SessionNotFound
from dragoman.contracts.turn_result import ResultRows, TurnResult
from dragoman.contracts.vocabulary import Lifecycle
from dragoman.workspace import Workspace
from dragoman.workspace.guards import MAX_CHARACTERS, accept_message


@click.command()
@click.argument("message", required=False)
@click.option("--session", "-s", "session_id", metavar="ID", help="Continue this session.")
@click.option("--continue", "-c", "go_on", is_flag=True, help="Continue the newest open session.")
@click.option("--key", metavar="KEY", help="An idempotency key: a repeated call takes the turn once.")
@click.option("--expect", type=int, metavar="N", help="Fail unless the session is at turn N.")
@workspace_options
@json_option
def ask(
    message: str | None,
    session_id: str | None,
    go_on: bool,
    key: str | None,
    expect: int | None,
    workspace: str,
    store: str | None,
    as_json: bool,
) -> None:
    """Ask the workspace's database, or the embedded demo, MESSAGE. Without MESSAGE, read it from stdin."""
    if session_id is not None and go_on:
        raise click.UsageError("--session and --continue exclude each other")
    if key is not None and session_id is None:
        raise click.UsageError("--key goes with --session: a key is a session's own")
    if expect is not None and session_id is None and not go_on:
        raise click.UsageError("--expect goes with --session or --continue")
    text = accept_message(message if message is not None else _from_stdin())
    with Workspace.open(workspace, store=store, create=session_id is None and not go_on) as opened:
        session = session_id
        if session is None:
            session = _newest(opened) if go_on else opened.new_session(title=text)
        read: list[ResultRows] = []
        result = opened.ask(session, text, client_key=key, expected_version=expect, on_result=read.append)
    if as_json:
        show_json(_with_every_row(result, read))
        return
    show_turn(result)
    if session_id is None and not go_on:
        click.secho(f'session {session} · go on with: dragoman ask -c "…"', dim=True, err=True)


def _with_every_row(result: TurnResult, read: list[ResultRows]) -> TurnResult:
    """A result with all rows that were read: what a session keeps of an answer is its beginning."""
    if not read or not result.rows:
        return result
    rows = read[-1].rows
    whole = result.rows_total is None or result.rows_total == len(rows)
    return replace(result, rows=rows, complete=whole, rows_total=None if whole else result.rows_total)


def _from_stdin() -> bytes:
    if sys.stdin.isatty():
        raise click.UsageError('give a question: dragoman ask "stock of Alfa Trade on 31 March 2020"')
    # A byte more than could ever be taken is enough to refuse it; the rest is not read.
    return sys.stdin.buffer.read(4 * MAX_CHARACTERS + 1)


def _newest(workspace: Workspace) -> str:
    for head in workspace.sessions(limit=1000):
        if head.lifecycle is Lifecycle.OPEN:
            return head.id
    raise SessionNotFound("there is no open session to go on with", hint="ask without --continue first")
