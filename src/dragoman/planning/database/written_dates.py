"""Dates that a column of texts has written: how they are written, and what a period says of such texts."""

import datetime as dt
import re
from collections.abc import Sequence

from dragoman.contracts.record import Record

_YEAR_FIRST = re.compile(r"\d{4}-\d{2}-\d{2}(?:[ T]\d{2}:\d{2}.*)?")
_YEAR_LAST = re.compile(r"(\d{1,2})([/.-])(\d{1,2})\2(\d{4})")
_MONTHS = 12
_MOST_YEARS = 20


class DateForm(Record, frozen=True):
    """How the texts of a column write dates. Texts with the year first are in order of days."""

    mark: str
    year_first: bool = False
    day_first: bool = False


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
        return DateForm("-", year_first=True)
    found = [_YEAR_LAST.fullmatch(each) for each in known]
    dates = [each for each in found if each is not None]
    if len(dates) < len(known):
        return None
    first = max(int(each.group(1)) for each in dates)
    second = max(int(each.group(3)) for each in dates)
    if (first > _MONTHS) == (second > _MONTHS):
        return None
    return DateForm(dates[0].group(2), day_first=first > _MONTHS)


def written_span(form: DateForm, first: dt.date | None, last: dt.date | None) -> Beginning | None:
    """A span of days over texts whose year is last: whole years, or one month."""
    if first is None or last is None or form.year_first:
        return None
    after = last + dt.timedelta(days=1)
    if (first.day, first.month) == (1, 1) == (after.day, after.month):
        years = range(first.year, after.year)
        texts = tuple(f"{form.mark}{year}" for year in years)
        return Beginning("ends", texts) if len(years) <= _MOST_YEARS else None
    one = first.day == 1 == after.day and (first.year, first.month) == (last.year, last.month)
    if one and form.day_first:
        return Beginning("ends", (f"{form.mark}{first.month:02}{form.mark}{first.year}",))
    return None


def written_month(form: DateForm, month: int) -> Beginning:
    """A month of any year."""
    if form.year_first or form.day_first:
        return Beginning("contains", (f"{form.mark}{month:02}{form.mark}",))
    return Beginning("starts", (f"{month:02}{form.mark}",))
