"""Reads a message: what it asks, of what and of when, and what nothing covers."""

import re
from collections.abc import Iterable, Sequence
from functools import cache, cached_property
from typing import Final

from msgspec.structs import replace

from dragoman.catalog.catalog import Catalog
from dragoman.contracts.record import Record
from dragoman.contracts.state import ClarificationState, SessionState
from dragoman.contracts.vocabulary import Signal
from dragoman.locales.documents import lexicon_of
from dragoman.locales.language import EntityNames, function_words_of
from dragoman.locales.registry import FALLBACK
from dragoman.locales.registry import language as language_of_code
from dragoman.locales.script import LATIN, script_of
from dragoman.reading.assembly import Assembly
from dragoman.reading.change_orders import may_be_order
from dragoman.reading.compared_verbs import with_compared_verbs
from dragoman.reading.connection_mentions import mentioned_connections
from dragoman.reading.cues import cued
from dragoman.reading.extension import Extension, find_extension
from dragoman.reading.hand_written import HandWritten, hand_written
from dragoman.reading.indexed_names import with_indexed_names
from dragoman.reading.kind_requests import with_kind_request
from dragoman.reading.languages import Spoken, language_of, spoken_in, usual_languages
from dragoman.reading.name_index import NameIndex
from dragoman.reading.narrowed_names import narrowed_reading
from dragoman.reading.openers import without_openers
from dragoman.reading.pending_words import with_pending_words
from dragoman.reading.period_grammar import date_words, period_grammar
from dragoman.reading.periods import PeriodMention
from dragoman.reading.phrase_match import Found, match, prepare
from dragoman.reading.phrase_match import Message as Words
from dragoman.reading.reading import ExtendMention, Mention, MentionKind, Pick, Reading
from dragoman.reading.repeated_action import with_repeated_action
from dragoman.reading.said_values import quoted
from dragoman.reading.selected import find_selected, named_exactly, with_selected
from dragoman.reading.signals import message_signals
from dragoman.reading.slice_context import in_context
from dragoman.reading.slips import Respelled, Slips
from dragoman.reading.tokens import Token, fold, tokens_of
from dragoman.reading.vocabulary import Vocabularies
from dragoman.reading.yes_no import answered, takes_no
from dragoman.session.continuity import Continuity

__all__ = ["ExtendMention", "Mention", "MentionKind", "Pick", "Reader", "Reading"]

_MOST_CORRECTED: Final = 4
"""A message with more unknown words than this is not one with slips."""


_MOST_LEFT_OUT: Final = 2
"""A message with more words that nothing covers says something else without them."""

_Doubtful = tuple[Token, tuple[str, ...]]
"""A word, and the words that it may have been meant to be."""


class Message(Record, frozen=True):
    """A message, read once."""

    reading: Reading
    signals: tuple[Signal, ...]
    """What it says by itself."""
    written: HandWritten | None = None
    """The program, where the message is one."""
    text: str = ""
    """The message without what only opens a correction."""


