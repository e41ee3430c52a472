"""Reads a message: what it asks, of what and of when, and what nothing covers."""

import re
from collections.abc import Iterable, Sequence
from functools import cache, cached_property
from typing import Final

from msgspec.structs import replace

from dragoman.catalog.catalog import Catalog
from dragoman.contracts.record import Record
from dragoman.contracts.state import SessionState
from dragoman.contracts.vocabulary import Signal
from dragoman.locales.documents import lexicon_of
from dragoman.locales.language import EntityNames
from dragoman.locales.registry import FALLBACK
from dragoman.locales.script import script_of
from dragoman.reading.assembly import Assembly
from dragoman.reading.cues import cued
from dragoman.reading.extension import Extension, find_extension
from dragoman.reading.hand_written import HandWritten, hand_written
from dragoman.reading.indexed_names import with_indexed_names
from dragoman.reading.languages import Spoken, spoken_in, usual_languages
from dragoman.reading.name_index import NameIndex
from dragoman.reading.narrowed_names import narrowed_reading
from dragoman.reading.period_grammar import date_words, period_grammar
from dragoman.reading.periods import PeriodMention
from dragoman.reading.phrase_match import Found, match, prepare
from dragoman.reading.phrase_match import Message as Words
from dragoman.reading.reading import ExtendMention, Mention, MentionKind, Pick, Reading
from dragoman.reading.signals import message_signals
from dragoman.reading.slice_context import in_context
from dragoman.reading.slips import Respelled, Slips
from dragoman.reading.tokens import Token, fold, tokens_of
from dragoman.reading.vocabulary import Vocabularies
from dragoman.session.continuity import Continuity

__all__ = ["ExtendMention", "Mention", "MentionKind", "Pick", "Reader", "Reading"]

_MOST_CORRECTED: Final = 4
"""A message with more unknown words than this is not one with slips."""


class Message(Record, frozen=True):
    """A message, read once."""

    reading: Reading
    signals: tuple[Signal, ...]
    """What it says by itself."""
    written: HandWritten | None = None
    """The program, where the message is one."""


