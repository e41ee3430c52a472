"""Reads a message: which verb, which entities, which period, which phrases, and what nothing covers."""

import re
from collections.abc import Iterable, Mapping
from importlib.resources import files
from typing import Any

import yaml
from msgspec.structs import replace

from dragoman.catalog.trade.catalog import NamedEntity, TradeCatalog
from dragoman.contracts.record import Record
from dragoman.contracts.state import EntityRef
from dragoman.contracts.vocabulary import Signal
from dragoman.reading.periods import PeriodGrammar, PeriodMention

_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_POSSESSIVE = re.compile(r"['’]s$")

_SYMBOL = re.compile(r"[^\w\s.,?!:;'\"“”‘’«»()\-–—…/&]")
"""Signs that may change what is asked: a comparison, a percentage, a crossed-out name."""

Words = tuple[str, ...]

_MOST_AROUND = 10
"""A message with more words than this around a phrase is about something else."""

_TALK = frozenset({Signal.CHAT, Signal.DATA_SCOPE})
"""Phrases that change nothing."""


class Pick(Record, frozen=True):
    """A row chosen by its place: the `place`-th, counted from the end where negative; or by its amount."""

    place: int = 0
    largest: bool | None = None


class Reading(Record, frozen=True):
    """What was found in a message, before the session is looked at."""

    language: str
    verb: str | None = None
    verbs: tuple[str, ...] = ()
    entities: tuple[EntityRef, ...] = ()
    period: PeriodMention | None = None
    periods: int = 0
    phrase: Signal | None = None
    chooses_scope: bool = False
    uncovered: tuple[str, ...] = ()
    objects: tuple[tuple[EntityRef, ...], ...] = ()
    """For each object that was named, all that its name can mean."""
    actions: tuple[str, ...] = ()
    """The verbs that an action word can mean, one for each kind of object."""
    picks: tuple[Pick, ...] = ()
    anaphor: bool = False

    def entity(self, kind: str) -> EntityRef | None:
        """The one entity of a kind that was named; None when there is none, or more than one."""
        found = [entity for entity in self.entities if entity.kind == kind]
        return found[0] if len(found) == 1 else None


class _Mention(Record, frozen=True):
    verb: str = ""
    entities: tuple[EntityRef, ...] = ()
    objects: tuple[EntityRef, ...] = ()
    actions: tuple[str, ...] = ()


class Reader:
    """Reads messages against one catalog. Built once: the phrases are laid out by their words."""

    def __init__(self, catalog: TradeCatalog) -> None:
        lexicon = _lexicon("en")
        self._periods = PeriodGrammar(_months(lexicon))
        phrases = "|".join(map(re.escape, lexicon["not_months"]))
        self._not_months = re.compile(rf"\b(?:{phrases})\b", re.IGNORECASE)
        self._fillers = frozenset(lexicon["fillers"])
        self._polite = frozenset(lexicon["polite"])
        self._phrases = {
            _words(phrase): Signal(name) for name, many in lexicon["phrases"].items() for phrase in many
        }
        self._longest_phrase = max(len(words) for words in self._phrases)
        self._picks = _picks(lexicon)
        self._row_words = frozenset(lexicon["row_words"])
        self._anaphors = frozenset(lexicon["anaphors"])
        self._scope_choices = tuple(_words(phrase) for phrase in lexicon["scope_choice"])
        empty = [*lexicon["filler_phrases"], *lexicon["carry_phrases"]]
        self._mentions = _mentions(catalog, lexicon) | {_words(phrase): _Mention() for phrase in empty}
        self._longest = max(len(words) for words in self._mentions)

    def read(self, text: str) -> Reading:
        periods = self._periods.find(self._not_months.sub(lambda found: " " * len(found.group()), text))
        words = _words(_blanked(text, periods))
        phrase = self._phrase(words)
        found, picks, left = self._match(words)
        verbs = tuple(dict.fromkeys(mention.verb for mention in found if mention.verb))
        impossible = [p.text for p in periods if not p.possible]
        return Reading(
            language=language_of(text),
            verb=verbs[0] if len(verbs) == 1 else None,
            verbs=verbs,
            entities=_resolved([mention.entities for mention in found if mention.entities]),
            period=periods[0] if len(periods) == 1 and not impossible else None,
            periods=len(periods),
            phrase=phrase,
            chooses_scope=any(words[: len(choice)] == choice for choice in self._scope_choices),
            uncovered=() if phrase else (*impossible, *left, *_SYMBOL.findall(text)),
            objects=tuple(dict.fromkeys(mention.objects for mention in found if mention.objects)),
            actions=tuple(dict.fromkeys(action for mention in found for action in mention.actions)),
            picks=tuple(dict.fromkeys(picks)),
            anaphor=not self._anaphors.isdisjoint(words),
        )

    def _phrase(self, words: Words) -> Signal | None:
        """A phrase counts when it is the whole message, but for words that carry nothing.

        Around an escape only polite words carry nothing: "how do I cancel?" does not cancel.
        """
        if len(words) > self._longest_phrase + _MOST_AROUND:
            return None
        for length in range(min(len(words), self._longest_phrase), 0, -1):
            for start in range(len(words) - length + 1):
                signal = self._phrases.get(words[start : start + length])
                around = (*words[:start], *words[start + length :])
                if signal is None:
                    continue
                harmless = self._fillers if signal in _TALK else self._polite
                if harmless.issuperset(around):
                    return signal
        return None

    def _match(self, words: Words) -> tuple[list[_Mention], list[Pick], list[str]]:
        """The longest names from left to right, the rows picked by their place, and the words that neither a
        name nor a filler covers."""
        found: list[_Mention] = []
        picks: list[Pick] = []
        left: list[str] = []
        position = next((len(c) for c in self._scope_choices if words[: len(c)] == c), 0)
        while position < len(words):
            mention, length = self._longest_mention(words, position)
            if mention is not None:
                found.append(mention)
                position += length
            elif words[position] in self._picks:
                picks.append(self._picks[words[position]])
                position += 1
                position += position < len(words) and words[position] in self._row_words
            else:
                if words[position] not in self._fillers:
                    left.append(words[position])
                position += 1
        return found, picks, left

    def _longest_mention(self, words: Words, position: int) -> tuple[_Mention | None, int]:
        for length in range(min(self._longest, len(words) - position), 0, -1):
            mention = self._mentions.get(words[position : position + length])
            if mention is not None:
                return mention, length
        return None, 0


