"""`dragoman init`: create a workspace from a database."""

import os
import time
from pathlib import Path

import click

from dragoman.cli.discovery import summary, told_progress
from dragoman.cli.display import show_json
from dragoman.cli.failures import printable
from dragoman.cli.options import json_option
from dragoman.contracts.errors import WorkspaceError
from dragoman.contracts.places import STATE_FOLDER
from dragoman.contracts.schema import DatabaseSchema
from dragoman.databases.connections import (
    FILE,
    ConnectionSpec,
    alias_for,
    load_connections,
    open_connection,
    parse_database_url,
    resolve,
    written_entry,
)
from dragoman.databases.discovery import SchemaCache, discover_cached
from dragoman.engine.files import write_whole

SETTINGS = "dragoman.yaml"
_SETTINGS = "version: 1\n"
_WITH_VIEWER = """\
version: 1
# Who asks here: the pack's policies decide what this viewer may see and change. Without a viewer, only
# public data is visible.
viewer: {{name: demo, roles: [{roles}]}}
"""
_IGNORED = ".gitignore"
_TEMPLATE = """\
# The databases of this workspace. Write secrets only as ${VARIABLE}.
"""
_EXAMPLE = """\
# shop:
#   url: postgres://reader:${SHOP_PASSWORD}@db.example.org/shop
#   default: true
"""


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
    if pack is not None:
        if url is None:
            _from_pack(pack, folder, alias, as_json)
            return
        _refuse_taken(pack, folder)
    if url is None:
        made = _write(folder, _TEMPLATE + _EXAMPLE, None)
        if as_json:
            show_json({"workspace": str(folder), "files": made, "connection": None})
            return
        _tell_files(made)
        click.echo(f"Next: write a connection into {FILE}, or run dragoman init DATABASE-URL")
        return
    # Whoever runs the command means the path from where they stand.
    spec = parse_database_url(url, Path.cwd())
    name = _free_alias(alias or alias_for(spec), folder)
    entry, secrets = written_entry(_placed(spec, folder), name)
    environment = {**os.environ, **{variable: secret.reveal() for variable, secret in secrets.items()}}
    schema = _discovered(spec, folder, environment, name)
    made = _write(folder, _TEMPLATE + entry, name, _settings_for(pack))
    if pack is not None:
        made.append(_add_pack(pack, folder, name))
    if as_json:
        show_json(
            {
                "workspace": str(folder),
                "files": made,
                "connection": f"@{name}",
                "variables": sorted(secrets),
                "tables": len(schema.tables),
                "skipped": schema.skipped,
            }
        )
        return
    click.echo(printable(summary(f"@{name}", schema)))
    _tell_files(made)
    for variable in secrets:
        click.echo(f"Before you go on: export {variable}=…   (the password is written nowhere)")
    if pack is None:
        click.echo(f'Next: dragoman ask "…"   ·   dragoman pack draft @{name} > packs/{name}.yaml')
    else:
        click.echo(f'Next: dragoman ask "…"   ·   dragoman pack check packs/{pack}.yaml')


def _from_pack(name: str, folder: Path, alias: str | None, as_json: bool) -> None:
    """A workspace with a pack that ships, a database with the pack's demo, and its names indexed."""
    from dragoman.catalog.pack_databases import PackDatabases
    from dragoman.packs.demo import build_demo
    from dragoman.packs.pack_files import load_shipped

    shipped = load_shipped(name)
    alias = _free_alias(alias or name, folder)
    database = folder / f"{alias}.sqlite"
    if database.exists():
        raise WorkspaceError(f"{database} is there already", hint="name another folder with -w")
    _refuse_taken(name, folder)
    build_demo(shipped, database)
    spec = parse_database_url(str(database), folder)
    entry, _ = written_entry(_placed(spec, folder), alias)
    schema = _discovered(spec, folder, dict(os.environ), alias)
    made = [database.name, *_write(folder, _TEMPLATE + entry, alias, _settings_for(name))]
    made.append(_add_pack(name, folder, alias))
    databases = PackDatabases(folder)
    for owned in databases.own.entities.values():
        if owned.pack.pack == name:
            databases.index(owned)
    if as_json:
        show_json(
            {"workspace": str(folder), "files": made, "connection": f"@{alias}", "tables": len(schema.tables)}
        )
        return
    click.echo(printable(summary(f"@{alias}", schema)))
    _tell_files(made)
    click.echo(f"its entities: {', '.join(shipped.entities)}")
    click.echo(f"Next: dragoman discover @{alias}   ·   dragoman entities search TYPE TEXT")


