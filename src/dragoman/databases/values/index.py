"""The index of literal values: folded texts, the columns that hold them, and slips of the keyboard."""

import re
import unicodedata
from collections.abc import Callable, Iterable
from functools import cached_property, lru_cache

from dragoman.contracts.record import Record

LONGEST_PHRASE = 8
"""How many words a value may have to be looked for in a message."""
_NEAR = 88.0
_SHORTEST_SLIP = 5
_REMEMBERED = 4096
"""So many lookups are remembered."""

_SPACES = re.compile(r"[\W_]+")


class ValuePlace(Record, frozen=True):
    """A value as the data has it, and the column that holds it under its real name."""

    schema: str
    table: str
    column: str
    value: str


@lru_cache(maxsize=_REMEMBERED)
def folded(text: str) -> str:
    """A text as it is looked up: letters alike whatever their case, marks as spaces."""
    return _folded(text)


def _folded(text: str) -> str:
    plain = text if text.isascii() else unicodedata.normalize("NFKC", text)
    return _SPACES.sub(" ", plain.casefold()).strip()


class ValueIndex:
    """Values by their folded text. Lookups touch dictionaries only; slips are looked for among values that
    begin with the same letter."""

    def __init__(self, places: Iterable[ValuePlace] = ()) -> None:
        self._places: dict[str, list[ValuePlace]] = {}
        for place in places:
            # Each is met once: what is remembered is for the words of messages.
            key = _folded(place.value)
            if key and key.count(" ") < LONGEST_PHRASE:
                self._places.setdefault(key, []).append(place)
        # The ways to cut one message ask for the same words again and again.
        self.exactly: Callable[[str], tuple[ValuePlace, ...]] = lru_cache(_REMEMBERED)(self._exactly)
        """Where a text stands as a whole value."""
        self.holding: Callable[[str], tuple[ValuePlace, ...]] = lru_cache(_REMEMBERED)(self._holding)
        """Values that have a text among their words."""

    def __len__(self) -> int:
        return sum(map(len, self._places.values()))

    def places(self) -> Iterable[ValuePlace]:
        for found in self._places.values():
            yield from found

    def _exactly(self, text: str) -> tuple[ValuePlace, ...]:
        return tuple(self._places.get(folded(text), ()))

    def exact(self, texts: Iterable[str]) -> dict[str, tuple[ValuePlace, ...]]:
        """Where each of several texts stands as a whole value."""
        return {text: self.exactly(text) for text in texts}

    def nearly(self, text: str) -> tuple[tuple[ValuePlace, float], ...]:
        """Values that differ from a text by a slip, the nearest first, each with its likeness up to 1."""
        key = folded(text)
        if len(key) < _SHORTEST_SLIP:
            return ()
        # Imported when a slip is looked for: most messages have none.
        from rapidfuzz import fuzz, process

        near = self._by_letter.get(key[0], [])
        found = process.extract(key, near, scorer=fuzz.ratio, score_cutoff=_NEAR, limit=3)
        return tuple((place, score / 100) for hit, score, _ in found for place in self._places[hit])

    def _holding(self, text: str) -> tuple[ValuePlace, ...]:
        words = folded(text).split()
        if not words:
            return ()
        keys = self._by_word.get(words[0], ())
        whole = f" {' '.join(words)} "
        return tuple(place for key in keys if whole in f" {key} " for place in self._places[key])

    @cached_property
    def _by_letter(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for key in self._places:
            found.setdefault(key[0], []).append(key)
        return found

    @cached_property
    def _by_word(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for key in self._places:
            for word in dict.fromkeys(key.split()):
                found.setdefault(word, []).append(key)
        return found
