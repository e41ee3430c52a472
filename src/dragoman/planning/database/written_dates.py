"""Dates that a column of texts has written: how they are written, and what a period says of such texts."""

import datetime as dt
import re
from collections.abc import Sequence

from dragoman.contracts.record import Record

_YEAR_FIRST = re.compile(r"\d{4}-\d{2}-\d{2}(?:[ T]\d{2}:\d{2}.*)?")
_DIGITS_ALONE = re.compile(r"(?:1[6-9]|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])")
_UNPADDED = re.compile(r"\d{4}([/.-])\d{1,2}\1\d{1,2}(?P<time>[ T]\d{1,2}:\d{2}.*)?")
_YEAR_LAST = re.compile(r"(\d{1,2})([/.-])(\d{1,2})\2(\d{4})(?P<time>[ T]\d{1,2}:\d{2}.*)?")
_MONTH_NAMED = re.compile(r"(\d{1,2})([/. -])([A-Za-z]{3})\2(\d{4}|\d{2})")
_MONTH_NAMES = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_MONTHS = 12
_LAST_DIGIT = 9
_CENTURY_LEFT_OUT = 2
_MOST_YEARS = 20
_SEVERAL = 2
"""One number of eight digits may be a date by chance."""


class DateForm(Record, frozen=True):
    """How the texts of a column write dates. Texts with the year first are in order of days, where months and
    days have two digits each. `mark`: what stands between the numbers; nothing in 20230601."""

    mark: str
    year_first: bool = False
    day_first: bool = False
    months: tuple[str, ...] = ()
    """What the months are called, where they are not numbers: "OCT"."""
    unpadded: bool = False
    """Whether a month or a day may have one digit."""
    vague: bool = False
    """Whether days cannot be told from months: only years can be spoken of."""
    timed: bool = False
    """Whether a time follows the day."""
    short_year: bool = False
    """Whether the century goes without saying."""

    @property
    def in_order(self) -> bool:
        """Whether the order of the texts is that of the days."""
        return self.year_first and not self.unpadded

    def month(self, number: int) -> tuple[str, ...]:
        """How a month may be written."""
        if self.months:
            return (self.months[number - 1],)
        return (
            (f"{number:02}",) if not self.unpadded or number > _LAST_DIGIT else (str(number), f"{number:02}")
        )

    def year(self, number: int) -> str:
        return f"{number % 100:02}" if self.short_year else str(number)

    def day(self, day: dt.date) -> str:
        """A day as texts with the year first have it."""
        return day.isoformat().replace("-", self.mark)


ISO = DateForm("-", year_first=True)


class Beginning(Record, frozen=True):
    """What texts must begin with, end with or contain: one of several; or what they are compared
    with."""

    operation: str
    texts: tuple[str, ...]


def form_of(samples: Sequence[str]) -> DateForm | None:
    """None: the texts are no dates."""
    known = [each for each in samples if each]
    if not known:
        return None
    if all(_YEAR_FIRST.fullmatch(each) for each in known):
        return ISO
    if len(set(known)) >= _SEVERAL and all(_DIGITS_ALONE.fullmatch(each) for each in known):
        return DateForm("", year_first=True)
    if (named := _month_named(known)) is not None:
        return named
    begun = [found for each in known if (found := _UNPADDED.fullmatch(each)) is not None]
    if len(begun) == len(known):
        timed = any(each["time"] for each in begun)
        return DateForm(begun[0].group(1), year_first=True, unpadded=True, timed=timed)
    dates = [found for each in known if (found := _YEAR_LAST.fullmatch(each)) is not None]
    if len(dates) < len(known):
        return None
    first = max(int(each.group(1)) for each in dates)
    second = max(int(each.group(3)) for each in dates)
    vague = (first > _MONTHS) == (second > _MONTHS)
    unpadded = any(len(part) == 1 for each in dates for part in each.group(1, 3))
    return DateForm(
        dates[0].group(2),
        day_first=first > _MONTHS and not vague,
        vague=vague,
        unpadded=unpadded,
        timed=any(each["time"] for each in dates),
    )


def _month_named(samples: Sequence[str]) -> DateForm | None:
    """Dates such as 04-AUG-21, where all are written alike."""
    dates = [each for text in samples if (each := _MONTH_NAMED.fullmatch(text)) is not None]
    if len(dates) < len(samples):
        return None
    said = {each.group(3) for each in dates}
    for write in (str.upper, str.title, str.lower):
        months = tuple(map(write, _MONTH_NAMES))
        if said <= set(months):
            short = all(len(each.group(4)) == _CENTURY_LEFT_OUT for each in dates)
            return DateForm(dates[0].group(2), day_first=True, months=months, short_year=short)
    return None


def written_span(form: DateForm, first: dt.date | None, last: dt.date | None) -> Beginning | None:
    """A span of days over texts that are not in order of days: whole years, or one month."""
    if form.in_order:
        return None
    if first is None or last is None:
        return _since_or_until(form, first, last)
    after = last + dt.timedelta(days=1)
    if (first.day, first.month) == (1, 1) == (after.day, after.month):
        years = range(first.year, after.year)
        return _among(form, [form.year(year) for year in years]) if len(years) <= _MOST_YEARS else None
    one = first.day == 1 == after.day and (first.year, first.month) == (last.year, last.month)
    if one and (form.day_first or form.year_first):
        year, months = form.year(first.year), form.month(first.month)
        return _among(form, [form.mark.join((year, m) if form.year_first else (m, year)) for m in months])
    return None


def _since_or_until(form: DateForm, first: dt.date | None, last: dt.date | None) -> Beginning | None:
    """Texts that begin with the year are in order of years, if not of days. With its mark behind it a year is
    no number, which an engine without types would compare otherwise."""
    if not form.year_first:
        return None
    if first is not None and (first.month, first.day) == (1, 1):
        return Beginning("at-least", (f"{first.year}{form.mark}",))
    if last is not None and (last.month, last.day) == (12, 31):
        return Beginning("below", (f"{last.year + 1}{form.mark}",))
    return None


def _among(form: DateForm, texts: Sequence[str]) -> Beginning:
    """Texts that have one of these where the year is: first, last, or before a time."""
    if form.year_first:
        return Beginning("starts", tuple(f"{text}{form.mark}" for text in texts))
    if form.timed:
        return Beginning("contains", tuple(f"{form.mark}{text} " for text in texts))
    return Beginning("ends", tuple(f"{form.mark}{text}" for text in texts))


def written_month(form: DateForm, month: int) -> Beginning | None:
    """A month of any year; None where it cannot be told from the year or the day."""
    if form.vague or not form.mark:
        return None
    if form.year_first or form.day_first:
        return Beginning("contains", tuple(f"{form.mark}{each}{form.mark}" for each in form.month(month)))
    return Beginning("starts", tuple(f"{each}{form.mark}" for each in form.month(month)))
