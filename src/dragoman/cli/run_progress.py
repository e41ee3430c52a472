"""Progress of a run: bars on a terminal, lines of JSON elsewhere."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import click
import msgspec

from dragoman.cli.failures import printable
from dragoman.contracts.run import (
    RunBegun,
    RunEnded,
    RunEvent,
    RunStatus,
    StepBegun,
    StepEnded,
    StepProgress,
    StepRetried,
    StepState,
    StepWarned,
)
from dragoman.workspace.pipelines import Order, RunListener, Settled
from dragoman.workspace.text import counted


@contextmanager
def progress_shown(order: Order, *, as_json: bool) -> Iterator[Sequence[RunListener]]:
    """Who listens to the events of a run. With --json the result is all that is printed."""
    if as_json:
        yield ()
    elif sys.stdout.isatty():
        with _bars(order) as listener:
            yield (listener,)
    else:
        yield (_line,)


def _line(event: RunEvent) -> None:
    click.echo(msgspec.json.encode(event).decode())


def told_settled(settled: Sequence[Settled]) -> None:
    """Reports what became of runs found without a process, on stderr."""
    for each in settled:
        record = each.record
        if each.problem is not None:
            said = f"run {record.id} was interrupted and cannot be settled yet: {each.problem.message}"
        elif record.status is RunStatus.DONE:
            said = f"run {record.id} was interrupted after all was staged: it is finished now"
        else:
            said = f"run {record.id} was interrupted and is undone; dragoman runs resume {record.id} goes on"
        click.echo(printable(said), err=True)


@contextmanager
def _bars(order: Order) -> Iterator[RunListener]:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, SpinnerColumn, TaskID, TextColumn, TimeElapsedColumn

    console = Console(stderr=True)
    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=24),
        TextColumn("{task.fields[said]}", markup=False),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=console, transient=False) as progress:
        tasks: dict[str, TaskID] = {
            step.id: progress.add_task(f"{step.id} ({step.component})", start=False, total=None, said="")
            for step in order.steps
        }

        def listen(event: RunEvent) -> None:
            match event:
                case StepBegun(step=step):
                    progress.start_task(tasks[step])
                case StepProgress(step=step, rows=rows, fraction=fraction):
                    if fraction is not None:
                        progress.update(tasks[step], total=1.0, completed=fraction)
                    if rows is not None:
                        progress.update(tasks[step], said=counted(rows, "row"))
                case StepEnded(step=step, state=state, rows=rows):
                    done = state is StepState.DONE
                    said = counted(rows, "row") if done and rows is not None else str(state)
                    progress.start_task(tasks[step])
                    progress.update(tasks[step], total=1.0, completed=1.0 if done else 0.0, said=said)
                    progress.stop_task(tasks[step])
                case StepWarned(step=step, warning=warning):
                    console.print(printable(f"{step}: {warning.message}"), markup=False, highlight=False)
                case StepRetried(step=step, fault=fault, delay=delay):
                    said = f"{step}: {fault.message}; trying again in {delay:.1f} s"
                    console.print(printable(said), markup=False, highlight=False)
                case RunBegun() | RunEnded():
                    pass

        yield listen
