"""The periods of a message by the calendar: what they count from, where they do not say it themselves.

"Last month" counts from the period in hand where the message goes on from it, and from the reference date
otherwise: today, or the last day that the data have.
"""

import datetime as dt
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Final

from msgspec.structs import replace

from dragoman.contracts.program import Date, Program
from dragoman.contracts.record import Record
from dragoman.contracts.state import DateScope, ReferenceDate
from dragoman.language.types import parts
from dragoman.locales.documents import lexicon_of
from dragoman.locales.registry import language
from dragoman.planning.contract import Asked
from dragoman.planning.database.lean import LEANING, lean_of
from dragoman.planning.database.other_steps import holds_others
from dragoman.planning.tables.day_spans import DaySpan
from dragoman.planning.tables.lexicon import others_spoken
from dragoman.reading.periods import PeriodMention, Unit

_SIGNS: Final = " ?!.,;:"
_SPARE: Final = 4
"""So many days more than its shortest a unit may have."""
_LENGTHS: Final = {
    Unit.DAY: range(1, 2),
    Unit.WEEK: range(7, 8),
    Unit.MONTH: range(28, 32),
    Unit.QUARTER: range(90, 93),
    Unit.HALF: range(181, 185),
    Unit.YEAR: range(365, 367),
}
"""How many days each unit may have."""


def reference_date(asked: Asked) -> ReferenceDate:
    """What relative periods count from: what the session has settled, else today."""
    settled = asked.continuity.reference_date
    return settled if settled is not None and settled.of_data else ReferenceDate(asked.today)


class MessagePeriods(Record, frozen=True):
    """The periods of a message, and their days where nothing leaves these open."""

    periods: tuple[PeriodMention, ...]
    spans: tuple[DaySpan, ...]
    relative: bool
    """Whether one of them counts from the reference date."""


def periods_in(asked: Asked, base: Program, reference: ReferenceDate) -> MessagePeriods:
    """The periods of a message that may go on from `base`."""
    return placed_periods(asked.text, tuple(_certain(asked)), base, reference.day)


def placed_periods(
    text: str, mentions: tuple[PeriodMention, ...], base: Program, day: dt.date
) -> MessagePeriods:
    """Periods by the calendar. A month without a year is one of the year that is in hand."""
    in_hand = period_in_hand(base) if mentions else None
    leans = any(map(_is_counted, mentions)) and in_hand is not None and _leans(text, mentions)
    found = []
    relative = False
    for each in mentions:
        if in_hand is not None and _lacks_year(each):
            found.append(replace(each, year=in_hand.end.year))
        elif not _is_counted(each):
            found.append(each)
        elif found and each.keeps_length and not each.of_clock:
            # "Last month and the month before": before that one.
            found.append(_before(each, _scope(found[-1], day), day))
        else:
            near = in_hand if leans and in_hand is not None and _is_next_to(each, in_hand) else None
            found.append(_before(each, near, day))
            relative = relative or (near is None and found[-1] is not each)
    return MessagePeriods(tuple(found), day_spans(found, in_hand), relative)


def _scope(mention: PeriodMention, day: dt.date) -> DateScope | None:
    days = mention.days(None, day)
    if days is None or days.first is None or days.last is None:
        return None
    return DateScope(days.first, days.last)


def _before(mention: PeriodMention, near: DateScope | None, day: dt.date) -> PeriodMention:
    """A period by the calendar. The month before a year, and seven days before eight, are those that end
    when the longer time begins; the year before a month is that month a year before."""
    if near is not None and mention.keeps_length and mention.shift < 0 and mention.unit is not None:
        length = (near.end - near.start).days + 1
        last = near.start - dt.timedelta(days=1)
        days = -mention.shift * _LENGTHS[mention.unit].start
        if mention.unit in (Unit.DAY, Unit.WEEK) and length > 1 and days <= length:
            first = replace(mention, unit=Unit.DAY, shift=1 - days, keeps_length=False).on_calendar(last)
            return replace(first, until=_day(mention, last)) if days > 1 else first
        if mention.unit not in (Unit.DAY, Unit.WEEK) and length > days + _SPARE * -mention.shift:
            one = replace(mention, shift=0, keeps_length=False)
            whole = one.on_calendar(last)
            first = replace(one, shift=mention.shift + 1).on_calendar(last)
            return whole if mention.shift == -1 else replace(first, until=whole)
    return mention.on_calendar(day, near)


