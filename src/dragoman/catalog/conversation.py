"""The catalog that programs of a conversation are compiled against: the workspace's verbs and connections,
and the names of entities that the conversation holds."""

from collections.abc import Iterable, Mapping

from dragoman.catalog.workspace_catalog import WorkspaceCatalog
from dragoman.contracts.program import Diagnostic, EntityMatch, EntityResolutionConfig, Statement
from dragoman.contracts.verb import Effect, VerbSignature

MAX_MATCHES = 5


class ConversationCatalog:
    """As the workspace's, but an entity type whose names are held needs no index."""

    def __init__(self, workspace: WorkspaceCatalog, names: Mapping[str, Mapping[str, str]]) -> None:
        self._workspace = workspace
        self._names = names

    def signature(self, verb: str, connection: str = "") -> VerbSignature | None:
        return self._workspace.signature(verb, connection)

    def verbs(self) -> Iterable[str]:
        return self._workspace.verbs()

    def effects(self) -> Mapping[str, Effect]:
        return self._workspace.effects()

    def connections(self) -> tuple[str, ...] | None:
        return self._workspace.connections()

    def columns(self, connection: str, table: str) -> tuple[str, ...] | None:
        return self._workspace.columns(connection, table)

    def findings(self, statement: Statement) -> tuple[Diagnostic, ...]:
        return self._workspace.findings(statement)

    def entity_name(self, entity: str, key: str) -> str | None:
        held = self._names.get(entity)
        return self._workspace.entity_name(entity, key) if held is None else held.get(key)

    def entity_config(self, entity: str) -> EntityResolutionConfig:
        return self._workspace.entity_config(entity)

    def entity_matches(self, entity: str, text: str) -> tuple[EntityMatch, ...]:
        """Entities whose name contains the words, a full name first; where none are held, the index's."""
        held = self._names.get(entity)
        if held is None:
            return self._workspace.entity_matches(entity, text)
        wanted = text.casefold().split()
        found = [
            EntityMatch(key, name, 1.0 if name.casefold() == text.casefold() else 0.5)
            for key, name in held.items()
            if all(word in name.casefold() for word in wanted)
        ]
        return tuple(sorted(found, key=lambda match: (-match.score, match.display))[:MAX_MATCHES])
