"""Dates that a column of texts has written: how they are written, and what a period says of such texts."""

import datetime as dt
import re
from collections.abc import Sequence

from dragoman.contracts.record import Record

_YEAR_FIRST = re.compile(r"\d{4}-\d{2}-\d{2}(?:[ T]\d{2}:\d{2}.*)?")
_DIGITS_ALONE = re.compile(r"(?:1[6-9]|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])")
_YEAR_LAST = re.compile(r"(\d{1,2})([/.-])(\d{1,2})\2(\d{4})")
_MONTH_NAMED = re.compile(r"(\d{1,2})([/. -])([A-Za-z]{3})\2(\d{4}|\d{2})")
_MONTH_NAMES = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_MONTHS = 12
_CENTURY_LEFT_OUT = 2
_MOST_YEARS = 20
_SEVERAL = 2
"""One number of eight digits may be a date by chance."""


class DateForm(Record, frozen=True):
    """How the texts of a column write dates. Texts with the year first are in order of days. `mark`: what
    stands between the numbers; nothing in 20230601."""

    mark: str
    year_first: bool = False
    day_first: bool = False
    months: tuple[str, ...] = ()
    """What the months are called, where they are not numbers: "OCT"."""
    short_year: bool = False
    """Whether the century goes without saying."""

    def month(self, number: int) -> str:
        return self.months[number - 1] if self.months else f"{number:02}"

    def year(self, number: int) -> str:
        return f"{number % 100:02}" if self.short_year else str(number)

    def day(self, day: dt.date) -> str:
        """A day as texts with the year first have it."""
        return day.isoformat().replace("-", self.mark)


ISO = DateForm("-", year_first=True)


class Beginning(Record, frozen=True):
    """What texts must begin with, end with or contain: one of several."""

    operation: str
    texts: tuple[str, ...]


def form_of(samples: Sequence[str]) -> DateForm | None:
    """None: the texts are no dates, or their days cannot be told from their months."""
    known = [each for each in samples if each]
    if not known:
        return None
    if all(_YEAR_FIRST.fullmatch(each) for each in known):
        return ISO
    if len(set(known)) >= _SEVERAL and all(_DIGITS_ALONE.fullmatch(each) for each in known):
        return DateForm("", year_first=True)
    if (named := _month_named(known)) is not None:
        return named
    found = [_YEAR_LAST.fullmatch(each) for each in known]
    dates = [each for each in found if each is not None]
    if len(dates) < len(known):
        return None
    first = max(int(each.group(1)) for each in dates)
    second = max(int(each.group(3)) for each in dates)
    if (first > _MONTHS) == (second > _MONTHS):
        return None
    return DateForm(dates[0].group(2), day_first=first > _MONTHS)


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
    """A span of days over texts whose year is last: whole years, or one month."""
    if first is None or last is None or form.year_first:
        return None
    after = last + dt.timedelta(days=1)
    if (first.day, first.month) == (1, 1) == (after.day, after.month):
        years = range(first.year, after.year)
        texts = tuple(f"{form.mark}{form.year(year)}" for year in years)
        return Beginning("ends", texts) if len(years) <= _MOST_YEARS else None
    one = first.day == 1 == after.day and (first.year, first.month) == (last.year, last.month)
    if one and form.day_first:
        return Beginning("ends", (f"{form.mark}{form.month(first.month)}{form.mark}{form.year(first.year)}",))
    return None


def written_month(form: DateForm, month: int) -> Beginning | None:
    """A month of any year; None where nothing stands between it and the year."""
    if not form.mark:
        return None
    if form.year_first or form.day_first:
        return Beginning("contains", (f"{form.mark}{form.month(month)}{form.mark}",))
    return Beginning("starts", (f"{month:02}{form.mark}",))
