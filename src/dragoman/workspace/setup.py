"""A workspace folder made from nothing, from a database, or from a pack that ships.

What is there already stays. A database is discovered first: if that fails, nothing is written.
"""

import functools
import os
import time
from collections.abc import Mapping
from pathlib import Path

from msgspec.structs import replace

from dragoman.contracts.errors import WorkspaceError
from dragoman.contracts.places import CONNECTIONS_FILE, PACKS_FOLDER, SETTINGS_FILE, STATE_FOLDER
from dragoman.contracts.record import Record
from dragoman.contracts.schema import DatabaseSchema
from dragoman.databases.connections import (
    ConnectionSpec,
    alias_for,
    load_connections,
    open_connection,
    parse_database_url,
    resolve,
    written_entry,
)
from dragoman.databases.discovery import SchemaCache, discover_cached
from dragoman.databases.families.registry import family
from dragoman.engine.files import write_whole
from dragoman.workspace.databases import Progress, silent

_DISCOVERY_SECONDS = 60
_SETTINGS = "version: 1\n"
_WITH_VIEWER = """\
version: 1
# Who asks here: the pack's policies decide what this viewer may see and change. Without a viewer, only
# public data is visible.
viewer: {{name: demo, roles: [{roles}]}}
"""
_IGNORED = ".gitignore"
_TEMPLATE = """\
# The databases of this workspace. What nobody else may read is written as ${VARIABLE}.
"""
_EXAMPLE = """\
# shop:
#   url: postgres://reader:${SHOP_PASSWORD}@db.example.org/shop
#   default: true
"""


class NewWorkspace(Record, frozen=True):
    """What was written into the folder. `variables` are to be set before the connection can be used."""

    files: tuple[str, ...]
    alias: str = ""
    schema: DatabaseSchema | None = None
    variables: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()

    @property
    def notes(self) -> tuple[str, ...]:
        """What was done to the values of files, where it was not plain what they are."""
        if self.schema is None or not family(self.schema.family).holds_folders:
            return ()
        tables = [f"{table.name}: {table.comment}" for table in self.schema.tables if table.comment]
        return (
            *tables,
            *(
                f"{table.name}.{column.name}: {column.comment}"
                for table in self.schema.tables
                for column in table.columns
                if column.comment
            ),
        )

    @property
    def tables(self) -> int:
        return len(self.schema.tables) if self.schema is not None else 0


def make_empty(folder: Path) -> NewWorkspace:
    """A workspace with an example of a connection."""
    return NewWorkspace(tuple(_write(folder, _TEMPLATE + _EXAMPLE, None)))


def make_from_database(
    folder: Path,
    url: str,
    *,
    alias: str | None = None,
    pack: str | None = None,
    progress: Progress = silent,
) -> NewWorkspace:
    """A workspace over a database, by its URL or file, with a pack that ships where one is named."""
    if pack is not None:
        _refuse_taken(pack, folder)
    # Whoever names a file means the path from where they are.
    spec = parse_database_url(url, Path.cwd())
    name = _free_alias(alias or alias_for(spec), folder)
    entry, secrets = written_entry(_placed(spec, folder), name)
    environment = {**os.environ, **{variable: secret.reveal() for variable, secret in secrets.items()}}
    schema = _discovered(spec, folder, environment, name, progress, pack)
    made = _write(folder, _TEMPLATE + entry, name, _settings_for(pack))
    if pack is not None:
        made.append(_add_pack(pack, folder, name))
    return NewWorkspace(tuple(made), name, schema, tuple(secrets))


