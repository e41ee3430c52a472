"""How runs and their plans look, on a terminal and as JSON."""

import click

from dragoman.cli.display import MAX_CELL
from dragoman.cli.failures import printable
from dragoman.contracts.run import RunRecord, RunStatus, StepRecord
from dragoman.workspace.pipelines import (
    Extraction,
    Look,
    Order,
    Pipelines,
    Planned,
    RunOutcome,
    Writing,
    can_help,
)
from dragoman.workspace.text import counted

SHOWN_LOOK = 50
_COLOURS = {
    RunStatus.DONE: "green",
    RunStatus.FAILED: "red",
    RunStatus.CANCELLED: "yellow",
    RunStatus.INTERRUPTED: "yellow",
    RunStatus.RUNNING: "cyan",
}


def outcome_object(outcome: RunOutcome) -> dict[str, object]:
    return {
        "ok": outcome.record.status is RunStatus.DONE,
        "run": outcome.record,
        "report": outcome.report,
        "rows": {step: _look_object(look) for step, look in outcome.looks.items()},
    }


def run_object(record: RunRecord, pipelines: Pipelines) -> dict[str, object]:
    return {"run": record, "report": pipelines.report(record)}


def _look_object(look: Look) -> dict[str, object]:
    rows = [[value if _is_json(value) else str(value) for value in row] for row in look.rows]
    return {"columns": look.columns, "rows": rows, "more": look.more}


def _is_json(value: object) -> bool:
    return value is None or isinstance(value, bool | int | str)


def plan_object(order: Order, planned: Planned) -> dict[str, object]:
    return {
        "fingerprint": order.fingerprint,
        "name": order.name,
        "steps": [
            {
                "id": step.id,
                "component": step.component,
                "mode": step.mode.value,
                "needs": step.needs,
                "columns": planned[step.id].columns if step.id in planned else (),
                "plan": planned[step.id].plan if step.id in planned else None,
            }
            for step in order.steps
        ],
    }


def show_plan(order: Order, planned: Planned) -> None:
    """What would be done, step by step. Nothing was."""
    for step in order.steps:
        click.secho(printable(f"{step.id}  {step.component}"), bold=True)
        if step.id not in planned:
            click.echo("  known only when what it waits for is published")
            continue
        plan = planned[step.id].plan
        if isinstance(plan, Extraction):
            parts = f", in {len(plan.parts)} parts" if plan.parts else ""
            click.echo(printable(f"  reads {plan.target} by {plan.path}{parts}"))
        if isinstance(plan, Writing):
            click.echo(printable(f"  writes {plan.target}"))
            for change in plan.changes:
                click.echo(printable(f"    {change}"))
        names = ", ".join(f"{c.name} {c.native or c.type}" for c in planned[step.id].columns)
        click.echo(printable(f"  columns: {names}"))
        for warning in plan.warnings:
            click.secho(printable(f"  {warning.rule}: {warning.message}"), fg="yellow")
    click.echo("nothing was written (--dry-run)")


def show_outcome(outcome: RunOutcome, pipelines: Pipelines) -> None:
    for step, look in outcome.looks.items():
        click.echo(printable(step))
        click.echo(look_table(look))
    show_run(outcome.record, err=True)
    if can_help(outcome.record):
        click.echo(f"  dragoman runs resume {outcome.record.id}", err=True)
    page = pipelines.page_file(outcome.record.id)
    if page.exists():
        click.echo(f"  {page}", err=True)


def show_run(record: RunRecord, *, err: bool = False) -> None:
    name = f" {record.name}" if record.name else ""
    click.secho(printable(f"run {record.id}{name}: "), nl=False, err=err)
    click.secho(str(record.status), fg=_COLOURS[record.status], err=err)
    for step in record.steps:
        click.echo(printable(f"  {_step_line(step)}"), err=err)
        for warning in step.warnings:
            click.secho(printable(f"    {warning.rule}: {warning.message}"), fg="yellow", err=err)
        if step.fault is not None:
            _show_fault(step.fault.code, step.fault.message, step.fault.hint, err=err)
    if record.fault is not None and all(step.fault != record.fault for step in record.steps):
        _show_fault(record.fault.code, record.fault.message, record.fault.hint, err=err)


def _show_fault(code: str, message: str, hint: str, *, err: bool) -> None:
    click.secho(printable(f"    [{code}] {message}"), fg="red", err=err)
    if hint:
        click.echo(printable(f"    {hint}"), err=err)


def _step_line(step: StepRecord) -> str:
    rows = counted(step.rows, "row") if step.rows is not None else ""
    size = counted(step.bytes, "byte") if step.bytes is not None else ""
    time = f"{step.seconds:.2f} s" if step.seconds else ""
    again = f"{step.retries} retries" if step.retries else ""
    facts = ", ".join(fact for fact in (rows, size, time, again) if fact)
    what = f" {step.target}" if step.target else ""
    return f"{step.id} ({step.component}){what}: {step.state}{f', {facts}' if facts else ''}"


def look_table(look: Look) -> str:
    """The first rows as a plain table."""
    cells = [[_cell(value) for value in row] for row in look.rows[:SHOWN_LOOK]]
    names = [_cell(name) for name in look.columns]
    widths = [max(len(line[i]) for line in (names, *cells)) for i in range(len(names))]
    lines = [names, ["─" * width for width in widths], *cells]
    shown = "\n".join(
        "  " + "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    )
    left = len(look.rows) - SHOWN_LOOK
    more = f"\n  … {left:,} more rows" if left > 0 else ""
    unread = "\n  … and more that were not read" if look.more else ""
    return shown + more + unread


def _cell(value: object) -> str:
    text = "" if value is None else printable(str(value)).replace("\n", "\\n")
    return text if len(text) <= MAX_CELL else text[: MAX_CELL - 1] + "…"
