"""Columns that are called by initials: home runs in `HR`, gross national product in `GNP`."""

from collections.abc import Sequence
from functools import cache

from dragoman.locales.short_names import short_names
from dragoman.planning.tables.cues import working_words
from dragoman.planning.tables.lexicon import lexicons
from dragoman.planning.tables.schema_names import Thing, Things
from dragoman.planning.tables.words import Kind, Token

_LONGEST = 5
_KNOWN, _PAIRED = 0.9, 0.68
_FEWEST = 3
"""A letter is short for a word only in a table that has several such names."""
_PAIR = 2


class Initials:
    """The columns of one database whose names may be initials."""

    def __init__(self, things: Things) -> None:
        self._columns: dict[str, list[int]] = {}
        for key in things.table_thing:
            short = [thing for thing in things.of_table[key] if _is_short(thing)]
            for thing in short:
                letters = _name(thing).lower()
                if len(letters) > 1 or (len(short) >= _FEWEST and thing.is_number):
                    self._columns.setdefault(letters, []).append(thing.number)

    def of_words(self, words: Sequence[Token], *, named: bool) -> dict[int, float]:
        """What words stand for by their first letters, and how well. `named`: one of them is a name."""
        if not self._columns:
            return {}
        if any(word.kind is not Kind.WORD or not word.low.isalpha() for word in words):
            return {}
        known = short_names().get(" ".join(word.low for word in words), frozenset())
        found = {number: _KNOWN for name in known for number in self._columns.get(name, ())}
        begun = words[0].low in working_words() or words[0].low in _graded()
        if named or begun or len(words) < _PAIR or _has_small_word(words):
            return found
        letters = "".join(word.low[0] for word in words)
        # Two letters are those of too many words.
        score = _PAIRED if len(words) == _PAIR else _KNOWN
        return {**dict.fromkeys(self._columns.get(letters, ()), score), **found}


def _has_small_word(words: Sequence[Token]) -> bool:
    """Whether one of two words only works in questions: "season for" is no `SF`."""
    return len(words) == _PAIR and any(word.low in working_words() for word in words)


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
