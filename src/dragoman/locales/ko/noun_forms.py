"""Korean particles, which depend on whether the word before them ends in a consonant."""

from collections.abc import Mapping
from typing import Final

from dragoman.locales.data import LanguageData

_PARTICLES: Final[Mapping[str, tuple[str, str]]] = {"topic": ("은", "는"), "subject": ("이", "가")}
_FIRST: Final = 0xAC00
_LAST: Final = 0xD7A3
_FINALS: Final = 28
"""So many syllables share their beginning; the first of them ends in a vowel."""


def noun_form(language: LanguageData, words: str, form: str) -> str:
    behind_consonant, behind_vowel = _PARTICLES[form]
    last = ord(words[-1]) if words else 0
    closed = _FIRST <= last <= _LAST and (last - _FIRST) % _FINALS != 0
    return words + (behind_consonant if closed else behind_vowel)
