"""What a question asks for: which of its words only ask, and what kind of thing would answer it."""

import re
from collections.abc import Iterable
from functools import cache
from typing import Final

from dragoman.contracts.record import Record
from dragoman.documents.terms import Word, words_of
from dragoman.documents.wordlists import asking_of

_DIGIT: Final = re.compile(r"\d")


class Asking(Record, frozen=True):
    """`kinds` are the kinds of things that would answer it."""

    code: str
    kinds: tuple[str, ...] = ()
    passed: frozenset[str] = frozenset()
    """The words by which it asks for them: the answer has others."""

    def is_light(self, word: Word) -> bool:
        return not _light(self.code).isdisjoint(word.keys)

    def is_passed_over(self, word: Word) -> bool:
        return word.form in self.passed

    def is_met(self, text: str, code: str) -> bool:
        """Whether something of every kind that was asked for stands in a text."""
        return all(_stands(kind, text, code) for kind in self.kinds)


def asking_in(question: str, code: str) -> Asking:
    said = " ".join(word.form for word in words_of(question, code))
    kinds: list[str] = []
    passed: set[str] = set()
    for kind, words in _kinds(code).items():
        cue = next((each for each in words if f" {each} " in f" {said} "), None)
        if cue is not None:
            kinds.append(kind)
            passed.update(cue.split())
    return Asking(code, tuple(kinds), frozenset(passed))


@cache
def _light(code: str) -> frozenset[str]:
    return frozenset(_folded(asking_of(code).get("light", ()), code))


@cache
def _kinds(code: str) -> dict[str, tuple[str, ...]]:
    kinds = asking_of(code).get("kinds", {})
    return {kind: tuple(_folded(each.get("asks", ()), code)) for kind, each in kinds.items()}


@cache
def _marks(kind: str, code: str) -> frozenset[str]:
    return frozenset(_folded(asking_of(code).get("kinds", {}).get(kind, {}).get("marks", ()), code))


def _folded(words: Iterable[str], code: str) -> list[str]:
    return [" ".join(word.form for word in words_of(each, code)) for each in words]


def _stands(kind: str, text: str, code: str) -> bool:
    if _DIGIT.search(text):
        return True
    marks = _marks(kind, code)
    return not marks or any(not marks.isdisjoint(word.keys) for word in words_of(text, code))
