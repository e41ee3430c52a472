"""Periods of a message, as the one grammar of dates found them, at their places among its tokens."""

import datetime as dt
from collections.abc import Mapping, Sequence

from dragoman.contracts.record import Record
from dragoman.planning.tables.words import Token


class DaySpan(Record, frozen=True):
    """Days that a part of the message names, both ends included; an end that is None is open."""

    start: int
    end: int
    text: str
    first: dt.date | None
    last: dt.date | None


class PlacedSpan(Record, frozen=True):
    """A span among the tokens of a message: it takes those up to `end`."""

    end: int
    days: DaySpan


def placed(spans: Sequence[DaySpan], tokens: Sequence[Token]) -> dict[int, PlacedSpan]:
    """The spans by the token that they begin with."""
    found: dict[int, PlacedSpan] = {}
    for span in spans:
        inside = [at for at, token in enumerate(tokens) if span.start <= token.start < span.end]
        if inside:
            found[inside[0]] = PlacedSpan(inside[-1] + 1, span)
    return found


def covered(spans: Mapping[int, PlacedSpan]) -> frozenset[int]:
    """Every token that a span takes."""
    return frozenset(at for start, span in spans.items() for at in range(start, span.end))
