"""`dragoman entities search`: who or what a name may mean."""

from contextlib import closing
from pathlib import Path

import click

from dragoman.catalog.access import DatabaseReader, SqliteTarget, open_reader
from dragoman.catalog.connections import load_connections, open_connection, resolve
from dragoman.catalog.packs.demo import build_demo
from dragoman.catalog.packs.entities import entity_index
from dragoman.catalog.packs.reading import load_shipped, read_pack, shipped_packs
from dragoman.cli.discovery import workspace_option
from dragoman.cli.failures import printable
from dragoman.cli.options import json_option
from dragoman.cli.rendering import show_json
from dragoman.contracts.errors import WorkspaceError
from dragoman.contracts.pack import Pack
from dragoman.workspace import STATE_FOLDER


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
    folder = Path(workspace).resolve()
    pack = _pack(kind, pack_name, folder)
    given = _pairs(filters)
    with closing(_reader(pack, folder)) as reader:
        place = folder / STATE_FOLDER / "entities" / pack.pack / kind
        found = entity_index(kind, pack.entities[kind], reader, place).search(
            text, limit=limit, filters=given
        )
    if as_json:
        show_json({"type": kind, "pack": pack.pack, "text": text, "found": found})
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


def _pack(kind: str, name: str | None, folder: Path) -> Pack:
    """The pack that knows a type: one of the workspace before one that ships."""
    packs = [*_own_packs(folder), *(load_shipped(each) for each in shipped_packs())]
    named = [pack for pack in packs if name in (None, pack.pack)]
    found = [pack for pack in named if kind in pack.entities]
    if found:
        return found[0]
    known = sorted({each for pack in named for each in pack.entities})
    raise WorkspaceError(f"no pack knows the type {kind!r}", hint=f"there are {', '.join(known) or 'none'}")


def _own_packs(folder: Path) -> list[Pack]:
    packs = []
    for path in sorted((folder / "packs").glob("*.y*ml")):
        pack = read_pack(path)
        if isinstance(pack, Pack):
            packs.append(pack)
        else:
            click.echo(f"{path.name} is left out: dragoman pack check {path} says why", err=True)
    return packs


def _reader(pack: Pack, folder: Path) -> DatabaseReader:
    if pack.pack in shipped_packs() and not (folder / "packs" / f"{pack.pack}.yaml").exists():
        return open_reader(
            SqliteTarget(build_demo(pack, folder / STATE_FOLDER / "demo" / f"{pack.pack}.sqlite"))
        )
    spec = load_connections(folder).find(pack.connection or "@default")
    return open_connection(resolve(spec, folder))


def _pairs(filters: tuple[str, ...]) -> dict[str, str]:
    pairs = {}
    for each in filters:
        key, equals, value = each.partition("=")
        if not equals or not key:
            raise click.BadParameter("write K=V", param_hint="--filter")
        pairs[key] = value
    return pairs
