"""What a conversation over packs knows: their verbs, the names of their entities, what is loaded until when.

Read once when a conversation opens. Everything in it is what the workspace's viewer may see.
"""

import datetime as dt
from collections.abc import Iterable, Mapping
from functools import cached_property

from dragoman.catalog.cells import ScaledColumn as ScaledColumn
from dragoman.catalog.cells import scaled_column
from dragoman.catalog.conversation import ConversationCatalog
from dragoman.catalog.workspace_catalog import WorkspaceCatalog, index_root
from dragoman.contracts.errors import PolicyViolation, WorkspaceError
from dragoman.contracts.pack import CoverageTable, DateUse, Pack, PackVerb, Texts, VerbFrame
from dragoman.contracts.query import Value
from dragoman.contracts.record import Record
from dragoman.contracts.schema import DatabaseSchema
from dragoman.contracts.state import EntityRef
from dragoman.contracts.verb import Effect, VerbSignature
from dragoman.databases.access import DatabaseReader
from dragoman.databases.connections import open_connection, resolve
from dragoman.locales.registry import FALLBACK
from dragoman.packs.pack_entities import entity_index, entity_names, entity_view

MOST_NAMES = 20_000
"""More names of a type than this are not held in memory: they are looked up in the index on disk."""

ORGANIZATION = "organization"
WAREHOUSE = "warehouse"


class CatalogVerb(Record, frozen=True):
    """A verb of a pack, ready to be asked for."""

    signature: VerbSignature
    date_use: DateUse | None
    spec: PackVerb
    pack: Pack
    columns: tuple[ScaledColumn, ...]

    @property
    def domain(self) -> str:
        """The domain whose coverage holds for it."""
        return self.spec.domain or self.signature.domain

    def title(self, language: str) -> str:
        return self.spec.title.get(language) or self.signature.title

    def definition(self, language: str) -> str:
        """What its figure means: as the verb says, or a metric that it gives."""
        metrics = (metric for metric in self.pack.metrics.values() if metric.verb == self.signature.name)
        texts = self.spec.definition or next((metric.definition for metric in metrics), {})
        return texts.get(language) or texts.get(FALLBACK, "")

    def argument_of(self, kind: str) -> str | None:
        """The argument that takes an entity of a kind."""
        return next((name for name, a in self.spec.arguments.items() if a.entity == kind), None)

    @property
    def needed(self) -> tuple[str, ...]:
        """The entity arguments it cannot do without, as the pack declares them; not the object it is of."""
        return tuple(
            name
            for name, argument in self.spec.arguments.items()
            if argument.entity and argument.required and argument.entity != self.spec.object
        )


class NamedEntity(Record, frozen=True):
    """An entity and everything it is called. `within` says what it belongs to, by kind."""

    ref: EntityRef
    names: tuple[str, ...]
    belongs: tuple[tuple[str, str], ...] = ()
    localized: Texts = {}
    told: tuple[str, ...] = ()
    """What tells it apart from others: the values of its discriminators."""

    @property
    def within(self) -> str:
        return self.belongs[0][1] if self.belongs else ""


class CoverageRule(Record, frozen=True):
    """What is loaded for a domain: how completely, from when until when, and for which keys of the scopes."""

    pack: str
    domain: str
    scopes: tuple[tuple[str, str], ...]
    start: dt.date
    end: dt.date
    status: str
    reason: str


