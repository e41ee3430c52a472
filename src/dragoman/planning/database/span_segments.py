"""Times that are counted from today or come again: the past 30 days, Saturdays, after 6 pm."""

import re
from collections.abc import Sequence

from dragoman.planning.database.segments import Piece, Segment, text_of
from dragoman.planning.database.vocabulary import english
from dragoman.planning.tables.cues import number_of
from dragoman.planning.tables.words import Kind, Token
from dragoman.reading.periods import Edge, PeriodMention, Unit

_MOST = 400
_DAYS_OF = {"day": 1, "week": 7}
_MONTHS = {"month": Unit.MONTH, "quarter": Unit.QUARTER, "year": Unit.YEAR}
_CLOCK = re.compile(r"(\d{1,2})(?::00)?(am|pm)?")
_HALF_DAY = 12
_HOURS = 24


def spans(tokens: Sequence[Token], at: int, languages: tuple[str, ...]) -> list[Segment]:
    """ "The past 30 days": so many days up to today, whatever the calendar says."""
    if tokens[at].low not in english().past or at + 2 >= len(tokens):
        return []
    number, part = number_of(tokens[at + 1], languages), english().parts.get(tokens[at + 2].stem)
    behind = tokens[at + 3].low if at + 3 < len(tokens) else ""
    if number is None or number != int(number) or not 0 < number <= _MOST or behind == "of":
        return []
    start, end = tokens[at].start, tokens[at + 2].end
    text = text_of(tokens, at, at + 3)
    today = PeriodMention(start=start, end=end, text=text, unit=Unit.DAY, of_clock=True)
    if part in _DAYS_OF:
        shift = -int(number) * _DAYS_OF[part]
        period = PeriodMention(
            start=start, end=end, text=text, unit=Unit.DAY, shift=shift, of_clock=True, until=today
        )
    elif part in _MONTHS:
        period = PeriodMention(
            start=start,
            end=end,
            text=text,
            unit=_MONTHS[part],
            shift=-int(number),
            of_clock=True,
            keeps_length=True,
            edge=Edge.END,
            until=today,
        )
    else:
        return []
    return [Segment(at, at + 3, Piece.PERIOD, text, "", 1.25 * 3, period=period)]


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


def starts(tokens: Sequence[Token], languages: tuple[str, ...]) -> set[int]:
    """The words at which such a time begins."""
    return {
        at
        for at, token in enumerate(tokens)
        if token.kind is Kind.WORD
        and (spans(tokens, at, languages) or weekdays(tokens, at) or hours(tokens, at))
    }
