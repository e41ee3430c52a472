"""What a message is by the words in it, in whatever order: talk about an answer, a recap, chat, an escape.

Phrases are read first; where none fits, a message of cues and small words alone is of the kind of its cues.
A single word beyond them, and it is not.
"""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from msgspec.structs import replace

from dragoman.contracts.vocabulary import MetaQuestionKind, Signal
from dragoman.locales.documents import cues_of, lexicon_of
from dragoman.locales.language import Language
from dragoman.locales.registry import same_letters
from dragoman.reading.languages import spoken_with
from dragoman.reading.reading import MentionKind, Reading

_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_MOST_WORDS = 14

_ORDER = (
    MetaQuestionKind.BOUNDARY_EXPLANATION,
    MetaQuestionKind.COMPARISON,
    MetaQuestionKind.ANSWER_INTERPRETATION,
    MetaQuestionKind.EVALUATION,
)
"""Which kind a message is whose words are cues of several."""


class _Words:
    """Words and beginnings of words."""

    def __init__(self, words: Iterable[str]) -> None:
        listed = [same_letters(str(word).casefold()) for word in words]
        self._whole = frozenset(word for word in listed if not word.endswith("*"))
        self._begin = tuple(sorted(word[:-1] for word in listed if word.endswith("*")))

    def has(self, word: str) -> bool:
        return word in self._whole or word.startswith(self._begin)


class _Cues:
    """The cues of one language."""

    def __init__(self, data: Mapping[str, Any], small: Iterable[str], polite: Iterable[str]) -> None:
        self.support = _Words([*data["support"], *small])
        self.polite = _Words(polite)
        self.meta = {MetaQuestionKind(kind): _Words(words) for kind, words in data["meta"].items()}
        self.recap, self.recap_needs = _Words(data["recap"]), _Words(data["recap_needs"])
        self.chat, self.chat_needs = _Words(data["signals"]["chat"]), _Words(data["chat_needs"])
        self.scope = _Words(data["signals"]["data_scope"])
        self.scope_needs = _Words(data["data_scope_needs"])
        self.counting = _Words(data["counting"])
        self.soft = _Words(data["soft"])
        self.totals = _Words(data["totals"])
        self.opinions = _Words(data["opinions"])
        self.phrases = {
            " ".join(_words(phrase)): Signal(name)
            for name, many in data["phrases"].items()
            for phrase in many
        }


@cache
def _cues(language: Language) -> _Cues:
    lexicon = lexicon_of(language)
    small = [*lexicon["fillers"], *lexicon["polite"], *lexicon["anaphors"]]
    return _Cues(cues_of(language), small, lexicon["polite"])


def _spoken(text: str, language: str) -> tuple[_Cues, ...]:
    """The cues of the languages of a text that was read in one."""
    return tuple(_cues(each) for each in spoken_with(language, text).languages)


def cued(text: str, reading: Reading) -> Reading:
    """The reading, with what its cues say where no phrase has said it."""
    words = _words(text)
    if not words or len(words) > _MOST_WORDS:
        return reading
    spoken = _spoken(text, reading.language)
    said = " ".join(_without_polite(words, spoken))
    for cues in spoken:
        signal = cues.phrases.get(said)
        if signal is not None:
            return replace(reading, phrase=signal, uncovered=())
    if reading.phrase is not None:
        return reading
    chats = any(_covers(words, (cues.support, cues.chat), (cues.chat_needs,)) for cues in spoken)
    if chats and not (reading.verbs or reading.objects or reading.entities or reading.actions):
        return replace(reading, phrase=Signal.CHAT, uncovered=())
    if not _is_bare(reading):
        return _recapped(text, reading, spoken)
    if reading.meta is None and not reading.recap:
        reading = _of_cues(text, reading, words, spoken)
    return _certain(reading, words, spoken)


_NAMES = (MentionKind.ENTITY, MentionKind.OBJECT, MentionKind.VERB, MentionKind.PERIOD)


def _without_polite(words: tuple[str, ...], spoken: tuple[_Cues, ...]) -> tuple[str, ...]:
    """Without the small words that a message begins or ends with, where something is left."""
    first, last = 0, len(words)
    while first < last and any(cues.polite.has(words[first]) for cues in spoken):
        first += 1
    while last > first and any(cues.polite.has(words[last - 1]) for cues in spoken):
        last -= 1
    return words[first:last] or words


def _recapped(text: str, reading: Reading, spoken: tuple[_Cues, ...]) -> Reading:
    """Whether a message asks if something that it names was spoken of."""
    if reading.meta is not None or reading.actions or reading.extend or reading.wants_write:
        return reading
    if reading.chooses_scope and "?" not in text:
        return reading
    words = _words(_without(text, reading, _NAMES))
    if any(_covers(words, (cues.support, cues.recap), (cues.recap_needs,)) for cues in spoken):
        return replace(reading, recap=True, chooses_scope=False, uncovered=())
    return reading


