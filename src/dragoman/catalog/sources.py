"""What a catalog knows of databases: connections, what discovery kept of them, and who may see what.

Nothing here connects to a database: what discovery never looked at is not known.
"""

from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING

from dragoman.catalog.once import once
from dragoman.catalog.settings import WorkspaceSettings, read_settings
from dragoman.contracts.errors import WorkspaceError
from dragoman.contracts.pack import Pack
from dragoman.contracts.places import STATE_FOLDER
from dragoman.contracts.schema import DatabaseSchema
from dragoman.packs.installed import InstalledPacks, installed_packs
from dragoman.packs.pack_files import load_shipped

if TYPE_CHECKING:
    from dragoman.contracts.connection import ConnectionSpec
    from dragoman.databases.access import DatabaseReader
    from dragoman.databases.connections.connection_names import Connections
    from dragoman.tables.catalog import KeyColumn, TableCatalog
    from dragoman.tables.visibility import Visibility

DEFAULT = "default"

SpecKey = tuple[str | None, str]
"""What tells one connection from another."""


def spec_key(spec: "ConnectionSpec") -> SpecKey:
    return spec.family, spec.alias


def schema_folder(folder: Path) -> Path:
    """Where a workspace keeps the schemas that were discovered."""
    return folder / STATE_FOLDER / "schemas"


def index_root(folder: Path) -> Path:
    """Where a workspace keeps the indexes of its entity types."""
    return folder / STATE_FOLDER / "entities"


class Sources:
    """The connections, schemas, tables, packs and settings of a folder, each read when it is first needed.

    `shipped` names a pack of the package that is known in place of what a folder has."""

    def __init__(self, folder: Path, *, shipped: str = "") -> None:
        self.folder = folder
        self.shipped = shipped
        self.lock = RLock()
        self._named: dict[str, ConnectionSpec] = {}
        self._schemas: dict[SpecKey, DatabaseSchema | None] = {}
        self._tables: dict[SpecKey, TableCatalog | None] = {}

    @once
    def databases(self) -> "Connections":
        # Imports inside functions here are for databases: a program that needs none must not wait for them.
        from dragoman.databases.connections.connection_names import Connections
        from dragoman.databases.connections.file import load_connections

        return Connections(()) if self.shipped else load_connections(self.folder)

    @once
    def settings(self) -> WorkspaceSettings:
        return WorkspaceSettings() if self.shipped else read_settings(self.folder)

    @once
    def packs(self) -> InstalledPacks:
        return InstalledPacks((load_shipped(self.shipped),)) if self.shipped else installed_packs(self.folder)

    # Connections.

    @property
    def default(self) -> "ConnectionSpec | None":
        """The connection that is meant when none is named."""
        return self.connection_named(DEFAULT)

    def connection_named(self, name: str) -> "ConnectionSpec | None":
        if self.shipped:
            return None
        # Only names that lead somewhere are kept: of others there is no end.
        found = self._named.get(name)
        if found is None:
            try:
                found = self._named[name] = self.databases.find(name)
            except WorkspaceError:
                return None
        return found

    def connection_of(self, pack: Pack) -> "ConnectionSpec | None":
        """The connection that a pack is for."""
        return self.connection_named(pack.connection or DEFAULT)

    def reader(self, pack: Pack) -> "DatabaseReader":
        """A reader of the database that a pack is for."""
        spec = self.connection_of(pack)
        if spec is None:
            named = pack.connection or f"@{DEFAULT}"
            raise WorkspaceError(
                f"the pack {pack.pack} is for the connection {named}, and no connection has this name",
                hint="add it to connections.yaml, or name another one in the pack",
            )
        from dragoman.databases.connections import open_connection, resolve

        return open_connection(resolve(spec, self.folder))

    def in_order(self) -> "tuple[ConnectionSpec, ...]":
        """The connections in the order in which tables are looked for: the default one first."""
        if self.shipped:
            return ()
        # The order decides which table a bare name means, so it must not depend on the order of the file
        # alone.
        first = self.default
        rest = tuple(spec for spec in self.databases.specs if spec != first)
        return rest if first is None else (first, *rest)

    # What discovery kept, and what of it the viewer may see.

    def schema(self, spec: "ConnectionSpec") -> DatabaseSchema | None:
        """What discovery kept of a connection; None where it was never discovered."""
        with self.lock:
            # None is kept as well: a database that was never discovered is not looked for at every verb.
            key = spec_key(spec)
            if key not in self._schemas:
                from dragoman.databases.discovery.cache import SchemaCache

                self._schemas[key] = SchemaCache(schema_folder(self.folder)).kept(spec.alias)
            return self._schemas[key]

    def table_names(self) -> tuple[str, ...]:
        """The tables of every database that was discovered."""
        schemas = [self.schema(spec) for spec in self.databases.specs]
        return tuple(table.name for schema in schemas if schema is not None for table in schema.tables)

    def visible_schema(self, spec: "ConnectionSpec") -> DatabaseSchema | None:
        """The tables of a connection as the workspace's viewer may see them: hidden columns are not there."""
        schema, visibility = self.schema(spec), self._visibility(spec)
        return schema if schema is None or visibility is None else visibility.schema(schema)

    def guards(self, spec: "ConnectionSpec") -> bool:
        """Whether policies narrow what is seen of a connection."""
        return self._visibility(spec) is not None

    def tables_of(self, spec: "ConnectionSpec") -> "TableCatalog | None":
        """The verbs of a connection's tables; None where it was never discovered."""
        with self.lock:
            key = spec_key(spec)
            if key not in self._tables:
                from dragoman.tables.catalog import TableCatalog

                schema = self.schema(spec)
                self._tables[key] = (
                    None if schema is None else TableCatalog(schema, self._keys(spec), self._visibility(spec))
                )
            return self._tables[key]

    def _visibility(self, spec: "ConnectionSpec") -> "Visibility | None":
        """What the workspace's viewer may see of a connection, by the policies of the packs for it."""
        packs = [pack for pack in self.packs.packs if pack.policies and self.connection_of(pack) == spec]
        if not packs:
            return None
        # Imported where there are policies: SQL trees are most of what a start would cost.
        from dragoman.packs.policy_visibility import PolicyVisibility

        return PolicyVisibility(packs, self.settings.viewer)

    def _keys(self, spec: "ConnectionSpec") -> "dict[KeyColumn, str]":
        """The columns with keys of the entity types of the packs for this connection."""
        found: dict[KeyColumn, str] = {}
        for name, owned in self.packs.entities.items():
            if self.connection_of(owned.pack) == spec:
                schema, _, table = owned.entity.table.rpartition(".")
                # Two packs may declare the same column; the first pack wins, as it does for verbs.
                found.setdefault((schema, table, owned.entity.key), name)
        return found
