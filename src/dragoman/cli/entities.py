"""`dragoman entities`: search and index the names of entities."""

from pathlib import Path

import click

from dragoman.cli.assignments import pairs
from dragoman.cli.creation import run_id_option, set_option, tell, yes_option
from dragoman.cli.display import show_json
from dragoman.cli.failures import printable, warn
from dragoman.cli.options import json_option, workspace_option
from dragoman.workspace.entities import Entities
from dragoman.workspace.findings import finding_object
from dragoman.workspace.programs import Programs
from dragoman.workspace.resolution import Resolver


@click.group()
def entities() -> None:
    """Search entities by name, index them, or create one."""


@entities.command()
@click.argument("kind", metavar="TYPE")
@click.argument("text")
@click.option("--filter", "filters", multiple=True, metavar="K=V", help="A discriminator that must match.")
@click.option("--limit", default=5, show_default=True, help="How many matches to show.")
@click.option("--pack", "pack_name", metavar="NAME", help="The pack that declares TYPE, if several do.")
@workspace_option
@json_option
def search(
    kind: str,
    text: str,
    filters: tuple[str, ...],
    limit: int,
    pack_name: str | None,
    workspace: str,
    as_json: bool,
) -> None:
    """Search the entities of TYPE for TEXT. Exact matches come first, then prefixes, typos and word orders.

    TYPE belongs to a pack in packs/, or to a built-in pack over its demo database.
    """
    known, given = opened_entities(workspace), pairs(filters, "--filter")
    searched = known.search(kind, text, filters=given, limit=limit, pack=pack_name)
    found = searched.found
    if as_json:
        show_json({"type": kind, "pack": searched.pack, "text": text, "found": found})
        return
    for match in found.matches:
        told = ", ".join(f"{name} {value}" for name, value in match.discriminators.items())
        click.echo(
            printable(f"{match.score:6.2f}  {match.how:16} {match.key}  {match.display}  {told}".rstrip())
        )
    if found.bound is not None:
        click.echo(printable(f"binds by itself: {found.bound.key} ; {found.bound.display}"))
    elif found.matches:
        click.echo("nothing is clearly meant: one has to be picked")
    else:
        click.echo("nothing is called so")
    if found.may_create:
        click.echo(f"a new one is made by {found.create_verb}")


@entities.command()
@click.argument("kinds", nargs=-1, metavar="[TYPE…]")
@click.option("--refresh", is_flag=True, help="Rebuild, even if the index is up to date.")
@workspace_option
@json_option
def index(kinds: tuple[str, ...], refresh: bool, workspace: str, as_json: bool) -> None:
    """Update the indexes of the entity TYPEs, or of all packs in the workspace.

    Programs are checked against these indexes without connecting.
    """
    made = opened_entities(workspace).index(kinds, fresh=refresh)
    if as_json:
        show_json(made)
        return
    for each in made:
        click.echo(f"{each.type}: {each.entities:,} of the pack {each.pack}")
    if not made:
        click.echo("there is no pack in packs/ yet: dragoman pack draft --verbs writes the first")


def opened_entities(workspace: str) -> Entities:
    """The entities of a workspace. What of its packs is left out is told."""
    known = Entities(Path(workspace).resolve())
    for each in known.left_out:
        warn(f"{each.what} is left out: {each.why}")
    return known


@entities.command()
@click.argument("kind", metavar="TYPE")
@set_option
@yes_option
@run_id_option
@workspace_option
@json_option
@click.pass_context
def create(
    ctx: click.Context,
    kind: str,
    given: tuple[str, ...],
    yes: bool,
    run_id: str | None,
    workspace: str,
    as_json: bool,
) -> None:
    """Create an entity of TYPE with the verb its pack declares. Shows the program; --yes runs it."""
    known = opened_entities(workspace)
    resolver = Resolver(Programs.open(workspace), known, warn=warn)
    made = resolver.create_entity(kind, pairs(given, "--set"), yes=yes, run_id=run_id)
    if as_json:
        show_json(
            {
                "ok": made.ready,
                "type": kind,
                "pack": known.pack_of(kind),
                "verb": made.verb,
                "program": made.program,
                "written": made.written,
                "diagnostics": [finding_object(finding) for finding in made.form.diagnostics],
                "open": [
                    {"argument": each.ref.location.arg_name, "text": each.text, "matches": each.matches}
                    for each in made.form.open
                ],
            }
        )
    else:
        tell(made)
    ctx.exit(0 if made.ready else 1)
