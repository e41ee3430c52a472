"""What a catalog knows of the names of entities, and how it comes to know them.

A conversation reads the names of every type at once, when it first needs one. `check` and the other commands
want to know a few keys, often without a database at hand. All ask this class, which answers in this order:

1. names that were read before and are held in memory;
2. the index on disk, if it has the key;
3. the database, through its connection; a type with too many names to hold gets an index there and then.

So the program that `ask` prints passes `check` in the same folder, whether or not anybody made an index.
Where the database cannot be reached and there is no index either, the names are not known: the compiler
leaves them unchecked and warns.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from dragoman.catalog.once import forget, once
from dragoman.catalog.sources import index_root
from dragoman.catalog.verbs import Verbs
from dragoman.contracts.errors import DragomanError, PolicyViolation
from dragoman.contracts.program import (
    DiscriminatorField,
    EntityMatch,
    EntityResolutionConfig,
    SearchKeyField,
)
from dragoman.contracts.state import EntityRef
from dragoman.packs.installed import OwnedEntity

if TYPE_CHECKING:
    from dragoman.catalog.coverage import CoverageRule
    from dragoman.catalog.named_entity import NamedEntity, Names
    from dragoman.databases.access import DatabaseReader
    from dragoman.entities import EntityIndex, Found
    from dragoman.packs.pack_entities import EntityView

MAX_MATCHES = 5


class _Read(NamedTuple):
    """What the databases of all packs say: names and coverage, read over one connection for each."""

    entities: "tuple[NamedEntity, ...]"
    searched: tuple[str, ...]
    coverage: "tuple[CoverageRule, ...]"


class EntityNames(Verbs):
    """The names of entities, as the workspace's viewer may see them."""

    def __init__(self, folder: Path, *, shipped: str = "", operator: bool = False) -> None:
        super().__init__(folder, shipped=shipped, operator=operator)
        self._indexes: dict[str, EntityIndex | None] = {}
        self._held: dict[str, Names | None] = {}
        self._unread: dict[str, str] = {}
        self._in_memory: dict[str, EntityIndex | None] = {}

    # All names, as a conversation needs them.

    @once
    def entities(self) -> "tuple[NamedEntity, ...]":
        """Every entity of a type that is held. Raises when a database cannot be read."""
        return self._read.entities

    @once
    def searched(self) -> tuple[str, ...]:
        """The kinds with too many names to hold: their index is asked."""
        return self._read.searched

    @once
    def _read(self) -> _Read:
        # Imported when names are read: most of it is the driver and SQL trees.
        from dragoman.catalog.coverage import read_coverage

        if self.shipped:
            return _Read(tuple(each for names in self._of_demo.values() for each in names.values()), (), ())
        coverage: list[CoverageRule] = []
        kinds: list[str] = []
        for pack in self.packs.packs:
            with self.reader(pack) as reader:
                for kind in pack.entities:
                    called = self._called(pack.pack, kind)
                    self._held[called] = self._read_names(self.packs.entities[called], called, reader)
                    kinds.append(called)
                coverage += read_coverage(pack, reader)
        held = [self._held[kind] for kind in kinds]
        return _Read(
            tuple(each for names in held if names is not None for each in names.values()),
            tuple(kind for kind, names in zip(kinds, held, strict=True) if names is None),
            tuple(coverage),
        )

    @once
    def _by_name(self) -> "Mapping[tuple[str, str], NamedEntity]":
        return {(e.ref.kind, e.ref.name): e for e in reversed(self.entities)}

    @once
    def _by_key(self) -> "Mapping[tuple[str, str], NamedEntity]":
        return {(e.ref.kind, e.ref.id): e for e in self.entities}

    def organizations(self) -> "tuple[NamedEntity, ...]":
        return tuple(entity for entity in self.entities if entity.ref.kind == self.anchor)

    def entity(self, kind: str, key: str) -> "NamedEntity | None":
        return self._by_key.get((kind, key))

    def named(self, kind: str, name: str) -> "NamedEntity | None":
        """The entity of a kind with this canonical name; where they are not held, the index knows."""
        known = self._by_name.get((kind, name))
        if known is not None or kind not in self.searched:
            return known
        from dragoman.catalog.named_entity import NamedEntity

        same = [match for match in self.entity_matches(kind, name) if match.display == name]
        return NamedEntity(EntityRef(kind, same[0].entity_id, name), (name,)) if len(same) == 1 else None

    def shown(self, ref: EntityRef, language: str) -> str:
        """What an entity is called in a language."""
        known = self.entity(ref.kind, ref.id)
        return (known.localized.get(language) if known else None) or ref.name

    # Single names, as the compiler asks.

    def entity_name(self, entity: str, key: str) -> str | None:
        held = self._held.get(entity)
        if held is None:
            index = self.index(entity)
            name = None if index is None else index.name_of(key)
            if name is not None:
                return name
            # An index may be older than its table: what it does not know, the database may.
            held = self._names_of(entity)
        known = None if held is None else held.get(key)
        return None if known is None else known.ref.name

    def names_unknown(self, entity: str) -> str:
        """Why the names of a type cannot be looked up here; empty where they can."""
        if self.index(entity) is None and self._names_of(entity) is None:
            return self._unread.get(entity, "")
        return ""

    def entity_matches(self, entity: str, text: str) -> tuple[EntityMatch, ...]:
        """The first matches of a search, best first: the same, in the same order, wherever they are shown."""
        from dragoman.entities import entity_matches

        return entity_matches(self.search(entity, text))

    def search(
        self, entity: str, text: str, filters: Mapping[str, str] | None = None, limit: int = MAX_MATCHES
    ) -> "Found":
        """What a text may mean among the entities of a type: one search, over the names that are held or over
        the index on disk."""
        from dragoman.entities import Found

        index = self._searched_index(entity)
        return Found() if index is None else index.search(text, limit=limit, filters=filters)

    def _searched_index(self, entity: str) -> "EntityIndex | None":
        """Names that were read are newer than an index that was made before."""
        with self.lock:
            held = self._held.get(entity)
            index = self.index(entity) if held is None else None
            if index is not None:
                return index
            held = held if held is not None else self._names_of(entity)
            owned = self.packs.entities.get(entity)
            if held is None or owned is None:
                return None
            if entity not in self._in_memory:
                self._in_memory[entity] = self._index_of(owned, held)
            return self._in_memory[entity]

    def _index_of(self, owned: OwnedEntity, held: "Names") -> "EntityIndex | None":
        from dragoman.entities import EntityIndex, EntityRow
        from dragoman.packs.pack_entities import index_config

        try:
            view = self._entity_view(owned)
        except PolicyViolation:
            return None
        rows = (
            EntityRow(key, each.ref.name, each.names, _told(view.entity.discriminators, each.told))
            for key, each in held.items()
        )
        return EntityIndex.in_memory(index_config(view), rows)

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

    def index(self, entity: str) -> "EntityIndex | None":
        """The index of an entity type as it is on disk; None where none is, or it is of another shape."""
        with self.lock:
            if entity not in self._indexes:
                owned = self.packs.entities.get(entity) if not self.shipped else None
                self._indexes[entity] = None if owned is None else self._opened(owned)
            return self._indexes[entity]

    def is_indexed(self, entity: str) -> bool:
        return self.index(entity) is not None

    def forget_names(self) -> None:
        """Names have changed: read them again when they are next asked for."""
        with self.lock:
            self._indexes.clear()
            self._held.clear()
            self._unread.clear()
            self._in_memory.clear()
            forget(self, "_read", "_by_name", "_by_key", "entities", "searched", "coverage")

    # How they are read.

    def _names_of(self, entity: str) -> "Names | None":
        """The names of one type; None where they are too many to hold, or cannot be read."""
        with self.lock:
            owned = self.packs.entities.get(entity)
            if owned is not None and entity not in self._held and entity not in self._unread:
                try:
                    self._held[entity] = self._read_alone(owned, entity)
                except DragomanError as failure:
                    self._unread[entity] = failure.message
            return self._held.get(entity)

    def _read_alone(self, owned: OwnedEntity, called: str) -> "Names | None":
        if self.shipped:
            return self._of_demo.get(called, {})
        with self.reader(owned.pack) as reader:
            return self._read_names(owned, called, reader)

    def _read_names(self, owned: OwnedEntity, called: str, reader: "DatabaseReader") -> "Names | None":
        """The names of a type; None where there are too many to hold, and then their index is made."""
        from dragoman.catalog.named_entity import read_names
        from dragoman.packs.pack_entities import entity_index

        try:
            view = self._entity_view(owned)
        except PolicyViolation:
            return {}
        names = read_names(view, called, reader)
        if names is None and self.index(called) is None:
            # Without an index nobody could name one of them.
            entity_index(view, reader, index_root(self.folder))
            self._indexes.pop(called, None)
        return names

    @once
    def _of_demo(self) -> "dict[str, Names]":
        from dragoman.catalog.named_entity import demo_names

        return demo_names(self.shipped)

    def _opened(self, owned: OwnedEntity) -> "EntityIndex | None":
        # Imported when an entity is met: scoring and folding are more than a start should cost.
        from dragoman.contracts.errors import EntityIndexError
        from dragoman.entities import open_index
        from dragoman.packs.pack_entities import index_config

        try:
            view = self._entity_view(owned)
            index = open_index(view.folder(index_root(self.folder)))
        except (EntityIndexError, PolicyViolation):
            return None
        return index if index.config == index_config(view) else None

    def _entity_view(self, owned: OwnedEntity) -> "EntityView":
        """A type as the viewer may see it. Raises `PolicyViolation` where its names are not for them."""
        from dragoman.packs.pack_entities import EntityView, entity_view

        if self.operator:
            return EntityView(owned.pack.pack, owned.kind, owned.entity)
        spec = self.connection_of(owned.pack)
        visibility = self.visibility(spec) if spec is not None else None
        return entity_view(owned.pack, owned.kind, self.viewer, visibility)

    def _called(self, pack: str, kind: str) -> str:
        """What the workspace calls a kind of a pack: another pack may have one of the same name."""
        known = self.packs.entities.items()
        return next(name for name, each in known if (each.pack.pack, each.kind) == (pack, kind))


def _told(names: Iterable[str], values: Iterable[str]) -> dict[str, str]:
    """The discriminators of an entity. Names that ship with a pack come without."""
    return {name: value for name, value in zip(names, values, strict=False) if value}
