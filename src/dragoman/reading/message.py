"""Reads a message: what it asks, of what and of when, and what nothing covers."""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from msgspec.structs import replace

from dragoman.catalog.catalog import Catalog
from dragoman.contracts.record import Record
from dragoman.contracts.state import SessionState
from dragoman.contracts.vocabulary import Signal
from dragoman.reading.assembly import Assembly
from dragoman.reading.cues import cued
from dragoman.reading.extension import Extension, find_extension
from dragoman.reading.hand_written import HandWritten, hand_written
from dragoman.reading.hangul_names import spelled
from dragoman.reading.indexed_names import with_indexed_names
from dragoman.reading.languages import FALLBACK, language_of
from dragoman.reading.lexicon import lexicons
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
from dragoman.reading.tokens import Script, Token, fold, script_of, tokens_of
from dragoman.reading.vocabulary import Vocabularies
from dragoman.session.continuity import Continuity

__all__ = ["ExtendMention", "Mention", "MentionKind", "Pick", "Reader", "Reading", "language_of"]

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
        self._dates = date_words()
        self._slips = Slips(self._names.words, self._dates.longer())
        phrases = "|".join(re.escape(phrase) for each in lexicons() for phrase in each.data["not_months"])
        self._not_months = re.compile(rf"\b(?:{phrases})\b", re.IGNORECASE)

    def read_message(self, text: str, state: SessionState, continuity: Continuity) -> Message:
        """Everything that a message says where it is said, for every planner alike.

        Words are matched first. A name that nothing covers may be written as it sounds, or stand in an index
        too large to hold. Cues say what a message is where no phrase did. Last comes what the slice in hand
        and the pending question make of it.
        """
        written = hand_written(text)
        if written is not None:
            return Message(Reading(FALLBACK), (Signal.ESCAPE_EDIT,), written)
        reading = self.read(text)
        if reading.uncovered:
            meant = spelled(text, reading.uncovered, self._catalog.entities)
            reading = reading if meant == text else self.read(meant)
        reading = cued(text, with_indexed_names(text, reading, self._catalog))
        reading = in_context(text, reading, continuity, self._catalog)
        reading = narrowed_reading(reading, state, self._catalog)
        return Message(reading, message_signals(reading, self._catalog.anchor))

    def read(self, text: str) -> Reading:
        """What the words say, slips mended."""
        first = self._pass(text, Respelled(text, ()), ())
        slips = self._slipped(first)
        if not slips:
            return first.reading()
        dates = tuple((token, meant) for token, meant in slips if self._dates.is_known(meant))
        second = self._pass(text, Respelled.of(text, dates), slips)
        # A correction that makes nothing of a word explains nothing.
        helped = tuple(slip for slip in slips if second.explains(slip[0]))
        if helped != slips:
            dates = tuple(slip for slip in dates if slip in helped)
            second = self._pass(text, Respelled.of(text, dates), helped)
        return second.reading() if helped else first.reading()

    def _pass(self, text: str, respelled: Respelled, slips: tuple[tuple[Token, str], ...]) -> Assembly:
        """What the words say, those that were slips written as they were meant."""
        periods = [_placed(period, text, respelled) for period in self._periods(respelled.text)]
        meant = {token.start: word for token, word in slips}
        tokens = [_respelled(token, meant) for token in tokens_of(_blanked(text, periods))]
        scripts = frozenset({Script.LATIN, *(token.script for token in tokens)})
        message = prepare(tokens, self._vocabularies.of(scripts))
        found = match(message, self._names)
        extension = self._extension(text, message, found)
        corrections = tuple((fold(text[token.start : token.end]), word) for token, word in slips)
        return Assembly(self._catalog, text, message, found, periods, extension, corrections)

    def _periods(self, text: str) -> list[PeriodMention]:
        periods = period_grammar().find(self._not_months.sub(lambda found: " " * len(found.group()), text))
        if not periods:
            return periods
        tokens = tokens_of(text)
        whole = [
            (tokens[name.start].start, tokens[name.end - 1].end)
            for name in self._names.matches(tokens, lambda form: True)
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
        return find_extension(text, message.tokens, message.keys, empty, named)

    def _slipped(self, first: Assembly) -> tuple[tuple[Token, str], ...]:
        """The words that nothing knows, with what each was meant to be."""
        unknown = first.unknown()
        if not unknown or len(unknown) > _MOST_CORRECTED:
            return ()
        tokens = first.message.tokens
        known = self._vocabularies.of(frozenset(Script)) if _may_be_typed(tokens, unknown) else ()
        slips: list[tuple[Token, str]] = []
        for token in unknown:
            beside = self._names.words_beside(tokens, tokens.index(token))
            meant = self._slips.correct(token, known or first.message.vocabularies, beside)
            if meant is not None:
                slips.append((token, meant))
        return tuple(slips)


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
