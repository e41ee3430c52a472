"""Which words of a message are names in a database: of its tables, or of anything in it.

Names decide between databases before any value is read: a table that is called what the message says is meant
before a value that happens to be.
"""

from collections.abc import Iterable, Mapping

from dragoman.contracts.record import Record
from dragoman.locales.registry import language
from dragoman.planning.tables.schema_names import Things
from dragoman.planning.tables.words import Kind, tokens_of
from dragoman.tables.graph import Graph


class Said(Record, frozen=True):
    """The stems of the words of a message that name something, and those that name a table."""

    names: frozenset[str]
    tables: frozenset[str]


class SchemaNames:
    """The names of one database, by the stems of their words."""

    def __init__(self, graph: Graph, called: Mapping[str, Iterable[str]]) -> None:
        things = Things(graph, called, by_roles=True)
        self._names = frozenset((*things.by_word, *things.aliases))
        tables = {each.number for each in things.table_thing.values()}
        self._tables = frozenset(
            word
            for words in (things.by_word, things.aliases)
            for word, places in words.items()
            if any(number in tables for number, _ in places)
        )
        self.own = frozenset(things.by_word)
        """What is called so itself, and not only by words that mean nearly the same."""
        self.own_tables = frozenset(
            thing.words[0] for thing in things.table_thing.values() if len(thing.words) == 1
        )
        """Tables that are called by one word, by that word."""
        self._table_of: dict[str, str] = {}
        for words in (things.by_word, things.aliases):
            for word, places in words.items():
                # A table that is called so comes before one that has a column of this name.
                numbers = sorted((number not in tables, number) for number, _ in places)
                self._table_of.setdefault(word, things.all[numbers[0][1]].table.name)

    def table_of(self, stems: Iterable[str]) -> str:
        """The table, as programs call it, that the first of these words names or has a column of."""
        return next((self._table_of[stem] for stem in stems if stem in self._table_of), "")

    def said(self, text: str, code: str) -> Said:
        small = language(code).function_words()
        stems = frozenset(
            token.stem for token in tokens_of(text) if token.kind is Kind.WORD and token.low not in small
        )
        return Said(stems & self._names, stems & self._tables)


def stems_of(words: Iterable[str]) -> frozenset[str]:
    return frozenset(token.stem for word in words for token in tokens_of(word) if token.kind is Kind.WORD)
