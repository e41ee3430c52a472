"""`dragoman entities`: search and index the names of entities."""

from pathlib import Path

import click

from dragoman.catalog.pack_databases import PackDatabases
from dragoman.cli.assignments import pairs, values_for
from dragoman.cli.creation import (
    begun,
    create_signature,
    freshen,
    kinds_of,
    make,
    run_id_option,
    set_option,
    tell,
    yes_option,
)
from dragoman.cli.discovery import workspace_option
from dragoman.cli.display import show_json
from dragoman.cli.failures import printable
from dragoman.cli.options import json_option
from dragoman.cli.programs import finding_object
from dragoman.contracts.program import Argument, Statement
from dragoman.entities import EntityIndex
from dragoman.packs.installed import OwnedEntity
from dragoman.workbench import BenchWorld, Workbench


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
    databases = opened_databases(workspace)
    owned = databases.entity(kind, pack_name)
    given = pairs(filters, "--filter")
    found = indexed(databases, owned).search(text, limit=limit, filters=given)
    if as_json:
        show_json({"type": kind, "pack": owned.pack.pack, "text": text, "found": found})
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
    databases = opened_databases(workspace)
    owned = [databases.entity(kind) for kind in kinds] or list(databases.own.entities.values())
    made = [(each, len(indexed(databases, each, fresh=refresh))) for each in owned]
    if as_json:
        show_json([{"type": each.kind, "pack": each.pack.pack, "entities": count} for each, count in made])
        return
    for each, count in made:
        click.echo(f"{each.kind}: {count:,} of the pack {each.pack.pack}")
    if not made:
        click.echo("there is no pack in packs/ yet: dragoman pack draft writes the first")


def opened_databases(workspace: str, *, quiet: bool = False) -> PackDatabases:
    """The packs of a workspace. What of them is left out is told, unless it was told already."""
    databases = PackDatabases(Path(workspace).resolve())
    for each in () if quiet else databases.own.left_out:
        click.echo(printable(f"{each.what} is left out: {each.why}"), err=True)
    return databases


def indexed(databases: PackDatabases, owned: OwnedEntity, *, fresh: bool = False) -> EntityIndex:
    """The index of an entity type, as its database is now."""
    return databases.index(owned, fresh=fresh)


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
    world = BenchWorld(Workbench.open(workspace))
    databases = opened_databases(workspace)
    owned = databases.own.entities.get(kind) or databases.entity(kind)
    signature = create_signature(databases, owned)
    freshen(databases, world, kinds_of(signature))
    values = values_for(signature, pairs(given, "--set"))
    statement = Statement(signature.name, tuple(Argument(name, value) for name, value in values.items()))
    form = begun(world, statement)
    statement = world.read(form.source, form.notation).statements[0]
    outcome = make(databases, owned, statement, form, yes=yes, run_id=run_id)
    if as_json:
        show_json(
            {
                "ok": outcome.ready,
                "type": kind,
                "pack": owned.pack.pack,
                "verb": outcome.verb,
                "program": outcome.program,
                "written": outcome.written,
                "diagnostics": [finding_object(finding) for finding in form.diagnostics],
                "open": [
                    {"argument": each.ref.location.arg_name, "text": each.text, "matches": each.matches}
                    for each in form.open
                ],
            }
        )
    else:
        tell(outcome, form)
    ctx.exit(0 if outcome.ready else 1)
