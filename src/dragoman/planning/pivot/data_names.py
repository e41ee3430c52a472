"""Names in a message that stand in the data: in the same letters with other endings, or as they sound."""

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Final

from dragoman.contracts.record import Record
from dragoman.databases.values import ValueIndex
from dragoman.databases.values.index import folded
from dragoman.locales.language import Language
from dragoman.locales.registry import same_letters
from dragoman.locales.script import script_of
from dragoman.planning.pivot.sounds import SoundIndex, words_of_values
from dragoman.planning.pivot.words import Kind, Word

_LONGEST: Final = 5


class DataName(Record, frozen=True):
    """So many words are a name that the data has."""

    words: int
    value: str


class DataNames:
    """Finds names of one database's data in messages of one language."""

    def __init__(self, values: ValueIndex, language: Language) -> None:
        self._values = values
        self._language = language
        self._sounds = SoundIndex(words_of_values(values))

    def written(self, words: Sequence[Word]) -> DataName | None:
        """The longest value in the language's own letters that the first words are, with any endings."""
        if not self._stems:
            return None
        said = []
        for word in words[:_LONGEST]:
            if word.kind is not Kind.WORD:
                break
            said.append(word)
        for size in range(len(said), 0, -1):
            for stems in (tuple(self._stem(word.form) for word in said[:size]), _first_lemmas(said[:size])):
                found = self._stems.get(stems)
                if found is not None:
                    return DataName(size, found)
        return None

    def heard(self, word: Word) -> str | None:
        """The word of the data that a name sounds like."""
        stem = self._stem(word.form)
        forms = dict.fromkeys((*word.lemmas[:2], word.form, stem))
        return self._sounds.like([latin for form in forms for latin in self.latin(form)])

    def latin(self, form: str) -> tuple[str, ...]:
        """How a word may be written in Latin letters."""
        spelled = self._language.latin
        return () if spelled is None else tuple(spelled(self._language, form))

    def _stem(self, form: str) -> str:
        cut = self._language.name_stem
        return form if cut is None else cut(self._language, form)

    @cached_property
    def _stems(self) -> dict[tuple[str, ...], str]:
        """The values in the letters of the language by the stems of their words, and by the words."""
        found: dict[tuple[str, ...], str] = {}
        for place in self._values.places():
            if place.value.isascii():
                continue
            words = same_letters(folded(place.value)).split()
            if any(script_of(word) == self._language.script for word in words):
                found.setdefault(tuple(self._stem(word) for word in words), place.value)
                found.setdefault(tuple(words), place.value)
        return found


def _first_lemmas(words: Iterable[Word]) -> tuple[str, ...]:
    return tuple(next(iter(word.lemmas), word.form) for word in words)