def _refuse_taken(pack: str, folder: Path) -> None:
    """Before anything is written: the pack has to be one that ships, and its place free."""
    from dragoman.packs.pack_files import load_shipped

    load_shipped(pack)
    path = folder / "packs" / f"{pack}.yaml"
    if path.exists():
        raise WorkspaceError(f"{path} is there already", hint="name another folder with -w")


def _settings_for(pack: str | None) -> str:
    """Who asks in a new workspace: where a pack has policies, somebody who may see everything."""
    if pack is None:
        return _SETTINGS
    from dragoman.packs.pack_files import load_shipped

    policies = load_shipped(pack).policies
    roles = sorted({role for policy in policies for role in policy.unless})
    return _WITH_VIEWER.format(roles=", ".join(roles)) if policies else _SETTINGS


def _add_pack(name: str, folder: Path, alias: str) -> str:
    """A shipped pack, copied for a connection of the workspace; the file's name."""
    from dragoman.packs.pack_files import shipped_source

    text = shipped_source(name).text.replace(f"pack: {name}\n", f'pack: {name}\nconnection: "@{alias}"\n', 1)
    write_whole(folder / "packs" / f"{name}.yaml", text.encode("utf-8"))
    return f"packs/{name}.yaml"


def _placed(spec: ConnectionSpec, folder: Path) -> ConnectionSpec:
    """A file is written as it is found from the workspace."""
    if not spec.path:
        return spec
    from msgspec.structs import replace

    path = Path(spec.path).resolve()
    inside = path.is_relative_to(folder)
    return replace(spec, path=str(path.relative_to(folder)) if inside else str(path))


def _free_alias(wanted: str, folder: Path) -> str:
    taken = {spec.alias for spec in load_connections(folder).specs}
    if wanted not in taken:
        return wanted
    raise WorkspaceError(
        f"{FILE} has a connection {wanted} already", hint="give this one another name: --alias NAME"
    )


def _discovered(
    spec: ConnectionSpec, folder: Path, environment: dict[str, str], alias: str
) -> DatabaseSchema:
    connection = resolve(spec, Path.cwd(), environment)
    cache = SchemaCache(folder / STATE_FOLDER / "schemas")
    with open_connection(connection) as reader:
        return discover_cached(
            reader, connection.family, cache, alias, progress=told_progress(), deadline=time.monotonic() + 60
        )


def _write(folder: Path, connections: str, alias: str | None, settings: str = _SETTINGS) -> list[str]:
    """The files of a workspace, each whole; what is there already stays, and a connection is added to it."""
    made: list[str] = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "packs").mkdir(exist_ok=True)
        for name, text in ((SETTINGS, settings), (_IGNORED, f"{STATE_FOLDER}/\n")):
            if not (folder / name).exists():
                write_whole(folder / name, text.encode("utf-8"))
                made.append(name)
        path = folder / FILE
        if not path.exists():
            write_whole(path, connections.encode("utf-8"))
            made.append(FILE)
        elif alias is not None:
            known = path.read_text("utf-8").rstrip("\n")
            added = connections.removeprefix(_TEMPLATE)
            write_whole(path, f"{known}\n{added}".encode())
            made.append(FILE)
    except OSError as error:
        raise WorkspaceError(
            f"the workspace {folder} cannot be written: {error.strerror}", hint="name another folder with -w"
        ) from error
    return made


def _tell_files(made: list[str]) -> None:
    click.echo(f"wrote {', '.join(made)}" if made else "everything was there already")
