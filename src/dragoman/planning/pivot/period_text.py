"""A period as English says it: found again by the English grammar, it is the same period."""

import calendar
from typing import Final

from msgspec.structs import replace

from dragoman.reading.period_grammar import period_grammar
from dragoman.reading.periods import Bound, Edge, PeriodMention, Unit

_ORDINALS: Final = ("", "first", "second", "third", "fourth")
_BOUNDS: Final = {
    Bound.SINCE: "since",
    Bound.FROM: "from",
    Bound.UNTIL: "until",
    Bound.BEFORE: "before",
    Bound.AFTER: "after",
    Bound.UNCLEAR: "from",
}
_DAYS: Final = {-1: "yesterday", 0: "today", 1: "tomorrow"}
_SHIFTS: Final = {-1: "last", 0: "this", 1: "next"}


def period_text(period: PeriodMention) -> str | None:
    """The English words of a period; None where there are none that mean just this."""
    text = _said(period)
    if text is None:
        return None
    found = period_grammar().find(text)
    if len(found) != 1 or _bare(found[0]) != _bare(period):
        return None
    return text


def _bare(period: PeriodMention) -> PeriodMention:
    until = None if period.until is None else _bare(period.until)
    # Languages differ in whether a bound that is said opens the period, not in the bound.
    open_ended = period.open_ended or period.bound is not None
    return replace(period, start=0, end=0, text="", until=until, open_ended=open_ended)


def _said(period: PeriodMention) -> str | None:
    if period.until is not None:
        return _range(period, period.until)
    whole = _whole(period)
    if whole is None:
        return None
    return whole if period.bound is None else f"{_BOUNDS[period.bound]} {whole}"


def _range(period: PeriodMention, until: PeriodMention) -> str | None:
    if period.of_clock and until.unit is Unit.DAY and until.shift == 0 and period.unit is not None:
        # The last 3 months end today, the last 30 days begin 29 days ago.
        count = -period.shift if period.edge is Edge.END else 1 - period.shift
        return f"last {count} {period.unit.value}s"
    first, last = _whole(replace(period, until=None)), _whole(until)
    return None if first is None or last is None else f"from {first} to {last}"


def _whole(period: PeriodMention) -> str | None:
    if period.edge is not None:
        return None
    if period.unit is not None:
        return _relative(period)
    year = "" if period.year is None else str(period.year)
    if period.year_shift is not None and period.year_shift in _SHIFTS:
        year = f"of {_SHIFTS[period.year_shift]} year"
    if period.half is not None or period.quarter is not None:
        name = f"half of {year}" if period.half is not None else f"quarter of {year}"
        return f"{_ORDINALS[period.half or period.quarter or 0]} {name}".removesuffix(" of ")
    if period.month is None or not 1 <= period.month <= 12:
        return year or None
    month = calendar.month_name[period.month]
    if period.latest:
        return f"last {month}"
    day = "" if period.day is None else f"{period.day} "
    return f"{day}{month} {year}".strip()


def _relative(period: PeriodMention) -> str | None:
    if period.unit is None:
        return None
    if period.unit is Unit.DAY:
        return _DAYS.get(period.shift)
    word = _SHIFTS.get(period.shift)
    return None if word is None else f"{word} {period.unit.value}"
