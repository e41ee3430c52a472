"""Workspaces that nobody wrote: the demo's own, and one around a single database file."""

import os
import time
from collections.abc import Callable
from pathlib import Path

from dragoman.catalog.catalog import Catalog
from dragoman.catalog.sources import DEFAULT, schema_folder
from dragoman.contracts.connection import ConnectionSpec
from dragoman.contracts.errors import DragomanError, WorkspaceError
from dragoman.contracts.places import DEMO_FOLDER, PACKS_FOLDER, STATE_FOLDER
from dragoman.contracts.schema import DatabaseSchema
from dragoman.databases.connections import (
    ResolvedConnection,
    alias_for,
    open_connection,
    parse_database_url,
    resolve,
    written_entry,
)
from dragoman.databases.discovery import SchemaCache
from dragoman.packs.demo import build_demo
from dragoman.packs.pack_files import load_shipped, shipped_source

CONNECTIONS = "connections.yaml"
_DISCOVERY_SECONDS = 60.0

Notice = Callable[[str], None]
"""Told, in a line for a person, what takes its time or is left out."""


def unheard(line: str) -> None:
    """Nobody listens."""


def demo_home(folder: Path, pack: str = "trade") -> Path:
    """The home of a shipped pack's demo under a folder's state: database, connection, pack and schema."""
    home = folder / STATE_FOLDER / DEMO_FOLDER
    shipped = load_shipped(pack)
    database = build_demo(shipped, home / f"{pack}.sqlite")
    _put(home / PACKS_FOLDER / f"{pack}.yaml", shipped_source(pack).text)
    return _home(home, database)


def database_home(database: Path, home: Path) -> Path:
    """A home with one connection, which is a database file, and nothing else."""
    if not database.is_file():
        raise WorkspaceError(f"there is no database {database}", hint="name a file that is there")
    return _home(home, database)


def look_again(workspace: Catalog, notice: Notice = unheard) -> None:
    """Discover the databases of a workspace that never were, and those whose file was written to since.
    `notice` hears of each that is discovered for the first time, and of each that cannot be.

    Raises the `DragomanError` of the first database where none of them is known, and `WorkspaceError` where
    connections.yaml says of none what it is."""
    specs = workspace.in_order()
    # A folder with documents, and with a connections.yaml that is empty, is asked about these alone.
    only_texts = not specs and not workspace.databases.broken and workspace.library.has_any()
    if workspace.default is None and not only_texts and (workspace.databases.broken or not specs):
        # What is wrong with the file is said with this.
        workspace.databases.find(DEFAULT)
    cache = SchemaCache(schema_folder(workspace.folder))
    known, failures = 0, []
    for spec in specs:
        try:
            _look_at(workspace, spec, cache, notice)
            known += 1
        except DragomanError as failure:
            failures.append(failure)
            if len(specs) > 1:
                name = workspace.databases.told_apart(spec)
                notice(f"@{name} could not be discovered, and is not asked: {failure.message}")
    if failures and not known:
        raise failures[0]


def _look_at(workspace: Catalog, spec: ConnectionSpec, cache: SchemaCache, notice: Notice) -> None:
    name = workspace.databases.told_apart(spec)
    known = cache.kept(name) is not None
    # Verbs of a pack say themselves what of their database there is to ask. Names for its tables do not.
    if known and any(pack.verbs for pack in workspace.installed.packs):
        return
    try:
        connection = resolve(spec, workspace.folder)
        if known and _written(connection.path) <= cache.looked_at(name):
            return
        if not known:
            notice(f"discovering @{name}: this is done once, and kept under {STATE_FOLDER}")
        _discover(connection, cache, name, workspace.redaction(spec))
    except DragomanError:
        # What was found out before will do; that the database cannot be read is said when it has to be.
        if not known:
            raise


def _home(home: Path, database: Path) -> Path:
    spec = parse_database_url(str(database.resolve()), home)
    alias = alias_for(spec)
    entry, _ = written_entry(spec, alias)
    _put(home / CONNECTIONS, entry)
    cache = SchemaCache(schema_folder(home))
    if cache.kept(alias) is None or _written(database) > cache.looked_at(alias):
        _discover(resolve(spec, home), cache, alias, lambda schema: schema)
    return home


def _discover(
    connection: ResolvedConnection,
    cache: SchemaCache,
    name: str,
    redacted: Callable[[DatabaseSchema], DatabaseSchema],
) -> None:
    # Most databases were discovered before, and the search is made with the SQL parser.
    from dragoman.databases.discovery import discover_cached

    deadline = time.monotonic() + _DISCOVERY_SECONDS
    with open_connection(connection) as reader:
        discover_cached(reader, connection.family, cache, name, deadline=deadline, redacted=redacted)
    cache.touch(name)


def _written(path: Path | None) -> float:
    """When a file was last written to; the beginning of time where there is none."""
    try:
        return path.stat().st_mtime if path is not None else 0.0
    except (OSError, ValueError):
        return 0.0


def _put(path: Path, text: str) -> None:
    """The text in the file, whole; a file that has it already is left alone."""
    try:
        if path.exists() and path.read_text("utf-8") == text:
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        # A name of its own for every writer: threads of one process may be here at once.
        # Two processes may open the same demo at once: each writes a file of its own and renames it, so a
        # reader never sees half of one.
        beside = path.with_name(f"{path.name}.{os.urandom(6).hex()}.partial")
        beside.write_text(text, "utf-8")
        beside.replace(path)
    except OSError as error:
        raise WorkspaceError(
            f"{path} cannot be written: {error.strerror}",
            hint="name a workspace you may write to with --workspace",
        ) from error
