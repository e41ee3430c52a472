"""Reads a message: what it asks, of what and of when, and what nothing covers."""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from dragoman.catalog.packs.catalog import PackCatalog
from dragoman.reading.assembling import Assembly
from dragoman.reading.extending import Extension, find_extension
from dragoman.reading.languages import language_of
from dragoman.reading.lexicon import lexicons
from dragoman.reading.matching import Found, Message, match, prepare
from dragoman.reading.names import NameIndex
from dragoman.reading.period_grammar import period_grammar
from dragoman.reading.periods import PeriodMention
from dragoman.reading.reading import ExtendMention, Mention, MentionKind, Pick, Reading
from dragoman.reading.slips import Slips
from dragoman.reading.tokens import Script, Token, script_of, tokens_of
from dragoman.reading.vocabulary import Vocabularies

__all__ = ["ExtendMention", "Mention", "MentionKind", "Pick", "Reader", "Reading", "language_of"]

_MOST_CORRECTED: Final = 4
"""A message with more unknown words than this is not one with slips."""


class Reader:
    """Reads messages against one catalog. Built once: the phrases are laid out by their words."""

    def __init__(self, catalog: PackCatalog) -> None:
        self._catalog = catalog
        self._entities = tuple(catalog.entities)
        self._names = NameIndex(self._entities)
        self._vocabularies = Vocabularies(catalog)
        self._slips = Slips(self._names.words)
        phrases = "|".join(re.escape(phrase) for each in lexicons() for phrase in each.data["not_months"])
        self._not_months = re.compile(rf"\b(?:{phrases})\b", re.IGNORECASE)

    def read(self, text: str) -> Reading:
        periods = self._periods(text)
        tokens = tokens_of(_blanked(text, periods))
        scripts = frozenset({Script.LATIN, *(token.script for token in tokens)})
        message = prepare(tokens, self._vocabularies.of(scripts))
        found = match(message, self._names)
        extension = self._extension(text, message, found)
        corrected, corrections = self._corrected(message, found, extension)
        if corrections:
            message = corrected
            found = match(message, self._names)
            extension = self._extension(text, message, found)
        return Assembly(self._catalog, text, message, found, periods, extension, corrections).reading()

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

    def _extension(self, text: str, message: Message, found: Sequence[Found]) -> Extension | None:
        light = (MentionKind.FILLER, MentionKind.ANAPHOR, MentionKind.AFFIRMATION)
        empty = [False] * len(message.tokens)
        for one in found:
            for word in one.words if one.meaning.kind in light else ():
                empty[word] = True
        return find_extension(text, message.tokens, message.keys, empty)

    def _corrected(
        self, message: Message, found: Sequence[Found], extension: Extension | None
    ) -> tuple[Message, tuple[tuple[str, str], ...]]:
        covered = {word for one in found for word in one.words} | (extension.words if extension else set())
        unknown = [i for i in range(len(message.tokens)) if i not in covered]
        if not unknown or len(unknown) > _MOST_CORRECTED:
            return message, ()
        tokens, corrections = list(message.tokens), []
        everything = self._vocabularies.of(frozenset(Script)) if _may_be_typed(tokens, unknown) else ()
        for i in unknown:
            known = everything or message.vocabularies
            meant = self._slips.correct(tokens[i], known)
            if meant is not None:
                corrections.append((tokens[i].form, meant))
                tokens[i] = tokens[i]._replace(form=meant, script=script_of(meant))
        if not corrections:
            return message, ()
        scripts = frozenset({Script.LATIN, *(token.script for token in tokens)})
        return prepare(tokens, self._vocabularies.of(scripts)), tuple(corrections)


def _may_be_typed(tokens: Sequence[Token], unknown: Sequence[int]) -> bool:
    """Whether words may be of another keyboard layout: every letter of the message is unknown."""
    return len(unknown) == len([token for token in tokens if not token.form.isdigit()])


def _blanked(text: str, periods: Iterable[PeriodMention]) -> str:
    for period in periods:
        text = text[: period.start] + " " * (period.end - period.start) + text[period.end :]
    return text
