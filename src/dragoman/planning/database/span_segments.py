"""Times that come again: Saturdays, after 6 pm."""

import re
from collections.abc import Sequence

from dragoman.planning.database.segments import Piece, Segment, text_of
from dragoman.planning.database.vocabulary import english
from dragoman.planning.tables.words import Kind, Token
from dragoman.reading.periods import PeriodMention

_CLOCK = re.compile(r"(\d{1,2})(?::00)?(am|pm)?")
_HALF_DAY = 12
_HOURS = 24


def weekdays(tokens: Sequence[Token], at: int) -> list[Segment]:
    """ "On a Saturday", "at the weekend": days that come every week."""
    days, low = english().weekdays.get(tokens[at].low), tokens[at].low
    # "The review on Monday" is one day, and of no row.
    every = low.endswith("s") or (at > 0 and tokens[at - 1].low in (*english().each, "a", "any", "the"))
    return [] if not days or not every else [_again(tokens, at, at + 1, "weekday", days, 1.1)]


def hours(tokens: Sequence[Token], at: int) -> list[Segment]:
    """ "After 6 pm", "before 9am": the hours of the day on that side."""
    side = english().clock_sides.get(tokens[at].low)
    if side is None or at + 1 >= len(tokens):
        return []
    said = _CLOCK.fullmatch(tokens[at + 1].low)
    end, half = at + 2, said.group(2) if said is not None else None
    if half is None and end < len(tokens) and tokens[end].low in ("am", "pm"):
        half, end = tokens[end].low, end + 1
    if said is None or half is None or not 0 < int(said.group(1)) <= _HALF_DAY:
        return []
    hour = int(said.group(1)) % _HALF_DAY + (_HALF_DAY if half == "pm" else 0)
    found = range(hour) if side == "before" else range(hour, _HOURS)
    return [_again(tokens, at, end, "hour", tuple(found), 1.25 * (end - at))] if found else []


def _again(
    tokens: Sequence[Token], at: int, end: int, part: str, numbers: tuple[int, ...], score: float
) -> Segment:
    text = text_of(tokens, at, end)
    period = PeriodMention(start=tokens[at].start, end=tokens[end - 1].end, text=text)
    return Segment(
        at, end, Piece.PERIOD, text, tokens[at].stem, score, period=period, part=part, parts=numbers
    )


def starts(tokens: Sequence[Token]) -> set[int]:
    """The words at which such a time begins."""
    return {
        at
        for at, token in enumerate(tokens)
        if token.kind is Kind.WORD and (weekdays(tokens, at) or hours(tokens, at))
    }
