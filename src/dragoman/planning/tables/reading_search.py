"""Reads a message from left to right within one scope, and keeps the best ways to do so."""

from collections.abc import Iterator
from operator import attrgetter
from typing import NamedTuple

from dragoman.planning.tables.cue_roles import after_cue
from dragoman.planning.tables.cues import Cue
from dragoman.planning.tables.date_roles import after_day, after_span, is_day
from dragoman.planning.tables.day_spans import PlacedSpan
from dragoman.planning.tables.name_linker import Named
from dragoman.planning.tables.name_roles import after_name
from dragoman.planning.tables.number_roles import after_number
from dragoman.planning.tables.partial_reading import Draft, forgotten
from dragoman.planning.tables.schema_names import Thing
from dragoman.planning.tables.scoped_message import ScopedMessage
from dragoman.planning.tables.text_roles import after_text
from dragoman.planning.tables.value_linker import Valued
from dragoman.planning.tables.value_roles import after_value
from dragoman.planning.tables.words import Kind, Token

WIDTH = 6
"""So many drafts go on from each word. Of three hundred questions none is read better with fifty."""
_TELLING = frozenset(
    {"average", "sum", "max", "min", "most", "least", "common", "rare", "not", "missing"}
    | {"above", "below", "at-least", "at-most", "between", "contains", "starts", "ends"}
)
"""Kinds of phrases that change what is asked: a reading that passes over one does not cover the message."""
_SCORE = attrgetter("score")
_SKIPPED = {Kind.QUOTED: "skip.quoted", Kind.NUMBER: "skip.number"}


def drafts_of(message: ScopedMessage) -> list[Draft]:
    """The best ways to read a message to its end."""
    return _Search(message).drafts()


class _Here(NamedTuple):
    """What the words from one place on may be."""

    token: Token
    cues: tuple[Cue, ...]
    number: float | None
    names: tuple[Named, ...]
    values: tuple[Valued, ...]
    text: bool
    """It is a text if one is due."""
    span: PlacedSpan | None
    day: bool


