"""Periods: which date they speak of, and the conditions that they set."""

from collections.abc import Sequence

from msgspec.structs import replace

from dragoman.planning.database.draft.calendar_columns import calendar_conditions, has_calendar
from dragoman.planning.database.draft.events import at_event, bounds_trade, event_of
from dragoman.planning.database.draft.joined_periods import either, joined_groups
from dragoman.planning.database.draft.work import Work
from dragoman.planning.database.frame import Condition, Ref
from dragoman.planning.database.segments import Piece
from dragoman.planning.database.sketch import Dated
from dragoman.planning.database.verb_forms import akin, closeness
from dragoman.planning.database.written_dates import Beginning, written_month, written_span
from dragoman.planning.tables.schema_names import Thing
from dragoman.reading.periods import PeriodMention
from dragoman.tables.graph import Table
from dragoman.tables.verbs import DatePart

_FARTHEST = 4
_CLOSE_CALL = 0.3
_LEAST_LETTERS = 4
_SPOKEN = 5.0
"""How much nearer a date is that a verb speaks of."""
_SAID = 0.35
"""What it is worth that the message has a word that only this date has."""
_HELD = 0.6
_FURTHER = 0.5
"""And with every further verb that does."""


def hold_periods(work: Work) -> None:
    for several in joined_groups(work.sketch.dated):
        dated = several[0]
        absent = next((each for each in work.linked if each.absent), None)
        if absent is not None and not dated.negative:
            # "No orders in 2019": the period is that of what is not there. A line has the date of its order.
            inside = _periods(work, absent.table, several)
            if inside and all(_leads_to_one(work, absent.table, each.ref.table) for each in inside):
                place = work.linked.index(absent)
                work.linked[place] = replace(absent, conditions=(*absent.conditions, *inside))
                continue
        event = event_of(work, dated)
        held = None if event is None else at_event(_periods(work, event[0], several), event)
        work.conditions.extend(_periods(work, main_table(work), several) if held is None else held)


def _leads_to_one(work: Work, table: Table, other: Table) -> bool:
    """Whether a row of a table is of one row of another, or both are the same."""
    way = work.joins.way(table, other)
    # What is not there must not be dated by the row that it is not there for.
    back = other.key == work.subject.key
    return table.key == other.key or (way is not None and way.single and not back)


def main_table(work: Work) -> Table:
    """The table that dates are looked for in first: the one that is measured, else the subject."""
    measured = (measure.table for measure in work.measures if measure.table is not None)
    return next(measured, work.base or work.subject)


def _periods(work: Work, table: Table, several: Sequence[Dated]) -> list[Condition]:
    """ "In 2018 or 2020": any of the periods."""
    found = _period(work, table, several[0])
    for dated in several[1:]:
        more = _period(work, table, dated)
        merged = either(found, more)
        if merged is None:
            work.cost += 1.0
        found = [*found, *more] if merged is None else merged
    return found


def _period(work: Work, table: Table, dated: Dated) -> list[Condition]:
    near = work.date or done_date(work) or work.asked.thing(dated.near)
    verbs = dated.verbs or tuple(work.sketch.verbs)
    if dated.parts:
        return _again(work, dated, date_column(work, table, near, verbs, parted=True))
    numbers = calendar_conditions(work.asked, table, dated.period, near, verbs)
    if numbers is not None:
        return numbers
    if has_calendar(work.asked, table, near, verbs) and not work.knowledge.dated(table):
        # The table has years of its own, which cannot say this: no other table's date is meant.
        return _unsaid(work, dated)
    date = date_column(work, table, near, verbs)
    if date is not None:
        return _days(work, Ref(date), dated)
    for other in work.asked.chosen.tables:
        numbers = calendar_conditions(work.asked, other, dated.period, near, verbs)
        if numbers is not None:
            return numbers
    work.guess("period", 2.0)
    return []


def done_date(work: Work) -> Thing | None:
    """ "Returned bookings in May": the date of what was done with them."""
    for slot in work.sketch.context:
        thing = work.asked.thing(slot)
        own = thing is not None and thing.is_date and thing.table.key == work.subject.key
        before_name = any(p.start == slot.segment.end and p.piece is Piece.NAME for p in work.sketch.pieces)
        if own and before_name and slot.segment.text.casefold().endswith(("ed", "paid")):
            return thing
    return None