class Reader:
    """Reads messages against one catalog. Built once: the phrases are laid out by their words."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._entities = tuple(catalog.entities)
        self._names = NameIndex(self._entities, catalog.cards)
        self._vocabularies = Vocabularies(catalog)
        self._slips: dict[Spoken, Slips] = {}
        self._order_words = frozenset(
            token.form
            for verb in catalog.changes.values()
            for words in verb.spec.words.values()
            for phrase in words
            for token in tokens_of(phrase)
        )

    def read_message(
        self, text: str, state: SessionState, continuity: Continuity, connection: str = ""
    ) -> Message:
        """Everything that a message says where it is said, for every planner alike.

        The databases that it names, or else the `connection` that it is asked of, are told apart from what it
        asks; where a result is sent is no such name.
        """
        whole = self._message(text, state, continuity)
        named = None if whole.written is not None else mentioned_connections(text, self._catalog)
        names: tuple[str, ...] = (connection,) if connection else ()
        if named is not None and whole.reading.extend is None:
            whole, names = self._message(named.rest, state, continuity), named.names
        return replace(whole, reading=replace(whole.reading, connections=names)) if names else whole

    def _message(self, text: str, state: SessionState, continuity: Continuity) -> Message:
        """A message whose small words leave open what language it is in is read in the likeliest. Only where
        that leaves words over, and another language knows one of them, it is read in that one too. Last comes
        what the slice in hand and the pending question make of it.
        """
        before = state.turn.language
        written = hand_written(text)
        if written is not None:
            return Message(Reading(before or FALLBACK), (Signal.ESCAPE_EDIT,), written, text)
        spoken, *others = self._spoken(text, before)
        pending, whole = continuity.clarification, text
        languages = tuple(dict.fromkeys(each for one in (spoken, *others) for each in one.languages))
        if not takes_no(pending, self._catalog):
            text = without_openers(text, languages)
        reading = self._read_in(text, spoken, before)
        for other in others:
            left = (*reading.uncovered, *(slip for slip, _ in reading.corrections))
            if left and self._vocabularies.lists(other, left):
                again = self._read_in(text, other, before)
                reading = min(reading, again, key=lambda one: (len(one.uncovered), len(one.corrections)))
        also = tuple(in_context(text, each, continuity, self._catalog) for each in reading.others)
        reading = in_context(text, replace(reading, others=()), continuity, self._catalog)
        reading = with_compared_verbs(reading, state, self._catalog)
        if pending is not None or reading.picks:
            reading = with_pending_words(text, reading, _options(pending))
        if pending is not None:
            reading = narrowed_reading(reading, state, self._catalog)
        reading = with_kind_request(text, reading, continuity, self._catalog)
        reading = with_repeated_action(reading, continuity, self._catalog)
        if reading.uncovered and len(reading.uncovered) <= _MOST_LEFT_OUT and self._catalog.verbs:
            rest = _without(text, reading.uncovered)
            without = in_context(rest, self._read_in(rest, spoken, before), continuity, self._catalog)
            reading = replace(reading, without=replace(without, others=()), others=also)
        reading = _in_language_of_form(text, reading, before, continuity, self._catalog)
        if pending is not None and takes_no(pending, self._catalog):
            reading = answered(whole, reading, pending, self._catalog, languages)
        reading = replace(reading, may_order=may_be_order(tokens_of(text), spoken, self._order_words))
        return Message(reading, message_signals(reading, self._catalog.anchor), text=text)

    def read(self, text: str, before: str = "") -> Reading:
        """What the words say, slips mended."""
        return with_pending_words(text, self._read(text, self._spoken(text, before)[0], before))

    def _spoken(self, text: str, before: str) -> tuple[Spoken, ...]:
        tokens = tokens_of(text)
        named = self._names.whole_names(tokens)
        return spoken_in((token for i, token in enumerate(tokens) if i not in named), before)

    def _read_in(self, text: str, spoken: Spoken, before: str) -> Reading:
        """Words are matched first. A name that nothing covers may be written as it sounds, or stand in an
        index too large to hold. Cues come last: they say what a message is where no phrase did."""
        selected = find_selected(text, spoken, self._vocabularies.of(spoken))
        if selected is not None:
            beside = text[: selected.start] + text[selected.end :]
            rest = self._read_in(selected.rest, spoken, before)
            rest = replace(rest, language=language_of(beside, spoken, tokens_of(beside), before))
            return with_selected(rest, selected, named_exactly(selected.name, self._catalog))
        reading = self._read(text, spoken, before)
        meant = text
        for language in spoken.languages if reading.uncovered else ():
            if language.spelled is not None:
                meant = language.spelled(language, meant, _outside_quotes(text, reading), self._called)
        if meant != text:
            reading = self._read(meant, spoken, before)
        return cued(text, with_indexed_names(text, reading, self._catalog))

    @cached_property
    def _called(self) -> EntityNames:
        return tuple((entity.ref.name, entity.names) for entity in self._entities)

    def _read(self, text: str, spoken: Spoken, before: str) -> Reading:
        first = self._pass(text, (), spoken)
        slips, doubtful = self._slipped(first)
        reading = self._mended(text, first, slips, spoken, before)
        if doubtful is None or not reading.uncovered:
            return reading
        token, words = doubtful
        passes = (self._pass(text, (*slips, (token, word)), spoken) for word in words)
        return replace(reading, others=tuple(each.reading(before) for each in passes if each.explains(token)))

    def _mended(
        self, text: str, first: Assembly, slips: tuple[tuple[Token, str], ...], spoken: Spoken, before: str
    ) -> Reading:
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

    def _slipped(self, first: Assembly) -> tuple[tuple[tuple[Token, str], ...], _Doubtful | None]:
        """The words that nothing knows, with what each was meant to be; and one that may have been meant to
        be several."""
        unknown = first.unknown()
        if not unknown or len(unknown) > _MOST_CORRECTED:
            return (), None
        tokens, spoken = first.message.tokens, first.message.spoken
        if _may_be_typed(tokens, unknown):
            spoken = spoken.with_scripts(each.script for each in usual_languages().languages)
        known = self._slips.setdefault(spoken, Slips(self._names.words, date_words(spoken).longer()))
        slips: list[tuple[Token, str]] = []
        doubtful: list[_Doubtful] = []
        for token in unknown:
            beside = self._names.words_beside(tokens, tokens.index(token), spoken)
            meant = known.meant(token, self._vocabularies.of(spoken), beside)
            if len(meant) == 1:
                slips.append((token, meant[0]))
            elif meant:
                doubtful.append((token, meant))
        return tuple(slips), doubtful[0] if len(doubtful) == 1 else None


def _in_language_of_form(
    text: str, reading: Reading, before: str, continuity: Continuity, catalog: Catalog
) -> Reading:
    """A value that is given to the form of a write verb is in no language: EUR, a name. It is said on in the
    one that was spoken before."""
    pending = continuity.clarification
    if (
        pending is None
        or pending.resume_target_route not in catalog.changes
        or before in ("", reading.language)
    ):
        return reading
    small = function_words_of(language_of_code(reading.language))
    spoken = any(token.form in small for token in tokens_of(text)) or reading.phrase is not None
    known = spoken or reading.affirm is not None or reading.verbs or reading.actions or reading.wants_write
    return (
        reading
        if known or language_of_code(reading.language).script != LATIN
        else replace(reading, language=before)
    )


def _options(pending: ClarificationState | None) -> int:
    """How many options a number can pick from. A yes to a write is said, and not counted."""
    if pending is None or pending.waits_for_yes:
        return 0
    return len(pending.candidate_scopes)


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


def _outside_quotes(text: str, reading: Reading) -> tuple[str, ...]:
    """The words that nothing covers. What stands in quotes is written as it is meant."""
    inside = {token.form for each in quoted(text) for token in tokens_of(each.text)}
    return tuple(word for word in reading.uncovered if word not in inside)


def _without(text: str, words: Iterable[str]) -> str:
    """A text with some words left out, and blanks in their place."""
    left = frozenset(words)
    for token in tokens_of(text):
        if token.form in left:
            text = text[: token.start] + " " * (token.end - token.start) + text[token.end :]
    return text