class PackCatalog:
    """Everything a turn needs to know about the packs of a workspace."""

    def __init__(
        self,
        workspace: WorkspaceCatalog,
        entities: Iterable[NamedEntity],
        coverage: Iterable[CoverageRule],
        searched: Iterable[str] = (),
    ) -> None:
        self.workspace = workspace
        self.entities = tuple(entities)
        self.coverage = tuple(coverage)
        self.searched = tuple(searched)
        """The kinds with too many names to hold: their index is asked."""
        self._by_key = {(e.ref.kind, e.ref.id): e for e in self.entities}
        self._by_name = {(e.ref.kind, e.ref.name): e for e in reversed(self.entities)}

    @cached_property
    def all_verbs(self) -> Mapping[str, CatalogVerb]:
        """Every verb that reads."""
        found = {}
        for name, owned in self.workspace.packs.verbs.items():
            signature = self.workspace.packs.signature(name)
            if signature is not None and owned.verb.effect is Effect.READ:
                columns = tuple(scaled_column(column) for column in owned.verb.columns)
                found[name] = CatalogVerb(signature, owned.verb.date, owned.verb, owned.pack, columns)
        return found

    @cached_property
    def verbs(self) -> Mapping[str, CatalogVerb]:
        """The verbs that open a root slice."""
        return {n: v for n, v in self.all_verbs.items() if v.spec.frame is VerbFrame.ROOT}

    @cached_property
    def actions(self) -> Mapping[str, CatalogVerb]:
        """The verbs that speak of a selected object."""
        return {n: v for n, v in self.all_verbs.items() if v.spec.frame is VerbFrame.OBJECT}

    @cached_property
    def cards(self) -> Mapping[str, str]:
        """For each kind of object the action that shows it."""
        owned = self.workspace.packs.entities.values()
        return {each.kind: each.entity.card for each in owned if each.entity.card in self.actions}

    @cached_property
    def kinds(self) -> Mapping[str, Mapping[str, tuple[str, ...]]]:
        """For each kind of entity the words it is called by, per language."""
        return {each.kind: each.entity.words for each in self.workspace.packs.entities.values()}

    @cached_property
    def anchor(self) -> str:
        """The kind of entity that a root slice belongs to: the first scope of the pack that is one."""
        scopes = [s for pack in self.workspace.packs.packs for s in pack.scopes.values() if s.entity]
        return scopes[0].entity if scopes else ORGANIZATION

    @cached_property
    def filters(self) -> tuple[str, ...]:
        """The other kinds of entities that a root slice may be narrowed to."""
        scopes = [s for pack in self.workspace.packs.packs for s in pack.scopes.values() if s.entity]
        return tuple(dict.fromkeys(s.entity for s in scopes if s.entity != self.anchor))

    @cached_property
    def programs(self) -> ConversationCatalog:
        """What the compiler may ask."""
        return ConversationCatalog(self.workspace, _names(self.entities))

    def verb(self, name: str) -> CatalogVerb | None:
        return self.verbs.get(name) or self.actions.get(name)

    def organizations(self) -> tuple[NamedEntity, ...]:
        return tuple(entity for entity in self.entities if entity.ref.kind == self.anchor)

    def entity(self, kind: str, key: str) -> NamedEntity | None:
        return self._by_key.get((kind, key))

    def named(self, kind: str, name: str) -> NamedEntity | None:
        """The entity of a kind with this canonical name; where they are not held, the index knows."""
        known = self._by_name.get((kind, name))
        if known is not None or kind not in self.searched:
            return known
        matches = self.programs.entity_matches(kind, name)
        same = [match for match in matches if match.display == name]
        return NamedEntity(EntityRef(kind, same[0].entity_id, name), (name,)) if len(same) == 1 else None

    def shown(self, ref: EntityRef, language: str) -> str:
        """What an entity is called in a language."""
        known = self.entity(ref.kind, ref.id)
        return (known.localized.get(language) if known else None) or ref.name

    def schema(self, pack: Pack) -> DatabaseSchema:
        spec = self.workspace.connection_of(pack)
        schema = self.workspace.schema(spec) if spec is not None else None
        if schema is None:
            raise WorkspaceError(
                f"the database of the pack {pack.pack} was not discovered yet", hint="run dragoman discover"
            )
        return schema

    def reader(self, pack: Pack) -> DatabaseReader:
        return _reader(self.workspace, pack)

    def source_name(self, pack: Pack) -> str:
        """How evidence calls the database of a pack."""
        spec = self.workspace.connection_of(pack)
        return spec.name if spec is not None else pack.pack


