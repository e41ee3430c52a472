"""The rows of an answer, written to the file that somebody names."""

from pathlib import Path

import click

from dragoman.cli.failures import printable
from dragoman.contracts.turn_result import ResultRows, TurnResult
from dragoman.workspace import Workspace
from dragoman.workspace.exports import ExportFormat, export_rows
from dragoman.workspace.text import counted


def write_answer(
    workspace: Workspace, result: TurnResult, rows: ResultRows, path: str, form: ExportFormat
) -> None:
    """Write all rows that were read, and say so beside the answer; a part of them is said to be one."""
    export_rows(rows, Path(path), form, folder=workspace.folder, home=workspace.home)
    total = result.rows_total or len(rows.rows)
    of_all = f" of {total:,}" if total > len(rows.rows) else ""
    click.echo(printable(f"wrote {counted(len(rows.rows), 'row')}{of_all} to {path}"), err=True)
