"""Hints in Russian, by lemma: every form that a dictionary gives of a word, alone or in a phrase.

The forms of the few hints are made once, and no word of a query is ever analysed: a query takes one search.
"""

import re
from functools import cache
from typing import Any

from dragoman.guards.track.vocabulary import Form, RussianHints, hints_of

_CYRILLIC = re.compile("[Ѐ-ԯ]")
_WORD = "0-9_Ѐ-ԯ"
# Between the words of a phrase: blanks, or the hyphen of "дизайн-документ".
_GAP = r"(?:\s{1,8}|[-‐‑])"
_STRESS = "\u0301"


def has_russian_hint(text: str) -> bool:
    if _CYRILLIC.search(text) is None:
        return False
    return _pattern().search(_without_dots(text.replace(_STRESS, ""))) is not None


@cache
def _pattern() -> re.Pattern[str]:
    # The dictionary takes a tenth of a second to load: only for who writes Russian.
    from pymorphy3 import MorphAnalyzer  # type: ignore[import-untyped]

    dictionary = MorphAnalyzer(lang="ru")
    phrases = (
        hint if isinstance(hint, tuple) else (hint,) for hint in hints_of("russian", RussianHints).hints
    )
    either = "|".join(_GAP.join(_forms(word, dictionary) for word in phrase) for phrase in phrases)
    return re.compile(f"(?<![{_WORD}])(?:{either})(?![{_WORD}])")


def _forms(word: str | Form, dictionary: Any) -> str:
    """Every form of a lemma, or the one form that is meant, as an alternative of the search."""
    match word:
        case Form():
            forms = {word.form}
        case str():
            readings = [reading for reading in dictionary.parse(word) if reading.normal_form == word]
            forms = {word} | {form.word for reading in readings for form in reading.lexeme}
    return f"(?:{'|'.join(sorted(map(_without_dots, forms)))})"


def _without_dots(text: str) -> str:
    """Most people write ё as е."""
    return text.replace("ё", "е")
