"""What a question asks for: which of its words only ask, and what kind of thing would answer it."""

import re
from collections.abc import Iterable
from functools import cache
from typing import Final

from dragoman.contracts.record import Record
from dragoman.documents.terms import Word, is_hangul, spoken_of, words_of
from dragoman.documents.wordlists import asking_of
from dragoman.locales.language import function_words_of
from dragoman.locales.word_form import Part

_DIGIT: Final = re.compile(r"\d")
_CURRENCY: Final = re.compile(r"[€$£¥₽₩%]")
_SECOND_CAPITAL: Final = re.compile(r"(?<![.!?:] )(?<!^)\b[^\W\d_a-zа-яё][a-zа-яё]+")
_MONEY: Final = "money"
_NAME: Final = "name"
_REASON: Final = "reason"
_DOING: Final = frozenset({Part.VERB, Part.PARTICIPLE})


class AskedFor(Record, frozen=True):
    """`kinds` are the kinds of things that would answer it. `how`: it asks how something is done, so that
    what is to be done is as much of it as what it is done to. `helped`: it has an auxiliary, whose verb may
    end it."""

    code: str
    helped: bool = False
    how: bool = False
    kinds: tuple[str, ...] = ()
    counted: str = ""
    """What is counted, where the question is how many of it there are."""

    def is_light(self, word: Word) -> bool:
        return not _light(self.code).isdisjoint(word.keys)

    def is_met(self, text: str, code: str) -> bool:
        """Whether something of every kind that was asked for stands in a text. Reasons are given in too many
        ways to be told from a text."""
        return all(_stands(kind, text, code) for kind in self.kinds if kind != _REASON)

    def is_reason(self, heading: str, code: str) -> bool:
        """Whether a reason is asked for, and a heading announces one."""
        marks = _marks(_REASON, code)
        return _REASON in self.kinds and any(
            not marks.isdisjoint(word.keys) for word in words_of(heading, code)
        )

    def is_verb(self, word: Word, before: str, behind: str) -> bool:
        """Whether a word of the question says what is done, as far as its form or its place tells. A question
        is often put with another verb than its answer, and seldom with another noun."""
        spoken = spoken_of(word.form, self.code)
        if spoken is None:
            return False
        if spoken.word_forms is not None:
            forms = spoken.word_forms(spoken, word.form)
            return bool(forms) and forms[0].part in _DOING
        if spoken.capital_nouns:
            return word.written[:1].islower()
        if spoken.glued:
            return word.form.endswith(_endings(spoken.code)) or behind in _subjects(spoken.code)
        ends = self.helped and not behind and bool(before) and before not in function_words_of(spoken)
        return ends or before in _subjects(spoken.code)


def asking_in(question: str, code: str) -> AskedFor:
    said = " ".join(word.form for word in words_of(question, code))
    kinds: list[str] = []
    for kind, words in _kinds(code).items():
        if any(f" {each} " in f" {said} " for each in words):
            kinds.append(kind)
    forms = said.split()
    helped = not _auxiliaries(code).isdisjoint(forms)
    how = not kinds and bool(forms) and forms[0] in _how(code)
    return AskedFor(code, helped, how, tuple(kinds), _counted(f" {said} ", code))


def _counted(said: str, code: str) -> str:
    """The word behind “how many”."""
    for each in _folded(asking_of(code).get("counts", ()), code):
        _, asks, behind = said.partition(f" {each} ")
        if asks and behind:
            return behind.split()[0]
    return ""


@cache
def _auxiliaries(code: str) -> frozenset[str]:
    return frozenset(_folded(asking_of(code).get("auxiliaries", ()), code))


@cache
def _how(code: str) -> frozenset[str]:
    return frozenset(_folded(asking_of(code).get("how", ()), code))


@cache
def _subjects(code: str) -> frozenset[str]:
    return frozenset(_folded(asking_of(code).get("subjects", ()), code))


@cache
def _endings(code: str) -> tuple[str, ...]:
    return tuple(asking_of(code).get("verb_endings", ()))


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
    if kind == _NAME:
        return _SECOND_CAPITAL.search(text) is not None
    if kind == _MONEY:
        if _CURRENCY.search(text):
            return True
    elif _DIGIT.search(text):
        return True
    marks = _marks(kind, code)
    return not marks or any(
        not marks.isdisjoint(word.keys) or (is_hangul(word.form) and word.form.startswith(tuple(marks)))
        for word in words_of(text, code)
    )
