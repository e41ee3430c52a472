"""A period that a message names, and the days it stands for."""

import calendar
import datetime as dt
from enum import StrEnum
from typing import Final

from msgspec.structs import replace

from dragoman.contracts.record import Record
from dragoman.contracts.state import DateScope

EARLIEST_YEAR, LATEST_YEAR = 1900, 2199


class Unit(StrEnum):
    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    QUARTER = "quarter"
    HALF = "half"
    YEAR = "year"


class Bound(StrEnum):
    """What a word beside a period makes of it: since its first day, until its last, before or after it all.
    `from` is since a day; of anything longer it may also mean within it, as `unclear` words do."""

    SINCE = "since"
    FROM = "from"
    UNTIL = "until"
    BEFORE = "before"
    AFTER = "after"
    UNCLEAR = "unclear"


class Days(Record, frozen=True):
    """The days that a period speaks of, both ends included; an end that is None is open."""

    first: dt.date | None
    last: dt.date | None


class Edge(StrEnum):
    """The part of a period that is meant: its first day, its middle, its last day."""

    START = "start"
    MIDDLE = "middle"
    END = "end"


_MONTHS_OF = {Unit.MONTH: 1, Unit.QUARTER: 3, Unit.HALF: 6, Unit.YEAR: 12}


class PeriodMention(Record, frozen=True, kw_only=True):
    """A period found in a text. Without a year (`and for April?`) `scope` is None until one is known.

    With a `unit` it is relative: `shift` such units away from the scope in hand, or from today where nothing
    is in hand. `of_clock` never looks at what is in hand: yesterday. `until` is the other end of a range.
    """

    start: int
    end: int
    text: str
    month: int | None = None
    day: int | None = None
    year: int | None = None
    quarter: int | None = None
    half: int | None = None
    edge: Edge | None = None
    unit: Unit | None = None
    shift: int = 0
    keeps_length: bool = False
    """The scope in hand itself is moved: the same month a year earlier. By the clock, the day of today."""
    of_clock: bool = False
    year_shift: int | None = None
    """The year is so many away from the one in hand: March of last year."""
    until: "PeriodMention | None" = None
    open_ended: bool = False
    """Only one end is named: since March. No date scope says that."""
    bound: Bound | None = None
    """The word before it that leaves an end open."""
    latest: bool = False
    """The last one that there was, counted from today: last November."""

    def scope(self, in_hand: DateScope | int | None = None, today: dt.date | None = None) -> DateScope | None:
        """The period it names, counted from the scope in hand, or else from `today`. None when there is no
        such period, or when there is nothing to count from. A bare number in hand is a year.

        A day stands for its month up to that day: what is asked for one day looks at the end only.
        """
        if self.open_ended:
            return None
        if self.until is not None:
            return self._range(self.until, in_hand, today)
        whole = self._whole(in_hand, today)
        if whole is None or self.edge is None:
            return whole
        middle = whole.start + (whole.end - whole.start) // 2
        days = {Edge.START: whole.start, Edge.MIDDLE: middle, Edge.END: whole.end}
        return _up_to(days[self.edge])

    def days(self, in_hand: DateScope | None = None, today: dt.date | None = None) -> Days | None:
        """The days themselves, for whatever is asked of dates one by one. None as for `scope`."""
        scope = replace(self, open_ended=False, bound=None).scope(in_hand, today)
        if scope is None:
            return None
        first = scope.end if self.is_day and self.until is None else scope.start
        one = dt.timedelta(days=1)
        if self.edge is not None and self.until is not None and self.keeps_length:
            # Three months up to today begin the day after the one that is three months ago.
            first += one
        if self.unit is Unit.WEEK and self.until is None and self.edge is None:
            # The scope ends on the same weekday; the week is from Monday to Sunday.
            first = scope.end - scope.end.weekday() * one
            scope = DateScope(first, first + 6 * one)
        match self.bound:
            case Bound.SINCE:
                return Days(first, None)
            case Bound.FROM:
                # "Orders from March" may be those of March or those since: only a day leaves no doubt.
                return Days(first, None) if first == scope.end else None
            case Bound.UNCLEAR:
                return None
            case Bound.UNTIL:
                return Days(None, scope.end)
            case Bound.BEFORE:
                return Days(None, first - one) if first > dt.date.min else None
            case Bound.AFTER:
                return Days(scope.end + one, None) if scope.end < dt.date.max else None
            case None:
                return Days(first, scope.end)

    @property
    def absolute(self) -> bool:
        """Whether its scope needs neither anything in hand nor a clock."""
        return self.scope() is not None

    def on_calendar(self, today: dt.date, in_hand: DateScope | None = None) -> "PeriodMention":
        """The period by its own dates, where it counts from what is in hand or from today: last month is
        October 2026. Any other stays as it is."""
        plain = replace(self, bound=None, open_ended=False)
        days = plain.days(in_hand, today)
        if days is None or plain.days() is not None or days.first is None or days.last is None:
            return self
        named = _named(DateScope(days.first, days.last))
        parts = {name: getattr(named, name) for name in ("year", "half", "quarter", "month", "day", "until")}
        return replace(
            self, **parts, edge=None, unit=None, shift=0, year_shift=None, latest=False, **_NOT_MOVED
        )

    @property
    def possible(self) -> bool:
        """False for what no calendar has: 31 February, month 13."""
        return (
            self.scope(DateScope(dt.date(2000, 1, 1), dt.date(2000, 12, 31)), dt.date(2000, 6, 15))
            is not None
        )

    @property
    def is_day(self) -> bool:
        """Whether a day is named, and not a longer period."""
        return self.day is not None or self.edge is not None or self.unit is Unit.DAY

    def _range(
        self, until: "PeriodMention", in_hand: DateScope | int | None, today: dt.date | None
    ) -> DateScope | None:
        last = until.scope(in_hand if until.year or self.year is None else self.year, today)
        if last is None:
            return None
        begun = self.year is None and self.unit is None and self.year_shift is None
        known: DateScope | int | None = last.end.year if begun else in_hand
        first = self._whole(known, today)
        if first is not None and begun and first.start > last.end and until.year is not None:
            # From November to February 2021: the first of the two is of the year before.
            first = self._whole(last.end.year - 1, today)
        if first is None:
            return None
        begin = first.end if self.is_day else first.start
        if self.unit is Unit.WEEK and self.edge is None:
            begin = first.end - dt.timedelta(days=first.end.weekday())
        return DateScope(begin, last.end) if begin <= last.end else None

    def _whole(self, in_hand: DateScope | int | None, today: dt.date | None) -> DateScope | None:
        if self.unit is not None:
            return self._relative(in_hand if isinstance(in_hand, DateScope) else None, today)
        year = self.year
        if year is None and self.latest and today is not None and self.month is not None:
            year = today.year - (self.month >= today.month)
        if year is None:
            year = _year_of(in_hand, today if self.year_shift is not None else None)
            year = None if year is None else year + (self.year_shift or 0)
        if year is None or not EARLIEST_YEAR <= year <= LATEST_YEAR:
            return None
        if self.half is not None:
            return _months(year, 6 * self.half - 5, 6 * self.half)
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
        return _up_to(dt.date(year, self.month, self.day))

    def _relative(self, in_hand: DateScope | None, today: dt.date | None) -> DateScope | None:
        if self.of_clock:
            in_hand = None
        base = in_hand.end if in_hand is not None else today
        if base is None or self.unit is None:
            return None
        if self.unit in (Unit.DAY, Unit.WEEK):
            days = self.shift * (7 if self.unit is Unit.WEEK else 1)
            return _shifted_day(base, days)
        length = _MONTHS_OF[self.unit]
        if self.keeps_length and (in_hand is not None or self.of_clock):
            return _moved(in_hand or DateScope(base, base), length * self.shift)
        count = base.year * 12 + base.month - 1
        first = (count // length + self.shift) * length if length > 1 else count + self.shift
        year, month = divmod(first, 12)
        if not EARLIEST_YEAR <= year <= LATEST_YEAR:
            return None
        return _months(year, month + 1, month + length)


_NOT_MOVED: Final = {"keeps_length": False, "of_clock": False}


def _named(scope: DateScope) -> PeriodMention:
    """A period by the longest unit that it is a whole one of; by its first and last day where it is none."""
    first, last = scope.start, scope.end
    named = PeriodMention(start=0, end=0, text="", year=first.year)
    wholes = [
        named,
        *(replace(named, half=number) for number in (1, 2)),
        *(replace(named, quarter=number) for number in (1, 2, 3, 4)),
        replace(named, month=first.month),
        replace(named, month=first.month, day=first.day),
    ]
    found = next((each for each in wholes if each.days() == Days(first, last)), None)
    if found is not None:
        return found
    until = replace(named, year=last.year, month=last.month, day=last.day)
    return replace(wholes[-1], until=until)


def _year_of(in_hand: DateScope | int | None, today: dt.date | None) -> int | None:
    if isinstance(in_hand, DateScope):
        return in_hand.end.year
    if in_hand is not None:
        return in_hand
    return today.year if today is not None else None


def _up_to(day: dt.date) -> DateScope:
    return DateScope(day.replace(day=1), day)


def _shifted_day(base: dt.date, days: int) -> DateScope | None:
    try:
        return _up_to(base + dt.timedelta(days=days))
    except OverflowError:
        return None


def _moved(scope: DateScope, months: int) -> DateScope | None:
    """A scope so many months away; what ends with its month still does."""
    start = _moved_day(scope.start, months, last=False)
    end = _moved_day(scope.end, months, last=(scope.end + dt.timedelta(days=1)).day == 1)
    return None if start is None or end is None else DateScope(start, end)


def _moved_day(day: dt.date, months: int, *, last: bool) -> dt.date | None:
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    if not EARLIEST_YEAR <= year <= LATEST_YEAR:
        return None
    length = calendar.monthrange(year, month + 1)[1]
    return dt.date(year, month + 1, length if last else min(day.day, length))


def _months(year: int, first: int, last: int) -> DateScope:
    return DateScope(dt.date(year, first, 1), dt.date(year, last, calendar.monthrange(year, last)[1]))
