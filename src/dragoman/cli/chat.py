"""`dragoman chat`: a conversation, line by line."""

import sys
from collections.abc import Iterator

import click

from dragoman.cli.display import show_turn
from dragoman.cli.failures import printable
from dragoman.cli.options import workspace_options
from dragoman.contracts.errors import DragomanError, SessionCancelled
from dragoman.contracts.vocabulary import TransitionClass
from dragoman.workspace import Workspace

PROMPT = "> "


@click.command()
@click.option("--session", "-s", "session_id", metavar="ID", help="Continue this session.")
@workspace_options
def chat(session_id: str | None, workspace: str, store: str | None) -> None:
    """Talk to the workspace's database, or to the embedded demo. Ctrl-D ends it and keeps the session."""
    with Workspace.open(workspace, store=store, create=session_id is None) as opened:
        session = session_id or opened.new_session(title="chat")
        if session_id is not None:
            opened.state(session_id)
        if sys.stdin.isatty():
            click.secho("Ask in your own words. “help” says what can be asked, Ctrl-D ends.", dim=True)
        for line in _lines():
            try:
                result = opened.ask(session, line)
            except SessionCancelled:
                raise
            except DragomanError as error:
                # One bad message does not end the conversation.
                click.secho(printable(f"{error.code}: {error.message}"), fg="red", err=True)
                click.echo(printable(error.hint), err=True)
                continue
            show_turn(result)
            if result.transition is TransitionClass.X_CANCEL:
                return
    click.secho(f"session {session} · go on with: dragoman chat -s {session}", dim=True, err=True)


def _lines() -> Iterator[str]:
    """Lines from the terminal or a pipe; empty lines are skipped."""
    if not sys.stdin.isatty():
        yield from (line.strip() for line in sys.stdin if line.strip())
        return
    import readline  # noqa: F401 - editing and history of the line, where there is a terminal

    while True:
        try:
            line = input(PROMPT).strip()
        except (EOFError, KeyboardInterrupt):
            click.echo()
            return
        if line:
            yield line
