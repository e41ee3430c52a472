"""Periods in a message: where they stand among its words, and what words around them make of them."""

import re
from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from dragoman.planning.database.segments import Piece, Segment, text_of
from dragoman.planning.database.vocabulary import english
from dragoman.planning.tables.words import Token
from dragoman.reading.periods import EARLIEST_YEAR, Bound, PeriodMention

_ORDINAL = re.compile(r"(2[01])(?:th|st)")
_DECADE = re.compile(r"(?:(1[89]|20)?(\d)0)'?s$")
_FIRST_YEAR, _LAST_YEAR = 1000, 2120
_EDGE = 2
"""The words that say which end of a period is meant: end of."""
_INCLUSIVE = {Bound.AFTER: Bound.SINCE, Bound.BEFORE: Bound.UNTIL}


def placed(periods: Sequence[PeriodMention], tokens: Sequence[Token]) -> Mapping[int, list[Segment]]:
    """Periods by the first word of each."""
    found: dict[int, list[Segment]] = {}
    for period in periods:
        period = _done_in(period, tokens)
        inside = _inside(period, tokens)
        if inside and tokens[inside[0]].low != "that":
            start, end, told = _widened(period, tokens, inside[0], inside[-1] + 1)
            score = 1.25 * (end - start)
            found.setdefault(start, []).append(
                Segment(start, end, Piece.PERIOD, told.text, "", score, period=told)
            )
    return found


def _done_in(period: PeriodMention, tokens: Sequence[Token]) -> PeriodMention:
    """ "Which leases end in 2018": what they do in that year, and not the end of it."""
    if period.edge is None or period.until is not None:
        return period
    inside = _inside(period, tokens)
    said = [tokens[at].low for at in inside[:2]]
    before = tokens[inside[0] - 1].low if inside[0] > 0 else ""
    verb = len(inside) > _EDGE and said[0] in ("end", "ends", "start", "starts") and said[1] in ("in", "on")
    if not verb or not before or before in english().before_periods or before in ("at", "by"):
        return period
    first = tokens[inside[_EDGE]]
    return replace(period, edge=None, start=first.start, text=" ".join(tokens[at].text for at in inside[2:]))


def _inside(period: PeriodMention, tokens: Sequence[Token]) -> list[int]:
    return [at for at, each in enumerate(tokens) if each.start < period.end and each.end > period.start]


def _widened(
    period: PeriodMention, tokens: Sequence[Token], start: int, end: int
) -> tuple[int, int, PeriodMention]:
    """ "On or after" a day has the day in it; "2020 or later" is since 2020."""
    before = [each.low for each in tokens[max(0, start - 2) : start]]
    if before == ["on", "or"] and period.bound in _INCLUSIVE:
        return start - 2, end, replace(period, bound=_INCLUSIVE[period.bound])
    week = (
        english().ordinals.get(tokens[start - 3].low)
        if _said(tokens, start, ["week", "of"]) and start > 2
        else None
    )
    if week is not None and period.month is not None and period.day is None and period.until is None:
        first, last = 7 * week - 6, 7 * week
        until = replace(period, day=last)
        return start - 3, end, replace(period, day=first, until=until)
    for phrase, bound in english().period_bounds.items():
        words = phrase.split()
        if period.bound is None and period.until is None and _said(tokens, start, words):
            return start - len(words), end, replace(period, bound=Bound(bound), open_ended=True)
    led = max(start - 2, 0) if start and tokens[start - 1].low == "the" else start - 1
    # "Over the past year": nothing is compared.
    return (led if led >= 0 and tokens[led].low in english().across_periods else start), end, period


def _said(tokens: Sequence[Token], end: int, words: list[str]) -> bool:
    return [each.low for each in tokens[max(0, end - len(words)) : end]] == words


def is_compared(tokens: Sequence[Token], at: int) -> bool:
    """Whether a comparison of numbers is before a word: a bare number behind it is not a year."""
    return any(_said(tokens, at, phrase.split()) for phrase in english().number_comparisons)


def is_no_year(spans: Sequence[Segment]) -> bool:
    """Whether a bare number would be a year that nobody keeps records of."""
    periods = [span.period for span in spans if span.period is not None]
    return bool(periods) and all(each.text.isdigit() and _is_far(each.year) for each in periods)


def _is_far(year: int | None) -> bool:
    return year is not None and not _FIRST_YEAR <= year <= _LAST_YEAR


def decades(tokens: Sequence[Token], at: int) -> list[Segment]:
    """The nineties, the 1990s, the 20th century."""
    token = tokens[at]
    if (century := _century(token)) is not None and tokens[at + 1 : at + 2]:
        return _years(tokens, at, at + 2, century) if tokens[at + 1].low in english().century else []
    written = _DECADE.fullmatch(token.low)
    tens = english().decades.get(token.low)
    if tens is not None:
        first = 1900 + tens
    elif written is not None:
        first = int(written.group(1) or 19) * 100 + int(written.group(2)) * 10
    else:
        return []
    return _years(tokens, at, at + 1, (first, first + 9))


def _century(token: Token) -> tuple[int, int] | None:
    """The first and the last year of a century, by its number."""
    written = _ORDINAL.fullmatch(token.low)
    number = english().centuries.get(token.low) if written is None else int(written.group(1))
    first = None if number is None else 100 * number - 99
    return None if first is None or first < EARLIEST_YEAR else (first, first + 99)


def _years(tokens: Sequence[Token], at: int, end: int, years: tuple[int, int]) -> list[Segment]:
    text = text_of(tokens, at, end)
    first, last = (
        PeriodMention(start=tokens[at].start, end=tokens[end - 1].end, text=text, year=year) for year in years
    )
    period = replace(first, until=last)
    return [Segment(at, end, Piece.PERIOD, text, tokens[at].stem, 1.3 * (end - at), period=period)]
