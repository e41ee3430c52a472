"""Hints in Russian, by lemma: every form that a dictionary gives of a word, alone or in a phrase.

The forms of the few hints are made once, and no word of a query is ever analysed: a query takes one search.
"""

import re
from functools import cache
from typing import Any

from dragoman.contracts.decoding import converted
from dragoman.contracts.record import Record
from dragoman.locales.data import LanguageData
from dragoman.locales.ru.morphology import morphology

_CYRILLIC = re.compile("[Ѐ-ԯ]")
_WORD = "0-9_Ѐ-ԯ"
# Between the words of a phrase: blanks, or the hyphen of "дизайн-документ".
_GAP = r"(?:\s{1,8}|[-‐‑])"
_STRESS = "\u0301"


class _Form(Record, frozen=True):
    """One form of a word, where its other forms do not count."""

    form: str


class _Hints(Record, frozen=True):
    """Lemmas and forms, alone or one after the other as a phrase."""

    hints: tuple[str | _Form | tuple[str | _Form, ...], ...]


def has_hint(language: LanguageData, text: str) -> bool:
    if _CYRILLIC.search(text) is None:
        return False
    return _pattern(language).search(_without_dots(text.replace(_STRESS, ""))) is not None


@cache
def _pattern(language: LanguageData) -> re.Pattern[str]:
    hints = converted(language.document("track_hints"), _Hints).hints
    phrases = (hint if isinstance(hint, tuple) else (hint,) for hint in hints)
    either = "|".join(_GAP.join(_forms(word, morphology()) for word in phrase) for phrase in phrases)
    return re.compile(f"(?<![{_WORD}])(?:{either})(?![{_WORD}])")


def _forms(word: str | _Form, dictionary: Any) -> str:
    """Every form of a lemma, or the one form that is meant, as an alternative of the search."""
    match word:
        case _Form():
            forms = {word.form}
        case str():
            readings = [reading for reading in dictionary.parse(word) if reading.normal_form == word]
            forms = {word} | {form.word for reading in readings for form in reading.lexeme}
    return f"(?:{'|'.join(sorted(map(_without_dots, forms)))})"


def _without_dots(text: str) -> str:
    """Most people write ё as е."""
    return text.replace("ё", "е")
