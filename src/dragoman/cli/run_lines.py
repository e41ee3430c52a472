"""How far the run of a conversation has come: a line for each table, on the terminal of whoever waits."""

import sys
from collections.abc import Sequence

import click

from dragoman.cli.failures import printable
from dragoman.contracts.run import StepEnded, StepState
from dragoman.workspace.text import counted
from dragoman.workspace.turn_progress import Listener, Progress


def run_listeners() -> Sequence[Listener]:
    """Who listens; nobody where nobody watches."""
    return (_told,) if sys.stderr.isatty() else ()


def _told(progress: Progress) -> None:
    event = progress.event
    if isinstance(event, StepEnded) and event.state in (StepState.DONE, StepState.FAILED):
        rows = f", {counted(event.rows, 'row')}" if event.rows is not None else ""
        said = f"{event.step}: {event.state}{rows}"
        click.secho(printable(said), dim=True, err=True)
