"""What the compiler asks of a catalog. Every later catalog answers these few questions."""

from collections.abc import Iterable
from typing import Protocol

from dragoman.contracts.program import Diagnostic, EntityMatch, EntityResolutionConfig, Statement, Text
from dragoman.contracts.verb import VerbSignature


class CompilerCatalog(Protocol):
    """A question that the catalog cannot answer (nothing is known there) is answered with None."""

    def signature(self, verb: str, connection: str = "") -> VerbSignature | None:
        """What a verb takes. Tables of two databases may have one name: then the connection tells them apart,
        and without one the default database is meant."""

    def verb_names(self) -> Iterable[str]: ...

    def connections(self) -> tuple[str, ...] | None:
        """The aliases there are, without the `@`; None when connections are not known here."""

    def columns(self, connection: str, table: str) -> tuple[str, ...] | None:
        """The columns of a table; None when its schema is not known."""

    def findings(self, statement: Statement) -> tuple[Diagnostic, ...]:
        """What else is wrong with a statement whose arguments fit their types."""

    def entity_name(self, entity: str, key: str) -> str | None:
        """The display name of the entity with this key; None when there is no such key."""

    def names_unknown(self, entity: str) -> str:
        """Why the names of a type cannot be looked up, for example because its database cannot be reached;
        empty when they can."""

    def entity_config(self, entity: str) -> EntityResolutionConfig: ...

    def entity_matches(self, entity: str, text: str) -> tuple[EntityMatch, ...]:
        """The first matches of a search, best first."""


def text_of(statement: Statement, name: str) -> str | None:
    """An argument that is a text."""
    for argument in statement.arguments:
        if argument.name == name:
            return argument.value.value if isinstance(argument.value, Text) else None
    return None


def signature_for(catalog: CompilerCatalog, statement: Statement) -> VerbSignature | None:
    """The signature of the verb that a statement calls, on the connection that it names."""
    return catalog.signature(statement.verb, text_of(statement, "connection") or "")
