"""Conditions of a frame and those of a message: what takes the place of what, and what is added."""

import datetime as dt
from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from dragoman.contracts.state import DateScope
from dragoman.planning.database.column_facts import Role
from dragoman.planning.database.frame import Condition, Frame, Ref
from dragoman.planning.database.graft import Schema
from dragoman.planning.database.joins import Joins
from dragoman.planning.database.knowledge import Knowledge
from dragoman.planning.database.lean import Lean
from dragoman.planning.database.sketch import Dated
from dragoman.planning.tables.schema_names import Thing
from dragoman.reading.periods import Bound
from dragoman.tables.graph import Table, TableKey
from dragoman.tables.verbs import DatePart

Conditions = tuple[Condition, ...]
_CALENDAR = (Role.YEAR, Role.MONTH, Role.DAY)


def merged(
    before: Conditions, new: Conditions, lean: Lean, schema: Schema, dated: list[Dated]
) -> Iterator[tuple[Conditions, float]]:
    """The conditions after a message, the likeliest first, each with what it costs."""
    knowledge = schema.knowledge
    new = _same_months(new)
    kept = list(before)
    for condition in new:
        if is_period(condition, knowledge):
            continue
        if lean.has("also"):
            new, kept = _joined(condition, new, kept)
        kept = [each for each in kept if not _replaces(condition, each, lean)]
        if lean.opens("about", "and", "same", "instead"):
            kept = [each for each in kept if not _same_name(condition, each, knowledge)]
    periods = [each for each in new if is_period(each, knowledge)]
    scope = _scope(before)
    if periods:
        periods = [_end_of(each, scope, lean, dated) for each in periods]
        known = replace_period(kept, periods, knowledge, scope, dated, schema.today, only=lean.has("only"))
        kept, periods = known
    added = tuple(dict.fromkeys((*kept, *periods, *(each for each in new if not is_period(each, knowledge)))))
    last = None
    swaps = lean.opens("about", "and", "same", "instead") or lean.has("instead")
    if swaps and not lean.has("among") and new and not periods and len(added) > len(before):
        # "What about Berlin" after a country: it takes the place of what was said of the same thing.
        equal = [each for each in before if each.operation == "equal" and not each.negative and each in added]
        near = [each for each in equal if _about(each, schema.joins) == _about(new[0], schema.joins)]
        last = next(reversed(near or equal), None)
        if last is not None:
            yield tuple(each for each in added if each != last), 0.0 if near else 0.25
        last = last if near else None
    yield added, 0.15 if last is not None else 0.0


def _end_of(condition: Condition, scope: DateScope | None, lean: Lean, dated: list[Dated]) -> Condition:
    """ "Only the last quarter" of a year in hand is its end, and not the quarter before today."""
    if scope is None or not lean.has("only") or len(dated) != 1 or condition.operation != "days":
        return condition
    first, period = condition.values[0], dated[0].period
    outside = isinstance(first, dt.date) and not scope.start <= first <= scope.end
    if period.unit is None or period.shift != -1 or not outside or scope.end == dt.date.max:
        return condition
    after = scope.end + dt.timedelta(days=1)
    days = period.days(DateScope(after, after), after)
    if days is None or days.first is None or days.first < scope.start:
        return condition
    return replace(condition, values=(days.first, days.last))


_BOUNDS = {
    Bound.SINCE: "at-least",
    Bound.FROM: "at-least",
    Bound.UNTIL: "at-most",
    Bound.BEFORE: "below",
    Bound.AFTER: "above",
}


def _years_near(table: Table, schema: Schema) -> list[Ref]:
    """Columns of years of the tables that rows lead to, where none of those has dates."""
    ways = [(schema.joins.way(table, other), other) for other in schema.joins.graph.tables.values()]
    near = [(way.cost, other) for way, other in ways if way is not None and way.links and way.single]
    if any(schema.knowledge.dates(other) for _, other in near):
        return []
    ranked = sorted(near, key=lambda each: each[0])
    return [Ref(each) for _, other in ranked for each in schema.knowledge.of_role(other, Role.YEAR)[:1]]


def date_in_hand(frame: Frame) -> Ref | None:
    """The date that a frame speaks of: of a period, of groups by months, of an order."""
    held = [each.ref for each in frame.conditions if each.operation in ("days", "part")]
    held += [each.ref for each in frame.groups if each.part is not None and each.ref is not None]
    held += [each.key for each in frame.order if isinstance(each.key, Ref)]
    return next((ref for ref in held if ref.thing.is_date), None)


