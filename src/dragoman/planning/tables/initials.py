"""Columns that are called by initials: home runs in `HR`, gross national product in `GNP`."""

from collections.abc import Sequence
from functools import cache

from dragoman.planning.tables.cues import working_words
from dragoman.planning.tables.lexicon import lexicons
from dragoman.planning.tables.schema_names import Thing, Things
from dragoman.planning.tables.words import Kind, Token

_LONGEST = 5
_PHRASE, _LETTER = 0.9, 0.66
_FEWEST = 3
"""A letter stands for a word only in a table that has several such names."""
_SHORTEST_WORD = 3


class Initials:
    """The columns of one database whose names may be initials."""

    def __init__(self, things: Things) -> None:
        self._phrases: dict[str, list[int]] = {}
        self._letters: dict[str, list[int]] = {}
        for key in things.table_thing:
            short = [thing for thing in things.of_table[key] if _is_short(thing)]
            for thing in short:
                letters = _name(thing).lower()
                if len(letters) > 1:
                    self._phrases.setdefault(letters, []).append(thing.number)
                elif len(short) >= _FEWEST and thing.is_number:
                    self._letters.setdefault(letters, []).append(thing.number)

    def of_words(self, words: Sequence[Token], *, named: bool) -> dict[int, float]:
        """What words stand for by their first letters, and how well. `named`: one of them is a name."""
        if not self._phrases and not self._letters:
            return {}
        if named or any(word.kind is not Kind.WORD or not word.low.isalpha() for word in words):
            return {}
        if words[0].low in working_words() or words[0].low in _graded():
            return {}
        letters = "".join(word.low[0] for word in words)
        if len(words) > 1:
            return dict.fromkeys(self._phrases.get(letters, ()), _PHRASE)
        if len(words[0].low) < _SHORTEST_WORD:
            return {}
        return dict.fromkeys(self._letters.get(letters, ()), _LETTER)


@cache
def _graded() -> frozenset[str]:
    """Words that say which end of something is meant, and never what it is called."""
    found = (word for each in lexicons() for word in (*each.superlatives, *each.comparatives))
    return frozenset(found)


def _name(thing: Thing) -> str:
    return "" if thing.column is None else thing.column.info.name


def _is_short(thing: Thing) -> bool:
    """Whether a name may be initials: capitals among small letters, or nothing that can be spoken."""
    name = _name(thing)
    if not name.isalpha() or not name.isascii() or len(name) > _LONGEST:
        return False
    if name.isupper():
        return not all(other.isupper() for other in thing.table.by_real_name)
    return name.islower() and len(name) > 1 and not set(name) & set("aeiouy")
