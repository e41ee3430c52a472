"""A human language as one record: what it is written in, where its words are, and what only it does.

The words are data in the language's folder. A behaviour is a function that takes the language first and so
finds its data; what a language does not name, it does as most languages do. A language whose words are data
and whose forms are in a dictionary is a folder of YAML and a record of four fields.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from importlib.resources.abc import Traversable
from typing import Any

import msgspec

from dragoman.locales import dictionary, track
from dragoman.locales.data import LanguageData
from dragoman.locales.plural import one_or_other
from dragoman.locales.script import script_of
from dragoman.locales.word_file import read_words
from dragoman.locales.word_form import WordForm

EntityNames = Sequence[tuple[str, Sequence[str]]]
"""For each entity its name in the data, and everything that it is called."""


class Language(msgspec.Struct, frozen=True, eq=False, kw_only=True):
    """One language. Two records are never the same language: caches are kept for each."""

    code: str
    """As ISO 639 has it: en, de."""
    name: str
    """What its speakers call it."""
    script: str
    folder: Traversable
    """Where its files are: lexicon, cues, talk, follow_ups, questions, phrases, review, track_hints,
    requests, function_words, program_words; pivot; analysis; suggestions; and units and columns in English
    alone."""

    decimal: str = "."
    thousands: str = ","
    date_order: str = "dmy"
    """Which of day and month comes first in 3/4/2020: `dmy` or `mdy`."""
    plural: Callable[[int], str] = one_or_other
    """The name of the form that a count takes, one of `plurals` in its phrases."""
    letters: Mapping[str, str] = {}
    """Letters that people also write otherwise, with what both are compared as: ä and ae."""
    keyboard: tuple[str, str] = ("", "")
    """The keys of a Latin keyboard and the letters on them here, for words typed in the wrong layout."""
    capital_nouns: bool = False
    """Nouns keep their capital inside a sentence."""
    glued: bool = False
    """Particles and endings are written onto words, and blanks between words may be left out."""
    shortest_slip: int = 4
    """In shorter words no slip of the keyboard is looked for."""

    lemmas: Callable[[LanguageData, str], Iterable[str]] = dictionary.lemmas
    """The words that a form may be a form of."""
    normal_forms: Callable[[LanguageData, str], Sequence[str]] | None = None
    """What a dictionary has a form under, the likeliest first, at least one."""
    has_word: Callable[[LanguageData, str], bool] = dictionary.has_word
    """Whether a dictionary has this form: what is a word is no slip."""
    is_name: Callable[[LanguageData, str], bool] = dictionary.is_name
    """Whether a form is a name and no other word, however it is written: zanzibar."""
    word_forms: Callable[[LanguageData, str], Sequence[WordForm]] | None = None
    """What a form may be, the likeliest first: its word, its part of speech, its case."""
    noun_form: Callable[[LanguageData, str, str], str] | None = None
    """A name of a schema in a form that `suggestions` of this language ask for."""
    is_particle: Callable[[LanguageData, str], bool] | None = None
    """Whether a word is nothing but the end of the word before it, which is written in other letters."""
    name_stem: Callable[[LanguageData, str], str] | None = None
    """What stays of a word of a name in all its cases."""
    latin: Callable[[LanguageData, str], Sequence[str]] | None = None
    """How a word of it may be written in Latin letters, the likeliest first."""
    spelled: Callable[[LanguageData, str, Iterable[str], EntityNames], str] | None = None
    """A text in which names that are written as they sound stand as the data has them."""
    is_command: Callable[[LanguageData, str], bool] | None = None
    """Whether a form of a verb tells somebody to do something; None where the form does not say."""
    slip_letters: Callable[[LanguageData, str], str] | None = None
    """A word in the letters that a finger can slip on."""
    has_hint: Callable[[LanguageData, str], bool] = track.has_listed_word
    """Whether a plain text has a word that asks for care."""

    def has_document(self, name: str) -> bool:
        return self.folder.joinpath(f"{name}.yaml").is_file()

    def document(self, name: str) -> Mapping[str, Any]:
        """One of its files."""
        return _document(self, name)

    def texts(self, name: str) -> Mapping[str, Any]:
        """One of its files with every scalar as text: `no` and `off` are words there."""
        return _texts(self, name)

    def function_words(self) -> frozenset[str]:
        """Its small words, in letters as they are compared. A message that has them is in this language."""
        return function_words_of(self)

    def writes(self, word: str) -> bool:
        """Whether a word is in its letters."""
        return script_of(word) == self.script


@cache
def function_words_of(language: Language) -> frozenset[str]:
    words: list[str] = language.texts("function_words").get("words", [])
    same = str.maketrans(dict(language.letters))
    return frozenset(word.casefold().translate(same) for word in words)


@cache
def _document(language: Language, name: str) -> Mapping[str, Any]:
    return _loaded(language, name, as_text=False)


@cache
def _texts(language: Language, name: str) -> Mapping[str, Any]:
    return _loaded(language, name, as_text=True)


def _loaded(language: Language, name: str, *, as_text: bool) -> Mapping[str, Any]:
    if not language.has_document(name):
        return {}
    return read_words(language.folder.joinpath(f"{name}.yaml"), as_text=as_text)
