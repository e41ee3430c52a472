"""Columns that are called by less than a word, and what people say for them: wins in `W`."""

from collections.abc import Mapping
from functools import cache

from dragoman.locales.registry import FALLBACK, language


@cache
def said_for(name: str) -> frozenset[str]:
    """Every word that is said for a column of this name, in small letters."""
    low = name.casefold()
    return frozenset(
        word for phrase, names in short_names().items() if low in names for word in phrase.split()
    )


@cache
def short_names() -> Mapping[str, frozenset[str]]:
    """By what is said, in small letters: the names of columns that it is known to be cut down to."""
    found: dict[str, set[str]] = {}
    for name, said in language(FALLBACK).texts("columns").get("short_names", {}).items():
        for phrase in said:
            found.setdefault(str(phrase), set()).add(str(name))
    return {phrase: frozenset(names) for phrase, names in found.items()}