def open_catalog(workspace: WorkspaceCatalog) -> PackCatalog:
    """Read the names and the coverage of every pack whose database is there."""
    entities: list[NamedEntity] = []
    coverage: list[CoverageRule] = []
    searched: list[str] = []
    for pack in workspace.packs.packs:
        with _reader(workspace, pack) as reader:
            for kind in pack.entities:
                found = _entities(workspace, pack, kind, reader)
                if found is None:
                    searched.append(_called(workspace, pack, kind))
                else:
                    entities += found
            coverage += _coverage(pack, reader)
    return PackCatalog(workspace, entities, coverage, searched)


def _reader(workspace: WorkspaceCatalog, pack: Pack) -> DatabaseReader:
    spec = workspace.connection_of(pack)
    if spec is None:
        raise WorkspaceError(
            f"the pack {pack.pack} is for the connection {pack.connection or '@default'}, which there is not",
            hint="name it in connections.yaml, or another one in the pack",
        )
    return open_connection(resolve(spec, workspace.folder))


def _names(entities: tuple[NamedEntity, ...]) -> dict[str, dict[str, str]]:
    names: dict[str, dict[str, str]] = {}
    for entity in entities:
        names.setdefault(entity.ref.kind, {})[entity.ref.id] = entity.ref.name
    return names


def _entities(
    workspace: WorkspaceCatalog, pack: Pack, kind: str, reader: DatabaseReader
) -> list[NamedEntity] | None:
    """The names of a kind that the viewer may see; None where they are too many to hold."""
    try:
        view = entity_view(pack, kind, workspace.settings.viewer)
    except PolicyViolation:
        return []
    rows = entity_names(view, reader, MOST_NAMES)
    called = _called(workspace, pack, kind)
    if rows is None:
        if workspace.index(called) is None:
            # Without an index nobody could name one of them.
            entity_index(view, reader, index_root(workspace.folder))
            workspace.forget_indexes()
        return None
    entity = view.entity
    result = []
    for key, names, within, localized, told_apart in rows:
        ref = EntityRef(called, key, names[0])
        told = dict(zip(entity.localized, localized, strict=True))
        texts = {FALLBACK: names[0]} | {language: text for language, text in told.items() if text}
        belongs = tuple((k, w) for k, w in zip(entity.within, within, strict=True) if w)
        result.append(NamedEntity(ref, tuple(n for n in names if n), belongs, texts, told_apart))
    return result


def _called(workspace: WorkspaceCatalog, pack: Pack, kind: str) -> str:
    """What the workspace calls a kind of a pack: another pack may have one of the same name."""
    owned = [name for name, found in workspace.packs.entities.items() if found.pack is pack]
    return next((name for name in owned if workspace.packs.entities[name].kind == kind), kind)


def _coverage(pack: Pack, reader: DatabaseReader) -> list[CoverageRule]:
    rules = [
        CoverageRule(
            pack.pack,
            entry.domain,
            tuple(entry.scopes.items()),
            entry.start,
            entry.end,
            entry.status.value,
            entry.reason,
        )
        for entry in pack.coverage
    ]
    if pack.coverage_table is not None:
        rules += _coverage_rows(pack, pack.coverage_table, reader)
    return rules


def _coverage_rows(pack: Pack, table: CoverageTable, reader: DatabaseReader) -> list[CoverageRule]:
    from sqlglot import exp

    from dragoman.databases.sql_text import written

    columns = (table.domain, table.start, table.end, table.status, table.reason, *table.scopes.values())
    schema, _, name = table.table.rpartition(".")
    source = exp.Table(
        this=exp.to_identifier(name, quoted=True),
        db=exp.to_identifier(schema, quoted=True) if schema else None,
    )
    tree = exp.select(*(exp.column(exp.to_identifier(c, quoted=True)) for c in columns)).from_(source)
    rows = reader.read(written(tree, reader.dialect, [])).rows
    return [
        CoverageRule(
            pack.pack,
            str(domain),
            tuple((s, str(k)) for s, k in zip(table.scopes, keys, strict=True) if k is not None),
            _day(start),
            _day(end),
            str(status),
            "" if reason is None else str(reason),
        )
        for domain, start, end, status, reason, *keys in rows
    ]


def _day(value: Value) -> dt.date:
    if isinstance(value, dt.datetime):
        return value.date()
    return value if isinstance(value, dt.date) else dt.date.fromisoformat(str(value)[:10])
