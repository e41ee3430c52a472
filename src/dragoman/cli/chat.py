"""`dragoman chat`: a conversation, line by line."""

import signal
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import click

from dragoman.cli.chat_commands import MARK, ChatDesk
from dragoman.cli.display import show_json, show_turn, with_every_row
from dragoman.cli.failures import printable, tell
from dragoman.cli.newest_session import newest_open
from dragoman.cli.options import connection_option, told, workspace_options
from dragoman.cli.own_process import bound
from dragoman.cli.sql import show_sql, turn_in
from dragoman.cli.stopping import exit_if_stopped, stoppable
from dragoman.cli.turn_progress import stages_shown
from dragoman.contracts.errors import DragomanError, SessionCancelled
from dragoman.contracts.taught_events import WordTaught
from dragoman.contracts.turn_result import ResultRows, TurnResult
from dragoman.contracts.vocabulary import TransitionClass
from dragoman.workspace import Workspace
from dragoman.workspace.guards import MAX_CHARACTERS

GREETING = "Ask in your own words. “help” says what can be asked, \\help the rest; Ctrl-D leaves."


@click.command()
@click.option("--session", "-s", "session_id", metavar="ID", help="Continue this session.")
@click.option("--continue", "-c", "go_on", is_flag=True, help="Continue the newest open session.")
@connection_option
@workspace_options
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per turn, as ask --json does.")
def chat(
    session_id: str | None,
    go_on: bool,
    connection: str | None,
    workspace: str,
    store: str | None,
    as_json: bool,
) -> None:
    """Talk to the workspace's databases, or to the embedded demo. Ctrl-D leaves and keeps the session."""
    if session_id is not None and go_on:
        raise click.UsageError("--session and --continue exclude each other")
    bound(Path(workspace).resolve())
    created = session_id is None and not go_on
    with Workspace.open(workspace, store=store, create=created, notice=told) as opened:
        if connection:
            opened.databases.find(connection)
        session = session_id or (newest_open(opened) if go_on else opened.new_session(title="chat"))
        if not created:
            opened.state(session)
        typed = _at_terminal()
        if typed:
            click.secho(GREETING, dim=True, err=as_json or not sys.stdout.isatty())
        desk = ChatDesk(opened, session, connection or "")
        for line in _lines(desk, as_json=as_json):
            try:
                asks, turn = turn_in(line)
                if asks:
                    show_sql(opened, session, turn, as_json=as_json)
                    continue
                said: str | bytes | None = line
                if typed and not as_json and isinstance(line, str) and line.startswith(MARK):
                    said = desk.run(line)
                ended = desk.leaving
                if said is not None:
                    ended = _taken(desk, session, said, as_json=as_json)
            except SessionCancelled:
                raise
            except DragomanError as error:
                # One bad message does not end the conversation.
                _show_refusal(error, as_json=as_json)
                continue
            if ended and not desk.leaving:
                return
            if ended:
                break
    click.secho(f"session {session} · go on with: dragoman chat -s {session}", dim=True, err=True)


def _taken(desk: ChatDesk, session: str, line: str | bytes, *, as_json: bool) -> bool:
    """One turn, taken and shown; whether it was the last. Ctrl-C stops the turn, SIGTERM the conversation
    with it."""
    read: list[ResultRows] = []
    with stoppable() as stopping:
        try:
            with stages_shown() as listeners:
                result = desk.workspace.ask(
                    session,
                    line,
                    listeners=listeners,
                    on_result=read.append,
                    cancel=stopping.cancel,
                    connection=desk.connection,
                )
        finally:
            if signal.SIGTERM in stopping.heard:
                exit_if_stopped(stopping)
    desk.hear(result, read)
    if as_json:
        show_json(with_every_row(result, read))
    else:
        show_turn(result, view=desk.view, whole=with_every_row(result, read))
        waiting = _waiting(desk, session, result)
        if waiting:
            return _taken(desk, session, waiting, as_json=False)
    return result.transition is TransitionClass.X_CANCEL


def _waiting(desk: ChatDesk, session: str, result: TurnResult) -> str:
    """The question that failed by a word which this turn taught; empty where none waits."""
    if result.transition is not TransitionClass.X_TEACH:
        return ""
    events = desk.workspace.turn_events(session, result.turn)
    words = [each.word.word.casefold() for each in events if isinstance(each, WordTaught)]
    attempt = desk.workspace.state(session).attempt
    asked = attempt.message if attempt is not None else ""
    return asked if any(word in asked.casefold() for word in words) else ""


def _show_refusal(error: DragomanError, *, as_json: bool) -> None:
    if as_json:
        tell(error, as_json=True)
        return
    click.secho(printable(f"{error.code}: {error.message}"), fg="red", err=True)
    click.echo(printable(error.hint), err=True)


def _at_terminal() -> bool:
    return sys.stdin is not None and sys.stdin.isatty()


def _lines(desk: ChatDesk, *, as_json: bool) -> Iterator[str | bytes]:
    """Lines from the terminal or a pipe, until it is closed; empty lines are skipped.

    A pipe is read as bytes: a line that is not UTF-8 is one bad message, and the next may be a good one.
    """
    if sys.stdin is None:
        return
    if not sys.stdin.isatty():
        yield from _whole(sys.stdin.buffer)
        return
    # Imported only where somebody types.
    from dragoman.cli.chat_line import typed_lines

    # Standard output may be a file: only answers belong there.
    yield from typed_lines(desk, to_stderr=as_json or not sys.stdout.isatty())


def _whole(lines: Iterable[bytes]) -> Iterator[bytes]:
    """The lines of a pipe. A program goes on until its parentheses balance, or an empty line ends it."""
    held = b""
    for line in lines:
        text = held + line
        held = b""
        if line.strip() and _goes_on(text):
            held = text
        elif text.strip():
            yield text.strip()
    if held:
        yield held.strip()


def _goes_on(text: bytes) -> bool:
    if not text.lstrip().startswith((b"(", b";")) or len(text) > 4 * MAX_CHARACTERS:
        return False
    # Imported for whoever writes programs.
    from dragoman.workspace.typed_text import goes_on

    return goes_on(text.decode("utf-8", "replace"))
