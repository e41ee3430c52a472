"""The lists of words that tell what a message is, one set for each language."""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from dragoman.contracts.vocabulary import MetaQuestionKind, Signal
from dragoman.locales.documents import cues_of, lexicon_of, talk_of
from dragoman.locales.language import Language
from dragoman.locales.registry import same_letters
from dragoman.reading.languages import spoken_with

_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")


class WordList:
    """Words and beginnings of words."""

    def __init__(self, words: Iterable[str]) -> None:
        listed = [same_letters(str(word).casefold()) for word in words]
        self._whole = frozenset(word for word in listed if not word.endswith("*"))
        self._begin = tuple(sorted(word[:-1] for word in listed if word.endswith("*")))

    def has(self, word: str) -> bool:
        return word in self._whole or word.startswith(self._begin)


class Cues:
    """The cues of one language."""

    def __init__(
        self, data: Mapping[str, Any], talk: Mapping[str, Any], small: Iterable[str], polite: Iterable[str]
    ) -> None:
        self.support = WordList([*data["support"], *small])
        self.polite = WordList(polite)
        self.meta = {MetaQuestionKind(kind): WordList(words) for kind, words in data["meta"].items()}
        self.recap, self.recap_needs = WordList(data["recap"]), WordList(data["recap_needs"])
        self.chat, self.chat_needs = WordList(data["signals"]["chat"]), WordList(data["chat_needs"])
        self.scope = WordList(data["signals"]["data_scope"])
        self.scope_needs = WordList(data["data_scope_needs"])
        self.speakers, self.talked = WordList(data["speakers"]), WordList(data["talked"])
        self.causes = WordList(data["causes"])
        self.counting = WordList(data["counting"])
        self.counting_parts = [words_in(phrase) for phrase in data["counting_parts"]]
        self.soft = WordList(data["soft"])
        self.totals = WordList(data["totals"])
        self.opinions = WordList(data["opinions"])
        self.loaded = {part: WordList(words) for part, words in talk["loaded"].items()}
        self.asks_else = WordList(talk["asks_else"])
        self.alternatives = WordList(talk["alternatives"])
        self.repeats_alone = frozenset(" ".join(words_in(phrase)) for phrase in talk["repeats_alone"])
        self.phrases = {
            " ".join(words_in(phrase)): Signal(name)
            for name, many in data["phrases"].items()
            for phrase in many
        }


@cache
def cues_in(language: Language) -> Cues:
    lexicon = lexicon_of(language)
    small = [*lexicon["fillers"], *lexicon["polite"], *lexicon["anaphors"]]
    return Cues(cues_of(language), talk_of(language), small, lexicon["polite"])


def spoken_cues(text: str, language: str) -> tuple[Cues, ...]:
    """The cues of the languages of a text that was read in one."""
    return tuple(cues_in(each) for each in spoken_with(language, text).languages)


def words_in(text: str) -> tuple[str, ...]:
    found = (word.replace("’", "'") for word in _WORD.findall(folded(text)))
    return tuple(word.removesuffix("'s") for word in found)


def folded(text: str) -> str:
    return same_letters(text.casefold())
