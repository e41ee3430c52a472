"""Orders and tops that a message gives to a frame in hand."""

from collections.abc import Iterator

from msgspec.structs import replace

from dragoman.planning.database.column_facts import Role
from dragoman.planning.database.frame import Aggregate, Frame, Group, Measure, Order, Ref
from dragoman.planning.database.sketch import Ranked, Slot
from dragoman.planning.database.vocabulary import english
from dragoman.planning.database.workbench import Workbench
from dragoman.planning.tables.words import stem

_ENDS = ("bottom",)
_WORSE = frozenset(
    map(stem, ("delay", "error", "defect", "complaint", "penalty", "problem", "injury", "loss"))
)
"""Measures of which more is worse."""


def ordered(bench: Workbench, frame: Frame) -> Iterator[tuple[Frame, float]]:
    sketch, lean = bench.sketch, bench.lean
    if lean.has("reverse"):
        if frame.order:
            first = frame.order[0]
            yield (
                replace(frame, order=(replace(first, descending=not first.descending), *frame.order[1:])),
                0.0,
            )
        return
    if (other := _directed(bench, frame)) is not None:
        yield other, 0.0
        return
    sorting = "order" in bench.cues
    # "Sorted by name", where no column is called so.
    named = sorting and not (sketch.orders or sketch.ranked or sketch.slots()) and _says_name(bench)
    if (sketch.alphabetical or named) and not (frame.gathered and not frame.groups):
        yield from _by_name(bench, frame)
        return
    if not (sketch.ranked or sketch.orders or sketch.limit is not None or sorting or lean.has("top")):
        yield frame, 0.0
        return
    if frame.gathered and not frame.groups:
        # A figure alone has no order; "the max" of it is another figure, and "the longest one" is a row.
        extreme = frame.measures[0].aggregate in (Aggregate.MAX, Aggregate.MIN) and frame != bench.frame
        if sketch.ranked and (extreme or bench.aggregate() is not None):
            yield frame, 0.0
        elif sketch.who and sketch.ranked and (people := bench.people_behind()) is not None:
            # "Who mailed the most" after a number of letters: each one's, and the greatest of them.
            by = replace(frame, groups=(Group(table=people),))
            yield _by(by, frame.measures[0], sketch.ranked[0].descending, sketch.ranked[0].limit or 1), 0.0
        elif (top := _top_by_bound(bench, frame)) is not None:
            yield top, 0.0
        elif (sketch.ranked and sketch.ranked[0].adjective is not None) or sketch.orders:
            # "Sort by weight" after one figure: the rows behind it.
            yield from _ranked_rows(bench, bench.rows_behind())
        return
    if frame.gathered:
        yield from _ranked_groups(bench, frame)
    else:
        yield from _ranked_rows(bench, frame)


def _directed(bench: Workbench, frame: Frame) -> Frame | None:
    """ "Descending" behind rows in an order: that order, the other way."""
    sketch = bench.sketch
    said = sketch.ranked or sketch.slots() or sketch.alphabetical or sketch.limit is not None
    if said or len(sketch.orders) != 1 or not frame.order or frame.order != bench.frame.order:
        return None
    key, down = sketch.orders[0]
    if key != "direction" or down is None or frame.limit is not None:
        return None
    return replace(frame, order=(replace(frame.order[0], descending=down), *frame.order[1:]))


def _top_by_bound(bench: Workbench, frame: Frame) -> Frame | None:
    """ "Top 2 only" after how many are above a figure: the rows, by what they were chosen by."""
    ranked = bench.sketch.ranked[0] if bench.sketch.ranked else None
    limit, counts = bench.sketch.limit, frame.measures[0].aggregate is Aggregate.COUNT
    if ranked is None or ranked.name is not None or limit is None or not counts:
        return None
    bounds = [each.ref for each in frame.conditions if each.operation not in ("equal", "missing")]
    own = [ref for ref in bounds if bench.knowledge.role(ref.thing) is Role.MEASURE]
    if len(own) != 1 or own[0].table.key != frame.subject.key:
        return None
    rows = bench.rows_behind()
    shown = rows.shown if rows.everything else (*rows.shown, own[0])
    return replace(rows, order=(Order(own[0], ranked.descending),), limit=limit, shown=shown)


