"""A period over columns that hold the year, the month and the day as numbers."""

from collections.abc import Sequence
from dataclasses import dataclass

from dragoman.planning.database.column_facts import Role
from dragoman.planning.database.draft.work import Asked
from dragoman.planning.database.frame import Condition, Ref
from dragoman.planning.database.knowledge import Knowledge
from dragoman.planning.database.verb_forms import speaks_of
from dragoman.planning.tables.schema_names import Thing
from dragoman.reading.periods import Bound, PeriodMention
from dragoman.tables.graph import Table

_OPERATIONS = {
    Bound.SINCE: "at-least",
    Bound.FROM: "at-least",
    Bound.UNTIL: "at-most",
    Bound.BEFORE: "below",
    Bound.AFTER: "above",
}

_PARTS = frozenset({"year", "month", "day", "id"})


@dataclass(frozen=True)
class _Calendar:
    years: list[Thing]
    months: list[Thing]
    days: list[Thing]


def has_calendar(asked: Asked, table: Table, near: Thing | None, verbs: Sequence[str] = ()) -> bool:
    """Whether a table keeps the time of its rows in such columns."""
    return _calendar(asked, table, near, verbs) is not None


def calendar_conditions(
    asked: Asked, table: Table, period: PeriodMention, near: Thing | None, verbs: Sequence[str] = ()
) -> list[Condition] | None:
    """None: the table has no such columns, or they cannot say this period."""
    calendar = _calendar(asked, table, near, verbs)
    if calendar is None:
        return None
    years, months, until = calendar.years, calendar.months, period.until
    if until is not None and months and period.month and until.month:
        return _between_months(calendar, period, until, period.month, until.month)
    span = until is not None and period.year and until.year and until.year > period.year
    if until is not None and span and years and not months and period.day and until.day:
        # "Built in the last 5 years", where only years are known.
        return [_between(years[0], period.year or 0, until.year or 0)]
    if until is not None and years and period.year and until.year and not period.month:
        return [_between(years[0], period.year, until.year)]
    operation = _OPERATIONS.get(period.bound, "equal") if period.bound else "equal"
    if years and period.year and not period.month and not period.quarter:
        return [_number(years[0], period.year, operation)]
    conditions = _in_year(calendar, period, operation)
    if conditions is None or not period.year:
        return conditions
    return [*conditions, _number(years[0], period.year)] if years else None


def _calendar(asked: Asked, table: Table, near: Thing | None, verbs: Sequence[str]) -> _Calendar | None:
    knowledge = asked.knowledge
    years, months, days = (knowledge.of_role(table, role) for role in (Role.YEAR, Role.MONTH, Role.DAY))
    if near is not None and knowledge.role(near) is Role.YEAR and near.table.key == table.key:
        years = [near]
    if not years and not months:
        return None

    def said(thing: Thing) -> bool:
        return any(speaks_of(asked.words, verb, thing) for verb in verbs)

    # When a row was changed last says nothing of what it is about.
    dates = [date for date in knowledge.dated(table) if not asked.words.kept_up & set(date.words)]
    spoken = next((thing for thing in (*years, *months) if said(thing)), None)
    if spoken is not None and not any(map(said, dates)):
        # "Born in 1990": the year of birth, the month of birth, and no other.
        family = set(spoken.words) - _PARTS
        years, months, days = (
            [each for each in known if set(each.words) - _PARTS == family] for known in (years, months, days)
        )
        return _Calendar(years, months, days)
    if near is not None and near in years:
        return _Calendar(years, months, days)
    # A date says more than the year beside it, unless it is the year that was named; a year of something
    # else than the row itself says less than a date that the verb speaks of, wherever it is.
    if dates and not any(map(_plain, months)):
        return None
    if not any(map(_plain, (*years, *months))) and any(map(said, _all_dates(knowledge))):
        return None
    return _Calendar(years, months, days)


def own_year(asked: Asked, table: Table) -> Thing | None:
    """The year of a row that has no date: the season of a result."""
    dates = [date for date in asked.knowledge.dated(table) if not asked.words.kept_up & set(date.words)]
    years = [year for year in asked.knowledge.of_role(table, Role.YEAR) if _plain(year)]
    return years[0] if len(years) == 1 and not dates else None


def _plain(thing: Thing) -> bool:
    return set(thing.words) <= _PARTS | thing.optional


def _all_dates(knowledge: Knowledge) -> list[Thing]:
    return [date for table in knowledge.things.graph.tables.values() for date in knowledge.dated(table)]


def _between_months(
    calendar: _Calendar, period: PeriodMention, until: PeriodMention, first: int, last: int
) -> list[Condition] | None:
    """From March to May, from the 3rd to the 9th of March. Numbers cannot say days of different months."""
    if calendar.days and period.day and until.day and first == last:
        days = _between(calendar.days[0], period.day, until.day)
        conditions = [_number(calendar.months[0], first), days]
    elif period.day is None and until.day is None:
        conditions = [_between(calendar.months[0], first, last)]
    else:
        return None
    year = until.year or period.year
    if year and calendar.years:
        conditions.append(_number(calendar.years[0], year))
    return conditions


def _in_year(calendar: _Calendar, period: PeriodMention, operation: str) -> list[Condition] | None:
    """The quarter, or the month and the day."""
    if not calendar.months:
        return None
    month = calendar.months[0]
    if period.quarter:
        return [_between(month, period.quarter * 3 - 2, period.quarter * 3)]
    if not period.month:
        return None
    conditions = [_number(month, period.month, operation)]
    if not period.day:
        return conditions
    if operation != "equal" or not calendar.days:
        return None
    return [*conditions, _number(calendar.days[0], period.day)]


def _number(thing: Thing, number: int, operation: str = "equal") -> Condition:
    return Condition(Ref(thing), operation, (float(number),))


def _between(thing: Thing, first: int, last: int) -> Condition:
    return Condition(Ref(thing), "between", (float(first), float(last)))
