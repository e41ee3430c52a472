"""The databases of a workspace: its connections, what is in each, and what is wrong with them."""

from collections.abc import Callable
from pathlib import Path

from dragoman.catalog.catalog import Catalog
from dragoman.contracts.places import STATE_FOLDER
from dragoman.contracts.schema import DatabaseSchema
from dragoman.databases.connections import (
    Connections,
    ConnectionSpec,
    DoctorFinding,
    FindingSeverity,
    doctor,
    load_connections,
    open_connection,
    resolve,
)
from dragoman.databases.discovery import SchemaCache, discover_cached

__all__ = [
    "ConnectionSpec",
    "Connections",
    "Databases",
    "DoctorFinding",
    "FindingSeverity",
    "Progress",
    "silent",
]

Progress = Callable[[int, int, str], None]
"""Told how many of how many are done, and what comes next."""


def silent(done: int, total: int, what: str) -> None:
    """Nobody wants to be told."""


class Databases:
    """The connections of a folder's connections.yaml."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def connections(self) -> Connections:
        """All of them, and what is wrong in the file."""
        return load_connections(self.folder)

    def find(self, name: str) -> ConnectionSpec:
        """A connection by a name such as `@shop` or `@default`; the error of any other lists them."""
        return self.connections().find(name)

    def visible(
        self,
        spec: ConnectionSpec,
        *,
        refresh: bool = False,
        progress: Progress = silent,
        operator: bool = False,
    ) -> DatabaseSchema:
        """The schema of a connection as the workspace's viewer may see it, or an operator."""
        found = self.discover(spec, refresh=refresh, progress=progress)
        visibility = Catalog(self.folder, operator=operator).visibility(spec)
        return found if visibility is None else visibility.schema(found)

    def discover(
        self, spec: ConnectionSpec, *, refresh: bool = False, progress: Progress = silent
    ) -> DatabaseSchema:
        """The schema of a connection, from what is kept or, where that is old, from the database."""
        connection = resolve(spec, self.folder)
        name = self.connections().told_apart(spec)
        cache = SchemaCache(self.folder / STATE_FOLDER / "schemas")
        if refresh:
            cache.forget(name)
        with open_connection(connection) as reader:
            return discover_cached(
                reader,
                connection.family,
                cache,
                name,
                progress=progress,
                redacted=Catalog(self.folder).redaction(spec),
            )

    def doctor(self, spec: ConnectionSpec) -> tuple[DoctorFinding, ...]:
        """Connect, and say what is wrong and how to mend it."""
        return doctor(spec, open_connection, folder=self.folder)
