"""How long something takes: the days between two dates of a row."""

from dragoman.planning.database.column_facts import Role
from dragoman.planning.database.draft.adjectives import graded_column
from dragoman.planning.database.draft.work import Work
from dragoman.planning.database.frame import Aggregate, Group, Having, Measure, Ref
from dragoman.planning.database.sketch import Compared
from dragoman.planning.database.units import UNIT_WORDS, UNITS
from dragoman.planning.database.verb_forms import closeness
from dragoman.planning.database.vocabulary import Words
from dragoman.planning.tables.schema_names import Thing
from dragoman.planning.tables.words import stem
from dragoman.tables.graph import Table

_FARTHEST = 1
_NAMED = 0.7
_BOTH = 2
_SPANS = frozenset({"between", "from"})


def measure_durations(work: Work) -> None:
    """Figures of how long something takes; the average where none is said."""
    sketch = work.sketch
    if not _asks_duration(work):
        return
    aggregates = dict.fromkeys(sketch.durations or [Aggregate.AVERAGE])
    column = graded_column(work.asked, work.asked.words.base["long"], work.subject)
    if column is not None:
        if sketch.durations:
            work.measures += [Measure(aggregate, Ref(column[0])) for aggregate in aggregates]
        return
    ends = _ends(work)
    if ends is None:
        work.cost += 1.0
        sketch.uncovered.append("long")
        return
    work.measures += [Measure(aggregate, days=ends) for aggregate in aggregates]
    if sketch.unit is not None and sketch.unit != UNITS["days"]:
        work.guess("unit", 0.5)


def _asks_duration(work: Work) -> bool:
    sketch = work.sketch
    asked = sketch.lasts and (bool(sketch.durations) or work.asked.words.base["long"] in sketch.how)
    return asked and all(slot is None for _, slot in sketch.measured)


def compare_duration(work: Work, compared: Compared) -> bool:
    """ "That took more than 10 days": rows by the days between their dates."""
    unit, days = compared.unit, UNITS["days"]
    if unit is None or unit.dimension != "time" or unit.factor < days.factor or not compared.numbers:
        return False
    named = work.asked.things((compared.name, compared.after))
    if any(work.asked.is_measure(each) for each in named) or _has_length(work):
        return False
    ends = _ends(work)
    if ends is None or ends[0].table.key != work.subject.key:
        return False
    number, *most = (value * unit.factor / days.factor for value in compared.numbers)
    measure = Measure(Aggregate.MAX, days=ends)
    if not work.sketch.counts:
        work.groups = _gathered_by_row(work)
        work.shown += [Ref(each.thing) for each in reversed(ends)]
    work.having.append(Having(measure, compared.operation, number, most[0] if most else None))
    return True


def _has_length(work: Work) -> bool:
    """Whether a column of the subject says how long something is."""
    facts = [each for each in work.knowledge.columns(work.subject) if each.role is Role.MEASURE]
    return any(
        (each.unit is not None and each.unit.dimension == "time")
        or UNIT_WORDS["time"] & set(each.thing.words)
        for each in facts
    )


def _gathered_by_row(work: Work) -> list[Group]:
    """Every row of the subject by itself: by its key, which is shown where nothing else identifies it."""
    keys = work.subject.info.primary_key
    if work.knowledge.identifies(work.subject) or len(keys) != 1:
        return [Group(table=work.subject)]
    return [Group(Ref(work.knowledge.things.of_column[(*work.subject.key, keys[0])]))]


def _ends(work: Work) -> tuple[Ref, Ref] | None:
    """The last day and the first one, of the subject or of what is nearest to it."""
    tables = [work.subject]
    for table in work.joins.graph.tables.values():
        way = work.joins.way(table, work.subject)
        if way is not None and way.single and len(way.links) == _FARTHEST:
            tables.append(table)
    for table in tables:
        found = ends_of(work, table)
        if found is not None:
            return Ref(found[0]), Ref(found[1])
    return None


def ends_of(work: Work, table: Table) -> tuple[Thing, Thing] | None:
    """The date on which a row ends and the one on which it begins, those that are spoken of first."""
    words = work.asked.words
    planned = words.planned | words.kept_up
    dates = [each for each in work.knowledge.dates(table) if not planned & set(each.words)]
    own = work.knowledge.things.table_thing[table.key].required
    said = [each for each in (*work.sketch.verbs, *work.sketch.said_stems()) if each not in own]
    # What is ordered is shipped later: of two that are spoken of, the one that begins comes first.
    ends = words.unasked_dates | words.done_dates | words.ending
    spoken = {
        each.number: max((closeness(words, verb, each) for verb in said), default=0.0) for each in dates
    }
    both = _said_both(words, work.sketch.said_stems(), dates)
    if both is not None:
        return both
    last = [each for each in dates if ends & set(each.words)]
    if not last:
        return None
    # What is sent is still to arrive.
    sent = frozenset({stem("ship"), stem("shipped"), stem("sent")})
    end = max(last, key=lambda each: (spoken[each.number], not sent & set(each.words), -each.number))
    starts = [
        each for each in dates if each.number != end.number and (each not in last or sent & set(each.words))
    ]
    if not starts:
        return None

    def begins(each: Thing) -> tuple[float, int, int]:
        places = [words.beginnings.index(word) for word in each.words if word in words.beginnings]
        shared = len(set(each.words) & set(end.words) - words.any_date)
        return (spoken[each.number] if spoken[each.number] == 1.0 else 0.0), shared, -min(places, default=99)

    return end, max(starts, key=begins)


def _said_both(words: Words, said: list[str], dates: list[Thing]) -> tuple[Thing, Thing] | None:
    """ "Between booking and pickup": both days are named, the first one first."""
    if not _SPANS.intersection(said):
        return None
    named: list[Thing] = []
    for word in said:
        close = max(dates, key=lambda each: closeness(words, word, each), default=None)
        if close is not None and closeness(words, word, close) >= _NAMED and close not in named:
            named.append(close)
    return (named[1], named[0]) if len(named) == _BOTH else None