def _by_name(bench: Workbench, frame: Frame) -> Iterator[tuple[Frame, float]]:
    """ "Sort alphabetically": by what names a row or a group, unless a column is named."""
    named = [thing for key, _ in bench.sketch.orders if isinstance(key, Slot) and (thing := bench.thing(key))]
    group = frame.groups[0] if frame.groups else None
    texts = [Ref(each) for each in named if each.is_text]
    if group is not None:
        texts += [group.ref] if group.ref is not None else []
        texts += [Ref(ref.thing, group.links, group.through) for ref in bench.labels(group.target)]
    else:
        texts += [ref for ref in frame.shown if ref.thing.is_text]
        texts += bench.labels(frame.subject)
    down = any(descending for _, descending in bench.sketch.orders)
    if texts:
        first = min(texts, key=lambda ref: ref.thing.is_key)
        yield replace(frame, order=(Order(first, down),), limit=_kept(frame)), 0.0


def _ranked_groups(bench: Workbench, frame: Frame) -> Iterator[tuple[Frame, float]]:
    sketch = bench.sketch
    ranked = sketch.ranked[0] if sketch.ranked else None
    limit = _limit(bench, frame, ranked)
    for key, descending in sketch.orders:
        if (named := _by_label(bench, frame, key, descending=bool(descending))) is not None:
            yield named, 0.0
            return
        measure = _order_key(bench, frame, key)
        if measure is None:
            continue
        down = descending if descending is not None else not isinstance(measure, Ref)
        if ranked is not None and ranked.words in _ENDS:
            down = False
        yield _by(frame, measure, down, limit), 0.0
        return
    if (dated := _by_date(bench, frame, ranked)) is not None:
        yield dated, 0.0
        return
    measure = _graded(frame, ranked)
    if ranked is None and bench.lean.pronoun is not None and frame.measures:
        # "Sort by that": by the figure that was added last.
        measure = frame.measures[-1]
    down = True
    if ranked is not None:
        down = ranked.descending != _bad(ranked, measure)
    yield _by(frame, measure, down, limit), 0.0


def _by_label(
    bench: Workbench, frame: Frame, key: Slot | Aggregate | str, *, descending: bool
) -> Frame | None:
    """ "Sort by name" of groups: by what names them."""
    thing = bench.thing(key) if isinstance(key, Slot) else None
    group = frame.groups[0] if frame.groups else None
    if thing is None or group is None or group.table is None:
        return None
    # "Sort that by town name" of groups by town: the town says which name.
    rows = thing.column is None and thing.table.key == group.table.key and _says_name(bench)
    if not rows and not set(thing.required) <= {"name", "titl"}:
        return None
    labels = [ref.thing for ref in bench.labels(group.target)]
    first = min(labels, key=lambda each: each.is_key, default=None)
    if first is None or thing.table.key == bench.main.key != group.table.key:
        return None
    order = Order(Ref(first, group.links, group.through), descending)
    return replace(frame, order=(order,), limit=_kept(frame))


def _says_name(bench: Workbench) -> bool:
    return any(stem(word) in ("name", "titl") for text in bench.sketch.said for word in text.split())


def _by_date(bench: Workbench, frame: Frame, ranked: Ranked | None) -> Frame | None:
    """ "Newest first", "sort by month" of groups by months."""
    group = next((each for each in frame.groups if each.part is not None and each.ref is not None), None)
    if group is None or group.ref is None or bench.sketch.limit is not None:
        return None
    said = {stem(word) for text in bench.sketch.said for word in text.split()}
    graded = ranked.adjective if ranked is not None else None
    timely = graded is not None and bool(graded.dates)
    sorts = "order" in bench.cues and bool(said & {str(group.part), "date", "time", "chronological"})
    if not timely and not sorts:
        return None
    down = timely and ranked is not None and graded is not None and ranked.descending != graded.backward
    limit = _limit(bench, frame, ranked) if timely else _kept(frame)
    return replace(frame, order=(Order(group.ref, down, group.part),), limit=limit)