def _meant_date(frame: Frame, dated: Dated, schema: Schema, spoken: Iterable[str]) -> Ref | None:
    """The date in hand, unless the message names another one, or a verb does: "shipped in 2019"."""
    ref = date_in_hand(frame)
    if ref is None or (dated.near is not None and any(n.thing.is_date for n in dated.near.segment.names)):
        return None
    verbs = schema.words.date_verbs
    said = {word for verb in spoken for word in (verb, *verbs.get(verb, ()))}
    others = [each for each in schema.knowledge.dates(ref.table) if said & set(each.words)]
    return ref if not others or ref.thing in others else Ref(others[0], ref.links, ref.through)


def _over(ref: Ref, dated: Dated, today: dt.date) -> Condition | None:
    """A period as a condition on a date; None where it is neither days nor a month or quarter of any year."""
    period = dated.period
    days = period.days(None, today)
    if days is None and period.bound is not None:
        days = replace(period, bound=None).days(None, today)
    if days is not None:
        return Condition(ref, "days", (days.first, days.last), dated.negative)
    if period.year is not None or period.day is not None or period.until is not None:
        return None
    for part, place in ((DatePart.MONTH, period.month), (DatePart.QUARTER, period.quarter)):
        if place is not None:
            return Condition(ref, "part", (float(place),), dated.negative, part)
    return None


def spoken_periods(
    frame: Frame, dated: list[Dated], schema: Schema, verbs: Iterable[str] = ()
) -> tuple[list[Condition], list[Dated]]:
    """Periods over the column that the frame speaks of already, and those that are left."""
    knowledge = schema.knowledge
    refs = (
        [each.ref for each in frame.conditions]
        + [each.ref for each in frame.groups if each.ref]
        + [*frame.shown]
    )
    main = next((each.table for each in frame.measures if each.table is not None), frame.subject)
    if not knowledge.dates(main):
        refs += [Ref(each) for each in knowledge.things.of_table[main.key]]
        refs += _years_near(main, schema)
    found: list[Condition] = []
    left: list[Dated] = []
    for each in dated:
        period = each.period
        ref = None
        if period.unit is None and period.day is None and period.quarter is None and period.half is None:
            if period.year is not None and period.month is None:
                ref = _calendar_ref(refs, Role.YEAR, knowledge)
            elif period.month is not None and period.year is None:
                ref = _calendar_ref(refs, Role.MONTH, knowledge)
        if ref is None or (period.month is not None and period.until is not None):
            date = _meant_date(frame, each, schema, verbs)
            held = None if date is None else _over(date, each, schema.today)
            if held is None:
                left.append(each)
            else:
                found.append(held)
            continue
        first = float(period.year or period.month or 0)
        if period.until is not None and period.until.year is not None:
            found.append(Condition(ref, "between", (first, float(period.until.year)), each.negative))
            continue
        only = frame.conditions and period.bound is Bound.FROM and not period.open_ended
        operation = _BOUNDS.get(period.bound, "equal") if period.bound is not None and not only else "equal"
        found.append(Condition(ref, operation, (first,), each.negative))
    return found, left


def _calendar_ref(refs: list[Ref], role: Role, knowledge: Knowledge) -> Ref | None:
    for ref in refs:
        named = ref.thing.is_number and role.value in ref.thing.words
        if knowledge.role(ref.thing) is role or named:
            return ref
    return None


def turned(frame: Frame, knowledge: Knowledge) -> Frame | None:
    """The frame of those that are not so: the one thing that its rows have, or are, they have not; None where
    they are held to several, or to nothing."""
    plain = [each for each in frame.linked if not (each.operation or each.conditions)]
    held = [each for each in frame.conditions if not is_period(each, knowledge)]
    if frame.linked and len(plain) == len(frame.linked) == 1:
        return replace(frame, linked=(replace(plain[0], absent=not plain[0].absent),))
    if frame.linked or len(held) != 1 or frame.either:
        return None
    other = replace(held[0], negative=not held[0].negative)
    return replace(frame, conditions=tuple(other if e == held[0] else e for e in frame.conditions))


def without(conditions: Conditions, thing: Thing, joins: Joins) -> tuple[Conditions, Conditions]:
    """The conditions that do not speak of a thing, and those that do."""

    def speaks(condition: Condition) -> bool:
        held = condition.ref.thing
        link = joins.find_link(held)
        if thing.column is not None:
            return held.number == thing.number
        return held.table.key == thing.table.key or (link is not None and link.target == thing.table.key)

    kept = tuple(each for each in conditions if not speaks(each))
    return kept, tuple(each for each in conditions if speaks(each))


def _about(condition: Condition, joins: Joins) -> TableKey:
    """The table of the thing that a condition names, by its own columns or by a key that points at it."""
    link = joins.find_link(condition.ref.thing)
    return condition.ref.table.key if link is None else link.target