def _day(mention: PeriodMention, day: dt.date) -> PeriodMention:
    return replace(mention, unit=Unit.DAY, shift=0, keeps_length=False).on_calendar(day)


def _is_counted(mention: PeriodMention) -> bool:
    """Whether a period, or an end of it, counts from some day."""
    ends = (mention, mention.until)
    return any(
        each is not None and (each.unit is not None or each.year_shift is not None or each.latest)
        for each in ends
    )


def _leans(text: str, mentions: tuple[PeriodMention, ...]) -> bool:
    """Whether a message is about the one before it: by its words, or because a period is all it says."""
    alone = any(not f"{text[: each.start]}{text[each.end :]}".strip(_SIGNS) for each in mentions)
    return alone or bool(others_spoken(text)) or lean_of(text).strength >= LEANING


def _is_next_to(mention: PeriodMention, in_hand: DateScope) -> bool:
    """Whether a period counts from the one in hand: the month before from a month, and not from a year. What
    is now is so by the clock."""
    if mention.of_clock or mention.unit is None or (not mention.shift and mention.edge is None):
        return False
    return mention.keeps_length or (in_hand.end - in_hand.start).days + 1 in _LENGTHS[mention.unit]


def _lacks_year(mention: PeriodMention) -> bool:
    named = mention.month is not None or mention.quarter is not None
    counted = mention.year_shift is not None or mention.latest
    return named and mention.year is None and mention.until is None and not counted


def day_spans(mentions: Iterable[PeriodMention], in_hand: DateScope | None) -> tuple[DaySpan, ...]:
    """The days of periods: they name their year, or take it from what is in hand."""
    found = []
    for mention in mentions:
        days = mention.days(in_hand)
        if days is not None:
            found.append(DaySpan(mention.start, mention.end, mention.text, days.first, days.last))
    return tuple(found)


def _certain(asked: Asked) -> Iterator[PeriodMention]:
    """The periods whose days nothing beside them changes. The end of a month, and a date after "by" or "as
    of", may stand for everything until then."""
    leads = _leads(asked.reading.language) if asked.reading.dates else ()
    for mention in asked.reading.dates:
        before = asked.text[: mention.start].casefold().rstrip()
        # "Since the start of 2010" says on which side of that day.
        counted = mention.edge is None or mention.until is not None or mention.bound is not None
        if counted and not any(f" {before}".endswith(f" {lead}") for lead in leads):
            yield mention


@cache
def _leads(code: str) -> tuple[str, ...]:
    """Words behind which a date may stand for something else than its days."""
    spoken = language(code)
    lexicon = lexicon_of(spoken)
    # "What about 2017" only says that the year takes the place of another.
    replacing = frozenset(spoken.texts("follow_ups")["phrases"]["about"])
    fillers = (each for each in lexicon["filler_phrases"] if " " in each and each not in replacing)
    return (*lexicon["groupings"], *fillers)


def period_in_hand(base: Program) -> DateScope | None:
    """The days that the program in hand speaks of: from its first date to its last."""
    values = [argument.value for statement in base for argument in statement.arguments]
    days: list[dt.date] = []
    while values:
        value = values.pop()
        if isinstance(value, Date):
            days.append(value.value)
        values.extend(parts(value))
    return DateScope(min(days), max(days)) if days else None


def shares_a_time(program: Program) -> bool:
    """Whether rows are held against others of the same year, whichever it is: no day is counted from."""
    return period_in_hand(program) is None and any(map(holds_others, program))
