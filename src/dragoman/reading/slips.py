"""Slips of spelling: what an unknown word was most likely meant to be."""

import unicodedata
from collections.abc import Iterable, Sequence
from typing import Final

from dragoman.reading.lemmas import is_russian_word
from dragoman.reading.lexicon import lexicons
from dragoman.reading.tokens import Script, Token, script_of
from dragoman.reading.vocabulary import Vocabulary

_SHORTEST: Final = 4
_LONG: Final = 8


class Slips:
    """Corrects single words against what is known. What is known is never corrected."""

    def __init__(self, names: Iterable[str]) -> None:
        self._names = tuple(name for name in names if len(name) >= _SHORTEST and name.isalpha())

    def correct(self, token: Token, vocabularies: Sequence[Vocabulary]) -> str | None:
        """The one known word that a word is a slip of; None where there is none, or more than one."""
        form = token.form
        if not form.isalpha() or any(form in v.known or form in v.other_words for v in vocabularies):
            return None
        typed = self._other_keyboard(form, vocabularies)
        if typed is not None:
            return typed
        if token.script is Script.CYRILLIC and is_russian_word(form):
            return None
        return self._nearest(form, token.script, vocabularies)

    def _nearest(self, form: str, script: Script, vocabularies: Sequence[Vocabulary]) -> str | None:
        from rapidfuzz import process
        from rapidfuzz.distance import OSA

        size = len(form)
        if size < (_SHORTEST - 1 if script is Script.HANGUL else _SHORTEST):
            return None
        most = 2 if size >= _LONG else 1
        known = [word for v in vocabularies if v.script is script for word in v.known if len(word) > 2]
        known.extend(name for name in self._names if script_of(name) is script)
        written = _letters(form)
        choices = {word: _letters(word) for word in known if abs(len(word) - size) <= most}
        near = process.extract(written, choices, scorer=OSA.distance, score_cutoff=most, limit=8)
        fitting = [
            (int(distance), word) for _, distance, word in near if self._fits(form, word, vocabularies)
        ]
        if not fitting:
            return None
        closest = min(distance for distance, _ in fitting)
        best = sorted({word for distance, word in fitting if distance == closest})
        return best[0] if len(best) == 1 or _are_forms_of_one(best) else None

    def _fits(self, form: str, word: str, vocabularies: Sequence[Vocabulary]) -> bool:
        """A short word keeps its first letter; a word that carries nothing is only mistyped in its order."""
        swapped = sorted(form) == sorted(word)
        empty = any(word in v.fillers or word in v.polite or word in v.gaps for v in vocabularies)
        if empty:
            return swapped
        return swapped or (word[0] == form[0] if len(form) < 6 else True)

    def _other_keyboard(self, form: str, vocabularies: Sequence[Vocabulary]) -> str | None:
        """The word that the same keys write in another layout."""
        for lexicon in lexicons():
            latin, native = lexicon.data["keyboard"]["latin"], lexicon.data["keyboard"]["native"]
            for written, meant in ((latin, native), (native, latin)):
                if written and all(letter in written for letter in form):
                    word = form.translate(str.maketrans(written, meant))
                    if len(word) > 2 and (word in self._names or any(word in v.known for v in vocabularies)):
                        return word
        return None


def _letters(word: str) -> str:
    """Korean syllables as letters: a slip is one letter, not one syllable."""
    return unicodedata.normalize("NFD", word) if script_of(word) is Script.HANGUL else word


def _are_forms_of_one(words: list[str]) -> bool:
    start = words[0][:4]
    return all(word.startswith(start) for word in words) and len(start) == 4
