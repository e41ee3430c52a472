"""The words of questions, one file for each language, read once."""

from functools import cache, lru_cache

import msgspec

from dragoman.contracts.decoding import converted
from dragoman.locales.language import Language
from dragoman.locales.registry import FALLBACK, every_language, language
from dragoman.reading.languages import spoken_in
from dragoman.reading.tokens import tokens_of as words_of

Languages = tuple[str, ...]
ENGLISH: Languages = (FALLBACK,)
"""What names of tables and columns are read in."""

Phrase = tuple[str, ...]


class Superlative(msgspec.Struct, frozen=True):
    """An adjective that says which column is meant. `down`: columns in which the other end is meant."""

    columns: tuple[str, ...] = ()
    down: tuple[str, ...] = ()
    least: bool = False
    plain: bool = False


class Lexicon(msgspec.Struct, frozen=True):
    """One language's words, as its file has them."""

    language: str
    cues: dict[str, tuple[str, ...]] = {}
    naming: tuple[str, ...] = ()
    directions: dict[str, tuple[str, ...]] = {}
    times: tuple[str, ...] = ()
    linking: tuple[str, ...] = ()
    particles: tuple[str, ...] = ()
    each: tuple[str, ...] = ()
    superlatives: dict[str, Superlative] = {}
    comparatives: dict[str, tuple[str, ...]] = {}
    numbers: dict[str, float] = {}
    months: dict[str, int] = {}
    irregular: dict[str, str] = {}
    short: dict[str, tuple[str, ...]] = {}
    parts: tuple[str, ...] = ()
    synonyms: tuple[tuple[str, ...], ...] = ()
    wider: tuple[tuple[str, ...], ...] = ()
    code_columns: dict[str, tuple[str, ...]] = {}
    codes: dict[str, tuple[str, ...]] = {}


@cache
def lexicon(code: str) -> Lexicon:
    found = language(code).texts("questions")
    # Every scalar is read as text: `no` and `off` are words here.
    return converted({"language": code, **found}, Lexicon, strict=False)


@cache
def lexicons(languages: Languages = ENGLISH) -> tuple[Lexicon, ...]:
    return tuple(lexicon(code) for code in languages)


def spoken(text: str) -> Languages:
    """The languages of a text. English words stand in messages of any language."""
    return (FALLBACK, *(each.code for each in others_spoken(text)))


def others_spoken(text: str) -> tuple[Language, ...]:
    """The languages of a text besides English."""
    return _others(text, every_language())


@lru_cache(maxsize=256)
def _others(text: str, known: tuple[Language, ...]) -> tuple[Language, ...]:
    found = spoken_in(words_of(text))[0].languages
    return tuple(each for each in found if each.code != FALLBACK)