class Reader:
    """Reads messages against one catalog. Built once: the phrases are laid out by their words."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._entities = tuple(catalog.entities)
        self._names = NameIndex(self._entities, catalog.cards)
        self._vocabularies = Vocabularies(catalog)
        self._slips: dict[Spoken, Slips] = {}

    def read_message(self, text: str, state: SessionState, continuity: Continuity) -> Message:
        """Everything that a message says where it is said, for every planner alike.

        A message whose small words leave open what language it is in is read in the likeliest. Only where
        that leaves words over, and another language knows one of them, it is read in that one too. Last comes
        what the slice in hand and the pending question make of it.
        """
        before = state.turn.language
        written = hand_written(text)
        if written is not None:
            return Message(Reading(before or FALLBACK), (Signal.ESCAPE_EDIT,), written)
        spoken, *others = self._spoken(text, before)
        reading = self._read_in(text, spoken, before)
        for other in others:
            left = (*reading.uncovered, *(slip for slip, _ in reading.corrections))
            if left and self._vocabularies.lists(other, left):
                again = self._read_in(text, other, before)
                reading = min(reading, again, key=lambda one: (len(one.uncovered), len(one.corrections)))
        reading = in_context(text, reading, continuity, self._catalog)
        reading = narrowed_reading(reading, state, self._catalog)
        return Message(reading, message_signals(reading, self._catalog.anchor))

    def read(self, text: str, before: str = "") -> Reading:
        """What the words say, slips mended."""
        return self._read(text, self._spoken(text, before)[0], before)

    def _spoken(self, text: str, before: str) -> tuple[Spoken, ...]:
        tokens = tokens_of(text)
        named = self._names.whole_names(tokens)
        return spoken_in((token for i, token in enumerate(tokens) if i not in named), before)

    def _read_in(self, text: str, spoken: Spoken, before: str) -> Reading:
        """Words are matched first. A name that nothing covers may be written as it sounds, or stand in an
        index too large to hold. Cues come last: they say what a message is where no phrase did."""
        reading = self._read(text, spoken, before)
        meant = text
        for language in spoken.languages if reading.uncovered else ():
            if language.spelled is not None:
                meant = language.spelled(language, meant, reading.uncovered, self._called)
        if meant != text:
            reading = self._read(meant, spoken, before)
        return cued(text, with_indexed_names(text, reading, self._catalog))

    @cached_property
    def _called(self) -> EntityNames:
        return tuple((entity.ref.name, entity.names) for entity in self._entities)

    def _read(self, text: str, spoken: Spoken, before: str) -> Reading:
        first = self._pass(text, (), spoken)
        slips = self._slipped(first)
        if not slips:
            return first.reading(before)
        second = self._pass(text, slips, spoken)
        # A correction that makes nothing of a word explains nothing.
        helped = tuple(slip for slip in slips if second.explains(slip[0]))
        if helped != slips:
            second = self._pass(text, helped, spoken)
        return second.reading(before) if helped else first.reading(before)

    def _pass(self, text: str, slips: tuple[tuple[Token, str], ...], spoken: Spoken) -> Assembly:
        """What the words say, those that were slips written as they were meant."""
        spoken = spoken.with_scripts(script_of(word) for _, word in slips)
        words = date_words(spoken)
        respelled = Respelled.of(text, [slip for slip in slips if words.is_known(slip[1])])
        periods = [_placed(period, text, respelled) for period in self._periods(respelled.text, spoken)]
        meant = {token.start: word for token, word in slips}
        tokens = [_respelled(token, meant) for token in tokens_of(_blanked(text, periods))]
        message = prepare(tokens, self._vocabularies.of(spoken), spoken)
        found = match(message, self._names)
        extension = self._extension(text, message, found)
        corrections = tuple((fold(text[token.start : token.end]), word) for token, word in slips)
        return Assembly(self._catalog, text, message, found, periods, extension, corrections)

    def _periods(self, text: str, spoken: Spoken) -> list[PeriodMention]:
        shown = _not_months(spoken).sub(lambda found: " " * len(found.group()), text)
        found = period_grammar(spoken).find(shown)
        if not found:
            return found
        # What was left out stands in the text all the same.
        periods = [replace(each, text=text[each.start : each.end]) for each in found]
        tokens = tokens_of(text)
        whole = [
            (tokens[name.start].start, tokens[name.end - 1].end)
            for name in self._names.matches(tokens, lambda form: True, spoken)
            if name.full and name.end - name.start > 1
        ]
        # A year in a name is a part of the name.
        return [p for p in periods if not any(start <= p.start and p.end <= end for start, end in whole)]

    def _extension(self, text: str, message: Words, found: Sequence[Found]) -> Extension | None:
        light = (MentionKind.FILLER, MentionKind.ANAPHOR, MentionKind.AFFIRMATION)
        empty = [False] * len(message.tokens)
        for one in found:
            for word in one.words if one.meaning.kind in light else ():
                empty[word] = True
        named = frozenset(word for one in found if one.name is not None for word in one.words)
        return find_extension(text, message, empty, named)

    def _slipped(self, first: Assembly) -> tuple[tuple[Token, str], ...]:
        """The words that nothing knows, with what each was meant to be."""
        unknown = first.unknown()
        if not unknown or len(unknown) > _MOST_CORRECTED:
            return ()
        tokens, spoken = first.message.tokens, first.message.spoken
        if _may_be_typed(tokens, unknown):
            spoken = spoken.with_scripts(each.script for each in usual_languages().languages)
        known = self._slips.setdefault(spoken, Slips(self._names.words, date_words(spoken).longer()))
        slips: list[tuple[Token, str]] = []
        for token in unknown:
            beside = self._names.words_beside(tokens, tokens.index(token), spoken)
            meant = known.correct(token, self._vocabularies.of(spoken), beside)
            if meant is not None:
                slips.append((token, meant))
        return tuple(slips)


@cache
def _not_months(spoken: Spoken) -> re.Pattern[str]:
    """Where the name of a month is another word."""
    phrases = [phrase for each in spoken.languages for phrase in lexicon_of(each)["not_months"]]
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, phrases))})\b" if phrases else r"(?!)", re.IGNORECASE)


def _respelled(token: Token, meant: dict[int, str]) -> Token:
    word = meant.get(token.start)
    return token if word is None else token._replace(form=word, script=script_of(word))


def _placed(period: PeriodMention, text: str, respelled: Respelled) -> PeriodMention:
    """A period of the respelled text where it stands in the text itself."""
    if not respelled.changes:
        return period
    start, end = respelled.place(period.start), respelled.place(period.end)
    return replace(period, start=start, end=end, text=text[start:end])


def _may_be_typed(tokens: Sequence[Token], unknown: Sequence[Token]) -> bool:
    """Whether words may be of another keyboard layout: every letter of the message is unknown."""
    return len(unknown) == len([token for token in tokens if not token.form.isdigit()])


def _blanked(text: str, periods: Iterable[PeriodMention]) -> str:
    for period in periods:
        text = text[: period.start] + " " * (period.end - period.start) + text[period.end :]
    return text
