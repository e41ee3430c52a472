"""Tables and columns by the words of a message: which names of which databases stand where."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from dragoman.contracts.connection import ConnectionSpec
from dragoman.contracts.schema import ColumnInfo, DatabaseSchema, TableInfo
from dragoman.locales.thesaurus import translations
from dragoman.planning.tables.name_words import DECORATIONS, SILENT, plain_words
from dragoman.planning.tables.words import stem
from dragoman.reading.languages import Spoken
from dragoman.reading.lemmas import keys_of
from dragoman.reading.tokens import Token, tokens_of

_LEAST: Final = 0.3
"""So much a word of a dictionary has to be worth."""


class Place(NamedTuple):
    """A table and the connection that has it."""

    spec: ConnectionSpec
    schema: DatabaseSchema
    table: TableInfo


class Span(NamedTuple):
    """Words of a message that name tables: one, or several that are called alike. `whole`: all words of the
    name are said."""

    start: int
    end: int
    places: tuple[Place, ...]
    whole: bool


class ColumnSpan(NamedTuple):
    start: int
    end: int
    columns: tuple[str, ...]
    whole: bool


@lru_cache(maxsize=20_000)
def stems_of(token: Token, spoken: Spoken) -> frozenset[str]:
    """What a word may be in English, as stems: itself, and what dictionaries say of it."""
    found = {stem(token.form), token.form}
    for key in keys_of(token.form, spoken):
        found.add(stem(key))
        for each in spoken.languages:
            found |= {word for word, worth in translations(each.code, key, stem).items() if worth >= _LEAST}
    return frozenset(found)


@lru_cache(maxsize=20_000)
def words_of_name(name: str) -> tuple[str, ...]:
    """The words of a name as stems; of one in other letters, the name itself."""
    plain = [word.casefold() for word in plain_words(name)]
    kept = [word for word in plain if word not in DECORATIONS and word not in SILENT and not word.isdigit()]
    if kept:
        return tuple(stem(word) for word in kept)
    return tuple(token.form for token in tokens_of(name))


class NamesSaid:
    """Finds the names of tables among the words of one message."""

    def __init__(self, tokens: Sequence[Token], spoken: Spoken) -> None:
        self._tokens = tokens
        self._spoken = spoken
        self._stems = [stems_of(token, spoken) for token in tokens]

    def tables(self, places: Iterable[Place]) -> list[Span]:
        """Every name of a table, the longest first at each word; a part of a name only where no whole name
        has that word."""
        whole: dict[tuple[int, int], list[Place]] = {}
        partly: dict[int, list[Place]] = {}
        for place in places:
            name = place.table.name
            for start, end in self._found(name):
                whole.setdefault((start, end), []).append(place)
            words = words_of_name(name)
            if len(words) > 1:
                for at, stems in enumerate(self._stems):
                    if words[-1] in stems:
                        partly.setdefault(at, []).append(place)
        spans = [Span(start, end, tuple(found), whole=True) for (start, end), found in whole.items()]
        taken = {at for span in spans for at in range(span.start, span.end)}
        spans += [
            Span(at, at + 1, tuple(found), whole=False) for at, found in partly.items() if at not in taken
        ]
        return sorted(spans, key=lambda span: (span.start, -span.end))

    def columns(self, columns: Iterable[ColumnInfo], table: str = "") -> list[ColumnSpan]:
        """Every name of a column, the longest first at each word."""
        own = set(words_of_name(table))
        whole: dict[tuple[int, int], list[str]] = {}
        partly: dict[int, list[str]] = {}
        for column in columns:
            for start, end in self._found(column.name):
                whole.setdefault((start, end), []).append(column.name)
            words = [word for word in words_of_name(column.name) if word not in own]
            for at, stems in enumerate(self._stems):
                if words and any(word in stems for word in words):
                    partly.setdefault(at, []).append(column.name)
        spans = [ColumnSpan(start, end, tuple(found), whole=True) for (start, end), found in whole.items()]
        taken = {at for span in spans for at in range(span.start, span.end)}
        spans += [
            ColumnSpan(at, at + 1, tuple(dict.fromkeys(found)), whole=False)
            for at, found in partly.items()
            if at not in taken
        ]
        return sorted(spans, key=lambda span: (span.start, -span.end))

    def _found(self, name: str) -> Iterable[tuple[int, int]]:
        words = words_of_name(name)
        if not words:
            return
        for at in range(len(self._tokens) - len(words) + 1):
            if all(word in self._stems[at + place] for place, word in enumerate(words)):
                yield at, at + len(words)
        joined = stem("".join(tokens.form for tokens in tokens_of(name)))
        if len(words) > 1:
            # order_items may be written as one word, too.
            yield from ((at, at + 1) for at, stems in enumerate(self._stems) if joined in stems)
