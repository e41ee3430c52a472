"""Days, months, quarters and years in a message, as date scopes."""

import calendar
import datetime as dt
import re
from collections.abc import Mapping

from dragoman.contracts.record import Record
from dragoman.contracts.state import DateScope

EARLIEST_YEAR, LATEST_YEAR = 1900, 2199


class PeriodMention(Record, frozen=True):
    """A period found in a text. Without a year (`and for April?`) `scope` is None until one is known."""

    start: int
    end: int
    text: str
    month: int | None = None
    day: int | None = None
    year: int | None = None
    quarter: int | None = None

    def scope(self, year: int | None = None) -> DateScope | None:
        """The period it names, its missing year taken from `year`. None when there is no such period.

        A day stands for its month up to that day: what is asked for one day looks at the end only.
        """
        year = year if self.year is None else self.year
        if year is None or not EARLIEST_YEAR <= year <= LATEST_YEAR:
            return None
        if self.quarter is not None:
            return _months(year, 3 * self.quarter - 2, 3 * self.quarter)
        if self.month is None:
            return _months(year, 1, 12)
        if not 1 <= self.month <= 12:
            return None
        if self.day is None:
            return _months(year, self.month, self.month)
        if not 1 <= self.day <= calendar.monthrange(year, self.month)[1]:
            return None
        return DateScope(dt.date(year, self.month, 1), dt.date(year, self.month, self.day))

    @property
    def possible(self) -> bool:
        """False for what no calendar has: 31 February, month 13."""
        return self.scope(2000) is not None


def _months(year: int, first: int, last: int) -> DateScope:
    return DateScope(dt.date(year, first, 1), dt.date(year, last, calendar.monthrange(year, last)[1]))


class PeriodGrammar:
    """Finds periods, with month names given as data."""

    def __init__(self, months: Mapping[str, int]) -> None:
        self._months = months
        names = "|".join(sorted(map(re.escape, months), key=len, reverse=True))
        # Without case, but as ASCII has it: a dotless or dotted Turkish i is another letter.
        month = rf"(?P<month>(?ai:{names}))\.?"
        day, year = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?", r"(?P<year>\d{4})"
        self._patterns = tuple(
            re.compile(rf"(?<![\w-]){pattern}(?![\w-])", re.IGNORECASE)
            for pattern in (
                r"(?P<year>\d{4})-(?P<number>\d{2})-(?P<day>\d{2})",
                r"(?P<year>\d{4})-(?P<number>\d{2})",
                r"(?P<day>\d{1,2})\.(?P<number>\d{1,2})\.(?P<year>\d{4})",
                rf"{day}\s+(?:of\s+)?{month},?\s+{year}",
                rf"{month}\s+{day},?\s+{year}",
                rf"{month},?\s+{year}",
                rf"{day}\s+(?:of\s+)?{month}",
                rf"{month}\s+{day}",
                rf"q(?P<quarter>[1-4]),?\s*{year}",
                rf"{year},?\s*q(?P<quarter>[1-4])",
                r"q(?P<quarter>[1-4])",
                month,
                r"(?P<year>(?:19|20|21)\d{2})",
            )
        )

    def find(self, text: str) -> list[PeriodMention]:
        """The periods of a text from left to right, longest forms first, none overlapping."""
        found: list[PeriodMention] = []
        taken = bytearray(len(text))
        for pattern in self._patterns:
            for match in pattern.finditer(text):
                start, end = match.span()
                if not any(taken[start:end]):
                    taken[start:end] = b"\1" * (end - start)
                    found.append(self._mention(match))
        return sorted(found, key=lambda mention: mention.start)

    def _mention(self, match: re.Match[str]) -> PeriodMention:
        parts = match.groupdict()
        month = self._months[parts["month"].casefold()] if parts.get("month") else _int(parts.get("number"))
        return PeriodMention(
            match.start(),
            match.end(),
            match.group(),
            month=month,
            day=_int(parts.get("day")),
            year=_int(parts.get("year")),
            quarter=_int(parts.get("quarter")),
        )


def _int(digits: str | None) -> int | None:
    return None if digits is None else int(digits)