def _picks(lexicon: Mapping[str, Any]) -> dict[str, Pick]:
    picks = {word: Pick(place=place) for word, place in lexicon["ordinals"].items()}
    picks.update({word: Pick(largest=True) for word in lexicon["most"]})
    picks.update({word: Pick(largest=False) for word in lexicon["least"]})
    return picks


def language_of(text: str) -> str:
    """The language by its script; Latin letters count as English."""
    if re.search(r"[\u0400-\u04ff]", text):
        return "ru"
    return "ko" if re.search(r"[\u1100-\u11ff\uac00-\ud7af]", text) else "en"


def _lexicon(language: str) -> dict[str, Any]:
    text = files("dragoman.reading").joinpath(f"lexicons/{language}.yaml").read_text(encoding="utf-8")
    lexicon: dict[str, Any] = yaml.load(text, Loader=yaml.CSafeLoader)
    return lexicon


def _months(lexicon: Mapping[str, Any]) -> dict[str, int]:
    names = (lexicon["months"], lexicon["month_abbreviations"])
    by_name = {name: number for many in names for number, name in enumerate(many, 1)}
    by_name.update(lexicon["more_month_names"])
    return by_name


def _words(text: str) -> Words:
    return tuple(_POSSESSIVE.sub("", word) for word in _WORD.findall(text.casefold()))


def _blanked(text: str, periods: Iterable[PeriodMention]) -> str:
    for period in periods:
        text = text[: period.start] + " " * (period.end - period.start) + text[period.end :]
    return text


def _mentions(catalog: TradeCatalog, lexicon: Mapping[str, Any]) -> dict[Words, _Mention]:
    mentions: dict[Words, _Mention] = {}
    for name, verb in catalog.verbs.items():
        for phrase in verb.words:
            mentions[_words(phrase)] = _Mention(verb=name)
    cards = set(catalog.cards.values())
    for name, verb in catalog.actions.items():
        # An object is shown when it is named; the words for showing carry nothing.
        for phrase in verb.words if name not in cards else ():
            known = mentions.get(_words(phrase), _Mention())
            mentions[_words(phrase)] = replace(known, actions=(*known.actions, name))
    full: dict[Words, list[NamedEntity]] = {}
    for entity in catalog.entities:
        kind_words = lexicon["kinds"].get(entity.ref.kind, ())
        for name in entity.names:
            words = _words(name)
            for form in (words, *((*words, k) for k in kind_words), *((k, *words) for k in kind_words)):
                full.setdefault(form, []).append(entity)
    short: dict[Words, list[NamedEntity]] = {}
    for words, entities in full.items():
        for length in range(1, len(words)):
            if words[0] not in _kind_words(lexicon):
                so_far = short.setdefault(words[:length], [])
                so_far.extend(entity for entity in entities if entity not in so_far)
    # A full name beats a part of another one.
    for words, entities in (*full.items(), *short.items()):
        refs = tuple(entity.ref for entity in entities)
        objects = tuple(ref for ref in refs if ref.kind in catalog.cards)
        others = tuple(ref for ref in refs if ref.kind not in catalog.cards)
        mentions.setdefault(words, _Mention(entities=others, objects=objects))
    return mentions


def _kind_words(lexicon: Mapping[str, Any]) -> frozenset[str]:
    return frozenset(word for words in lexicon["kinds"].values() for word in words)


def _resolved(named: list[tuple[EntityRef, ...]]) -> tuple[EntityRef, ...]:
    """Each entity once, in the order in which they were named."""
    return tuple(dict.fromkeys(entity for entities in named for entity in entities))
