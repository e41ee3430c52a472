"""Frames of figures: shares, and measures of groups or of all rows."""

from msgspec.structs import replace

from dragoman.planning.database.draft.figures import quantity_figure
from dragoman.planning.database.draft.groups import group_of, repeated_label, shown_or_subject
from dragoman.planning.database.draft.nobody import leave_out_nobody
from dragoman.planning.database.draft.ways import lead_groups
from dragoman.planning.database.draft.work import Work
from dragoman.planning.database.frame import Aggregate, Condition, Frame, Group, Having, Linked, Measure, Ref
from dragoman.planning.tables.schema_names import Thing
from dragoman.tables.graph import Table
from dragoman.tables.verbs import DatePart

_PLACES = ("top", "bottom", "best", "worst")
_UNTOLD_DAY = 0.5
_NO_PART = 1.0
"""What it costs that nothing is made of the words that say what the part of a share is."""


def gather_by_having(work: Work) -> None:
    """Figures that groups must reach are shown beside what is gathered."""
    shown = shown_or_subject(work)
    whole = {thing.table.key for thing in shown if thing.column is None}
    # "Which members have two loans? Give me their towns": members are gathered, and towns are told of them.
    gathers = [thing for thing in shown if thing.column is None or thing.table.key not in whole]
    work.groups.extend(_gathered(work, thing) for thing in gathers)
    for having in work.having:
        if having.measure not in work.measures:
            work.measures.append(having.measure)


def _gathered(work: Work, thing: Thing) -> Group:
    """Rows with a key of several columns say something of other rows: they are gathered by what they name."""
    group = group_of(work.asked, thing)
    several = group.table is not None and group.through is None and len(group.table.info.primary_key) > 1
    label = repeated_label(work.knowledge, group.target) if several else None
    return group if label is None else Group(Ref(label))


def share_frame(work: Work, subject: Table) -> Frame | None:
    """The share of the rows that meet the conditions. A period bounds the whole unless nothing else does, and
    so does what is said before the part begins."""
    conditions = tuple(dict.fromkeys(work.conditions))
    counted = [_linked(each) for each in work.having]
    known = tuple(each for each in counted if each is not None)
    linked = tuple(dict.fromkeys((*work.linked, *known)))
    if len(known) < len(counted) or not (conditions or linked or work.groups):
        return None
    before = _said_before(work)
    whole = tuple(c for c in conditions if c.operation in ("days", "part") or c.ref.thing.number in before)
    part = tuple(c for c in conditions if c not in whole)
    if not part and not linked:
        # Nothing else is the part: what is said before it is, and a period where there is only that.
        part = tuple(c for c in whole if c.operation not in ("days", "part")) or (
            () if work.groups else whole
        )
        whole = tuple(c for c in whole if c not in part)
    if work.sketch.part_from is not None and not part and not linked:
        work.cost += _NO_PART
    measures = [measure for measure in work.measures if measure.aggregate is Aggregate.SUM]
    return Frame(
        subject,
        measures=tuple(measures) or _added(work),
        groups=tuple(work.groups),
        conditions=whole,
        share=part,
        share_linked=linked,
    )


def _said_before(work: Work) -> set[int]:
    """The columns of what is said before the part of a share begins."""
    begins, asked = work.sketch.part_from, work.asked
    rated = work.sketch.rated
    if rated is not None:
        # "The pass rate of new drivers": all but the value before "rate" says of what it is one.
        others = (asked.chosen.values.get(id(kept)) for kept in work.sketch.kept if kept is not rated)
        return {values[0].thing.number for values in others if values}
    if begins is None:
        # "Of closed bookings paid late": what qualifies the noun is said before it.
        begins = next((slot.segment.start for slot in work.sketch.shown), None)
    if begins is None:
        return set()
    kept = [(k.segment.start, v[0].thing) for k in work.sketch.kept if (v := asked.chosen.values.get(id(k)))]
    named = [(s.segment.start, t) for s in work.sketch.slots() if (t := asked.thing(s)) is not None]
    after = {thing.number for start, thing in (*kept, *named) if start >= begins}
    return {thing.number for start, thing in (*kept, *named) if start < begins} - after


def _added(work: Work) -> tuple[Measure, ...]:
    """What a share is one of where it is not one of rows: a column that is asked for, or pieces."""
    shown = work.asked.things(work.sketch.shown[:1])
    if shown and shown[0].column is not None and work.asked.is_measure(shown[0]):
        return (Measure(Aggregate.SUM, Ref(shown[0])),)
    pieces = quantity_figure(work) if work.sketch.sold and not shown else None
    return () if pieces is None else (pieces,)


