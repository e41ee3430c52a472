"""How long something takes: the time between two dates of a row."""

from dragoman.planning.database.column_facts import Role
from dragoman.planning.database.draft.adjectives import graded_column
from dragoman.planning.database.draft.span_ends import nearest_ends, span_figure
from dragoman.planning.database.draft.work import Work
from dragoman.planning.database.frame import Aggregate, Group, Having, Measure, Ref
from dragoman.planning.database.sketch import Compared
from dragoman.planning.database.units import UNIT_WORDS, UNITS


def measure_durations(work: Work) -> None:
    """Figures of how long something takes; the average where none is said."""
    sketch = work.sketch
    if not _asks_duration(work):
        return
    aggregates = dict.fromkeys(sketch.durations or [Aggregate.AVERAGE])
    long = work.asked.words.base["long"]
    column = None if sketch.delays else graded_column(work.asked, long, work.subject)
    if column is not None:
        if sketch.durations:
            work.measures += [Measure(aggregate, Ref(column[0])) for aggregate in aggregates]
        return
    ends = nearest_ends(work)
    if ends is None:
        work.cost += 1.0
        sketch.uncovered.append("long")
        return
    work.measures += [span_figure(work, aggregate, ends, sketch.unit) for aggregate in aggregates]


def _asks_duration(work: Work) -> bool:
    sketch = work.sketch
    asked = sketch.lasts and (bool(sketch.durations) or work.asked.words.base["long"] in sketch.how)
    return asked and all(slot is None for _, slot in sketch.measured)


def compare_duration(work: Work, compared: Compared) -> bool:
    """ "That took more than 10 days": rows by the time between their dates."""
    unit, days = compared.unit, UNITS["days"]
    if unit is None or unit.dimension != "time" or not compared.numbers:
        return False
    if unit.factor < days.factor and not (work.sketch.lasts or work.sketch.delays):
        return False
    named = work.asked.things((compared.name, compared.after))
    if any(work.asked.is_measure(each) for each in named) or (_has_length(work) and not work.sketch.delays):
        return False
    ends = nearest_ends(work)
    if ends is None or ends[0].table.key != work.subject.key:
        return False
    measure = span_figure(work, Aggregate.MAX, ends, unit)
    if not measure.exact and unit.factor < days.factor:
        return False
    number, *most = compared.numbers
    if not work.sketch.counts:
        work.groups = _gathered_by_row(work)
        work.shown += [Ref(each) for each in reversed(ends)]
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
