"""Lists and tables of words, read from the files of a language into the form in which words are compared."""

from collections.abc import Mapping
from typing import Any

from dragoman.locales.registry import same_letters

Phrase = tuple[str, ...]


def fold(word: object) -> str:
    return same_letters(str(word).casefold())


def folded(words: Any) -> frozenset[str]:
    return frozenset(fold(word) for word in words)


def sets(found: Mapping[str, Any]) -> dict[str, frozenset[str]]:
    return {name: folded(words) for name, words in found.items()}


def numbers(found: Mapping[str, str]) -> dict[str, int]:
    return {fold(word): int(value) for word, value in found.items()}


def cues(found: Mapping[str, Any]) -> dict[str, tuple[tuple[Phrase, str], ...]]:
    by_first: dict[str, list[tuple[Phrase, str]]] = {}
    for cue, phrases in found.items():
        for phrase in phrases:
            words = tuple(fold(phrase).replace("-", " ").split())
            by_first.setdefault(words[0], []).append((words, cue))
    return {first: tuple(sorted(each, key=lambda pair: -len(pair[0]))) for first, each in by_first.items()}


def units(found: Mapping[str, Any]) -> dict[str, tuple[str, str]]:
    return {
        fold(word): (kind, unit)
        for kind, units in found.items()
        for unit, words in units.items()
        for word in words
    }