def _joined(
    condition: Condition, new: Conditions, kept: list[Condition]
) -> tuple[Conditions, list[Condition]]:
    """ "And in Oulu too": either value."""
    for old in kept:
        if old.operation == condition.operation == "equal" and old.ref == condition.ref and not old.negative:
            both = replace(old, values=tuple(dict.fromkeys((*old.values, *condition.values))))
            return tuple(both if each == condition else each for each in new), [e for e in kept if e != old]
    return new, kept


def _replaces(new: Condition, old: Condition, lean: Lean) -> bool:
    """A value takes the place of another of the same column, reached in the same way."""
    if new.ref.thing.number != old.ref.thing.number or new.ref.through != old.ref.through:
        return False
    if new.negative != old.negative:
        # "Not cancelled" after the cancelled ones: one goes for the other.
        return (
            new.negative and new.operation == old.operation == "equal" and set(old.values) <= set(new.values)
        )
    if new.negative:
        return False
    if new.operation == "equal" or old.operation == "equal":
        return True
    # A lower bound leaves an upper one alone, unless the message is about the number itself, or no number is
    # left between them.
    if new.operation == old.operation or lean.opens("instead"):
        return True
    return (lean.opens("about") and not lean.opens("and")) or _apart(new, old)


_LOWER, _UPPER = ("above", "at-least"), ("below", "at-most")


def _apart(one: Condition, other: Condition) -> bool:
    """Whether no number meets two bounds."""
    for low, high in ((one, other), (other, one)):
        if low.operation in _LOWER and high.operation in _UPPER:
            if not low.values or not high.values:
                # Held against another column, which may have any number.
                return False
            least, most = low.values[0], high.values[0]
            return isinstance(least, float) and isinstance(most, float) and least >= most
    return True


def _same_name(new: Condition, old: Condition, knowledge: Knowledge) -> bool:
    """Whether two values are parts of the name of one row: another last name, and the first one goes."""
    if new.operation != "equal" or old.operation != "equal" or new.negative or old.negative:
        return False
    labels = knowledge.labels(new.ref.table)
    alike = new.ref.links == old.ref.links and new.ref.through == old.ref.through
    return alike and new.ref.thing != old.ref.thing and {new.ref.thing, old.ref.thing} <= set(labels)


def is_period(condition: Condition, knowledge: Knowledge) -> bool:
    if condition.operation in ("days", "part"):
        return True
    return knowledge.role(condition.ref.thing) in _CALENDAR


def _same_months(conditions: Conditions) -> Conditions:
    """June and July: either of them."""
    found: list[Condition] = []
    for condition in conditions:
        alike = next((e for e in found if _joins_with(e, condition)), None)
        if alike is None:
            found.append(condition)
        else:
            found[found.index(alike)] = replace(alike, values=(*alike.values, *condition.values))
    return tuple(found)


def _joins_with(one: Condition, other: Condition) -> bool:
    kind = one.operation == other.operation and one.operation in ("part", "equal")
    return kind and one.ref == other.ref and one.part == other.part and one.negative == other.negative


def _scope(conditions: Conditions) -> DateScope | None:
    for condition in conditions:
        match condition:
            case Condition(operation="days", values=(dt.date() as first, dt.date() as last), negative=False):
                return DateScope(first, last)
            case _:
                continue
    return None


def replace_period(
    kept: list[Condition],
    periods: list[Condition],
    knowledge: Knowledge,
    scope: DateScope | None,
    dated: list[Dated],
    today: dt.date,
    *,
    only: bool,
) -> tuple[list[Condition], list[Condition]]:
    """A period in place of another. A month alone is one of the year in hand."""
    found: list[Condition] = []
    # The first of two periods may already stand in the place of the one in hand.
    held = next((each for each in kept if each.operation == "days"), None)
    for period in periods:
        alone = period.operation == "part" and len(period.values) == 1 and len(dated) == 1
        if alone and scope is not None and held is not None:
            days = dated[0].period.days(scope, today)
            whole_year = (scope.end - scope.start).days > 360
            if days is not None and not (whole_year and only):
                period = replace(
                    period, ref=held.ref, operation="days", values=(days.first, days.last), part=None
                )
        kept = [each for each in kept if not _period_replaces(period, each, knowledge)]
        found.append(period)
    return kept, found


def _period_replaces(new: Condition, old: Condition, knowledge: Knowledge) -> bool:
    if new.negative or old.negative:
        return False
    if new.operation == "days":
        return old.operation in ("days", "part")
    if new.operation == "part":
        return old.operation == "part" and old.part == new.part
    role, before = knowledge.role(new.ref.thing), knowledge.role(old.ref.thing)
    return new.ref == old.ref or (role in _CALENDAR and role == before)
