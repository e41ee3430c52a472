"""What is known of one database, and what finds its names in messages: for whoever reads beside questions."""

from dragoman.contracts.record import Record
from dragoman.planning.database.knowledge import Knowledge
from dragoman.planning.tables.name_linker import Linker, Links
from dragoman.planning.tables.words import Token


class SchemaWords(Record, frozen=True, gc=True):
    """What is known of one database, and what finds its names in messages."""

    knowledge: Knowledge
    linker: Linker

    def links(self, tokens: tuple[Token, ...]) -> Links:
        return self.linker.links(tokens)
