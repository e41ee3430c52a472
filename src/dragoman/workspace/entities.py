"""Entities of a workspace by name: searched, indexed, and written by the verb that makes a new one."""

import uuid
from collections.abc import Callable, Collection, Iterable, Mapping
from pathlib import Path

from dragoman.catalog.pack_databases import PackDatabases
from dragoman.contracts.errors import AccessError, CreationImpossible
from dragoman.contracts.program import Statement
from dragoman.contracts.record import Record
from dragoman.contracts.verb import VerbSignature
from dragoman.engine.pack_writes import Written, run_write
from dragoman.entities.records import Found
from dragoman.packs.installed import LeftOut, OwnedEntity

__all__ = ["Entities", "EntitySearch", "IndexedType", "Warn", "Written", "ignore"]

SHOWN = 5
Warn = Callable[[str], None]
"""Told what does not stop the work and may still matter to a person."""


def ignore(message: str) -> None:
    """Nobody wants to be told."""


class EntitySearch(Record, frozen=True):
    """What a name may mean, and the pack that knows it."""

    pack: str
    found: Found


class IndexedType(Record, frozen=True):
    """An entity type whose index is up to date, and how many entities it has."""

    type: str
    pack: str
    entities: int


class Entities:
    """The entity types of a workspace's packs, and of the packs that ship, over their demo databases."""

    def __init__(self, folder: Path) -> None:
        self._databases = PackDatabases(folder)

    @property
    def left_out(self) -> tuple[LeftOut, ...]:
        """The parts of the workspace's packs that are not used."""
        return self._databases.own.left_out

    def search(
        self,
        kind: str,
        text: str,
        *,
        filters: Mapping[str, str] | None = None,
        limit: int = SHOWN,
        pack: str | None = None,
    ) -> EntitySearch:
        """The entities of a type that a text may mean: exact before prefix before typo before word order."""
        owned = self._databases.entity(kind, pack)
        found = self._databases.index(owned).search(text, limit=limit, filters=filters)
        return EntitySearch(owned.pack.pack, found)

    def index(self, kinds: Iterable[str] = (), *, fresh: bool = False) -> tuple[IndexedType, ...]:
        """Bring indexes up to date: those of some types, or without any those of the workspace's packs."""
        named = [self._databases.entity(kind) for kind in kinds]
        return tuple(
            IndexedType(each.kind, each.pack.pack, len(self._databases.index(each, fresh=fresh)))
            for each in named or self._databases.own.entities.values()
        )

    def freshen(self, kinds: Collection[str], warn: Warn = ignore) -> None:
        """Bring the indexes of types up to date. Where that cannot be done, what is kept is used."""
        for kind in sorted(kinds):
            owned = self._databases.own.entities.get(kind)
            if owned is None:
                continue
            try:
                self._databases.index(owned)
            except AccessError as error:
                warn(f"the names of {kind} may be old: {error.message}")

    def pack_of(self, kind: str) -> str:
        """The name of the pack that knows a type. Raises `WorkspaceError`."""
        return self._owned(kind).pack.pack

    def maker(self, kind: str) -> VerbSignature:
        """The verb that makes an entity of a type. Raises `CreationImpossible`."""
        owned = self._owned(kind)
        signature = self._databases.own.signatures.get(owned.entity.create)
        if signature is None:
            raise CreationImpossible(
                f"nothing says how a new {owned.kind} is made", hint="name its verb in the pack: create:"
            )
        return signature

    def make(self, kind: str, statement: Statement, run_id: str | None = None) -> Written:
        """Run the statement that makes a new entity, once for a run id, and index it."""
        owned, databases = self._owned(kind), self._databases
        visibility = databases.visibility(owned.pack)
        written = run_write(
            owned.pack,
            statement,
            databases.target(owned.pack),
            databases.schema(owned.pack),
            run_id=run_id or uuid.uuid4().hex,
            viewer=databases.viewer,
            rules=visibility.rules if visibility is not None else {},
        )
        databases.index(owned)
        return written

    def _owned(self, kind: str) -> OwnedEntity:
        """A type of the workspace's own packs before one of those that ship."""
        return self._databases.own.entities.get(kind) or self._databases.entity(kind)
