"""`dragoman ask`: one question, in a new or existing session."""

import sys
from pathlib import Path

import click
from msgspec.structs import replace

from dragoman.cli.answer_files import write_answer
from dragoman.cli.display import chart_of, show_json, show_turn, view_here, with_every_row
from dragoman.cli.exit_codes import exit_by, of_turn
from dragoman.cli.failures import warn
from dragoman.cli.newest_session import newest_open
from dragoman.cli.options import connection_option, json_option, told, workspace_options
from dragoman.cli.own_process import bound
from dragoman.cli.pager import show_whole
from dragoman.cli.run_lines import run_listeners
from dragoman.cli.stopping import exit_if_stopped, stoppable
from dragoman.cli.turn_progress import stages_shown
from dragoman.contracts.record import Record
from dragoman.contracts.turn_result import ResultRows, TurnResult
from dragoman.contracts.vocabulary import Notation
from dragoman.workspace import Workspace
from dragoman.workspace.exports import ExportFormat, refuse_reserved
from dragoman.workspace.guards import MAX_CHARACTERS, accept_message
from dragoman.workspace.text import Source


class Wishes(Record, frozen=True):
    """How a message is asked, and what becomes of its answer."""

    all_rows: bool = False
    chart: bool | None = None
    """Yes, no, or where its shape suggests one and somebody looks at a terminal."""
    files: tuple[tuple[str, ExportFormat], ...] = ()
    connection: str = ""
    """The only database that is asked; empty where the message may say."""
    as_json: bool = False
    as_sql: bool = False
    """The message is SQL, and nothing else."""
    notation: Notation | None = None
    """How programs are shown; as they are written where nothing is said."""


@click.command()
@click.argument("message", required=False)
@click.option("--session", "-s", "session_id", metavar="ID", help="Continue this session.")
@click.option("--continue", "-c", "go_on", is_flag=True, help="Continue the newest open session.")
@click.option("--key", metavar="KEY", help="An idempotency key: a repeated call takes the turn once.")
@click.option("--expect", type=int, metavar="N", help="Fail unless the session is at turn N.")
@connection_option
@click.option("--all", "all_rows", is_flag=True, help="Show all rows; in a terminal, with the pager.")
@click.option("--csv", "csv_file", metavar="FILE", help="Write all rows to a CSV file, too.")
@click.option("--parquet", "parquet_file", metavar="FILE", help="Write all rows to a Parquet file, too.")
@click.option("--chart/--no-chart", default=None, help="Draw the answer. Default: in a terminal, if it fits.")
@click.option(
    "--notation",
    type=click.Choice([each.value for each in Notation]),
    help="Show programs in this notation. Default: OML for pipelines, verbs for questions.",
)
@workspace_options
@json_option
def ask(
    message: str | None,
    session_id: str | None,
    go_on: bool,
    key: str | None,
    expect: int | None,
    connection: str | None,
    all_rows: bool,
    csv_file: str | None,
    parquet_file: str | None,
    chart: bool | None,
    notation: str | None,
    workspace: str,
    store: str | None,
    as_json: bool,
) -> None:
    """Ask the workspace's databases, or the embedded demo, MESSAGE. Without MESSAGE, read it from stdin.

    "dragoman ask" may be left out before a question in quotes: dragoman "how many orders are there?"
    """
    wanted = ((csv_file, ExportFormat.CSV), (parquet_file, ExportFormat.PARQUET))
    files = tuple((name, form) for name, form in wanted if name is not None)
    take_one(
        message,
        session_id,
        workspace,
        store,
        Wishes(
            all_rows,
            chart,
            files,
            connection or "",
            as_json=as_json,
            notation=Notation(notation) if notation else None,
        ),
        go_on=go_on,
        key=key,
        expect=expect,
    )


def take_one(
    message: str | None,
    session_id: str | None,
    workspace: str,
    store: str | None,
    wishes: Wishes,
    *,
    go_on: bool = False,
    key: str | None = None,
    expect: int | None = None,
) -> None:
    """Take one turn of a new or existing session, and show it."""
    _refuse_misuse(session_id, key, expect, go_on=go_on)
    text = accept_message(message if message is not None else _from_stdin())
    bound(Path(workspace).resolve())
    created = session_id is None and not go_on
    with Workspace.open(workspace, store=store, create=created, notice=told) as opened:
        if wishes.connection:
            # A name that is not there is said before a session is begun.
            opened.databases.find(wishes.connection)
        for name, _ in wishes.files:
            # Before anything is asked: what is refused changes nothing.
            refuse_reserved(Path(name), folder=opened.folder, home=opened.home)
        with stoppable() as stopping:
            session = session_id
            if session is None:
                session = newest_open(opened) if go_on else opened.new_session(title=text)
            read: list[ResultRows] = []
            with stages_shown() as listeners:
                result = opened.ask(
                    session,
                    text,
                    client_key=key,
                    expected_version=expect,
                    listeners=(*listeners, *(() if wishes.as_json else run_listeners())),
                    on_result=read.append,
                    cancel=stopping.cancel,
                    connection=wishes.connection,
                    as_sql=wishes.as_sql,
                )
        if wishes.as_json:
            # One document: either the turn, or what went wrong with a file.
            _write_files(opened, result, read, wishes)
            show_json(with_every_row(result, read))
        else:
            _show(_in_notation(opened, result, wishes.notation), read, wishes)
            _write_files(opened, result, read, wishes)
    exit_if_stopped(stopping)
    if created and not wishes.as_json:
        click.secho(f'session {session} · go on with: dragoman ask -c "…"', dim=True, err=True)
    exit_by(click.get_current_context(), of_turn(result))


def _refuse_misuse(session_id: str | None, key: str | None, expect: int | None, *, go_on: bool) -> None:
    if session_id is not None and go_on:
        raise click.UsageError("--session and --continue exclude each other")
    if key is not None and session_id is None:
        raise click.UsageError("--key goes with --session: a key is a session's own")
    if expect is not None and session_id is None and not go_on:
        raise click.UsageError("--expect goes with --session or --continue")


def _in_notation(workspace: Workspace, result: TurnResult, wanted: Notation | None) -> TurnResult:
    """The result with its program in the notation that is asked for, where it can be written in it."""
    if wanted is None or not result.program:
        return result
    held = Notation.VERBS if result.program.lstrip()[:1] in ("(", ";") else Notation.OML
    text = workspace.programs.convert(Source(result.program), held, wanted)
    return replace(result, program=text) if isinstance(text, str) else result


def _show(result: TurnResult, read: list[ResultRows], wishes: Wishes) -> None:
    whole = with_every_row(result, read)
    view = view_here(charts=wishes.chart is None)
    if wishes.all_rows:
        show_whole(whole, view)
    else:
        show_turn(result, view=view, whole=whole)
    if wishes.chart:
        drawn = chart_of(whole, view, asked=True)
        if drawn:
            click.echo(f"\n{drawn}")
        else:
            warn("there is nothing to draw: a chart needs a label and a number in each row")


def _write_files(workspace: Workspace, result: TurnResult, read: list[ResultRows], wishes: Wishes) -> None:
    for name, form in wishes.files:
        if read and result.columns:
            write_answer(workspace, result, read[-1], name, form)
        else:
            warn(f"{name} was not written: the answer has no rows")


def _from_stdin() -> bytes:
    if sys.stdin.isatty():
        raise click.UsageError('give a question: dragoman ask "stock of Alfa Trade on 31 March 2020"')
    # A byte more than could ever be taken is enough to refuse it; the rest is not read.
    return sys.stdin.buffer.read(4 * MAX_CHARACTERS + 1)