class _Search:
    def __init__(self, message: ScopedMessage) -> None:
        self._message = message

    def drafts(self) -> list[Draft]:
        tokens = self._message.tokens
        waiting: dict[int, list[Draft]] = {0: [Draft()]}
        for at in range(len(tokens)):
            here = self._here(at)
            for draft in _best(waiting.pop(at, [])):
                for further in self._further(draft, here):
                    waiting.setdefault(further.at, []).append(further)
        return _best(waiting.get(len(tokens), []))

    def _here(self, at: int) -> _Here:
        message = self._message
        token = message.tokens[at]
        return _Here(
            token,
            message.usable_cues(at),
            message.numbers[at],
            message.named.get(at, ()),
            message.valued.get(at, ()),
            token.kind is not Kind.MARK and message.text_is_due(at),
            message.spans.get(at),
            is_day(token) and not (at in message.dated and message.has_date),
        )

    def _further(self, draft: Draft, here: _Here) -> list[Draft]:
        """Every way to read on from a draft."""
        at, token = draft.at, here.token
        found = self._after_objects(draft, here)
        named = here.number is not None or bool(found)
        if here.cues:
            found = [*self._after_cues(draft, here.cues), *found]
        if token.kind is Kind.QUOTED or (here.text and draft.waiting.like and not draft.waiting.text):
            found += [self._moved(draft, each, at + 1) for each in after_text(self._message, draft, token)]
        if here.span is not None:
            end = here.span.end
            found += [self._moved(draft, each, end) for each in after_span(self._message, draft, here.span)]
        if here.day:
            found += [self._moved(draft, each, at + 1) for each in after_day(self._message, draft, token)]
        if token.kind is Kind.WORD and token.text[:1].isupper() and at and not here.cues and not named:
            waiting = draft.waiting.also(text=token.text)
            found.append(self._message.gained(draft, [("word.wait", 1.0)], waiting=waiting, at=at + 1))
        found.append(self._skipped(draft, token, known=bool(here.cues), named=named))
        return found

    def _after_cues(self, draft: Draft, cues: tuple[Cue, ...]) -> Iterator[Draft]:
        longest = cues[0].end
        for cue in cues:
            short = [("cue.short", 1.0)] if cue.end < longest else []
            for further in after_cue(self._message, draft, cue):
                yield self._message.gained(further, short, at=cue.end)

    def _after_objects(self, draft: Draft, here: _Here) -> list[Draft]:
        """What is asked, compared or shown: numbers, names and values."""
        message = self._message
        found: list[Draft] = []
        if here.number is not None:
            found += [
                self._moved(draft, each, draft.at + 1)
                for each in after_number(message, draft, here.number, here.token)
                if not self._misses_period(draft, each)
            ]
        for name in here.names:
            found += [self._moved(draft, each, name.end) for each in after_name(message, draft, name)]
        for value in here.values:
            found += [self._moved(draft, each, value.end) for each in after_value(message, draft, value)]
        return found

    def _misses_period(self, draft: Draft, further: Draft) -> bool:
        """Whether a number inside of a period was asked of a date by itself: the 2020 of "since 2020"."""
        if draft.at not in self._message.dated or draft.at in self._message.spans:
            return False
        asked = further.conditions[len(draft.conditions) :]
        return any(condition.thing.is_date for condition in asked)

    def _moved(self, draft: Draft, further: Draft, at: int) -> Draft:
        """The draft a few words on. What waited and was neither used nor kept counts against it."""
        lost = forgotten(draft, further)
        if not lost:
            return further.changed(at=at)
        uncovered = (*further.uncovered, *lost)
        return self._message.gained(further, [("lost", float(len(lost)))], at=at, uncovered=uncovered)

    def _skipped(self, draft: Draft, token: Token, *, known: bool, named: bool) -> Draft:
        """The draft without a word. Unless it only shapes the question, the word stays uncovered."""
        at, message = draft.at, self._message
        if token.kind is Kind.MARK:
            return draft.changed(at=at + 1, zone=_zone_after(token, draft.zone))
        if known:
            said = all(cue.kind in _TELLING for cue in message.cues.get(at, ()))
            uncovered = (*draft.uncovered, token.text) if said else draft.uncovered
            return message.gained(draft, [("skip.cue", 1.0)], at=at + 1, uncovered=uncovered)
        if not named and message.only_links(at):
            return message.gained(draft, [("skip.linking", 1.0)], at=at + 1)
        feature = _SKIPPED.get(token.kind, "skip.word")
        return message.gained(
            draft,
            [(feature, 1.0), *([("skip.named", 1.0)] if named else [])],
            at=at + 1,
            uncovered=(*draft.uncovered, token.text),
        )


def _zone_after(mark: Token, zone: str) -> str:
    """A comma ends what is gathered by; the end of a sentence ends everything."""
    ends = mark.low in "?.;" or (mark.low in ",?.;" and zone == "group")
    return "show" if ends else zone


def _best(drafts: list[Draft]) -> list[Draft]:
    """The best of each kind: two drafts that will go on alike are one, the better."""
    drafts.sort(key=_SCORE, reverse=True)
    kept: dict[object, Draft] = {}
    for draft in drafts:
        kept.setdefault(_state(draft), draft)
        if len(kept) == WIDTH:
            break
    return list(kept.values())


def _state(draft: Draft) -> object:
    return (
        (draft.zone, draft.waiting, _number(draft.held), draft.top, draft.everything, len(draft.counted)),
        (_numbers(draft.shown), _numbers(draft.subjects), _numbers(draft.groups), _numbers(draft.counted)),
        tuple((each.verb, _number(each.thing)) for each in draft.measures),
        tuple((each.thing.number, each.operation, each.values, each.negative) for each in draft.conditions),
        tuple((each.operation, each.number) for each in draft.having),
        tuple((_number(each.thing), each.descending) for each in draft.orders),
        draft.extreme and (_number(draft.extreme.thing), draft.extreme.descending, draft.extreme.measure),
        (draft.descending, draft.ordering, draft.distinct, draft.count_distinct, _number(draft.last)),
    )


def _number(thing: Thing | None) -> int:
    return -1 if thing is None else thing.number


def _numbers(things: tuple[Thing | None, ...]) -> tuple[int, ...]:
    return tuple([_number(thing) for thing in things]) if things else ()
