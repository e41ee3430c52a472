"""`dragoman run`: run a pipeline from a program or a manifest."""

import math
import sys
from pathlib import Path

import click

from dragoman.cli.display import show_json
from dragoman.cli.failures import INTERRUPTED, printable
from dragoman.cli.options import files, json_option, operator_option, workspace_option
from dragoman.cli.own_process import bound
from dragoman.cli.programs import (
    as_option,
    compiled_manifest,
    param_option,
    profile_option,
    read_file,
)
from dragoman.cli.run_display import outcome_object, plan_object, show_outcome, show_plan
from dragoman.cli.run_progress import progress_shown, told_settled
from dragoman.cli.stopping import stoppable
from dragoman.contracts.errors import ConfirmationNeeded, ManifestRefused
from dragoman.contracts.run import RunLimits, RunStatus
from dragoman.contracts.verb import Effect
from dragoman.workspace.operator import act_as_operator
from dragoman.workspace.pipelines import Order, Pipelines, read_order
from dragoman.workspace.prepared_run import intent_of

MAX_MANIFEST = 64 * 1024 * 1024

LONGEST_SECONDS = 365 * 86_400.0
"""A timer cannot wait for ever."""

limit_options = (
    click.option("--max-rows", type=click.IntRange(min=0), help="Fail if more rows than this would move."),
    click.option(
        "--max-seconds",
        type=click.FloatRange(min=0, max=LONGEST_SECONDS, min_open=True),
        callback=lambda _, __, value: _number(value),
        help="Stop after this many seconds.",
    ),
)


@click.command()
@click.argument("file", metavar="FILE|MANIFEST", shell_complete=files)
@profile_option
@param_option
@as_option
@click.option("--dry-run", is_flag=True, help="Show the plan and write nothing.")
@click.option("--yes", is_flag=True, help="Write without asking.")
@click.option("--run-id", metavar="ID", help="An id for the run; repeating an id changes nothing.")
@limit_options[0]
@limit_options[1]
@operator_option
@workspace_option
@json_option
def run(
    file: str,
    profile: str | None,
    params: tuple[str, ...],
    notation: str | None,
    dry_run: bool,
    yes: bool,
    run_id: str | None,
    max_rows: int | None,
    max_seconds: float | None,
    as_operator: bool,
    workspace: str,
    as_json: bool,
) -> None:
    """Run a pipeline: a program (.verbs, .yaml) or a compiled manifest (.json).

    Shows progress on a terminal; otherwise prints every event as a line of JSON.
    """
    folder = Path(workspace).resolve()
    bound(folder)
    manifest = _manifest(file, notation, profile, params, folder)
    order, pipelines = read_order(manifest), Pipelines(folder, operator=as_operator)
    if as_operator:
        act_as_operator(folder, "run", order.name or order.fingerprint)
    limits = RunLimits(rows=max_rows, seconds=max_seconds)
    if dry_run:
        with stoppable() as stopping:
            planned = pipelines.plan(manifest, limits=limits, cancel=stopping.cancel)[1]
        if as_json:
            show_json(plan_object(order, planned))
        else:
            show_plan(order, planned)
        return
    replaces = pipelines.replaced(order)
    _confirm(order, file, replaces, yes=yes)
    told_settled(pipelines.settle())
    with stoppable() as stopping, progress_shown(order, as_json=as_json) as listeners:
        outcome = pipelines.run(
            manifest,
            limits=limits,
            run_id=_run_id(run_id),
            cancel=stopping.cancel,
            listeners=listeners,
            replaces=replaces,
        )
    if as_json:
        show_json(outcome_object(outcome))
    else:
        show_outcome(outcome, pipelines)
    exit_by(outcome.record.status)


def exit_by(status: RunStatus) -> None:
    match status:
        case RunStatus.DONE:
            return
        case RunStatus.CANCELLED:
            raise click.exceptions.Exit(INTERRUPTED)
        case RunStatus.FAILED | RunStatus.INTERRUPTED | RunStatus.RUNNING:
            raise click.exceptions.Exit(1)


def _manifest(
    file: str, notation: str | None, profile: str | None, params: tuple[str, ...], folder: Path
) -> bytes:
    if notation is None and file.endswith(".json"):
        if params or profile:
            raise click.UsageError("a manifest has its parameters already; give the program to change them")
        try:
            with Path(file).open("rb") as opened:
                data = opened.read(MAX_MANIFEST + 1)
        except OSError as error:
            raise ManifestRefused(
                f"{file} cannot be read: {error.strerror}", hint="check the path"
            ) from error
        if len(data) > MAX_MANIFEST:
            raise ManifestRefused(f"{file} is longer than {MAX_MANIFEST:,} bytes", hint="it is no manifest")
        return data
    source, known = read_file(file, notation)
    return compiled_manifest(source, known, profile, params, folder)


def _confirm(order: Order, file: str, replaces: tuple[str, ...], *, yes: bool) -> None:
    """Any write waits for a yes, which says what is lost with it."""
    writes = [step for step in order.steps if step.mode is Effect.WRITE]
    if yes or not writes:
        return
    said = "; ".join(intent_of(step) for step in writes)
    if replaces:
        said += f"; this replaces {', '.join(replaces)}, which no run made"
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise ConfirmationNeeded(
            f"{file} writes: {printable(said)}", hint="run it again with --yes; --dry-run shows what it does"
        )
    click.echo(f"This will write: {printable(said)}", err=True)
    if not click.confirm("Go on?", err=True):
        raise click.Abort


def _number(seconds: float | None) -> float | None:
    # It is not less than the least and not more than the most, and no time at all.
    if seconds is not None and math.isnan(seconds):
        raise click.BadParameter("write a number of seconds", param_hint="--max-seconds")
    return seconds


def _run_id(given: str | None) -> str | None:
    if given is None:
        return None
    plain = given.replace("-", "").replace("_", "")
    # What begins with a dash could not be named to `runs show` any more: it would be an option.
    if not (given.isascii() and plain.isalnum() and given[0] != "-" and len(given) <= 64):
        raise click.BadParameter(
            "letters, digits, - and _ only, at most 64 of them, no - at the beginning",
            param_hint="--run-id",
        )
    return given
