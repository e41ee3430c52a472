"""What a catalog knows of databases: connections, what discovery kept of them, and who may see what.

Nothing here connects to a database: what discovery never looked at is not known.
"""

import contextlib
import functools
from collections.abc import Callable
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING

from dragoman.catalog.once import once
from dragoman.catalog.settings import WorkspaceSettings, read_settings
from dragoman.contracts.errors import WorkspaceError
from dragoman.contracts.knowledge import RunLog
from dragoman.contracts.pack import Pack
from dragoman.contracts.places import STATE_FOLDER
from dragoman.contracts.schema import DatabaseSchema
from dragoman.contracts.taught import TaughtWord
from dragoman.contracts.viewer import Viewer
from dragoman.packs.installed import InstalledPacks, installed_packs
from dragoman.packs.learned_words import read_learned
from dragoman.packs.pack_files import load_shipped

if TYPE_CHECKING:
    from dragoman.catalog.column_values import ColumnValues
    from dragoman.contracts.connection import ConnectionSpec
    from dragoman.databases.access import DatabaseReader
    from dragoman.databases.connections.connection_names import Connections
    from dragoman.documents.library import Library
    from dragoman.packs.policy_visibility import PolicyVisibility
    from dragoman.tables.catalog import KeyColumn, TableCatalog

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

    `shipped` names a pack of the package that is known in place of what a folder has. For an `operator` no
    policy holds."""

    def __init__(self, folder: Path, *, shipped: str = "", operator: bool = False) -> None:
        self.folder = folder
        self.shipped = shipped
        self.operator = operator
        self.lock = RLock()
        self._only: ConnectionSpec | None = None
        self._named: dict[str, ConnectionSpec] = {}
        self._schemas: dict[SpecKey, DatabaseSchema | None] = {}
        self._tables: dict[SpecKey, TableCatalog | None] = {}
        self._visibilities: dict[SpecKey, PolicyVisibility | None] = {}
        self.values_read: dict[tuple[str, ...], ColumnValues | None] = {}
        """Values that `column_values` has read before."""
        self.run_log: RunLog | None = None
        """The runs of the folder; None where nobody can tell."""

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
    def taught(self) -> tuple[TaughtWord, ...]:
        """The words that people taught this workspace. Raises `WorkspaceError` where the file is broken."""
        return () if self.shipped else read_learned(self.folder)

    @once
    def installed(self) -> InstalledPacks:
        """The packs as they are written."""
        return InstalledPacks((load_shipped(self.shipped),)) if self.shipped else installed_packs(self.folder)

    @once
    def packs(self) -> InstalledPacks:
        """The packs as the viewer may use them: a verb that names a hidden column is not there."""
        return self.installed.seen_through(self._without_hidden)

    def _without_hidden(self, pack: Pack) -> Pack:
        spec = self.connection_of(pack)
        visibility = self.visibility(spec) if spec is not None else None
        schema = self.schema(spec) if spec is not None else None
        return pack if visibility is None or schema is None else visibility.pack(pack)

    @once
    def library(self) -> "Library":
        """The documents of the folder, and those of its packs."""
        from dragoman.catalog.knowledge.own_texts import library_of

        return library_of(self.folder, self.packs, shipped=bool(self.shipped))

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
        if self._only is not None:
            return (self._only,)
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

                cache = SchemaCache(schema_folder(self.folder))
                name = self.databases.told_apart(spec)
                kept = cache.kept(name)
                # A policy may be younger than what was kept.
                redacted = kept if kept is None else self.redaction(spec)(kept)
                if redacted is not None and redacted != kept:
                    with contextlib.suppress(OSError):
                        cache.store(name, redacted)
                self._schemas[key] = redacted
            return self._schemas[key]

    def redaction(self, spec: "ConnectionSpec") -> "Callable[[DatabaseSchema], DatabaseSchema]":
        """What takes the values that a policy guards out of a schema, before it is kept or shown."""
        packs = self._guarding(spec)
        if not packs:
            return lambda schema: schema
        from dragoman.packs.policy_samples import without_guarded_samples

        return functools.partial(without_guarded_samples, packs=packs)

    def has_policies(self, spec: "ConnectionSpec") -> bool:
        """Whether there is a policy for a connection, whomever it holds for."""
        return bool(self._guarding(spec))

    def _guarding(self, spec: "ConnectionSpec") -> tuple[Pack, ...]:
        """The packs with policies for a connection, or for another one that leads to the same database."""
        if self.shipped:
            return ()
        self.installed.refuse_lost_policies()
        with_policies = [pack for pack in self.installed.packs if pack.policies]
        return tuple(pack for pack in with_policies if self._is_same_place(self.connection_of(pack), spec))

    def _is_same_place(self, one: "ConnectionSpec | None", other: "ConnectionSpec") -> bool:
        if one is None or one == other:
            return one is not None
        if one.path and other.path:
            # A link or another spelling is the same file.
            return (self.folder / one.path).resolve() == (self.folder / other.path).resolve()
        place = (one.host.casefold(), one.port, one.database)
        return bool(one.host) and place == (other.host.casefold(), other.port, other.database)

    def table_names(self) -> tuple[str, ...]:
        """The tables of every database that was discovered, as far as the viewer may see them."""
        return tuple(name for names in self.tables_held().values() for name in names)

    def tables_held(self) -> dict[str, tuple[str, ...]]:
        """The same, by the connection that each is of."""
        schemas = [(spec, self.visible_schema(spec)) for spec in self.databases.specs]
        return {
            f"@{self.databases.told_apart(spec)}": tuple(table.name for table in schema.tables)
            for spec, schema in schemas
            if schema is not None and schema.tables
        }

    def visible_schema(self, spec: "ConnectionSpec") -> DatabaseSchema | None:
        """The tables of a connection as the workspace's viewer may see them: hidden columns are not there."""
        schema, visibility = self._scaled(spec), self.visibility(spec)
        return schema if schema is None or visibility is None else visibility.schema(schema)

    def guards(self, spec: "ConnectionSpec") -> bool:
        """Whether policies narrow what is seen of a connection."""
        return self.visibility(spec) is not None

    @property
    def viewer(self) -> Viewer | None:
        """Who asks here. Nobody in particular where none is named: then every policy holds."""
        return self.settings.viewer

    def tables_of(self, spec: "ConnectionSpec") -> "TableCatalog | None":
        """The verbs of a connection's tables; None where it was never discovered."""
        with self.lock:
            key = spec_key(spec)
            if key not in self._tables:
                from dragoman.tables.catalog import TableCatalog

                schema = self._scaled(spec)
                self._tables[key] = (
                    None if schema is None else TableCatalog(schema, self._keys(spec), self.visibility(spec))
                )
            return self._tables[key]

    def _scaled(self, spec: "ConnectionSpec") -> DatabaseSchema | None:
        """What discovery kept of a connection, with the decimal places that packs give to its columns."""
        schema = self.schema(spec)
        packs = [pack for pack in self.packs.packs if pack.tables and self.connection_of(pack) == spec]
        if schema is None or not packs:
            return schema
        from dragoman.packs.declared_scales import with_scales

        return with_scales(schema, packs)

    def visibility(self, spec: "ConnectionSpec") -> "PolicyVisibility | None":
        """What the viewer may see of a connection, by the policies of all packs for it; None where that is
        everything."""
        with self.lock:
            key = spec_key(spec)
            if key not in self._visibilities:
                self._visibilities[key] = self._visibility(spec)
            return self._visibilities[key]

    def _visibility(self, spec: "ConnectionSpec") -> "PolicyVisibility | None":
        if self.operator:
            return None
        packs = self._guarding(spec)
        if not packs:
            return None
        # Imported where there are policies: SQL trees are most of what a start would cost.
        from dragoman.packs.policy_visibility import PolicyVisibility

        visibility = PolicyVisibility(packs, self.viewer)
        schema = self.schema(spec)
        if schema is not None:
            visibility.schema(schema)
        return visibility if visibility.rules else None

    def _keys(self, spec: "ConnectionSpec") -> "dict[KeyColumn, str]":
        """The columns with keys of the entity types of the packs for this connection."""
        found: dict[KeyColumn, str] = {}
        for name, owned in self.packs.entities.items():
            if self.connection_of(owned.pack) == spec:
                schema, _, table = owned.entity.table.rpartition(".")
                # Two packs may declare the same column; the first pack wins, as it does for verbs.
                found.setdefault((schema, table, owned.entity.key), name)
        return found
