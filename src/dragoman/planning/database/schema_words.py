"""What is known of one database, and what finds its names in messages: for whoever reads beside questions."""

from typing import Final

from dragoman.contracts.record import Record
from dragoman.planning.database.knowledge import Knowledge
from dragoman.planning.tables.name_linker import Linker, Links
from dragoman.planning.tables.words import Token, tokens_of

_NAMED: Final = 0.8
"""How well words have to fit a table that they name."""


class SchemaWords(Record, frozen=True, gc=True):
    """What is known of one database, and what finds its names in messages."""

    knowledge: Knowledge
    linker: Linker

    def links(self, tokens: tuple[Token, ...]) -> Links:
        return self.linker.links(tokens)

    def table_at(self, text: str, place: int) -> str | None:
        """The table that the words from a place on name, however many they are."""
        named = [each for names in self.links(tokens_of(text)).named.values() for each in names]
        here = [each for each in named if each.start == place and each.thing.column is None]
        best = max(here, key=lambda each: each.score, default=None)
        return None if best is None or best.score < _NAMED else best.thing.table.name
