"""Phrases as sequences of words, and where a message has them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum
from functools import lru_cache
from typing import NamedTuple

from dragoman.locales.language import Language
from dragoman.reading.languages import Spoken
from dragoman.reading.lemmas import keys_of
from dragoman.reading.reading import MentionKind
from dragoman.reading.tokens import Token, tokens_of

MOST_GAPS = 3
"""How many words that carry nothing may stand between two words of a phrase."""


_NOTHING: Mapping[str, list["Phrase"]] = {}


class Gap(Enum):
    """What may be passed over inside of a phrase: nothing, a word that carries nothing, a part of a name."""

    NONE = 0
    WORD = 1
    NAME = 2


class Meaning(NamedTuple):
    """What a phrase means."""

    kind: MentionKind
    means: str = ""


class Phrase(NamedTuple):
    """The words of a phrase. A slot has the name of a kind instead: `owes <organization>`."""

    forms: tuple[str, ...]
    meaning: Meaning


class Match(NamedTuple):
    """A phrase in a message: the places of its words, and how well it fits."""

    words: tuple[int, ...]
    gaps: int
    exact: int
    meaning: Meaning
    longest: int = 0
    """The length of the longest word of the phrase."""


Slots = Callable[[int, str], int]
"""How many words at a place name an entity of a kind."""


class PhraseIndex:
    """The phrases of a language by the keys of their first word, and then by their second."""

    def __init__(
        self,
        language: Language,
        phrases: Iterable[tuple[str, Meaning]],
        upon: "PhraseIndex | None" = None,
    ) -> None:
        """`upon`: another index whose phrases come first, and which stays as it is. Laying out the phrases
        of a language takes longer than a turn, and every catalog has the same ones."""
        self._language = language
        self._by_first: dict[str, dict[str, list[Phrase]]] = {}
        self._led_by_slot: list[Phrase] = []
        self.forms: dict[str, None] = {}
        self.single: dict[str, None] = {}
        """The words that are a phrase by themselves."""
        if upon is not None:
            self._by_first = {
                first: {second: [*found] for second, found in seconds.items()}
                for first, seconds in upon._by_first.items()
            }
            self._led_by_slot += upon._led_by_slot
            self.forms |= upon.forms
            self.single |= upon.single
        for text, meaning in phrases:
            for forms in _spellings(text, language):
                self._add(forms, meaning)

    def _add(self, forms: tuple[str, ...], meaning: Meaning) -> None:
        if not forms:
            return
        phrase = Phrase(forms, meaning)
        for form in forms:
            if not form.startswith("<"):
                self.forms[form] = None
        if len(forms) == 1:
            self.single[forms[0]] = None
        if forms[0].startswith("<"):
            self._led_by_slot.append(phrase)
            return
        second = forms[1] if len(forms) > 1 else ""
        for key in sorted(_keys(forms[0], self._language)):
            self._by_first.setdefault(key, {}).setdefault(second, []).append(phrase)

    def matches(
        self, tokens: Sequence[Token], keys: Sequence[tuple[str, ...]], passable: Sequence[Gap], slots: Slots
    ) -> list[Match]:
        """Every place where a phrase stands, with words that carry nothing in between or not."""
        found: list[Match] = []
        present = frozenset(key for many in keys for key in many)
        for start in range(len(tokens)):
            tried: set[int] = set()
            for key in keys[start]:
                for second, phrases in self._by_first.get(key, _NOTHING).items():
                    if second and second[0] != "<" and _keys(second, self._language).isdisjoint(present):
                        continue
                    for phrase in phrases:
                        if id(phrase) not in tried:
                            tried.add(id(phrase))
                            self._extend(found, phrase, start, tokens, keys, passable, slots)
            for phrase in self._led_by_slot:
                if slots(start, phrase.forms[0][1:-1]):
                    self._extend(found, phrase, start, tokens, keys, passable, slots)
        return found

    def _extend(
        self,
        found: list[Match],
        phrase: Phrase,
        start: int,
        tokens: Sequence[Token],
        keys: Sequence[tuple[str, ...]],
        passable: Sequence[Gap],
        slots: Slots,
    ) -> None:
        words: list[int] = []
        gaps = exact = 0
        place = start
        for number, form in enumerate(phrase.forms):
            is_slot, wanted = form[0] == "<", _keys(form, self._language)
            skipped = between = 0
            while True:
                if place >= len(tokens):
                    return
                if is_slot:
                    length = slots(place, form[1:-1])
                    if length:
                        place += length
                        break
                elif not wanted.isdisjoint(keys[place]):
                    words.append(place)
                    exact += tokens[place].form == form
                    place += 1
                    break
                if number == 0 or passable[place] is Gap.NONE:
                    return
                skipped += passable[place] is Gap.WORD
                if skipped > MOST_GAPS:
                    return
                between += 1
                place += 1
            gaps += between
        if words:
            longest = max(map(len, phrase.forms))
            found.append(Match(tuple(words), gaps, exact, phrase.meaning, longest))


@lru_cache(maxsize=50_000)
def _keys(form: str, language: Language) -> frozenset[str]:
    """Where endings are glued onto words, phrases are written as stems: what is taken off a word of a message
    is not taken off them."""
    whole = form.startswith("<") or (language.glued and language.writes(form))
    return frozenset((form,) if whole else keys_of(form, Spoken((language,))))


@lru_cache(maxsize=50_000)
def forms_in(phrase: str) -> tuple[str, ...]:
    """The folded words of a phrase. Packs have theirs by the thousand, the same in every folder."""
    if phrase.isascii() and phrase.replace(" ", "").isalnum():
        # Most phrases are plain, and a process that answers one question reads thousands of them.
        return tuple(phrase.lower().split())
    return tuple(token.form for token in tokens_of(phrase))


@lru_cache(maxsize=50_000)
def _spellings(text: str, language: Language) -> tuple[tuple[str, ...], ...]:
    """A phrase as words; where blanks are left to taste, also as one word."""
    if not language.glued and "<" not in text:
        return (forms_in(text),)
    forms: list[str] = []
    glued = language.glued
    for part in text.split():
        if part.startswith("<"):
            forms.append(part)
            glued = False
            continue
        for token in tokens_of(part):
            forms.append(token.form)
            glued = glued and token.script == language.script
    spellings = [tuple(forms)]
    if glued and len(forms) > 1:
        spellings.append(("".join(forms),))
    return tuple(spellings)
