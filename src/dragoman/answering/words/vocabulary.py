"""What programs are said with in one language: phrases as data, from `program_words.yaml`."""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from dragoman.answering.phrases import Phrases, phrases
from dragoman.locales.language import Language
from dragoman.locales.registry import FALLBACK, language, languages

DOCUMENT = "program_words"


class Words:
    """The phrases of one language; those that it lacks are English."""

    def __init__(self, spoken: Language) -> None:
        self.code = spoken.code
        self.phrases: Phrases = phrases(spoken.code)
        self._texts: Mapping[str, Any] = {
            **language(FALLBACK).document(DOCUMENT),
            **spoken.document(DOCUMENT),
        }

    def put(self, key: str, **values: object) -> str:
        text: str = self._texts[key]
        return text.format(**values)

    def knows(self, key: str) -> bool:
        return key in self._texts

    def listed(self, key: str) -> tuple[str, ...]:
        """A list of words, such as the names of the months."""
        return tuple(self._texts[key])

    def both(self, items: Iterable[str]) -> str:
        """`a, b and c`."""
        return self._joined(items, "conjunction")

    def either(self, items: Iterable[str]) -> str:
        """`a, b or c`."""
        return self._joined(items, "disjunction")

    def _joined(self, items: Iterable[str], key: str) -> str:
        *others, last = [*items] or [""]
        return self.put(key, others=self.put("comma").join(others), last=last) if others else last

    def plural(self, words: str) -> str:
        """What several rows of a table are called. Only languages that say how change the name."""
        return self._with_ending(words, "plural_endings")

    def singular(self, words: str) -> str:
        """What one row of a table is called."""
        return self._with_ending(words, "singular_endings")

    def _with_ending(self, words: str, key: str) -> str:
        before, _, last = words.rpartition(" ")
        if len(last) < 3 or not last.isascii() or not last.isalpha() or last.isupper():
            return words
        for ending, other in self._texts.get(key, {}).items():
            if last.endswith(ending):
                changed = last.removesuffix(ending) + other
                return f"{before} {changed}" if before else changed
        return words


@cache
def _words(spoken: Language) -> Words:
    return Words(spoken)


def words_of(code: str) -> Words:
    """The words of a language, or the English ones where there is no such language."""
    return _words(language(code if code in languages() else FALLBACK))
