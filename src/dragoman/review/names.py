"""The names of a database as words, and which words of a message certainly are one of them."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final
from weakref import WeakKeyDictionary

from dragoman.contracts.record import Record
from dragoman.contracts.schema import ValueType
from dragoman.locales.registry import FALLBACK
from dragoman.locales.short_names import said_for, short_names
from dragoman.reading.languages import spoken_with
from dragoman.reading.lemmas import keys_of
from dragoman.reading.tokens import fold
from dragoman.review.vocabulary import column_words
from dragoman.review.words import Word
from dragoman.tables.graph import Column, Graph, Table, TableKey

_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_]+")

HALVES: Final = (("first_name", "f"), ("last_name", "l"))
"""The two halves of a person's name, and the letter that a column may have for each."""

_MOST_LETTERS = 5

Parts = tuple[frozenset[str], ...]


@lru_cache(maxsize=20_000)
def parts_of(name: str) -> Parts:
    """`HireDate` and `hire_date` as two words, each with all that it may be a form of."""
    spoken = spoken_with(FALLBACK, name)
    return tuple(frozenset(keys_of(fold(part), spoken)) for part in _PARTS.findall(name))


@lru_cache(maxsize=20_000)
def words_of(name: str) -> frozenset[str]:
    """All words of a name, and those that it is known to be short for."""
    return frozenset(said_for(name)).union(*parts_of(name))


def labels_of(table: Table) -> tuple[str, ...]:
    """The columns that rows are called by: the first text that is not a key, and names and titles, which may
    be what tells the rows apart."""
    leading = {name for key in table.info.foreign_keys for name in key.columns}
    texts = [c for c in table.columns.values() if c.type is ValueType.TEXT and c.info.name not in leading]
    called = [column.name for column in texts if words_of(column.info.name) & column_words("label")]
    others = [column.name for column in texts if column.info.name not in table.info.primary_key]
    return (*others[:1], *called)


def is_half(column: Column, half: int) -> bool:
    """`first_name` and `fname`, and `FName` too."""
    kind, letter = HALVES[half]
    parts = parts_of(column.info.name)
    if words_of(column.info.name) & column_words(kind):
        return len(parts) == 1 or bool(parts[-1] & column_words("label"))
    return len(parts) == 2 and letter in parts[0] and bool(parts[1] & column_words("label"))


def noun_of_key(table: Table) -> frozenset[str]:
    """What rows are called by the key that is their own: those with a `member_id` are members, whatever their
    table is called."""
    leading = {name for key in table.info.foreign_keys for name in key.columns}
    key = table.info.primary_key
    if len(key) != 1 or key[0] in leading:
        return frozenset()
    parts = [part for part in parts_of(key[0]) if not part & column_words("key")]
    told = len(parts) == 1 and len(parts_of(key[0])) == 2 and all(len(word) > 2 for word in parts[0])
    return parts[0] if told else frozenset()


def begins_with(table: Table, word: Word) -> bool:
    """Whether a column that is no key begins with a noun, as the name of the rows would: kits have a
    `kit_stock_number`."""
    leading = {name for key in table.info.foreign_keys for name in key.columns}
    return any(
        word.keys & parts[0]
        for column in table.columns.values()
        if len(parts := parts_of(column.info.name)) > 1
        and column.info.name not in leading
        and not parts[-1] & column_words("id")
    )


def spells(words: Sequence[Word], name: str) -> bool:
    """Whether words side by side begin with the letters of a name, or are what it is known to be short for:
    "home runs" and `HR`, "wins" and `W`."""
    low = name.casefold()
    if not low.isalpha() or len(low) > _MOST_LETTERS:
        return False
    forms = [word.form for word in words]
    for at in range(len(forms)):
        if len(low) > 1 and "".join(form[:1] for form in forms[at : at + len(low)]) == low:
            return True
        said = (" ".join(forms[at : at + size]) for size in (1, 2, 3))
        if any(low in short_names().get(each, frozenset()) for each in said):
            return True
    return False


class Named(Record, frozen=True):
    """A table, or a column of any table, that words of a message name in full."""

    first: int
    last: int
    tables: tuple[TableKey, ...]
    columns: tuple[tuple[TableKey, str], ...]
    keys: frozenset[str]
    """Those of its last word, which is what it is a kind of."""


class Names:
    """Every name of a database, by the words that it begins with."""

    def __init__(self, graph: Graph) -> None:
        self._known: dict[str, list[tuple[Parts, TableKey, str]]] = {}
        called = {word for table in graph.tables.values() for word in parts_of(table.info.name)[-1:]}
        for table in graph.tables.values():
            self._add(parts_of(table.info.name), table, None)
            noun = noun_of_key(table)
            if noun and noun.isdisjoint(words_of(table.info.name)) and noun not in called:
                self._add((noun,), table, None)
            for column in table.columns.values():
                parts = parts_of(column.info.name)
                self._add(parts, table, column)
                # The theme of a party is its `party_theme`.
                own = words_of(table.info.name)
                if len(parts) > 1 and parts[0] & own:
                    self._add(parts[1:], table, column)

    def _add(self, parts: Parts, table: Table, column: Column | None) -> None:
        for key in parts[0] if parts else ():
            known = (parts, table.key, "" if column is None else column.name)
            self._known.setdefault(key, []).append(known)

    def named(self, words: Sequence[Word]) -> Iterator[Named]:
        """What is named in full, the longest names first from the left, none overlapping."""
        at = 0
        while at < len(words):
            found = self._at(words, at)
            if found is None:
                at += 1
                continue
            yield found
            at = found.last

    def _at(self, words: Sequence[Word], at: int) -> Named | None:
        best: list[tuple[Parts, TableKey, str]] = []
        for key in words[at].keys if not words[at].quoted else ():
            for known in self._known.get(key, ()):
                parts = known[0]
                said = words[at : at + len(parts)]
                fits = len(said) == len(parts) and all(
                    word.keys & part for word, part in zip(said, parts, strict=True)
                )
                if fits and (not best or len(parts) >= len(best[0][0])):
                    best = [*best, known] if best and len(parts) == len(best[0][0]) else [known]
        if not best:
            return None
        last = at + len(best[0][0])
        tables = tuple(dict.fromkeys(table for _, table, column in best if not column))
        columns = tuple(dict.fromkeys((table, column) for _, table, column in best if column))
        return Named(at, last, tables, columns, words[last - 1].keys)


_kept: WeakKeyDictionary[Graph, Names] = WeakKeyDictionary()


def names_of(graph: Graph) -> Names:
    """The names of a database. They are put in order once for each."""
    found = _kept.get(graph)
    if found is None:
        found = _kept[graph] = Names(graph)
    return found
