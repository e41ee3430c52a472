"""Korean words without the particles and endings that are written onto them."""

import unicodedata
from functools import cache

from dragoman.locales.data import LanguageData


def lemmas(language: LanguageData, form: str) -> list[str]:
    """What stays when particles and endings are taken off, one after another, at most three."""
    found: list[str] = []
    heads = [form]
    for _ in range(3):
        heads = [stem for head in heads for stem in _shortened(language, head)]
        found.extend(heads)
    return found


def is_particle(language: LanguageData, form: str) -> bool:
    """Whether a word is nothing but what stands behind another word: the 의 of `Alfa Trade의`."""
    suffixes = _suffixes(language)
    return form in suffixes or any(head in suffixes for head in lemmas(language, form))


def slip_letters(language: LanguageData, word: str) -> str:
    """Syllables as letters: a slip is one letter, not one syllable."""
    return unicodedata.normalize("NFD", word)


def _shortened(language: LanguageData, form: str) -> list[str]:
    suffixes = _suffixes(language)
    longest = min(_longest_suffix(language), len(form) - 1)
    return [form[:-size] for size in range(longest, 0, -1) if form[-size:] in suffixes]


@cache
def _suffixes(language: LanguageData) -> frozenset[str]:
    lexicon = language.document("lexicon")
    return frozenset((*lexicon["particles"], *lexicon["suffixes"]))


@cache
def _longest_suffix(language: LanguageData) -> int:
    return max(map(len, _suffixes(language)), default=0)