def _again(work: Work, dated: Dated, date: Thing | None) -> list[Condition]:
    """What comes again: on Saturdays, after six."""
    if date is None:
        work.guess("period", 2.0)
        return []
    numbers = tuple(map(float, dated.parts))
    return [Condition(Ref(date), "part", numbers, dated.negative, DatePart(dated.part))]


def _days(work: Work, ref: Ref, dated: Dated) -> list[Condition]:
    period = dated.period
    days = period.days(None, work.asked.today)
    if days is None and period.bound is not None:
        days = replace(period, bound=None).days(None, work.asked.today)
    form = work.knowledge.form(ref.thing)
    if days is not None:
        if not period.absolute and period.bound is None:
            work.guess("today")
        if form is None or form.in_order:
            return [Condition(ref, "days", (days.first, days.last), dated.negative)]
        return _written(work, ref, written_span(form, days.first, days.last), dated)
    if period.year is None:
        # "In March" without a year: March of every year.
        if period.month is not None and period.day is None and period.until is None:
            if form is not None:
                return _written(work, ref, written_month(form, period.month), dated)
            return [Condition(ref, "part", (float(period.month),), dated.negative, DatePart("month"))]
        months = _months(period)
        if months and form is None:
            return [Condition(ref, "part", tuple(map(float, months)), dated.negative, DatePart("month"))]
        if period.quarter is not None and form is None:
            return [Condition(ref, "part", (float(period.quarter),), dated.negative, DatePart("quarter"))]
    return _unsaid(work, dated)


def _unsaid(work: Work, dated: Dated) -> list[Condition]:
    """The rows of all times are not what was asked for."""
    work.cost += 1.5
    work.sketch.uncovered.append(dated.period.text)
    return []


def _months(period: PeriodMention) -> list[int]:
    """The months of any year: from November to February, the first half."""
    if period.half is not None:
        return list(range(6 * period.half - 5, 6 * period.half + 1))
    until = period.until
    if until is None or period.month is None or until.month is None or period.day or until.day:
        return []
    if until.month >= period.month:
        return list(range(period.month, until.month + 1))
    return [*range(period.month, 13), *range(1, until.month + 1)]


def _written(work: Work, ref: Ref, held: Beginning | None, dated: Dated) -> list[Condition]:
    if held is None:
        return _unsaid(work, dated)
    return [Condition(ref, held.operation, held.texts, dated.negative)]


def date_column(
    work: Work,
    table: Table,
    near: Thing | None = None,
    verbs: tuple[str, ...] | None = None,
    *,
    parted: bool = False,
) -> Thing | None:
    """The date that a period speaks of: one that a verb names, the nearest one otherwise. `parted`: one that
    has parts, and is not only written in a text."""
    knowledge = work.knowledge
    dated = knowledge.dates if parted else knowledge.dated
    if near is not None and near.column is not None and near in dated(near.table):
        return near
    said = work.sketch.verbs if verbs is None else verbs
    found: list[tuple[float, int, Thing]] = []
    for other in work.joins.graph.tables.values():
        way = work.joins.way(table, other)
        if way is None or len(way.links) > _FARTHEST:
            continue
        for place, date in enumerate(dated(other)):
            cost = 2.0 * way.cost + (0 if way.single else 1.0) + 0.05 * place
            if near is not None and near.column is None and near.table.key == other.key:
                # "Whose stay ended in May": the stay, and nothing else that ended.
                cost -= 1.0
            found.append((cost + _bearing(work, table, date, said), date.number, date))
    if not found:
        return None
    found.sort(key=lambda each: each[:2])
    best, *others = found
    if others and others[0][0] - best[0] < _CLOSE_CALL and others[0][2].table.key == best[2].table.key:
        work.guess("date")
    if _is_of_another_deed(work, best[2], said):
        work.guess("time")
    return best[2]


def _is_of_another_deed(work: Work, date: Thing, verbs: Sequence[str]) -> bool:
    """Whether verbs that speak of dates speak of none like this one, which says itself what was done: who
    moved out did not become a customer on that day."""
    known = work.asked.words
    told = [verb for verb in verbs if verb in known.date_verbs]
    deeds = {word for words in known.date_verbs.values() for word in words}
    own = set(date.words) - known.any_date - set(known.beginnings)
    own -= set(work.knowledge.things.table_thing[date.table.key].required)
    deed = bool(told and own & deeds) and not _is_of_table(work, date)
    return deed and not any(closeness(known, verb, date) for verb in told)


