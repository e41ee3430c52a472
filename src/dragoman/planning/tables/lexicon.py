"""The words of questions, one file for each language, read once."""

from functools import cache
from importlib.resources import files
from typing import Any

import msgspec
import yaml

Languages = tuple[str, ...]
ENGLISH: Languages = ("en",)
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
    synonyms: tuple[tuple[str, ...], ...] = ()
    code_columns: dict[str, tuple[str, ...]] = {}
    codes: dict[str, tuple[str, ...]] = {}


@cache
def lexicon(language: str) -> Lexicon:
    place = files("dragoman.reading").joinpath("lexicons", f"questions.{language}.yaml")
    if not place.is_file():
        return Lexicon(language)
    loaded: dict[str, Any] = yaml.load(place.read_text(encoding="utf-8"), Loader=yaml.CBaseLoader)  # noqa: S506
    # Every scalar is read as text: `no` and `off` are words here.
    return msgspec.convert(loaded, Lexicon, strict=False)


@cache
def lexicons(languages: Languages = ENGLISH) -> tuple[Lexicon, ...]:
    return tuple(lexicon(language) for language in languages)


def spoken(text: str) -> Languages:
    """The languages of a text by its letters. English words stand in messages of any language."""
    found = ["en"]
    if any("\u0400" <= letter <= "\u04ff" for letter in text):
        found.append("ru")
    if any("\uac00" <= letter <= "\ud7a3" for letter in text):
        found.append("ko")
    return tuple(found)
