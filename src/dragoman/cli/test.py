"""`dragoman test`: run conversation tests, or record one from a session."""

import contextlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import click

from dragoman.cli.display import show_json
from dragoman.cli.failures import printable
from dragoman.cli.inputs import read_text
from dragoman.cli.options import json_option
from dragoman.contracts.errors import DialogueMalformed, TestOutputFailed
from dragoman.conversation_tests.dialogue import Dialogue
from dragoman.conversation_tests.dialogue_file import read_dialogues
from dragoman.conversation_tests.places import DatabasesPlace, DemoPlace, Place, WorkspacePlace
from dragoman.conversation_tests.runner import TestedTurn, run_dialogues
from dragoman.conversation_tests.totals import Totals

_SHOWN = 300
"""Characters of a value in what differs."""


@click.command()
@click.argument("files", nargs=-1, metavar="FILE…")
@click.option("--workspace", "-w", metavar="DIR", help="Run the dialogues in this workspace.")
@click.option(
    "--db-dir",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help='Run each in its own database: "db": NAME is the file DIR/NAME.sqlite.',
)
@click.option(
    "--jsonl", "lines", metavar="OUT", help="Write one line of JSON per turn to OUT (- for stdout)."
)
@click.option(
    "--answer-always", is_flag=True, help="Answer the best reading even when unsure (for measuring)."
)
@click.option("--record", metavar="SESSION", help="Record a test from this session instead of running any.")
@click.option("--output", "-o", type=click.Path(path_type=Path), help="Record to a file instead of stdout.")
@json_option
def test(
    files: tuple[str, ...],
    workspace: str | None,
    db_dir: Path | None,
    lines: str | None,
    answer_always: bool,
    record: str | None,
    output: Path | None,
    as_json: bool,
) -> None:
    """Run the dialogues of FILE… (- for stdin) and show the turns that differ from what is expected.

    Without --workspace and --db-dir they use the embedded trade database. Every dialogue has a
    session of its own. The exit code is 1 when anything differs.
    """
    _refuse_combinations(files, workspace, db_dir, lines, record, output, as_json)
    if record is not None:
        _record(record, workspace or ".", output, as_json=as_json)
        return
    dialogues = [dialogue for name in files for dialogue in _read(name)]
    place = _place(workspace, db_dir, answer_always)
    with place:
        for dialogue in dialogues:
            place.check(dialogue)
        with _opened(lines) as out:
            totals = _run(dialogues, place, out, as_json=as_json, aside=lines == "-")
    sys.exit(0 if totals.all_as_expected else 1)


def _refuse_combinations(
    files: tuple[str, ...],
    workspace: str | None,
    db_dir: Path | None,
    lines: str | None,
    record: str | None,
    output: Path | None,
    as_json: bool,
) -> None:
    if record is not None and (files or db_dir or lines):
        raise click.UsageError("--record goes with --workspace and --output only")
    if record is None and not files:
        raise click.UsageError("name a file of dialogues, or a session with --record")
    if record is None and output is not None:
        raise click.UsageError("--output goes with --record; the lines of a run go to --jsonl OUT")
    if workspace is not None and db_dir is not None:
        raise click.UsageError("--workspace and --db-dir exclude each other")
    if lines == "-" and as_json:
        raise click.UsageError("--jsonl - and --json exclude each other: both write to standard output")


def _place(workspace: str | None, db_dir: Path | None, answer_always: bool) -> Place:
    if workspace is not None:
        return WorkspacePlace(workspace, answer_always=answer_always)
    if db_dir is not None:
        return DatabasesPlace(db_dir, answer_always=answer_always)
    return DemoPlace(answer_always=answer_always)


def _read(name: str) -> tuple[Dialogue, ...]:
    shown = "standard input" if name == "-" else name
    read = read_dialogues(read_text(name), shown)
    if not read.dialogues:
        raise DialogueMalformed(
            f"{shown} has no dialogue", hint="write one JSON object on each line", file=shown
        )
    if read.unread_keys:
        keys = printable(", ".join(read.unread_keys)[:_SHOWN])
        click.echo(f"{shown}: nothing is compared with the keys {keys}", err=True)
    return read.dialogues


def _run(
    dialogues: list[Dialogue], place: Place, out: BinaryIO | None, *, as_json: bool, aside: bool
) -> Totals:
    totals = Totals()
    differing: list[dict[str, object]] = []
    for tested in run_dialogues(dialogues, place):
        totals.count(tested)
        if out is not None:
            out.write(tested.line.encoded())
            out.flush()
        if not tested.differences:
            if tested.failed_unexpectedly and not as_json:
                _show(tested, err=aside)
            continue
        if as_json:
            differing.append(_as_object(tested))
        else:
            _show(tested, err=aside)
    if as_json:
        show_json({**totals.as_object(), "differences": differing})
    else:
        click.echo(totals.sentence(), err=aside)
    return totals


def _show(tested: TestedTurn, *, err: bool) -> None:
    line = tested.line
    click.secho(f"{printable(line.id)} turn {line.turn}: {printable(line.user)}", bold=True, err=err)
    for difference in tested.differences:
        expected, got = _shown(difference.expected), _shown(difference.got)
        click.echo(f"  {difference.place}: expected {expected}, got {got}", err=err)
    if line.error is not None:
        click.echo(f"  error [{line.error.code}]: {printable(line.error.message)[:_SHOWN]}", err=err)
    elif line.message:
        click.secho(f"  said: {printable(line.message)[:_SHOWN]}", dim=True, err=err)
    if tested.session:
        click.secho(f"  look at it with: dragoman why {tested.session} {line.turn}", dim=True, err=err)


def _shown(value: object) -> str:
    text = printable(json.dumps(value, ensure_ascii=False))
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"


def _as_object(tested: TestedTurn) -> dict[str, object]:
    line = tested.line
    return {
        "id": line.id,
        "turn": line.turn,
        "user": line.user,
        "session": tested.session or None,
        "message": line.message,
        "error": line.error,
        "differences": [
            {"expectation": difference.place, "expected": difference.expected, "got": difference.got}
            for difference in tested.differences
        ],
    }


@contextlib.contextmanager
def _opened(name: str | None) -> Iterator[BinaryIO | None]:
    """Where the lines go: nowhere, standard output, or a file."""
    if name is None or name == "-":
        yield None if name is None else sys.stdout.buffer
        return
    try:
        file = Path(name).open("wb")  # noqa: SIM115 - closed below, outside of what is caught here
    except (OSError, ValueError) as error:
        told = getattr(error, "strerror", None) or str(error)
        raise TestOutputFailed(f"{name[:200]} cannot be written: {told}", hint="name another file") from error
    with file:
        yield file


def _record(session: str, workspace: str, output: Path | None, *, as_json: bool) -> None:
    """The test goes to stdout or to a file; with --json to stdout in any case: it is one JSON document."""
    from dragoman.conversation_tests.recorder import record_dialogue
    from dragoman.workspace import Workspace
    from dragoman.workspace.text import write_whole

    with Workspace.open(workspace, create=False) as opened:
        line = record_dialogue(opened, session)
    if output is not None:
        try:
            write_whole(output, line)
        except (OSError, RuntimeError, ValueError) as error:
            raise TestOutputFailed(
                f"{str(output)[:200]} cannot be written: {error}", hint="name another file"
            ) from error
    if output is None or as_json:
        click.echo(line.decode("utf-8"), nl=False)
    else:
        click.echo(f"wrote {output}", err=True)
