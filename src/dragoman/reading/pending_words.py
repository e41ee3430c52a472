"""What a message may be to a pending question by its words alone: a place among what was offered, a name that
nobody knows, or a question of its own.

"The second" picks an option, "what are their first names" picks nothing: beside a place only words of
choosing may stand. "Gamma" may be meant as an answer, "what is Gamma" is not.
"""

import re
from collections.abc import Iterable
from functools import cache
from typing import Final

from msgspec.structs import replace

from dragoman.locales.documents import lexicon_of
from dragoman.locales.language import Language
from dragoman.reading.languages import spoken_with
from dragoman.reading.reading import MentionKind, Pick, Reading
from dragoman.reading.tokens import Token, fold, tokens_of

_LONGEST_NAME: Final = 4
_MOST_PARTS: Final = 24
"""A message of more parts than this is no answer to a closed question."""
_PLACES: Final = (MentionKind.ORDINAL, MentionKind.SUPERLATIVE, MentionKind.NUMBER, MentionKind.AFFIRMATION)


class _Words:
    """The words of one language for answers to a question."""

    def __init__(self, spoken: Language) -> None:
        lexicon = lexicon_of(spoken)
        own = lexicon["pending"]
        self.polite = _folded(lexicon["polite"])
        self.choosing = _folded((*own["choosing"], *lexicon["row_words"])) | self.polite
        self.beside_names = _folded((*own["choosing"], *lexicon["stranded"])) | self.polite
        self.attributes = _folded(own["attributes"])
        self.identity = _folded(own["identity"])
        self.asking = _folded(own["asking"])
        self.numbers = {fold(word): int(number) for word, number in lexicon["numbers"].items()}
        phrases = "|".join(re.escape(each) for each in own["suggesting"])
        self.suggesting = re.compile(rf"(?<!\w)(?:{phrases})(?!\w)" if phrases else r"(?!)", re.IGNORECASE)


@cache
def _words(spoken: Language) -> _Words:
    return _Words(spoken)


def _folded(words: Iterable[str]) -> frozenset[str]:
    return frozenset(fold(str(word)) for word in words)


def with_pending_words(text: str, reading: Reading, offered: int = 0) -> Reading:
    """The reading, with what its words may be to a question with so many options."""
    if reading.phrase is not None:
        return reading
    known = [_words(each) for each in spoken_with(reading.language, text).languages]
    reading = replace(reading, asks=_asks(text, known), asks_who=_asks_who(text, known))
    if len(reading.mentions) + len(reading.uncovered) > _MOST_PARTS:
        return reading
    reading = _without_named_places(text, reading, known)
    choice = _choice(text, reading, known, offered)
    if choice is not None:
        return replace(reading, choice=True, picks=(choice,), uncovered=(), affirm=None)
    return replace(reading, unknown_name=_is_unknown_name(text, reading, known))


def _without_named_places(text: str, reading: Reading, known: list[_Words]) -> Reading:
    """A place that belongs to a noun picks nothing: "what are their first names"."""
    if not reading.picks:
        return reading
    tokens = tokens_of(text)
    named = [
        (place, behind)
        for place in reading.of_kind(MentionKind.ORDINAL)
        for behind in [token for token in tokens if token.start >= place.end][:1]
        if any(behind.form in words.attributes for words in known)
    ]
    if not named:
        return reading
    left = [word for place, behind in named for word in (fold(place.text), behind.form)]
    return replace(reading, picks=(), uncovered=(*reading.uncovered, *left))


def _asks(text: str, known: list[_Words]) -> bool:
    """Whether a word asks something. "What about Gamma?" asks nothing: it suggests."""
    for words in known:
        text = words.suggesting.sub(" ", text)
    return any(token.form in words.asking for token in tokens_of(text) for words in known)


def _asks_who(text: str, known: list[_Words]) -> bool:
    return any(token.form in words.identity for token in tokens_of(text) for words in known)


def _choice(text: str, reading: Reading, known: list[_Words], offered: int) -> Pick | None:
    """The place among what was offered, where the message says nothing else."""
    if reading.asks or reading.objects or reading.entities or reading.verbs or reading.actions:
        return None
    if len(reading.picks) > 1 or reading.periods:
        return None
    left = _beside(text, reading, _PLACES)
    if any(all(token.form not in words.choosing for words in known) for token in left):
        return None
    if reading.picks:
        return reading.picks[0]
    numbers = [mention.text for mention in reading.of_kind(MentionKind.NUMBER)]
    place = _number(numbers[0], known) if len(numbers) == 1 else 0
    return Pick(place) if 1 <= place <= offered else None


def _number(text: str, known: list[_Words]) -> int:
    if text.isdecimal():
        return int(text)
    return next((words.numbers[fold(text)] for words in known if fold(text) in words.numbers), 0)


def _beside(text: str, reading: Reading, kinds: tuple[MentionKind, ...]) -> list[Token]:
    """The words that stand in no mention of these kinds."""
    spans = [(each.start, each.end) for kind in kinds for each in reading.of_kind(kind)]
    return [
        token
        for token in tokens_of(text)
        if not any(start <= token.start and token.end <= end for start, end in spans)
    ]


def _is_unknown_name(text: str, reading: Reading, known: list[_Words]) -> bool:
    """Whether nothing but words that nobody knows was said, as a name is given."""
    names_something = reading.verbs or reading.actions or reading.objects or reading.entities
    if names_something or reading.periods or reading.picks or reading.meta is not None or reading.recap:
        return False
    if not reading.uncovered or reading.asks or reading.anaphor or reading.affirm is not None:
        return False
    for words in known:
        text = words.suggesting.sub(" ", text)
    left = [t.form for t in tokens_of(text) if all(t.form not in words.beside_names for words in known)]
    unknown = {fold(word) for word in reading.uncovered}
    denied = {fold(w) for m in reading.of_kind(MentionKind.NEGATION) for w in m.text.split()}
    return 0 < len(left) <= _LONGEST_NAME and unknown.issuperset(left) and denied.isdisjoint(left)