def compares(word: str, language: str) -> bool:
    """Whether a word holds one thing against another."""
    kind = MetaQuestionKind.COMPARISON
    return any(cues.meta[kind].has(_folded(word)) for cues in _spoken(word, language))


def asks_total(text: str, language: str) -> bool:
    """Whether a message asks for everything together, and for nothing else."""
    words = _words(text)
    spoken = _spoken(text, language)
    return any(_covers(words, (cues.support, cues.totals, cues.counting), (cues.totals,)) for cues in spoken)


def says_nothing(word: str, language: str) -> bool:
    """Whether a word of a recap names nothing that could have been spoken of."""
    lists = [each for cues in _spoken(word, language) for each in (cues.support, cues.recap, cues.soft)]
    return any(each.has(_folded(word)) for each in lists)


def opinions_in(text: str, language: str) -> tuple[str, ...]:
    """The words of a message that ask for an opinion: no figure says who is the best."""
    spoken = _spoken(text, language)
    return tuple(word for word in _words(text) if any(cues.opinions.has(word) for cues in spoken))


def is_soft(word: str, language: str) -> bool:
    """Whether a word says how something is asked for, and not what."""
    return any(cues.soft.has(_folded(word)) for cues in _spoken(word, language))


def is_demonstrative(text: str, language: str) -> bool:
    """Whether a word points at whatever was said, and not at an object: this, that, это."""
    lists = [lexicon_of(each)["demonstratives"] for each in spoken_with(language, text).languages]
    return any(word in words for words in lists for word in text.casefold().split())


def counts(word: str, language: str) -> bool:
    """Whether a word asks how many."""
    return any(cues.counting.has(_folded(word)) for cues in _spoken(word, language))


def _is_bare(reading: Reading) -> bool:
    """Whether the message names nothing that could be looked up."""
    named = reading.verbs or reading.entities or reading.objects or reading.actions or reading.periods
    asked = reading.extend or reading.wants_write or reading.affirm is not None or reading.returns
    return not (named or asked or reading.picks)


def _of_cues(text: str, reading: Reading, words: tuple[str, ...], spoken: tuple[_Cues, ...]) -> Reading:
    # The month of "for the same month" is the one in hand, and holds nothing against anything.
    telling = _words(_without(text, reading, (MentionKind.CARRY,)))
    for cues in spoken:
        if _covers(words, (cues.support, cues.recap), (cues.recap_needs,)):
            return replace(reading, recap=True, chooses_scope=False, uncovered=())
        for kind in _ORDER:
            # Words of other kinds may stand beside: "is it more reliable".
            if _covers(words, (cues.support, *cues.meta.values()), (cues.meta[kind],), telling):
                return replace(reading, meta=kind, uncovered=())
        if _covers(words, (cues.support, cues.scope), (cues.scope_needs,)):
            return replace(reading, phrase=Signal.DATA_SCOPE, uncovered=())
    return reading


def _certain(reading: Reading, words: tuple[str, ...], spoken: tuple[_Cues, ...]) -> Reading:
    """How sure an answer is, is one question, whether it was read as a phrase or by its cues."""
    if reading.meta is not MetaQuestionKind.EVALUATION:
        return reading
    certain = MetaQuestionKind.BOUNDARY_EXPLANATION
    if any(cues.meta[certain].has(word) for cues in spoken for word in words):
        return replace(reading, meta=certain)
    return reading


def _without(text: str, reading: Reading, kinds: tuple[MentionKind, ...]) -> str:
    """The text with mentions of some kinds left out."""
    rest = list(text)
    for mention in reading.mentions:
        if mention.kind in kinds:
            rest[mention.start : mention.end] = " " * (mention.end - mention.start)
    return "".join(rest)


def _covers(
    words: tuple[str, ...],
    allowed: tuple[_Words, ...],
    needed: tuple[_Words, ...],
    telling: tuple[str, ...] | None = None,
) -> bool:
    """Whether every word is allowed, and one is needed: one of those that tell something, if not all do."""
    if not any(each.has(word) for each in needed for word in (words if telling is None else telling)):
        return False
    return all(any(each.has(word) for each in allowed) for word in words)


def _words(text: str) -> tuple[str, ...]:
    found = (word.replace("’", "'") for word in _WORD.findall(_folded(text)))
    return tuple(word.removesuffix("'s") for word in found)


def _folded(text: str) -> str:
    return same_letters(text.casefold())
