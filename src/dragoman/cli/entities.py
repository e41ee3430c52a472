"""`dragoman entities`: who or what a name may mean, and the indexes that say so."""

from pathlib import Path

import click

from dragoman.catalog.entities import EntityIndex
from dragoman.catalog.packs.databases import PackDatabases
from dragoman.catalog.packs.installed import OwnedEntity
from dragoman.cli.discovery import workspace_option
from dragoman.cli.failures import printable
from dragoman.cli.options import json_option
from dragoman.cli.rendering import show_json


@click.group()
def entities() -> None:
    """Entities by name: who or what a name may mean."""


@entities.command()
@click.argument("kind", metavar="TYPE")
@click.argument("text")
@click.option("--filter", "filters", multiple=True, metavar="K=V", help="A discriminator that must be equal.")
@click.option("--limit", default=5, show_default=True, help="How many matches to show.")
@click.option("--pack", "pack_name", metavar="NAME", help="The pack that knows TYPE, where several do.")
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
    """Search the entities of TYPE for TEXT: exact before prefix before typo before other word order.

    TYPE is that of a pack in packs/, or of a pack that ships, over its demo database.
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
@click.option("--refresh", is_flag=True, help="Build anew, whatever is kept.")
@workspace_option
@json_option
def index(kinds: tuple[str, ...], refresh: bool, workspace: str, as_json: bool) -> None:
    """Bring the indexes of entity TYPEs up to date; without a TYPE those of all packs of the workspace.

    Programs are checked against these indexes, without a connection.
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


def opened_databases(workspace: str) -> PackDatabases:
    databases = PackDatabases(Path(workspace).resolve())
    for each in databases.own.left_out:
        click.echo(printable(f"{each.what} is left out: {each.why}"), err=True)
    return databases


def indexed(databases: PackDatabases, owned: OwnedEntity, *, fresh: bool = False) -> EntityIndex:
    """The index of an entity type, as its database is now."""
    return databases.index(owned, fresh=fresh)


def pairs(given: tuple[str, ...], option: str) -> dict[str, str]:
    found = {}
    for each in given:
        key, equals, value = each.partition("=")
        if not equals or not key:
            raise click.BadParameter("write K=V", param_hint=option)
        found[key] = value
    return found
