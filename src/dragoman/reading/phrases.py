"""Phrases as sequences of words, and where a message has them."""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from dragoman.reading.lemmas import keys_of
from dragoman.reading.reading import MentionKind
from dragoman.reading.tokens import Script, Token, script_of, tokens_of

MOST_GAPS = 3
"""How many words that carry nothing may stand between two words of a phrase."""


class Meaning(NamedTuple):
    """What a phrase means."""

    kind: MentionKind
    means: str = ""


class Phrase(NamedTuple):
    """The words of a phrase, each with the keys it is known by. A slot has the name of a kind instead."""

    forms: tuple[str, ...]
    keys: tuple[frozenset[str], ...]
    meaning: Meaning


class Match(NamedTuple):
    """A phrase in a message: the places of its words, and how well it fits."""

    words: tuple[int, ...]
    gaps: int
    exact: int
    meaning: Meaning


Slots = Callable[[int, str], int]
"""How many words at a place name an entity of a kind."""


class PhraseIndex:
    """Phrases by the keys of their first word."""

    def __init__(self, phrases: Iterable[tuple[str, Meaning]]) -> None:
        self._by_first: dict[str, list[Phrase]] = {}
        self._led_by_slot: list[Phrase] = []
        self.forms: dict[str, None] = {}
        for text, meaning in phrases:
            for forms in _spellings(text):
                self._add(forms, meaning)

    def _add(self, forms: tuple[str, ...], meaning: Meaning) -> None:
        if not forms:
            return
        keys = tuple(frozenset(_keys(form)) for form in forms)
        phrase = Phrase(forms, keys, meaning)
        self.forms.update(dict.fromkeys(form for form in forms if not form.startswith("<")))
        if forms[0].startswith("<"):
            self._led_by_slot.append(phrase)
            return
        for key in sorted(keys[0]):
            self._by_first.setdefault(key, []).append(phrase)

    def matches(
        self, tokens: Sequence[Token], keys: Sequence[tuple[str, ...]], passable: Sequence[bool], slots: Slots
    ) -> list[Match]:
        """Every place where a phrase stands, with words that carry nothing in between or not."""
        found: list[Match] = []
        for start in range(len(tokens)):
            tried: set[int] = set()
            for key in keys[start]:
                for phrase in self._by_first.get(key, ()):
                    if id(phrase) not in tried:
                        tried.add(id(phrase))
                        _extend(found, phrase, start, tokens, keys, passable, slots)
            for phrase in self._led_by_slot:
                if slots(start, phrase.forms[0][1:-1]):
                    _extend(found, phrase, start, tokens, keys, passable, slots)
        return found


def _extend(
    found: list[Match],
    phrase: Phrase,
    start: int,
    tokens: Sequence[Token],
    keys: Sequence[tuple[str, ...]],
    passable: Sequence[bool],
    slots: Slots,
) -> None:
    words: list[int] = []
    gaps = exact = 0
    place = start
    for number, (form, wanted) in enumerate(zip(phrase.forms, phrase.keys, strict=True)):
        skipped = 0
        while True:
            if place >= len(tokens):
                return
            if form.startswith("<"):
                length = slots(place, form[1:-1])
                if length:
                    place += length
                    break
            elif not wanted.isdisjoint(keys[place]):
                words.append(place)
                exact += tokens[place].form == form
                place += 1
                break
            if number == 0 or skipped >= MOST_GAPS or not passable[place]:
                return
            skipped += 1
            place += 1
        gaps += skipped
    if words:
        found.append(Match(tuple(words), gaps, exact, phrase.meaning))


def _keys(form: str) -> tuple[str, ...]:
    """Korean phrases are written as stems: what is taken off a word of a message is not taken off them."""
    whole = form.startswith("<") or script_of(form) is Script.HANGUL
    return (form,) if whole else keys_of(form)


def _spellings(text: str) -> list[tuple[str, ...]]:
    """A phrase as words. Korean is written with spaces and without."""
    forms: list[str] = []
    hangul = True
    for part in text.split():
        if part.startswith("<"):
            forms.append(part)
            hangul = False
            continue
        for token in tokens_of(part):
            forms.append(token.form)
            hangul = hangul and token.script is Script.HANGUL
    spellings = [tuple(forms)]
    if hangul and len(forms) > 1:
        spellings.append(("".join(forms),))
    return spellings
