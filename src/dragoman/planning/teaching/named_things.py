"""Which table or column a phrase names, all of it and nothing else."""

from collections.abc import Callable, Iterable
from typing import Final

from dragoman.planning.tables.name_words import SILENT, plain_words
from dragoman.planning.tables.schema_names import Thing, Things
from dragoman.planning.tables.words import Kind, tokens_of
from dragoman.tables.graph import Table

_MOST_NOUN: Final = 3
_SILENT: Final = SILENT - {"and", "or", "with"}
"""What a phrase may leave out and be the same name: two things and one of them are not the same."""


_KEYS: Final = frozenset({"id"})
"""What a key has in its name beside the part that its row plays: support rep ID."""


class NamedThings:
    """Finds things of a database by phrases. Taught columns are things too."""

    def __init__(
        self, things: Things, articles: frozenset[str], english: Callable[[str], str] | None = None
    ) -> None:
        """`english` is a phrase of another language as English would have it; empty where it has none."""
        self._things = things
        self._articles = articles
        self._english = english

    def stems(self, phrase: str) -> frozenset[str]:
        # A name of the schema may be said as it is written there.
        words = (plain_words(each) if "_" in each else (each,) for each in phrase.split())
        phrase = " ".join(part for parts in words for part in parts)
        tokens = [token for token in tokens_of(phrase) if token.kind is not Kind.MARK]
        said = frozenset(token.stem for token in tokens if token.low not in self._articles)
        # Names are known without their small words: units in stock.
        small = {token.stem for token in tokens if token.low in _SILENT}
        return said - small or said

    def without_articles(self, phrase: str) -> str:
        """A phrase without quotes and articles."""
        words = phrase.strip(" \"'“”„«»‘’`").split()
        while len(words) > 1 and words[0].casefold() in self._articles:
            words.pop(0)
        return " ".join(words)

    def table(self, phrase: str) -> Table | None:
        """The one table that a phrase names, in its own words or in English."""
        found = self._table(phrase)
        english = self._english(phrase) if found is None and self._english is not None else ""
        return self._table(english) if english else found

    def columns(self, phrase: str) -> list[Thing]:
        """The columns that a phrase names, perhaps with their table: invoice total. Those whose whole name
        is said come first."""
        found = self._columns(phrase)
        english = self._english(phrase) if not found and self._english is not None else ""
        return self._columns(english) if english else found

    def columns_of(self, table: Table, phrase: str) -> list[Thing]:
        """The columns of a table that a phrase names, as they are written or in words. What the table is
        called goes without saying: a parent category of product categories."""
        own = [thing for thing in self.columns(phrase) if thing.table.key == table.key]
        if own:
            return own
        said, rows = self.stems(phrase), frozenset(self._things.table_thing[table.key].words)
        return [
            thing
            for thing in self._things.of_table[table.key]
            if said
            and said <= frozenset(thing.words) | rows
            and frozenset(thing.required) - rows <= said - rows
            and said - rows
        ]

    def initials(self, phrase: str) -> list[Thing]:
        """The columns that are called by the first letters of a phrase: AB for at bats."""
        letters = "".join(word[0] for word in phrase.split() if word[0].isalpha()).upper()
        return [
            thing
            for thing in self._things.all
            if thing.column is not None and thing.column.info.name == letters and not thing.is_key
        ]

    def _table(self, phrase: str) -> Table | None:
        said = self.stems(phrase)
        named = [thing for thing in self._things.table_thing.values() if _is_named(thing, said)]
        if not named:
            named = [thing for thing in self._also_called(said) if thing.column is None]
        exact = [thing for thing in named if frozenset(thing.words) == said]
        found = exact or named
        return found[0].table if len({thing.table.key for thing in found}) == 1 else None

    def _columns(self, phrase: str) -> list[Thing]:
        said, written = self.stems(phrase), _as_typed(phrase)
        exact = [
            thing
            for thing in self._things.all
            if thing.column is not None
            and written in (_as_typed(thing.column.info.name), _as_typed(thing.column.name))
        ]
        if exact:
            return exact
        found = [
            thing
            for thing in self._things.all
            if thing.column is not None and _is_column_named(thing, self._things, said)
        ]
        whole = [thing for thing in found if frozenset(thing.words) <= said]
        return whole or found or [thing for thing in self._also_called(said) if thing.column is not None]

    def _also_called(self, said: frozenset[str]) -> list[Thing]:
        """What one word is another name for: tables and columns."""
        if len(said) != 1:
            return []
        (word,) = said
        tables = [number for number, _ in self._things.aliases.get(word, ())]
        # What is only near in meaning is worth less than one.
        columns = [number for number, worth in self._things.also.get(word, {}).items() if worth >= 1]
        return [self._things.all[number] for number in (*tables, *columns)]

    def with_noun(self, phrase: str) -> tuple[str, Table] | None:
        """A phrase that ends in the name of a table, in two: what stands before it, and the table."""
        words = phrase.split()
        for size in range(min(_MOST_NOUN, len(words) - 1), 0, -1):
            table = self.table(" ".join(words[-size:]))
            if table is not None:
                return " ".join(words[:-size]), table
        return None

    def after_noun(self, phrase: str) -> tuple[Table, str] | None:
        """A phrase that begins with the name of a table, in two: the table, and what is said of it."""
        words = phrase.split()
        while words and words[0].casefold() in self._articles:
            words.pop(0)
        for size in range(min(_MOST_NOUN, len(words) - 1), 0, -1):
            table = self.table(" ".join(words[:size]))
            if table is not None:
                return table, " ".join(words[size:])
        return None

    def tables_of_columns(self, phrase: str) -> list[Table]:
        """The tables with a column that a phrase speaks of among other things."""
        said, written = self.stems(phrase), {word.casefold() for word in phrase.split()}
        columns = [thing for thing in self._things.all if thing.column is not None and not thing.is_key]
        exact = [thing for thing in columns if _written(thing) in written - self._articles]
        found = exact or [thing for thing in columns if frozenset(thing.required) <= said]
        return list({thing.table.key: thing.table for thing in found}.values())

    def leaves_out(self, phrase: str) -> bool:
        """Whether a phrase has small words beside those that it is compared by: at bats."""
        return any(word.casefold() in _SILENT for word in phrase.split())

    def is_name(self, phrase: str) -> bool:
        """Whether a phrase is what a table or a column is called already."""
        said, written = self.stems(phrase), phrase.strip().casefold()
        return any(
            (frozenset(thing.words) - _KEYS == said and bool(said)) or written == _written(thing)
            for thing in self._things.all
            if not thing.is_taught
        )


def noun_of(table: Table) -> str:
    """What rows of a table are called in a sentence."""
    return " ".join(plain_words(table.info.name)) or table.info.name


def _as_typed(name: str) -> str:
    """A name as people type it, who put blanks where the database has other signs: sales amt."""
    return " ".join(name.replace("_", " ").replace("-", " ").casefold().split())


def _written(thing: Thing) -> str:
    """The name that the database has for a thing, in small letters."""
    info = thing.table.info if thing.column is None else thing.column.info
    return info.name.casefold()


def _is_named(thing: Thing, said: Iterable[str]) -> bool:
    words = frozenset(said)
    return bool(words) and frozenset(thing.required) <= words <= frozenset(thing.words)


def _is_column_named(thing: Thing, things: Things, said: frozenset[str]) -> bool:
    own, rows = frozenset(thing.words), things.table_thing[thing.table.key]
    # A table may be called by the word that was taught for it.
    also = (word for word in said if any(number == rows.number for number, _ in things.aliases.get(word, ())))
    table = frozenset((*rows.words, *also))
    return bool(said) and frozenset(thing.required) <= said <= own | table