def _by(frame: Frame, key: Ref | Measure, descending: bool, limit: int | None) -> Frame:
    """An order by a figure that is not shown asks for it in place of the one that is."""
    if isinstance(key, Measure) and key not in frame.measures:
        frame = replace(frame, measures=(key, *frame.measures[1:]))
    return replace(frame, order=(Order(key, descending),), limit=limit)


def _limit(bench: Workbench, frame: Frame, ranked: Ranked | None) -> int | None:
    sketch = bench.sketch
    if sketch.limit is not None:
        return sketch.limit
    if bench.lean.has("top"):
        return 1
    if ranked is not None and ranked.words != "first":
        return ranked.limit or 1
    return _kept(frame)


def _kept(frame: Frame) -> int | None:
    """The top that stays when rows are sorted anew. One row alone has no order."""
    return None if frame.limit == 1 else frame.limit


def _graded(frame: Frame, ranked: Ranked | None) -> Measure:
    """The figure that an adjective speaks of; else the first one."""
    if ranked is not None and ranked.adjective is not None:
        stems = {stem(word) for word in ranked.adjective.words}
        for measure in frame.measures:
            if measure.ref is not None and stems & set(measure.ref.thing.words):
                return measure
    return frame.measures[0] if frame.measures else Measure(Aggregate.COUNT)


def _bad(ranked: Ranked, measure: Measure) -> bool:
    """Whether more is worse: the worst of delays are the longest; of counts, the highest."""
    if ranked.adjective is None or not ranked.adjective.plain:
        return False
    if measure.aggregate is Aggregate.COUNT:
        return ranked.words == "worst"
    return measure.ref is not None and bool(_WORSE & set(measure.ref.thing.words))


def _order_key(bench: Workbench, frame: Frame, key: Slot | Aggregate | str) -> Ref | Measure | None:
    if key == "direction":
        return frame.measures[0] if frame.measures else Measure(Aggregate.COUNT)
    if not isinstance(key, Slot):
        composed = bench.graft.composed(
            bench.chosen,
            bench.graft.main,
            measured=[(None, None)],
            groups=[*bench.graft.groups],
            kept=[],
            dated=[],
        )
        return composed[0].measures[0] if composed is not None and composed[0].measures else None
    thing = bench.thing(key)
    if thing is None:
        return None
    for measure in frame.measures:
        if measure.ref is not None and measure.ref.thing.number == thing.number:
            return measure
    for group in frame.groups:
        if group.ref is not None and group.ref.thing.number == thing.number:
            return group.ref
    if thing.column is None:
        return Measure(Aggregate.COUNT, counts=thing.table)
    if key.aggregate is Aggregate.COUNT:
        return Measure(Aggregate.COUNT, counts=bench.main)
    if bench.knowledge.role(thing) is Role.MEASURE and thing.table.key == bench.main.key:
        return Measure(Aggregate.SUM, Ref(thing))
    return Ref(thing)


def _by_shown(bench: Workbench, frame: Frame, order: Order) -> Order:
    """ "Newest first" is by the date shown, "the cheapest" by the price shown, if no column was named."""
    named = any(isinstance(key, Slot) for key, _ in bench.sketch.orders)
    if named or not isinstance(order.key, Ref) or order.key in frame.shown:
        return order
    role = bench.knowledge.role(order.key.thing)
    adjective = bench.sketch.ranked[0].adjective if bench.sketch.ranked else None
    stems = {stem(word) for word in adjective.words} if adjective is not None else set()
    for ref in reversed(frame.shown):
        fits = role is Role.DATE or stems & set(ref.thing.words)
        if bench.knowledge.role(ref.thing) is role and fits:
            return replace(order, key=ref)
    return order


