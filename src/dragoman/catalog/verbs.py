"""What a catalog knows of verbs: components, verbs of packs, verbs of tables.

A component comes before a pack's verb, a pack's verb before a table's; of tables with one name that of the
default connection comes first, then in the order of connections.yaml. A statement that names a connection and
calls a pack's verb that has no argument for one means the table's verb on that connection: a pack with a verb
`orders.list` does not take the table's own away.
"""

import copy
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Self

from dragoman.catalog.components import component_signatures, offered_signatures
from dragoman.catalog.knowledge.signatures import GRAPH_FIND, KNOWLEDGE
from dragoman.catalog.once import once
from dragoman.catalog.sources import Sources, SpecKey, spec_key
from dragoman.contracts.pack import VerbFrame
from dragoman.contracts.program import Diagnostic, Statement, Text
from dragoman.contracts.verb import Effect, VerbSignature
from dragoman.language.inlined_calls import inner_calls
from dragoman.packs.installed import InstalledPacks, OwnedVerb

if TYPE_CHECKING:
    from dragoman.catalog.pack_verb import CatalogVerb
    from dragoman.contracts.connection import ConnectionSpec
    from dragoman.tables.catalog import TableCatalog
    from dragoman.tables.graph import Graph

ORGANIZATION = "organization"
CONNECTION = "connection"


def connection_in(statement: Statement) -> str:
    """The connection that a statement names; empty where it names none."""
    for argument in statement.arguments:
        if argument.name == CONNECTION:
            return argument.value.value if isinstance(argument.value, Text) else ""
    return ""


class _TableVerb(NamedTuple):
    """A verb of a table: on which connection, of which tables, and what it takes."""

    spec: "ConnectionSpec"
    tables: "TableCatalog"
    signature: VerbSignature


class SpokenVerb(NamedTuple):
    """What a statement is said with: the title of a pack's verb, or the tables that its names are of."""

    title: str = ""
    graph: "Graph | None" = None


class _Effects(Mapping[str, Effect]):
    """The effect of every verb, looked up when it is asked for: there may be thousands."""

    def __init__(self, catalog: "Verbs") -> None:
        self._catalog = catalog

    def __getitem__(self, verb: str) -> Effect:
        signature = self._catalog.signature(verb)
        if signature is None:
            raise KeyError(verb)
        return signature.effect

    def __iter__(self) -> Iterator[str]:
        return iter(self._catalog.verb_names())

    def __len__(self) -> int:
        return sum(1 for _ in self._catalog.verb_names())


