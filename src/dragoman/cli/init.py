"""`dragoman init`: create a workspace from a database."""

import shlex
import sys
from pathlib import Path

import click

from dragoman.cli.discovery import summary, told_progress
from dragoman.cli.display import show_json
from dragoman.cli.failures import printable, warn
from dragoman.cli.options import json_option, told
from dragoman.contracts.errors import DragomanError
from dragoman.contracts.places import CONNECTIONS_FILE
from dragoman.workspace import Workspace
from dragoman.workspace.databases import Databases
from dragoman.workspace.setup import NewWorkspace, make_empty, make_from_database, make_from_pack


@click.command()
@click.argument("url", metavar="[DATABASE-URL]", required=False)
@click.option("--workspace", "-w", default=".", metavar="DIR", help="The folder. Default: this one.")
@click.option("--alias", metavar="NAME", help="The name of the connection. Default: the database's name.")
@click.option("--pack", metavar="NAME", help="A built-in pack; without a database, with its demo.")
@json_option
def init(url: str | None, workspace: str, alias: str | None, pack: str | None, as_json: bool) -> None:
    """Create a workspace from a database: a URL (postgres://…, mysql://…) or a file (.sqlite, .duckdb, .csv).

    Connects to the database and discovers it first. If that fails, nothing is written.
    """
    folder = Path(workspace).resolve()
    if url is not None:
        made = make_from_database(folder, url, alias=alias, pack=pack, progress=told_progress())
    elif pack is not None:
        made = make_from_pack(folder, pack, alias=alias, progress=told_progress())
    else:
        made = make_empty(folder)
    if as_json:
        show_json(_object(folder, made, _questions(folder, made), of_database=url is not None))
        return
    if made.schema is not None:
        click.echo(printable(summary(f"@{made.alias}", made.schema)))
    for note in made.notes:
        click.echo(printable(f"  {note}"))
    click.echo(f"wrote {', '.join(made.files)}" if made.files else "everything was there already")
    for variable in made.variables:
        click.echo(f"Before you go on: export {variable}=…   (the password is written nowhere)")
    if made.entities:
        click.echo(f"its entities: {', '.join(made.entities)}")
    # What is written is said first: finding questions may take a while.
    questions = _questions(folder, made)
    if questions:
        click.echo("Questions that work here:")
        for question in questions:
            click.echo(printable(f"  dragoman {_quoted(question)}"))
    click.echo(_next(made, pack, of_database=url is not None))


def _questions(folder: Path, made: NewWorkspace) -> tuple[str, ...]:
    """Found by asking them, so after everything is written. A database that can be discovered and not asked
    has none."""
    if made.schema is None or made.variables:
        return ()
    if len(Databases(folder).connections().specs) > 1:
        # They would be about the default one, and somebody has just added another.
        return ()
    if sys.stderr.isatty():
        click.secho("looking for questions that work here …", dim=True, err=True)
    try:
        # Without a store: nobody has said anything yet.
        with Workspace.open(folder, create=False, notice=told) as workspace:
            return workspace.suggestions()
    except DragomanError as error:
        warn(f"no questions to suggest: {error.message}")
        return ()


def _quoted(question: str) -> str:
    """As a shell takes it, whatever is in the names."""
    plain = not any(letter in question for letter in '"$`\\!')
    return f'"{question}"' if plain else shlex.quote(question)


def _object(
    folder: Path, made: NewWorkspace, questions: tuple[str, ...], *, of_database: bool
) -> dict[str, object]:
    told: dict[str, object] = {
        "workspace": str(folder),
        "files": made.files,
        "connection": f"@{made.alias}" if made.alias else None,
    }
    if made.schema is None:
        return told
    if of_database:
        told |= {"variables": sorted(made.variables), "skipped": made.schema.skipped}
    return {**told, "tables": made.tables, "questions": questions}


def _next(made: NewWorkspace, pack: str | None, *, of_database: bool) -> str:
    if not made.alias:
        return f"Next: write a connection into {CONNECTIONS_FILE}, or run dragoman init DATABASE-URL"
    if not of_database:
        return f"Next: dragoman discover @{made.alias}   ·   dragoman entities search TYPE TEXT"
    if pack is None:
        return f'Next: dragoman ask "…"   ·   dragoman pack draft @{made.alias} > packs/{made.alias}.yaml'
    return f'Next: dragoman ask "…"   ·   dragoman pack check packs/{pack}.yaml'
