"""The two dates of a row that something lasts between."""

from collections.abc import Iterable

from dragoman.contracts.schema import ValueType
from dragoman.planning.database.draft.work import Work
from dragoman.planning.database.frame import Aggregate, Difference, Measure, Ref
from dragoman.planning.database.units import UNITS, Unit
from dragoman.planning.database.verb_forms import closeness
from dragoman.planning.database.vocabulary import Words
from dragoman.planning.tables.schema_names import Thing
from dragoman.planning.tables.words import stem
from dragoman.tables.graph import Table

_FARTHEST = 1
_NAMED = 0.7
_BOTH = 2
_NEAR = 1.0
"""What a date is worth that a verb names, beside one that shares its words."""
_SPANS = frozenset({"between", "from"})
_MOMENTS = (ValueType.DATETIME, ValueType.INSTANT)
_DAY = UNITS["day"]
_SENT = frozenset({stem("ship"), stem("shipped"), stem("sent")})
"""What is sent is still to arrive."""

Ends = tuple[Thing, Thing]
"""The last date and the first one."""


def span_figure(work: Work, aggregate: Aggregate, ends: Ends, unit: Unit | None) -> Measure:
    """How long it is between two dates, in a unit: of two moments by the second, else in days."""
    wanted, days = unit or _DAY, (Ref(ends[0]), Ref(ends[1]))
    if _are_moments(ends):
        return Measure(aggregate, days=days, exact=True, divisor=wanted.factor)
    if wanted.factor < _DAY.factor:
        work.guess("unit", 0.5)
        wanted = _DAY
    return Measure(aggregate, days=days, divisor=wanted.factor / _DAY.factor)


def span_difference(ends: Ends) -> Difference:
    """The same, for rows that are ranked by it."""
    return Difference(Ref(ends[0]), Ref(ends[1]), days=True, exact=_are_moments(ends))


def _are_moments(ends: Ends) -> bool:
    return all(each.column is not None and each.column.type in _MOMENTS for each in ends)


def nearest_ends(work: Work) -> Ends | None:
    """The ends of a row of the subject, or of what is nearest to it."""
    tables = [work.subject]
    for table in work.joins.graph.tables.values():
        way = work.joins.way(table, work.subject)
        if way is not None and way.single and len(way.links) == _FARTHEST:
            tables.append(table)
    return next((found for table in tables if (found := ends_of(work, table)) is not None), None)


def ends_of(work: Work, table: Table) -> Ends | None:
    """The date on which a row ends and the one on which it begins, those that are spoken of first."""
    if work.sketch.delays:
        return delay_ends(work, table)
    words, dates = work.asked.words, _done_dates(work, table)
    own = work.knowledge.things.table_thing[table.key].required
    said = [each for each in (*work.sketch.verbs, *work.sketch.said_stems()) if each not in own]
    spoken = _spoken(words, said, dates)
    both = _said_both(words, work.sketch.said_stems(), dates)
    if both is not None:
        return both
    # What is ordered is shipped later: of two that are spoken of, the one that begins comes first.
    ends = words.unasked_dates | words.done_dates | words.ending
    last = [each for each in dates if ends & set(each.words)]
    # "Until the first response": whatever it is called, what is waited for comes last.
    waited = [each for each in dates if spoken[each.number] == 1.0 and not _begins_rows(words, each)]
    last = last or waited
    if not last:
        return None
    end = max(last, key=lambda each: (spoken[each.number], not _SENT & set(each.words), -each.number))
    if waited and spoken[end.number] < 1.0:
        end = waited[0]
    starts = [
        each for each in dates if each.number != end.number and (each not in last or _SENT & set(each.words))
    ]
    if not starts:
        return None

    def begins(each: Thing) -> tuple[float, int, bool, int]:
        places = [words.beginnings.index(word) for word in each.words if word in words.beginnings]
        shared = len(set(each.words) & set(end.words) - words.any_date)
        said = spoken[each.number] if spoken[each.number] == 1.0 else 0.0
        return said, shared, _are_paired(each, end), -min(places, default=99)

    return end, max(starts, key=begins)


def _are_paired(first: Thing, last: Thing) -> bool:
    """Whether two dates are kept alike, both of them as days or as moments."""
    one, other = first.column, last.column
    return one is not None and other is not None and one.type is other.type


def _done_dates(work: Work, table: Table) -> list[Thing]:
    """The dates on which something happened: not planned, and not of the last change."""
    words = work.asked.words
    left = words.planned | words.kept_up | words.birth
    return [each for each in work.knowledge.dates(table) if not left & set(each.words)]


def _begins_rows(words: Words, date: Thing) -> bool:
    return bool((set(words.beginnings) | words.upkeep) & set(date.words))


def _spoken(words: Words, said: Iterable[str], dates: list[Thing]) -> dict[int, float]:
    told = list(said)
    return {each.number: max((closeness(words, verb, each) for verb in told), default=0.0) for each in dates}


def delay_ends(work: Work, table: Table) -> Ends | None:
    """The day on which something was done and the one for which it was planned; of several such pairs the
    one that the words speak of."""
    words, dates = work.asked.words, work.knowledge.dates(table)
    planned = [each for each in dates if words.planned & set(each.words)]
    done = [each for each in _done_dates(work, table) if not words.upkeep & set(each.words)]
    own = work.knowledge.things.table_thing[table.key].required
    said = [each for each in (*work.sketch.verbs, *work.sketch.said_stems()) if each not in own]
    spoken = _spoken(words, said, dates)
    known = words.unasked_dates | words.done_dates
    found: list[tuple[float, int, Ends]] = []
    for plan in planned:
        for each in done:
            shared = len(set(plan.words) & set(each.words) - words.any_date)
            if not shared and not known & set(each.words):
                continue
            worth = shared + _NEAR * (spoken[plan.number] + spoken[each.number])
            worth += 0.5 * bool(words.done_dates & set(each.words))
            found.append((worth, -each.number, (each, plan)))
    if not found:
        return None
    found.sort(key=lambda each: each[:2], reverse=True)
    if len(found) > 1 and found[1][0] == found[0][0]:
        work.guess("date")
    return found[0][2]


def _said_both(words: Words, said: list[str], dates: list[Thing]) -> Ends | None:
    """ "Between booking and pickup": both days are named, the first one first."""
    if not _SPANS.intersection(said):
        return None
    named: list[Thing] = []
    begin = min(said.index(word) for word in _SPANS if word in said)
    for word in said[begin + 1 :]:
        # Of several that are called alike the last one is where it ends.
        sign = 1 if named else -1
        close = max(
            (each for each in dates if each not in named),
            key=lambda each: (closeness(words, word, each), sign * each.number),
            default=None,
        )
        if close is not None and closeness(words, word, close) >= _NAMED:
            named.append(close)
        if len(named) == _BOTH:
            return named[1], named[0]
    return None