class Verbs(Sources):
    """Verbs by name, for the compiler and for planners."""

    def __init__(self, folder: Path, *, shipped: str = "", operator: bool = False) -> None:
        super().__init__(folder, shipped=shipped, operator=operator)
        self._table_verbs: dict[tuple[str, SpecKey | None], _TableVerb] = {}

    def only(self, spec: "ConnectionSpec") -> Self:
        """The same catalog as it would be if this were the only database: a verb that names no connection is
        one of its tables. Who may see what stays as it is."""
        other = copy.copy(self)
        other._only, other._table_verbs = spec, {}
        own = tuple(pack for pack in self.packs.packs if self.connection_of(pack) == spec)
        other.__dict__["packs"] = InstalledPacks(own)
        return other

    # Any verb, as the compiler asks.

    def signature(self, verb: str, connection: str = "") -> VerbSignature | None:
        if (component := component_signatures().get(verb)) is not None:
            return component
        # Components of other packages come after packs: installing a package must not change what a
        # workspace's own verb means.
        if self.pack_verb(verb, connection) is not None:
            return self.packs.signatures[verb]
        if (offered := offered_signatures().get(verb)) is not None:
            return offered
        if (known := KNOWLEDGE.get(verb)) is not None:
            return known
        found = self._table_verb(verb, connection)
        return None if found is None else found.signature

    def verb_names(self) -> Iterable[str]:
        found = dict.fromkeys((*component_signatures(), *offered_signatures(), *self.packs.verbs, *KNOWLEDGE))
        for spec in self.in_order():
            tables = self.tables_of(spec)
            found.update(dict.fromkeys(tables.verbs() if tables is not None else ()))
        return found

    def effects(self) -> Mapping[str, Effect]:
        return _Effects(self)

    def writes(self, verbs: Iterable[str]) -> bool:
        """Whether one of these verbs writes."""
        found = (self.signature(verb) for verb in verbs)
        return any(signature is not None and signature.effect is Effect.WRITE for signature in found)

    def findings(self, statement: Statement) -> tuple[Diagnostic, ...]:
        verb, connection = statement.verb, connection_in(statement)
        if verb in component_signatures() or self.pack_verb(verb, connection) is not None:
            return ()
        if verb == GRAPH_FIND and verb not in offered_signatures():
            # Imported for such a query alone.
            from dragoman.catalog.knowledge.cypher import cypher_findings

            return cypher_findings(statement)
        if verb in offered_signatures() or verb in KNOWLEDGE:
            return ()
        tables = self.tables_for(verb, connection)
        if tables is None:
            return ()
        elsewhere = self.called_elsewhere(statement)
        return tables.findings(statement) if elsewhere is None else (elsewhere,)

    def called_elsewhere(self, statement: Statement) -> Diagnostic | None:
        """What is wrong where a statement holds a value against a call that is not of the same database: the
        two become one query."""
        here = self.connection_for(statement.verb, connection_in(statement))
        for call in inner_calls(statement):
            verb, connection = call.verb, connection_in(call)
            if self.signature(verb, connection) is None:
                continue
            packs = self.pack_verb(verb, connection) is not None or self.tables_for(verb, connection) is None
            if packs or self.connection_for(verb, connection) != here:
                message = f"{verb} is not a verb of a table in the database of {statement.verb}"
                hint = "call a verb of a table there, with :connection where two have the name"
                return Diagnostic("call_elsewhere", message, hint)
        return None

    def pack_verb(self, verb: str, connection: str = "") -> OwnedVerb | None:
        """The verb of a pack that is meant; None where it is the verb of a table on that connection."""
        owned = self.packs.verbs.get(verb)
        if owned is None or not connection or CONNECTION in owned.verb.arguments:
            return owned
        return owned if self.tables_for(verb, connection) is None else None

    def is_of_table(self, statement: Statement) -> bool:
        """Whether a statement calls a verb of a table, and none of a pack or a component."""
        verb, connection = statement.verb, connection_in(statement)
        return self.tables_for(verb, connection) is not None and self.pack_verb(verb, connection) is None

    def tables_for(self, verb: str, connection: str = "") -> "TableCatalog | None":
        """The tables that a verb of theirs is meant of; None where no discovered database has it."""
        found = self._table_verb(verb, connection)
        return None if found is None else found.tables

    def connection_for(self, verb: str, connection: str = "") -> "ConnectionSpec | None":
        """The connection whose database a verb of a pack or of a table reads."""
        owned = self.pack_verb(verb, connection)
        if owned is not None:
            return self.connection_of(owned.pack)
        found = self._table_verb(verb, connection)
        return None if found is None else found.spec

    def _table_verb(self, verb: str, connection: str) -> _TableVerb | None:
        named = self.connection_named(connection) if connection else None
        key = (verb, None if named is None else spec_key(named))
        found = self._table_verbs.get(key)
        if found is not None:
            return found
        # A named connection is searched alone. If it does not have the table, another database of the same
        # name must not answer in its place.
        for spec in (named,) if named is not None else self.in_order():
            tables = self.tables_of(spec)
            signature = None if tables is None else tables.signature(verb)
            if tables is not None and signature is not None:
                found = self._table_verbs[key] = _TableVerb(spec, tables, signature)
                return found
        return None

    # Verbs of packs, as planners ask.

    @once
    def all_verbs(self) -> "Mapping[str, CatalogVerb]":
        """Every verb of a pack that reads."""
        # Imported for planners and answers: the compiler asks for signatures alone.
        from dragoman.catalog.pack_verb import read_verbs_of

        return read_verbs_of(self.packs)

    @once
    def verbs(self) -> "Mapping[str, CatalogVerb]":
        """The verbs that open a root slice."""
        return {n: v for n, v in self.all_verbs.items() if v.spec.frame is VerbFrame.ROOT}

    @once
    def actions(self) -> "Mapping[str, CatalogVerb]":
        """The verbs that speak of a selected object."""
        return {n: v for n, v in self.all_verbs.items() if v.spec.frame is VerbFrame.OBJECT}

    @once
    def changes(self) -> "Mapping[str, CatalogVerb]":
        """The verbs that write. Nothing runs one of them without a yes."""
        from dragoman.catalog.pack_verb import write_verbs_of

        return write_verbs_of(self.packs)

    def verb(self, name: str) -> "CatalogVerb | None":
        return self.verbs.get(name) or self.actions.get(name) or self.changes.get(name)

    def spoken(self, statements: Iterable[Statement], language: str) -> list[SpokenVerb]:
        """What each statement is said with in a language; nothing where it calls a component."""
        return [self._spoken(each.verb, connection_in(each), language) for each in statements]

    def _spoken(self, verb: str, connection: str, language: str) -> SpokenVerb:
        if verb in component_signatures():
            return SpokenVerb()
        if self.pack_verb(verb, connection) is not None:
            known = self.verb(verb)
            return SpokenVerb(title=known.title(language) if known is not None else "")
        tables = self.tables_for(verb, connection)
        return SpokenVerb() if tables is None else SpokenVerb(graph=tables.graph)

    @once
    def cards(self) -> Mapping[str, str]:
        """For each kind of object the action that shows it."""
        owned = self.packs.entities.values()
        return {each.kind: each.entity.card for each in owned if each.entity.card in self.actions}

    @once
    def kinds(self) -> Mapping[str, Mapping[str, tuple[str, ...]]]:
        """For each kind of entity the words it is called by, per language."""
        return {each.kind: each.entity.words for each in self.packs.entities.values()}

    @once
    def anchor(self) -> str:
        """The kind of entity that a root slice belongs to: the first scope of the pack that is one."""
        return self._scopes[0] if self._scopes else ORGANIZATION

    @once
    def filters(self) -> tuple[str, ...]:
        """The other kinds of entities that a root slice may be narrowed to."""
        return tuple(dict.fromkeys(kind for kind in self._scopes if kind != self.anchor))

    @once
    def _scopes(self) -> tuple[str, ...]:
        return tuple(s.entity for pack in self.packs.packs for s in pack.scopes.values() if s.entity)
