"""What the compiler asks of a catalog. Every later catalog answers these few questions."""

from collections.abc import Iterable
from typing import Protocol

from dragoman.contracts.program import EntityMatch, EntityResolutionConfig
from dragoman.contracts.verb import VerbSignature


class Catalog(Protocol):
    """A question that the catalog cannot answer (nothing is known there) is answered with None."""

    def signature(self, verb: str) -> VerbSignature | None: ...

    def verbs(self) -> Iterable[str]: ...

    def connections(self) -> tuple[str, ...] | None:
        """The aliases there are, without the `@`; None when connections are not known here."""

    def columns(self, connection: str, table: str) -> tuple[str, ...] | None:
        """The columns of a table; None when its schema is not known."""

    def entity_name(self, entity: str, key: str) -> str | None:
        """The display name of the entity with this key; None when there is no such key."""

    def entity_config(self, entity: str) -> EntityResolutionConfig: ...

    def entity_matches(self, entity: str, text: str) -> tuple[EntityMatch, ...]:
        """The first matches of a search, best first."""