def make_from_pack(
    folder: Path, pack: str, *, alias: str | None = None, progress: Progress = silent
) -> NewWorkspace:
    """A workspace with a pack that ships, a database with the pack's demo, and its names indexed."""
    # Imported for a demo alone: a workspace over a database needs none of it.
    from dragoman.catalog.pack_databases import PackDatabases
    from dragoman.packs.demo import build_demo
    from dragoman.packs.pack_files import load_shipped

    shipped = load_shipped(pack)
    alias = _free_alias(alias or pack, folder)
    database = folder / f"{alias}.sqlite"
    if database.exists():
        raise WorkspaceError(f"{database} is there already", hint="name another folder with -w")
    _refuse_taken(pack, folder)
    build_demo(shipped, database)
    spec = parse_database_url(str(database), folder)
    entry, _ = written_entry(_placed(spec, folder), alias)
    schema = _discovered(spec, folder, os.environ, alias, progress, pack)
    made = [database.name, *_write(folder, _TEMPLATE + entry, alias, _settings_for(pack))]
    made.append(_add_pack(pack, folder, alias))
    databases = PackDatabases(folder)
    for owned in databases.own.entities.values():
        if owned.pack.pack == pack:
            databases.index(owned)
    return NewWorkspace(tuple(made), alias, schema, entities=tuple(shipped.entities))


def _refuse_taken(pack: str, folder: Path) -> None:
    """Before anything is written: the pack has to be one that ships, and its place free."""
    from dragoman.packs.pack_files import load_shipped

    load_shipped(pack)
    path = folder / PACKS_FOLDER / f"{pack}.yaml"
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
    write_whole(folder / PACKS_FOLDER / f"{name}.yaml", text.encode("utf-8"))
    return f"{PACKS_FOLDER}/{name}.yaml"


def _placed(spec: ConnectionSpec, folder: Path) -> ConnectionSpec:
    """A file is written as it is found from the workspace."""
    if not spec.path:
        return spec
    path = Path(spec.path).resolve()
    inside = path.is_relative_to(folder)
    return replace(spec, path=str(path.relative_to(folder)) if inside else str(path))


def _free_alias(wanted: str, folder: Path) -> str:
    taken = {spec.alias for spec in load_connections(folder).specs}
    if wanted not in taken:
        return wanted
    raise WorkspaceError(
        f"{CONNECTIONS_FILE} has a connection {wanted} already",
        hint="give this one another name: --alias NAME",
    )


def _discovered(
    spec: ConnectionSpec,
    folder: Path,
    environment: Mapping[str, str],
    alias: str,
    progress: Progress,
    pack: str | None,
) -> DatabaseSchema:
    connection = resolve(spec, Path.cwd(), environment)
    cache = SchemaCache(folder / STATE_FOLDER / "schemas")
    deadline = time.monotonic() + _DISCOVERY_SECONDS
    with open_connection(connection) as reader:
        return discover_cached(
            reader,
            connection.family,
            cache,
            alias,
            progress=progress,
            deadline=deadline,
            redacted=functools.partial(_redacted, pack=pack),
        )


def _redacted(schema: DatabaseSchema, pack: str | None) -> DatabaseSchema:
    """A schema without what the policies of its pack guard."""
    if pack is None:
        return schema
    from dragoman.packs.pack_files import load_shipped
    from dragoman.packs.policy_samples import without_guarded_samples

    return without_guarded_samples(schema, (load_shipped(pack),))


def _write(folder: Path, connections: str, alias: str | None, settings: str = _SETTINGS) -> list[str]:
    """The files of a workspace, each whole; what is there already stays, and a connection is added to it."""
    made: list[str] = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / PACKS_FOLDER).mkdir(exist_ok=True)
        for name, text in ((SETTINGS_FILE, settings), (_IGNORED, f"{STATE_FOLDER}/\n")):
            if not (folder / name).exists():
                write_whole(folder / name, text.encode("utf-8"))
                made.append(name)
        path = folder / CONNECTIONS_FILE
        if not path.exists():
            write_whole(path, connections.encode("utf-8"))
            made.append(CONNECTIONS_FILE)
        elif alias is not None:
            known = path.read_text("utf-8").rstrip("\n")
            added = connections.removeprefix(_TEMPLATE)
            write_whole(path, f"{known}\n{added}".encode())
            made.append(CONNECTIONS_FILE)
    except OSError as error:
        raise WorkspaceError(
            f"the workspace {folder} cannot be written: {error.strerror}", hint="name another folder with -w"
        ) from error
    return made
