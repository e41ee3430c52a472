"""The files of a workspace that no run writes: those of its connections, stores, packs and settings.

A run that wrote them could destroy a database, send a password elsewhere, or lift a policy. One that read the
stores, packs and settings would read what others were answered, and what is hidden.
"""

import os
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import chain
from pathlib import Path

from dragoman.contracts.connection import ConnectionSpec, ResolvedConnection, Transport
from dragoman.contracts.errors import WorkspaceError
from dragoman.contracts.places import CONNECTIONS_FILE, PACKS_FOLDER, SETTINGS_FILE, STATE_FOLDER
from dragoman.contracts.record import Record
from dragoman.databases.connections import load_connections, resolve
from dragoman.databases.connections.variables import variables_in
from dragoman.databases.families.registry import family

_HISTORY = ".git"
_OWN_FOLDERS = (STATE_FOLDER, PACKS_FOLDER, _HISTORY)
_OWN_FILES = (CONNECTIONS_FILE, SETTINGS_FILE)


class ConnectionFile(Record, frozen=True):
    """A file or a folder that a connection reads, and who it belongs to."""

    path: Path
    owner: str
    companions: tuple[str, ...] = ()
    endings: tuple[str, ...] = ()
    """Of a folder: what the files in it that are read end in."""

    def holds(self, path: Path) -> bool:
        """Whether a place is this file, one of those beside it, or in this folder. Case and form do not
        matter, since on some disks they do not."""
        mine, other = _folded(self.path), _folded(path)
        if self.endings:
            inside = _folded(path.parent) == mine
            return inside and any(ending in path.name.lower() for ending in self.endings)
        names = [mine + end for end in ("", *self.companions)]
        # A database that spills writes into a folder beside its file.
        return any(other == name or other.startswith(f"{name}/") for name in names)


class ReservedFiles:
    """Knows the files of a folder and of the home of its connections, which may be another folder."""

    def __init__(self, folder: Path, home: Path | None = None) -> None:
        self._roots = tuple(dict.fromkeys(each.resolve() for each in (folder, home or folder)))
        self._home = home or folder

    def owner(self, path: Path) -> str:
        """What a place belongs to, as a person would say it; empty where it is free. Links on the way to it
        were followed. Raises `WorkspaceError` where the connections cannot be read."""
        connected = (each.owner for each in self._connected if each.holds(path))
        by_name = self._own_by_name(path) or next(connected, "")
        return by_name or _linked_to(path, chain(self._existing_of_connections(), self._existing_own()))

    def workspace_owner(self, path: Path) -> str:
        """As `owner`, for what is the workspace's own: stores, packs and settings, and no data."""
        return self._own_by_name(path) or _linked_to(path, self._existing_own())

    def _own_by_name(self, path: Path) -> str:
        for root in self._roots:
            parts = [_folded(part) for part in _below(path, root)]
            if parts and parts[0] in _OWN_FOLDERS:
                return f"the folder {parts[0]}"
            if len(parts) == 1 and parts[0] in _OWN_FILES:
                return "the settings of the workspace"
        return ""

    def _existing_of_connections(self) -> Iterator[tuple[Path, str]]:
        for each in self._connected:
            beside = each.path.iterdir() if each.endings and each.path.is_dir() else ()
            yield from ((place, each.owner) for place in beside)
            yield from ((Path(str(each.path) + end), each.owner) for end in ("", *each.companions))

    def _existing_own(self) -> Iterator[tuple[Path, str]]:
        for root in self._roots:
            yield from ((root / name, "the settings of the workspace") for name in _OWN_FILES)
            for name in _OWN_FOLDERS:
                for folder, _, files in os.walk(root / name):
                    yield from ((Path(folder, file), f"the folder {name}") for file in files)

    @cached_property
    def _connected(self) -> tuple[ConnectionFile, ...]:
        specs = load_connections(self._home).specs
        return tuple(file for spec in specs for file in _files_of(spec, self._home))


def _linked_to(path: Path, existing: Iterable[tuple[Path, str]]) -> str:
    """A hard link is the file itself, under a name that tells nothing."""
    try:
        found = path.stat()
    except OSError:
        return ""
    if found.st_nlink < 2:
        return ""
    for place, owner in existing:
        try:
            if os.path.samestat(place.stat(), found):
                return owner
        except OSError:
            continue
    return ""


def _files_of(spec: ConnectionSpec, home: Path) -> Iterator[ConnectionFile]:
    try:
        connection = resolve(spec, home)
    except WorkspaceError:
        # A variable is missing, or its address is refused: nobody can read it now. A path is a path still.
        if spec.path and not variables_in(spec.path):
            yield ConnectionFile((home / spec.path).resolve(), f"the connection {spec.name}")
        return
    kind = family(connection.family)
    if connection.transport is Transport.FILE and connection.path is not None:
        path = connection.path.resolve()
        endings = kind.endings if path.is_dir() else ()
        yield ConnectionFile(path, f"the connection {spec.name}", kind.companions, endings)
    yield from _named_files(connection, kind.files, spec.name)


def _named_files(
    connection: ResolvedConnection, options: tuple[str, ...], name: str
) -> Iterator[ConnectionFile]:
    """Certificates and keys."""
    for option in options:
        if value := connection.option(option):
            yield ConnectionFile(Path(value).resolve(), f"the connection {name}")


def _below(path: Path, root: Path) -> tuple[str, ...]:
    """The parts of a path below a folder, in whatever case it is written; none where it is elsewhere."""
    depth = len(root.parts)
    return path.parts[depth:] if _folded(Path(*path.parts[:depth])) == _folded(root) else ()


def _folded(path: Path | str) -> str:
    return unicodedata.normalize("NFC", str(path)).casefold()
