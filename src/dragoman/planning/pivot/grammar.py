"""How the questions of a language are said in English: its file, read once."""

from collections.abc import Sequence
from functools import cache

import msgspec

from dragoman.contracts.decoding import converted
from dragoman.locales.language import Language

DOCUMENT = "pivot"
"""The file of a language that says how its questions are said in English."""


class HeadFinal(msgspec.Struct, frozen=True):
    """Words of a language that puts what describes a noun before it, and what a word does at its end."""

    superlative_marks: tuple[str, ...] = ()
    endings: dict[str, str] = {}
    before: dict[str, str] = {}
    heads: dict[str, str] = {}
    clauses: dict[str, str] = {}
    predicates: dict[str, str] = {}
    counters: tuple[str, ...] = ()
    bounds: dict[str, str] = {}
    orders: dict[str, str] = {}


class Sheet(msgspec.Struct, frozen=True):
    """The file of one language."""

    phrases: dict[str, tuple[str, ...]] = {}
    superlative_marks: tuple[str, ...] = ()
    least_marks: tuple[str, ...] = ()
    superlatives: dict[str, str] = {}
    comparatives: dict[str, str] = {}
    amounts: tuple[str, ...] = ()
    numbers: dict[str, str] = {}
    owners: tuple[str, ...] = ()
    head_final: HeadFinal | None = None


class Grammar:
    """The words of one language's file, laid out to be looked up. In a phrase `#` stands for a number and `@`
    for a period."""

    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet
        self._phrases: dict[tuple[str, ...], str] = {}
        self._begun: set[tuple[str, ...]] = set()
        for english, phrases in sheet.phrases.items():
            for phrase in phrases:
                words = tuple(phrase.split())
                # The same words may stand under two headings: the first one counts.
                self._phrases.setdefault(words, english)
                self._begun.update(words[:size] for size in range(1, len(words)))

    def longest(self, keys: Sequence[tuple[str, ...]]) -> tuple[int, str] | None:
        """The longest phrase that words begin with, each by one of its keys: how many words it has, and what
        it is in English. The first keys count first."""
        best: tuple[int, str] | None = None
        begun: list[tuple[str, ...]] = [()]
        for size, own in enumerate(keys, 1):
            tried = [(*before, key) for before in begun for key in own]
            whole = next((self._phrases[each] for each in tried if each in self._phrases), None)
            best = best if whole is None else (size, whole)
            begun = [each for each in tried if each in self._begun]
            if not begun:
                break
        return best


@cache
def grammar_of(language: Language) -> Grammar | None:
    """None where a language has no such file: its messages are not rendered."""
    if not language.has_document(DOCUMENT):
        return None
    # Every scalar is read as text: `no` and `on` are words here.
    return Grammar(converted(dict(language.texts(DOCUMENT)), Sheet, strict=False))
