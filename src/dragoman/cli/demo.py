"""`dragoman demo`: a short conversation with the embedded database, and what to try next."""

import shutil
import tempfile
from pathlib import Path

import click

from dragoman.cli.display import show_json, show_turn
from dragoman.cli.options import json_option
from dragoman.workspace import Workspace

CONVERSATION = (
    "What is the stock of Alfa Trade on 31 March 2020?",
    "and for April?",
    "what about Beta Retail?",
    "take the second line",
    "where did we buy it?",
    "undo",
)


@click.command()
@json_option
def demo(as_json: bool) -> None:
    """Talk to the embedded trade database: a question, another date, another organization, a row, undo."""
    folder = Path(tempfile.mkdtemp(prefix="dragoman-demo-"))
    try:
        with Workspace.open(folder) as workspace:
            session = workspace.new_session(title="demo")
            results = []
            for message in CONVERSATION:
                result = workspace.ask(session, message)
                results.append(result)
                if not as_json:
                    click.secho(f"\n> {message}", bold=True)
                    show_turn(result)
            workspace.replay(session)
    finally:
        shutil.rmtree(folder)
    if as_json:
        show_json(results)
        return
    click.echo(_NEXT)


_NEXT = """
Every turn above was recorded, and folding the records again gave the same state, byte for byte.
The demo's folder has been removed. To try it yourself, in a folder of your own:

  dragoman ask "receivables of Beta Retail as of 31 May 2020"
  dragoman ask -c "and payables?"
  dragoman ask -c "open the biggest one"
  dragoman ask -c "documents"
  dragoman init your-database.sqlite   (or postgres://…, mysql://…, a .duckdb, .csv or .parquet file)
  dragoman sessions list
  dragoman why ID 2

(from a checkout: ./do dragoman ask "…")"""
