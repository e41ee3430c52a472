"""The catalog a program is compiled against: verbs, connections and entities, gathered from their sources."""

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property

from dragoman.catalog.components import offered_signatures
from dragoman.contracts.program import (
    Diagnostic,
    EntityMatch,
    EntityResolutionConfig,
    SearchKeyField,
    Statement,
)
from dragoman.contracts.verb import Effect, VerbSignature

MAX_MATCHES = 5

Signatures = Callable[[], Mapping[str, VerbSignature]]

Names = Callable[[], Mapping[str, Mapping[str, str]]]
"""Gives, for each entity type, the display name of every key. Asked when an entity is first met."""


class ProgramCatalog:
    """Verbs by name, and the names of the entities they speak of. Connections are not known."""

    def __init__(self, signatures: Signatures, names: Names) -> None:
        self._load_signatures = signatures
        self._load_names = names

    @cached_property
    def _signatures(self) -> Mapping[str, VerbSignature]:
        return self._load_signatures()

    @cached_property
    def _names(self) -> Mapping[str, Mapping[str, str]]:
        return self._load_names()

    def signature(self, verb: str, connection: str = "") -> VerbSignature | None:
        return self._signatures.get(verb) or offered_signatures().get(verb)

    def verbs(self) -> Iterable[str]:
        return self._signatures

    def effects(self) -> Mapping[str, Effect]:
        return {name: signature.effect for name, signature in self._signatures.items()}

    def connections(self) -> tuple[str, ...] | None:
        return None

    def columns(self, connection: str, table: str) -> tuple[str, ...] | None:
        return None

    def findings(self, statement: Statement) -> tuple[Diagnostic, ...]:
        return ()

    def entity_name(self, entity: str, key: str) -> str | None:
        return self._names.get(entity, {}).get(key)

    def entity_config(self, entity: str) -> EntityResolutionConfig:
        return EntityResolutionConfig(
            search_keys=(SearchKeyField("name", "Name", required=True),),
            discriminators=(),
            resolution_mode="inline",
            return_key_type="code",
        )

    def entity_matches(self, entity: str, text: str) -> tuple[EntityMatch, ...]:
        """Entities whose name contains the words; a full name first."""
        wanted = text.casefold().split()
        found = [
            EntityMatch(key, name, 1.0 if name.casefold() == text.casefold() else 0.5)
            for key, name in self._names.get(entity, {}).items()
            if all(word in name.casefold() for word in wanted)
        ]
        return tuple(sorted(found, key=lambda match: (-match.score, match.display))[:MAX_MATCHES])