def _by_others(bench: Workbench, frame: Frame, found: Frame) -> Frame | None:
    """Rows that are ranked by what belongs to them: the customers in hand by their orders."""
    table = found.groups[0].table if len(found.groups) == 1 else None
    if table is None or table.key != frame.subject.key or not found.order or frame.limit is not None:
        return None
    return replace(bench.measuring(found.measures, found.groups, frame), order=found.order, limit=found.limit)


def _most_of(bench: Workbench, frame: Frame) -> Frame | None:
    """ "Who ordered the most": of the rows in hand, the one that most of what is named belongs to."""
    ranked = bench.sketch.ranked[0] if bench.sketch.ranked else None
    if ranked is None or ranked.name is not None or ranked.adjective is not None or frame.limit is not None:
        return None
    if bench.sketch.limit is not None or bench.sketch.orders or frame.gathered:
        return None
    for thing in bench.things_of(bench.sketch.context):
        way = bench.joins.way(thing.table, frame.subject)
        if thing.column is None and way is not None and way.links and way.single:
            measure = Measure(Aggregate.COUNT, counts=thing.table)
            by = bench.measuring((measure,), (Group(table=frame.subject),), frame)
            order = (Order(measure, ranked.descending),)
            return replace(by, order=order, limit=ranked.limit or 1)
    return None


def _ranked_rows(bench: Workbench, frame: Frame) -> Iterator[tuple[Frame, float]]:
    """Rows by what an adjective or a name speaks of; a top alone by the order in hand, or by a figure."""
    sketch = bench.sketch
    ranked = sketch.ranked[0] if sketch.ranked else None
    subject = bench.knowledge.things.table_thing[frame.subject.key]
    slot = bench.graft.subject(subject)
    # "Only the first one" of rows in an order is not the earliest of them.
    in_hand = ranked is not None and ranked.name is None and ranked.words in english().limits and frame.order
    composed = bench.graft.composed(
        bench.graft.with_subject(bench.chosen, slot),
        slot,
        shown=[slot],
        ranked=[] if in_hand else sketch.ranked,
        orders=sketch.orders,
        limit=sketch.limit,
        kept=[],
        dated=[],
        compared=[],
        groups=[],
    )
    found = composed[0] if composed is not None else None
    if (most := _most_of(bench, frame)) is not None:
        yield most, 0.0
        return
    if found is not None and composed is not None and (by := _by_others(bench, frame, found)) is not None:
        yield by, composed[1]
        return
    if found is not None and found.order and not found.gathered:
        limit = found.limit
        found = replace(found, order=tuple(_by_shown(bench, frame, each) for each in found.order))
        # What rows are only sorted by, or were a top of before, is shown no more than it was.
        sorts = not (sketch.ranked or bench.frame.gathered)
        known = {each.key for each in (found if sorts else frame).order}
        asked = [each.key for each in found.order if isinstance(each.key, Ref) and each.key not in known]
        shown = frame.shown
        if not frame.everything and not frame.distinct:
            shown = tuple(dict.fromkeys((*shown, *asked)))
        if limit is None:
            limit = _kept(frame)
        yield replace(frame, order=found.order, limit=limit, shown=shown), composed[1] if composed else 0.0
        return
    limit = _limit(bench, frame, ranked)
    figures = [ref for ref in frame.shown if bench.knowledge.role(ref.thing) is Role.MEASURE]
    if frame.everything or bench.frame.everything:
        figures = [Ref(each) for each in bench.knowledge.measures(frame.subject)[:1]]
    if frame.order and (frame.order[0].key in figures or not figures):
        first = frame.order[0]
        if ranked is not None and ranked.words in _ENDS:
            first = replace(first, descending=not first.descending)
        yield replace(frame, order=(first, *frame.order[1:]), limit=limit), 0.1
        return
    if figures:
        down = ranked.descending if ranked is not None else True
        yield replace(frame, order=(Order(figures[-1], down),), limit=limit), 0.4
