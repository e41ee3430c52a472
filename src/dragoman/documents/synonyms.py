"""Other words that mean what a word of a question means, in the languages that documents are in."""

from functools import lru_cache
from typing import Final

from dragoman.documents.terms import Word, spoken_of
from dragoman.documents.wordlists import groups_of
from dragoman.locales.registry import FALLBACK
from dragoman.locales.thesaurus import near, translations, words_for

_ALIKE: Final = 0.85
"""Words that a language lists as meaning the same where texts are about rules and work."""
_NEAR: Final = 0.8
_ACROSS: Final = 0.85
_LEAST: Final = 0.45
_MOST: Final = 20


def synonyms(word: Word, code: str, spoken: tuple[str, ...]) -> dict[str, float]:
    """Each with how surely it means the same, the surest first."""
    own = spoken_of(word.form, code)
    if own is None:
        return {}
    return _synonyms(word.keys, own.code, spoken)


@lru_cache(maxsize=4096)
def _synonyms(keys: tuple[str, ...], code: str, spoken: tuple[str, ...]) -> dict[str, float]:
    found: dict[str, float] = {}

    def add(other: str, sure: float) -> None:
        if other not in keys and sure >= _LEAST:
            found[other] = max(sure, found.get(other, 0.0))

    for other in groups_of(code, keys):
        add(other, _ALIKE)
    english: dict[str, float] = dict.fromkeys(keys, 1.0) if code == FALLBACK else {}
    if code != FALLBACK:
        for key in keys:
            for other, sure in translations(code, key).items():
                english[other] = max(sure, english.get(other, 0.0))
    if FALLBACK in spoken:
        for each, sure in english.items():
            if code != FALLBACK:
                add(each, sure * _ACROSS)
            for other, close in near(each).items():
                add(other, sure * close * _NEAR)
    # The way through English and back also gives words of the same language.
    for other_code in spoken:
        if other_code != FALLBACK:
            for each, sure in english.items():
                for other, close in words_for(other_code, each).items():
                    add(other, sure * close * _ACROSS)
    best = sorted(found.items(), key=lambda each: (-each[1], each[0]))[:_MOST]
    return dict(best)
