"""Frames of figures: shares, and measures of groups or of all rows."""

from dragoman.planning.database.draft.groups import group_of, shown_or_subject
from dragoman.planning.database.draft.work import Work
from dragoman.planning.database.frame import Aggregate, Frame, Group, Having, Linked, Measure
from dragoman.tables.graph import Table


def gather_by_having(work: Work) -> None:
    """Figures that groups must reach are shown beside what is gathered."""
    work.groups.extend(group_of(work.asked, thing) for thing in shown_or_subject(work))
    for having in work.having:
        if having.measure not in work.measures:
            work.measures.append(having.measure)


def share_frame(work: Work, subject: Table) -> Frame | None:
    """The share of the rows that meet the conditions. A period bounds the whole unless nothing else does."""
    conditions = tuple(work.conditions)
    if not conditions and not work.groups:
        return None
    whole = tuple(c for c in conditions if c.operation in ("days", "part"))
    part = tuple(c for c in conditions if c not in whole)
    if not part:
        part, whole = whole, ()
    return Frame(
        subject,
        measures=tuple(measure for measure in work.measures if measure.aggregate is Aggregate.SUM),
        groups=tuple(work.groups),
        conditions=whole,
        linked=tuple(work.linked),
        share=part,
    )


def figure_frame(work: Work, subject: Table) -> Frame | None:
    groups = tuple(dict.fromkeys(work.groups))
    linked, having = work.linked, tuple(work.having)
    if having and work.sketch.counts and not groups:
        # "How many customers have more than 3 orders": rows that have so many.
        counted = [_linked(each) for each in having]
        known = [each for each in counted if each is not None]
        if len(known) < len(counted):
            return None
        linked, having = [*linked, *known], ()
    keys = {group.target.key for group in groups} if work.sketch.shown else set()
    return Frame(
        subject,
        shown=tuple(ref for ref in work.shown if ref.table.key in keys and Group(ref) not in groups),
        measures=tuple(dict.fromkeys(work.measures)) or (Measure(Aggregate.COUNT, counts=subject),),
        groups=groups,
        conditions=tuple(dict.fromkeys(work.conditions)),
        linked=tuple(dict.fromkeys(linked)),
        having=having,
        order=tuple(dict.fromkeys(work.order)) if groups else (),
        limit=work.ranked_limit if groups and work.order else None,
    )


def _linked(having: Having) -> Linked | None:
    counts = having.measure.counts
    if having.measure.aggregate is not Aggregate.COUNT or counts is None or having.number is None:
        return None
    return Linked(counts, operation=having.operation, number=having.number)
