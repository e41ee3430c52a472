"""`dragoman runs`: list runs, and resume or cancel one."""

from pathlib import Path

import click

from dragoman.cli.display import show_json
from dragoman.cli.failures import printable
from dragoman.cli.options import json_option, operator_option, workspace_option
from dragoman.cli.own_process import bound
from dragoman.cli.run import exit_by, limit_options
from dragoman.cli.run_display import outcome_object, run_object, show_outcome, show_run
from dragoman.cli.run_progress import progress_shown, told_settled
from dragoman.cli.stopping import stoppable
from dragoman.contracts.run import RunLimits, RunRecord, RunStatus
from dragoman.workspace.operator import act_as_operator
from dragoman.workspace.pipelines import Pipelines
from dragoman.workspace.text import write_whole


@click.group()
def runs() -> None:
    """List, show, resume or cancel runs of pipelines. The beginning of an id is enough."""


@runs.command("list")
@click.option("--limit", type=click.IntRange(min=1), default=50, show_default=True, help="How many to show.")
@operator_option
@workspace_option
@json_option
def list_command(limit: int, as_operator: bool, workspace: str, as_json: bool) -> None:
    """List the runs of the workspace, newest first."""
    pipelines = _pipelines(workspace, "runs list", as_operator=as_operator)
    records = pipelines.runs(limit=limit)
    if as_json:
        alive = {each.id: pipelines.is_alive(each.id) for each in records}
        show_json({"runs": [{**_line_object(each), "alive": alive[each.id]} for each in records]})
        return
    for record in records:
        click.echo(printable(_line(pipelines, record)))
    if not records:
        click.echo("no runs yet; dragoman run FILE makes the first", err=True)


@runs.command("show")
@click.argument("run_id", metavar="ID")
@click.option("--html", type=click.Path(dir_okay=False, path_type=Path), help="Write its HTML page here.")
@operator_option
@workspace_option
@json_option
def show_command(run_id: str, html: Path | None, as_operator: bool, workspace: str, as_json: bool) -> None:
    """Show a run: its steps, rows, times, warnings and faults. --html writes a self-contained page."""
    pipelines = _pipelines(workspace, f"runs show {run_id}", as_operator=as_operator)
    record = pipelines.find(run_id)
    if html is not None:
        write_whole(html, pipelines.page(record).encode())
    if as_json:
        show_json({**run_object(record, pipelines), "events": pipelines.events(record.id)})
        return
    show_run(record)
    if record.status is RunStatus.RUNNING and not pipelines.is_alive(record.id):
        click.echo(f"its process is gone; go on with: dragoman runs resume {record.id}")


@runs.command()
@click.argument("run_id", metavar="ID")
@limit_options[0]
@limit_options[1]
@operator_option
@workspace_option
@json_option
def resume(
    run_id: str,
    max_rows: int | None,
    max_seconds: float | None,
    as_operator: bool,
    workspace: str,
    as_json: bool,
) -> None:
    """Resume a run that was interrupted, cancelled or failed. What it published is left alone."""
    folder = Path(workspace).resolve()
    bound(folder)
    pipelines = Pipelines(folder, operator=as_operator)
    known = pipelines.find(run_id)
    found = known.id
    if as_operator:
        act_as_operator(folder, "runs resume", found)
    limits = RunLimits(
        rows=known.asked.rows if max_rows is None else max_rows,
        seconds=known.asked.seconds if max_seconds is None else max_seconds,
    )
    told_settled([each for each in pipelines.settle() if each.record.id != found])
    with stoppable() as stopping, progress_shown(pipelines.order(found), as_json=as_json) as listeners:
        outcome = pipelines.resume(found, limits=limits, cancel=stopping.cancel, listeners=listeners)
    if as_json:
        show_json(outcome_object(outcome))
    else:
        show_outcome(outcome, pipelines)
    exit_by(outcome.record.status)


@runs.command()
@click.argument("run_id", metavar="ID")
@operator_option
@workspace_option
@json_option
def cancel(run_id: str, as_operator: bool, workspace: str, as_json: bool) -> None:
    """Stop a run in whichever process it is running, and undo what it has not published."""
    pipelines = _pipelines(workspace, f"runs cancel {run_id}", as_operator=as_operator)
    record = pipelines.cancel(pipelines.find(run_id).id)
    if as_json:
        show_json(run_object(record, pipelines))
    else:
        show_run(record)
    if record.status is RunStatus.RUNNING:
        click.echo("it has not stopped yet; try again", err=True)
        raise click.exceptions.Exit(1)


def _pipelines(workspace: str, command: str, *, as_operator: bool) -> Pipelines:
    folder = Path(workspace).resolve()
    if as_operator:
        act_as_operator(folder, command, "")
    return Pipelines(folder, operator=as_operator)


def _line_object(record: RunRecord) -> dict[str, object]:
    return {
        "id": record.id,
        "name": record.name,
        "status": record.status,
        "started_at": record.started_at,
        "ended_at": record.ended_at,
        "cycle": record.cycle,
        "steps": len(record.steps),
    }


def _line(pipelines: Pipelines, record: RunRecord) -> str:
    gone = record.status is RunStatus.RUNNING and not pipelines.is_alive(record.id)
    status = "interrupted, to be settled" if gone else str(record.status)
    return f"{record.id}  {record.started_at}  {status:11}  {record.name}".rstrip()
