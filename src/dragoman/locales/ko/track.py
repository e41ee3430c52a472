"""Hints in Korean, by lemma: the word with the particles, endings and compounds that leave it that word."""

import re
from collections.abc import Iterable
from functools import cache

from dragoman.contracts.decoding import converted
from dragoman.contracts.record import Record
from dragoman.locales.data import LanguageData

_HANGUL = re.compile("[가-힣]")
# Syllables without a final consonant: every twenty-eighth. What follows a word depends on its last one.
_VOWEL = "".join(map(chr, range(ord("가"), ord("힣") + 1, 28)))
# More endings in a row nobody writes, and the bound keeps the search linear.
_MAX_ENDINGS = 6


class _Hints(Record, frozen=True):
    hints: tuple[str, ...]
    lookalikes: tuple[str, ...]
    plural: str
    after_any: tuple[str, ...]
    after_consonant: tuple[str, ...]
    after_vowel: tuple[str, ...]
    short_tails: tuple[str, ...]
    open_tails: tuple[str, ...]


def has_hint(language: LanguageData, text: str) -> bool:
    if _HANGUL.search(text) is None:
        return False
    hints = _hints(language)
    return any(not _is_lookalike(hints, text, found) for found in _pattern(language).finditer(text))


def _is_lookalike(hints: _Hints, text: str, found: re.Match[str]) -> bool:
    """Whether the word up to the end of the hint is one that only looks like a compound with it."""
    for word in hints.lookalikes:
        start = found.end("hint") - len(word)
        if text.endswith(word, 0, found.end("hint")) and not _HANGUL.fullmatch(text, start - 1, start):
            return True
    return False


@cache
def _pattern(language: LanguageData) -> re.Pattern[str]:
    hints = _hints(language)
    ending = (
        f"(?:{_either(hints.after_any)}"
        f"|(?<=[{_VOWEL}])(?:{_either(hints.after_vowel)})"
        f"|(?<![{_VOWEL}])(?:{_either(hints.after_consonant)}))"
    )
    closed = f"(?:{_either(hints.short_tails)})?{hints.plural}?{ending}{{0,{_MAX_ENDINGS}}}(?![가-힣])"
    return re.compile(
        f"(?P<hint>{_either(hints.hints)}){hints.plural}?(?:{_either(hints.open_tails)}|{closed})"
    )


def _either(words: Iterable[str]) -> str:
    """Longest first: a word is not taken for a shorter one that it begins with."""
    return "|".join(map(re.escape, sorted(words, key=lambda word: (-len(word), word))))


@cache
def _hints(language: LanguageData) -> _Hints:
    return converted(language.document("track_hints"), _Hints)