def _is_recorded(work: Work, table: Table, verbs: Sequence[str]) -> bool:
    """Whether rows of a table are called after what a verb does."""
    words = work.knowledge.things.table_thing[table.key].required
    return any(len(verb) >= _LEAST_LETTERS and word.startswith(verb) for verb in verbs for word in words)


def _is_of_table(work: Work, date: Thing) -> bool:
    """Whether rows are called after what was done on a date: payments, and the day they were paid."""
    table = work.knowledge.things.table_thing[date.table.key].required
    words = set(date.words) - work.asked.words.any_date - set(table)
    return any(akin(word, own) for word in words for own in table[-1:])


def _is_of_many(work: Work, table: Table, date: Thing) -> bool:
    """Whether a date is that of many rows for each of the table, which has dates itself."""
    way = work.joins.way(table, date.table)
    return way is not None and not way.single and bool(work.knowledge.dated(table))


def _is_when_held(work: Work, date: Thing) -> bool:
    """Whether a date says when rows take place, and no other when they did."""
    known = work.asked.words
    said = set(date.words) - known.any_date
    own = work.knowledge.dated(date.table)
    return bool(said) and said <= known.held and not any(known.actual & set(each.words) for each in own)


def _is_stay(work: Work, table: Table, date: Thing) -> bool:
    """Whether rows say how long one thing was at another that the message names: "moved out of a flat"."""
    said = set(work.sketch.said_stems())
    own = set(work.knowledge.things.table_thing[table.key].required)
    names = set(work.knowledge.things.table_thing[date.table.key].required) - own
    links = len(date.table.info.foreign_keys)
    return links > 1 and bool(names & said) and len(work.knowledge.dates(date.table)) > 1


def _is_step(work: Work, date: Thing) -> bool:
    """Whether a date is that of some later step, where a row says when it began: when it was entered."""
    known = work.asked.words
    words = set(date.words) - known.any_date
    table = work.knowledge.things.table_thing[date.table.key].required
    if not words or words & (set(known.beginnings) | set(table)):
        return False
    return any(known.upkeep & set(each.words) for each in work.knowledge.dated(date.table))


def _bearing(work: Work, table: Table, date: Thing, verbs: Sequence[str]) -> float:
    """What the name of a date adds to its distance. The word of a verb brings it near, and so does the name
    of the table; when a row was entered or changed is seldom meant, nor what is planned or is the end."""
    words, known = set(date.words), work.asked.words
    cost = 0.0
    told = [verb for verb in dict.fromkeys(verbs) if not bounds_trade(work, verb, date)]
    spoken = [each for each in (closeness(known, verb, date) for verb in told) if each]
    close = max(spoken, default=0.0)
    if date.table.key != table.key and _is_recorded(work, table, verbs):
        # What was rented has its own rental: no hire of whoever let it is meant.
        close = 0.0
    stays = bool(close) and _is_stay(work, table, date)
    if close and words.isdisjoint(told) and _is_of_many(work, table, date) and not stays:
        # "Piers that opened in May": not when the first of many crossings from them began.
        close = 0.0
    if close:
        # What arrived did so on the day, not on the day that was planned.
        # "Stopped being sold": of two days of sale the one that both words speak of.
        cost -= _SPOKEN * close + _FURTHER * (len(spoken) - 1) + stays
        cost += 0.4 if known.planned & words and not known.planned & set(verbs) else 0.0
    elif _is_when_held(work, date):
        # Appointments in May take place then, whenever they were booked.
        cost -= _HELD
    elif known.kept_up & words or known.birth & words:
        # Nobody asks for births who does not speak of them.
        cost += 3.0
    elif known.upkeep & words:
        cost += 0.4
    elif _is_of_table(work, date):
        # Payments are dated by the day on which they were paid.
        cost -= 0.2
    elif known.unasked_dates & words:
        cost += 0.6
    elif _is_step(work, date):
        cost += 0.5
    if words & set(work.knowledge.things.table_thing[table.key].required):
        cost -= 0.5
    return cost - _SAID * bool(_own_words(work, date) & set(work.sketch.said_stems()))


def _own_words(work: Work, date: Thing) -> set[str]:
    """What tells a date from the others of its table: delivered to the customer, or to the carrier."""
    others = [each for each in work.knowledge.dated(date.table) if each.number != date.number]
    common = {word for each in others for word in each.words} | work.asked.words.any_date
    return set(date.words) - common
