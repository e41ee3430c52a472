"""What is known in a workspace: its connections, discovered tables, packs and entities, for the compiler.

Nothing is connected to: schemas come from what discovery kept, names from the indexes on disk. What was never
looked at is not known, and is left unchecked.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from dragoman.catalog.components import component_signatures, offered_signatures
from dragoman.catalog.settings import WorkspaceSettings, read_settings
from dragoman.contracts.errors import PolicyViolation, WorkspaceError
from dragoman.contracts.pack import Pack
from dragoman.contracts.program import (
    Diagnostic,
    DiscriminatorField,
    EntityMatch,
    EntityResolutionConfig,
    SearchKeyField,
    Statement,
)
from dragoman.contracts.schema import DatabaseSchema
from dragoman.contracts.verb import Effect, VerbSignature
from dragoman.databases.connections.connection_names import Connections
from dragoman.databases.connections.file import load_connections
from dragoman.databases.connections.spec import ConnectionSpec
from dragoman.databases.discovery.cache import SchemaCache
from dragoman.language.catalog import text_of
from dragoman.packs.installed import InstalledPacks, OwnedEntity, installed_packs
from dragoman.tables.catalog import KeyColumn, TableCatalog

if TYPE_CHECKING:
    from dragoman.entities import EntityIndex
    from dragoman.tables.visibility import Visibility

STATE_FOLDER = ".dragoman"
DEFAULT = "default"


def schema_folder(folder: Path) -> Path:
    """Where a workspace keeps the schemas that were discovered."""
    return folder / STATE_FOLDER / "schemas"


def index_root(folder: Path) -> Path:
    """Where a workspace keeps the indexes of its entity types."""
    return folder / STATE_FOLDER / "entities"


class _Effects(Mapping[str, Effect]):
    """The effect of every verb, looked up when it is asked for: there may be thousands."""

    def __init__(self, catalog: "WorkspaceCatalog") -> None:
        self._catalog = catalog

    def __getitem__(self, verb: str) -> Effect:
        signature = self._catalog.signature(verb)
        if signature is None:
            raise KeyError(verb)
        return signature.effect

    def __iter__(self) -> Iterator[str]:
        return iter(self._catalog.verbs())

    def __len__(self) -> int:
        return sum(1 for _ in self._catalog.verbs())


class WorkspaceCatalog:
    """A component comes before a pack's verb, a pack's verb before a table's; of tables with one name that of
    the default connection comes first, then in the order of connections.yaml."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._schemas: dict[str, DatabaseSchema | None] = {}
        self._tables: dict[str, TableCatalog | None] = {}
        self._indexes: dict[str, EntityIndex | None] = {}

    @cached_property
    def databases(self) -> Connections:
        return load_connections(self.folder)

    @cached_property
    def settings(self) -> WorkspaceSettings:
        return read_settings(self.folder)

    @cached_property
    def packs(self) -> InstalledPacks:
        return installed_packs(self.folder)

    # Verbs.

    def signature(self, verb: str, connection: str = "") -> VerbSignature | None:
        own = component_signatures().get(verb) or self.packs.signature(verb)
        known = own or offered_signatures().get(verb)
        if known is not None:
            return known
        tables = self.tables_for(verb, connection)
        return None if tables is None else tables.signature(verb)

    def verbs(self) -> Iterable[str]:
        found = dict.fromkeys((*component_signatures(), *offered_signatures(), *self.packs.verbs))
        for spec in self._in_order():
            tables = self._tables_of(spec)
            found.update(dict.fromkeys(tables.verbs() if tables is not None else ()))
        return found

    def effects(self) -> Mapping[str, Effect]:
        return _Effects(self)

    def findings(self, statement: Statement) -> tuple[Diagnostic, ...]:
        verb = statement.verb
        if verb in component_signatures() or verb in self.packs.verbs or verb in offered_signatures():
            return ()
        tables = self.tables_for(verb, text_of(statement, "connection") or "")
        return () if tables is None else tables.findings(statement)

    def tables_for(self, verb: str, connection: str = "") -> TableCatalog | None:
        """The tables that a verb of theirs is meant of; None where no discovered database has it."""
        named = self._named(connection) if connection else None
        for spec in (named,) if named is not None else self._in_order():
            tables = self._tables_of(spec)
            if tables is not None and tables.table_of(verb) is not None and tables.signature(verb):
                return tables
        return None

    @property
    def default(self) -> ConnectionSpec | None:
        """The connection that is meant when none is named."""
        return self._named(DEFAULT)

    def guards(self, spec: ConnectionSpec) -> bool:
        """Whether policies narrow what is seen of a connection."""
        return self._visibility(spec) is not None

    def visible_schema(self, spec: ConnectionSpec) -> DatabaseSchema | None:
        """The tables of a connection as the workspace's viewer may see them: hidden columns are not there."""
        schema, visibility = self.schema(spec), self._visibility(spec)
        return schema if schema is None or visibility is None else visibility.schema(schema)

    def tables_of(self, spec: ConnectionSpec) -> TableCatalog | None:
        """The verbs of a connection's tables; None where it was never discovered."""
        return self._tables_of(spec)

    def _tables_of(self, spec: ConnectionSpec) -> TableCatalog | None:
        if spec.name not in self._tables:
            schema = self.schema(spec)
            keys = self._keys(spec)
            visibility = self._visibility(spec)
            made = None if schema is None else TableCatalog(schema, keys, visibility)
            # Of two that were made at once the first stays: tables are told apart by which object has them.
            self._tables.setdefault(spec.name, made)
        return self._tables[spec.name]

    def _visibility(self, spec: ConnectionSpec) -> "Visibility | None":
        """What the workspace's viewer may see of a connection, by the policies of the packs for it."""
        packs = [pack for pack in self.packs.packs if pack.policies and self.connection_of(pack) == spec]
        if not packs:
            return None
        # Imported where there are policies: SQL trees are most of what a start would cost.
        from dragoman.packs.policy_visibility import PolicyVisibility

        return PolicyVisibility(packs, self.settings.viewer)

    def connection_of(self, pack: Pack) -> ConnectionSpec | None:
        """The connection that a pack is for."""
        return self._named(pack.connection or DEFAULT)

    def connection_for(self, verb: str, connection: str = "") -> ConnectionSpec | None:
        """The connection whose database a verb of a pack or of a table reads."""
        owned = self.packs.verbs.get(verb)
        if owned is not None:
            return self.connection_of(owned.pack)
        tables = self.tables_for(verb, connection)
        if tables is None:
            return None
        return next((spec for spec in self._in_order() if self._tables.get(spec.name) is tables), None)

    def _keys(self, spec: ConnectionSpec) -> dict[KeyColumn, str]:
        """The columns with keys of the entity types of the packs for this connection."""
        found: dict[KeyColumn, str] = {}
        for name, owned in self.packs.entities.items():
            if self.connection_of(owned.pack) == spec:
                schema, _, table = owned.entity.table.rpartition(".")
                found.setdefault((schema, table, owned.entity.key), name)
        return found

    # Connections and what discovery kept.

    def connections(self) -> tuple[str, ...]:
        """Every name that can be written. One whose entry has a mistake is not said to be missing here."""
        aliases = [spec.alias for spec in self.databases.specs]
        plain = [alias for alias in dict.fromkeys(aliases) if aliases.count(alias) == 1]
        whole = [spec.name.removeprefix("@") for spec in self.databases.specs if spec.family is not None]
        default = [DEFAULT] if self._named(DEFAULT) is not None else []
        return tuple(dict.fromkeys((*plain, *whole, *default, *self.databases.broken)))

    def columns(self, connection: str, table: str) -> tuple[str, ...] | None:
        spec = self._named(connection)
        schema = None if spec is None else self.schema(spec)
        if schema is None:
            return None
        qualifier, _, name = table.rpartition(".")
        found = [each for each in schema.tables if each.name == name and qualifier in (each.schema, "")]
        return tuple(column.name for column in found[0].columns) if len(found) == 1 else None

    def schema(self, spec: ConnectionSpec) -> DatabaseSchema | None:
        """What discovery kept of a connection."""
        if spec.name not in self._schemas:
            self._schemas[spec.name] = SchemaCache(schema_folder(self.folder)).kept(spec.alias)
        return self._schemas[spec.name]

    def _named(self, name: str) -> ConnectionSpec | None:
        try:
            return self.databases.find(name)
        except WorkspaceError:
            return None

    def _in_order(self) -> tuple[ConnectionSpec, ...]:
        first = self._named(DEFAULT)
        rest = tuple(spec for spec in self.databases.specs if spec != first)
        return rest if first is None else (first, *rest)

    # Entities.

    def index(self, entity: str) -> "EntityIndex | None":
        """The index of an entity type as it is on disk; None where none is, or it is of another shape."""
        # Another thread may forget them meanwhile: then this one still has those it began with.
        indexes = self._indexes
        if entity not in indexes:
            owned = self.packs.entities.get(entity)
            indexes[entity] = None if owned is None else self._opened(owned)
        return indexes[entity]

    def _opened(self, owned: OwnedEntity) -> "EntityIndex | None":
        # Imported when an entity is met: scoring and folding are more than a start should cost.
        from dragoman.entities import EntityIndexError, open_index
        from dragoman.packs.pack_entities import entity_view, index_config

        try:
            view = entity_view(owned.pack, owned.kind, self.settings.viewer)
            index = open_index(view.folder(index_root(self.folder)))
        except (EntityIndexError, PolicyViolation):
            return None
        return index if index.config == index_config(view) else None

    def forget_indexes(self) -> None:
        """Look at the disk again when an entity is next asked for."""
        self._indexes = {}

    def entity_name(self, entity: str, key: str) -> str | None:
        index = self.index(entity)
        return None if index is None else index.name_of(key)

    def entity_config(self, entity: str) -> EntityResolutionConfig:
        index = self.index(entity)
        if index is not None:
            from dragoman.entities import resolution_config

            return resolution_config(index)
        owned = self.packs.entities.get(entity)
        if owned is None:
            return EntityResolutionConfig((), (), "", "")
        declared = owned.entity
        return EntityResolutionConfig(
            search_keys=tuple(
                SearchKeyField(column, required=position == 0)
                for position, column in enumerate((declared.display, *declared.names, *declared.codes))
            ),
            discriminators=tuple(DiscriminatorField(name) for name in declared.discriminators),
            resolution_mode=declared.mode,
            return_key_type=declared.key_type,
        )

    def entity_matches(self, entity: str, text: str) -> tuple[EntityMatch, ...]:
        index = self.index(entity)
        if index is None:
            return ()
        from dragoman.entities import entity_matches

        return entity_matches(index.search(text))

    def is_indexed(self, entity: str) -> bool:
        return self.index(entity) is not None
