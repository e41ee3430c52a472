"""What kind of request a text is by its words, and whether one of them leaves no doubt. Words are data."""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import NamedTuple

from dragoman.locales.language import Language
from dragoman.locales.plain_text import plain_text
from dragoman.locales.registry import FALLBACK, every_language, language, languages
from dragoman.locales.script import script_of

_FILE = "requests"
_SUMMARY = "STATUS_SUMMARY"


def said_types(text: str, code: str) -> tuple[str, ...]:
    """The types that a text has words of, those first that are looked for first."""
    plain = plain_text(text)
    return tuple(name for name in _types(_spoken(code)) if words_of_type(code, name).search(plain))


class SummaryWords(NamedTuple):
    """How a summary is asked for, and what only looks like it: "in progress" names rows."""

    asked: re.Pattern[str]
    named: re.Pattern[str]


@cache
def summary_words(code: str) -> SummaryWords:
    spoken = _spoken(code)
    named = _pattern(spoken.texts(_FILE).get("no_summary", ()), glued=spoken.glued)
    return SummaryWords(words_of_type(code, _SUMMARY), named)


@cache
def words_of_type(code: str, name: str) -> re.Pattern[str]:
    """What the words of a type look like in plain text of a language."""
    spoken = _spoken(code)
    return _pattern(_types(spoken).get(name, ()), glued=spoken.glued)


def _spoken(code: str) -> Language:
    return language(code if code in languages() else FALLBACK)


def _types(spoken: Language) -> Mapping[str, Iterable[str]]:
    found: Mapping[str, Iterable[str]] = (
        spoken.texts(_FILE).get("types") or language(FALLBACK).texts(_FILE)["types"]
    )
    return found


def is_definitive(text: str) -> bool:
    """Whether a word of any of the languages whose letters the text has leaves no doubt."""
    plain = plain_text(text)
    scripts = {script_of(letter) for letter in set(plain)}
    found = (_definitive(each) for each in every_language() if each.script in scripts)
    return any(pattern is not None and pattern.search(plain) for pattern in found)


@cache
def _definitive(spoken: Language) -> re.Pattern[str] | None:
    words = spoken.texts(_FILE).get("definitive")
    return _pattern(words, glued=spoken.glued) if words else None


def _pattern(words: Iterable[str], *, glued: bool) -> re.Pattern[str]:
    """Any of some words or phrases. Where particles are written onto words, any end may follow."""
    written = sorted((plain_text(word) for word in words), key=len, reverse=True)
    each = "|".join(
        r"\s+".join(map(re.escape, word.rstrip("*").split())) + (r"\w*" if word.endswith("*") else "")
        for word in written
    )
    if not each:
        return re.compile(r"(?!)")
    return re.compile(f"(?:{each})" if glued else rf"(?<!\w)(?:{each})(?!\w)")
