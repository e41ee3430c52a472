"""Values of a database as they sound: a name in the letters of another language finds itself in the data.

Consonants decide, because vowels are heard differently everywhere; then the whole words have to be alike.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import islice
from typing import Final

from dragoman.databases.values import ValueIndex
from dragoman.databases.values.index import folded

_LATIN: Final = (
    ("tch", "4"), ("sch", "s"), ("sh", "s"), ("ch", "4"), ("ph", "f"), ("th", "t"), ("ck", "k"), ("qu", "kv"),
    ("dg", "j"), ("zh", "j"), ("kh", "h"), ("gh", "g"), ("ts", "s"), ("wr", "r"), ("gu", "gv"), ("x", "ks"),
    ("w", "v"), ("q", "k"), ("c", "k"), ("z", "s"),
)  # fmt: skip
_OTHER_SOUNDS: Final = (("ge", "je"), ("gi", "ji"), ("ce", "se"), ("ci", "si"), ("cy", "sy"), ("ch", "k"))
"""What a letter may sound like instead, before some vowels or in some languages."""
_VOWELS: Final = re.compile(r"[aeiouyh]+")
_DOUBLE: Final = re.compile(r"(.)\1+")
_ALIKE_LETTERS: Final = ("ckqg", "sztjx", "vw", "fp", "aeiouyh", "jgdz", "bv", "lr")
"""Letters that a foreign name may begin with instead of each other; those that stand in none only as such."""
_ALIKE: Final = 50.0
_SHORTEST: Final = 3
_MOST_WORDS: Final = 200_000
"""Of more words no index is made."""


def _key(word: str) -> str:
    for letters, sound in _LATIN:
        word = word.replace(letters, sound)
    first = word[:1] if word[:1] in "aeiou" else ""
    return ("a" if first else "") + _DOUBLE.sub(r"\1", _VOWELS.sub("", word))


def _keys(word: str) -> set[str]:
    """What a word may sound like."""
    found = {_key(word)}
    for letters, sound in _OTHER_SOUNDS:
        if letters in word:
            found.add(_key(word.replace(letters, sound)))
    return found


class SoundIndex:
    """Words by their sounds. Made when a word is first looked for by them."""

    def __init__(self, words: Iterable[str]) -> None:
        self._words = words
        self._made: dict[str, dict[str, list[str]]] = {}

    def like(self, spellings: Iterable[str], least: float = _ALIKE) -> str | None:
        """The word that sounds as one of these Latin spellings does; None where there is none,
        or several are as near."""
        # Imported when a name is looked for: few messages have one.
        from rapidfuzz import fuzz

        best: dict[str, float] = {}
        for spelling in spellings:
            for key in _keys(spelling) if len(spelling) >= _SHORTEST else ():
                for word in self._sounding(spelling[0]).get(key, ()):
                    alike = fuzz.ratio(spelling, word)
                    if alike >= least:
                        best[word] = max(alike, best.get(word, 0.0))
        ranked = sorted(best.items(), key=lambda each: (-each[1], each[0]))
        if not ranked or (len(ranked) > 1 and ranked[0][1] == ranked[1][1]):
            return None
        return ranked[0][0]

    def _sounding(self, first: str) -> dict[str, list[str]]:
        """The words by their sounds that may begin as this letter does. Made for no other letters: a large
        database has many words, and a message few names."""
        if first not in self._made:
            found: dict[str, list[str]] = {}
            groups = (group for group in _ALIKE_LETTERS if first in group)
            letters = dict.fromkeys((first, *(letter for group in groups for letter in group)))
            for word in (word for letter in letters for word in self._by_letter.get(letter, ())):
                for key in _keys(word):
                    found.setdefault(key, []).append(word)
            self._made[first] = found
        return self._made[first]

    @cached_property
    def _by_letter(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        known = (word for word in self._words if len(word) >= _SHORTEST and word.isascii() and word.isalpha())
        for word in islice(dict.fromkeys(known), _MOST_WORDS):
            found.setdefault(word[0], []).append(word)
        return found


def words_of_values(values: ValueIndex) -> Iterator[str]:
    """Every word of the data."""
    return (word for place in values.places() for word in folded(place.value).split())
