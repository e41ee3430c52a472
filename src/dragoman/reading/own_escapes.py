"""Escape hatches in words of one's own: "cancel this session", "wipe everything, let's begin again".

The listed phrases are read first. What is none of them is one all the same where every word of the message is
of one hatch, and some way to say it is whole. A single word beyond them, and it is not.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Final

from dragoman.contracts.vocabulary import Signal
from dragoman.locales.documents import escapes_of
from dragoman.locales.language import Language
from dragoman.locales.registry import same_letters

_BESIDE: Final = "beside"
_ORDERED: Final = "ordered"
"""Whether the groups of a way stand in their order: "end the session" is one, "the session end" is not."""

Way = tuple[tuple[str, ...], ...]
"""Groups of words; a way is said where the message has a word of each."""


class _Hatches:
    """The hatches of one language, each with its ways."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.beside = _folded(data[_BESIDE])
        self.ordered = data[_ORDERED] == "yes"
        self.ways: dict[Signal, tuple[Way, ...]] = {
            Signal(name): tuple(tuple(_folded(group) for group in way) for way in ways)
            for name, ways in data.items()
            if name not in (_BESIDE, _ORDERED)
        }

    def said(self, words: Sequence[str]) -> Signal | None:
        for signal, ways in self.ways.items():
            known = [*self.beside, *(word for way in ways for group in way for word in group)]
            if not all(_is_one_of(word, known) for word in words):
                continue
            if any(self._is_whole(way, words) for way in ways):
                return signal
        return None

    def _is_whole(self, way: Way, words: Sequence[str]) -> bool:
        """Whether each group of a way has a word of its own in the message."""
        left = list(words)
        for group in way:
            found = next((place for place, word in enumerate(left) if _is_one_of(word, group)), None)
            if found is None:
                return False
            left = left[found + 1 :] if self.ordered else left[:found] + left[found + 1 :]
        return True


def own_escape(words: Sequence[str], languages: Sequence[Language]) -> Signal | None:
    """The hatch that a message is, by its words in small letters; None where it is none."""
    return next((signal for each in languages if (signal := _hatches(each).said(words)) is not None), None)


@cache
def _hatches(language: Language) -> _Hatches:
    return _Hatches(escapes_of(language))


def _is_one_of(word: str, listed: Sequence[str]) -> bool:
    return any(word.startswith(each[:-1]) if each.endswith("*") else word == each for each in listed)


def _folded(words: Sequence[str]) -> tuple[str, ...]:
    return tuple(same_letters(str(word).casefold()) for word in words)
