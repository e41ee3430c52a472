"""Everything of an answer: in a terminal with the pager where it is longer than the screen, else plainly."""

import io
import os
import shutil
import sys
from contextlib import redirect_stdout

import click

from dragoman.cli.display import View, rows_of, show_turn
from dragoman.contracts.turn_result import TurnResult


def show_whole(result: TurnResult, view: View) -> None:
    """A turn with all rows that were read."""
    said = io.StringIO()
    with redirect_stdout(said):
        show_turn(result, view=view, whole=result)
    page(said.getvalue())


def show_rows(result: TurnResult, view: View) -> None:
    """The rows alone."""
    page(f"{rows_of(result, view)}\n")


def page(text: str) -> None:
    fits = text.count("\n") < shutil.get_terminal_size().lines
    if fits or not sys.stdout.isatty():
        click.echo(text, nl=False)
        return
    # Wide characters are shown as they are, and a long line is cut at the edge and not folded once more.
    os.environ.setdefault("LESS", "-RS")
    os.environ.setdefault("LESSCHARSET", "utf-8")
    click.echo_via_pager(text)