def figure_frame(work: Work, subject: Table) -> Frame | None:
    groups = tuple(dict.fromkeys(work.groups))
    linked, having = work.linked, tuple(work.having)
    if any(each.number is None for each in having) and work.sketch.counts and not groups:
        # "How many customers have more bookings than average": groups that are such.
        return _counted_groups(work, subject)
    if work.sketch.counts and not groups and any(each.measure.days is not None for each in having):
        return _rows_that_last(work, subject)
    if having and work.sketch.counts and not groups:
        # "How many customers have more than 3 orders": rows that have so many.
        counted = [_linked(each) for each in having]
        known = [each for each in counted if each is not None]
        if len(known) < len(counted):
            return None
        linked, having = [*linked, *known], ()
    if work.sketch.when and not groups and not work.sketch.counts:
        # "What did she pay and when": each with its day, and not all together.
        work.cost += _UNTOLD_DAY
    work.conditions.extend(_somebody_above(work, groups))
    keys = {group.target.key for group in groups} if work.sketch.shown else set()
    measured = [measure.ref for measure in work.measures]
    limit = work.ranked_limit if groups and work.order else None
    groups = lead_groups(work, subject, groups)
    leave_out_nobody(work, subject, groups, chosen=bool(having) or limit is not None)
    told = [_told_of_groups(work, ref, keys) for ref in dict.fromkeys(work.shown)]
    shown = tuple(ref for ref in told if ref is not None and Group(ref) not in groups and ref not in measured)
    asked = _columns_asked(work, groups)
    if asked is not None:
        groups = tuple(group for group in groups if group.table is not None)
        shown = asked
    return Frame(
        subject,
        shown=shown,
        measures=tuple(dict.fromkeys(work.measures)) or (Measure(Aggregate.COUNT, counts=subject),),
        groups=groups,
        conditions=tuple(dict.fromkeys(work.conditions)),
        linked=tuple(dict.fromkeys(linked)),
        having=having,
        order=tuple(dict.fromkeys(work.order)) if groups else (),
        limit=limit,
        unshown=bool(groups) and _only_chooses(work),
        named=asked is not None or (bool(shown) and _named_columns(work, shown)),
    )


def _told_of_groups(work: Work, ref: Ref, keys: set[tuple[str, str]]) -> Ref | None:
    """A column of what rows are gathered by; a key that points at it is its own key."""
    if ref.table.key in keys:
        return ref
    target = None if ref.through is not None else work.asked.target(ref.thing)
    if target is None or target.key not in keys or len(target.info.primary_key) != 1:
        return None
    own = work.knowledge.things.of_column.get((*target.key, target.info.primary_key[0]))
    return None if own is None else Ref(own)


def _columns_asked(work: Work, groups: tuple[Group, ...]) -> tuple[Ref, ...] | None:
    """The columns that are asked for by name, where all of them are of rows that are gathered: the name and
    the town of the members with the most loans."""
    whole = {group.target.key: group for group in groups if group.table is not None}
    columns = work.asked.columns_by_name()
    inside = all(group.part in (None, DatePart("day")) and group.target.key in whole for group in groups)
    if columns is None or not whole or not inside:
        return None
    told = [_told_of_groups(work, Ref(column), set(whole)) for column in columns]
    if any(ref is None for ref in told):
        return None
    return tuple(replace(ref, through=whole[ref.table.key].through) for ref in told if ref is not None)


def _named_columns(work: Work, shown: tuple[Ref, ...]) -> bool:
    """Whether columns are asked for by name, and not what they are columns of."""
    named = work.asked.asked_for
    if not (work.asked.exact or _keys_asked(work)) or work.sketch.names_told:
        # "Tell me the name and the phone": what rows are called is shown too.
        return False
    return all(any(_is_meant(work, thing, ref) for ref in shown) for thing in named)


def _keys_asked(work: Work) -> bool:
    """Who asks for keys of what is chosen by a number wants these alone: they say which rows it is."""
    named = work.asked.things(work.sketch.shown)
    return bool(work.having and named) and all(each.is_key and "id" in each.words for each in named)


def _is_meant(work: Work, thing: Thing, ref: Ref) -> bool:
    return thing.number == ref.thing.number or work.asked.target(thing) == ref.table


def _only_chooses(work: Work) -> bool:
    """Whether figures are spoken of only to choose groups: "which towns have more than 3 customers" asks for
    towns. "The top 3 towns by customers" names what it ranks by."""
    sketch = work.sketch
    if not (work.asked.exact or _keys_asked(work)) or sketch.counts or sketch.counted or sketch.measured:
        return False
    ranks = any(each.words in _PLACES for each in sketch.ranked) and sketch.orders
    chosen = bool(work.having) or any(isinstance(each.key, Measure) for each in work.order)
    return chosen and not (ranks or sketch.durations or sketch.divided or sketch.how)


def _somebody_above(work: Work, groups: tuple[Group, ...]) -> list[Condition]:
    """ "How many report to each manager": those who report to nobody are in no group."""
    keys = [group.through for group in groups if group.through is not None]
    own = [key for key in keys if (target := work.asked.target(key)) and target.key == key.table.key]
    held = {condition.ref.thing.number for condition in work.conditions}
    return [Condition(Ref(key), "missing", negative=True) for key in own if key.number not in held]


def _counted_groups(work: Work, subject: Table) -> Frame:
    return Frame(
        subject,
        measures=(work.having[0].measure,),
        groups=(Group(table=subject),),
        conditions=tuple(dict.fromkeys(work.conditions)),
        linked=tuple(dict.fromkeys(work.linked)),
        having=tuple(work.having),
        count_groups=True,
    )


def _linked(having: Having) -> Linked | None:
    counts = having.measure.counts
    if having.measure.aggregate is not Aggregate.COUNT or counts is None or having.number is None:
        return None
    return Linked(counts, operation=having.operation, number=having.number)


def _rows_that_last(work: Work, subject: Table) -> Frame | None:
    """ "How many orders took more than 5 days": every row is a group of its own, and these are counted."""
    keys = [work.knowledge.things.of_column.get((*subject.key, name)) for name in subject.info.primary_key]
    groups = tuple(Group(Ref(key)) for key in keys if key is not None)
    if not groups:
        return None
    return Frame(
        subject,
        measures=(Measure(Aggregate.COUNT, counts=subject),),
        groups=groups,
        conditions=tuple(dict.fromkeys(work.conditions)),
        linked=tuple(dict.fromkeys(work.linked)),
        having=tuple(work.having),
        count_groups=True,
    )
