"""Rows that hold now: those that have not ended, of every table that the question goes through."""

from collections.abc import Iterator

from dragoman.planning.database.draft.work import Work
from dragoman.planning.database.frame import Aggregate, Condition, Ref
from dragoman.tables.graph import Link, Table

_NEAREST = 1
_SOFT_ENDING = "ly"


def hold_current(work: Work) -> None:
    if not work.sketch.current and not _adds_up_times(work):
        return
    if not work.sketch.current:
        # "The total of the salaries", where everybody has had several: those of now, or all there were.
        work.either_time = True
        work.guess("time")
        if not work.only_current:
            return
    if _holds_flag(work):
        # "Currently active": the flag says it.
        return
    lasting = [table for table in _gone_through(work) if work.knowledge.ending(table) is not None]
    if not lasting:
        near = _nearest(work)
        lasting = [] if near is None else [near]
        soft = work.sketch.current.endswith(_SOFT_ENDING) or any(
            _says_state(work, each) for each in _spoken(work)
        )
        if near is None and not soft:
            work.sketch.uncovered.append(work.sketch.current)
            work.cost += 0.5
    held = {condition.ref.thing.number for condition in work.conditions}
    for table in lasting:
        ending = work.knowledge.ending(table)
        if ending is None or ending.column.number in held or _says_state(work, table):
            continue
        ref = Ref(ending.column, _led(work, table))
        values = () if ending.never is None else (ending.never,)
        work.conditions.append(Condition(ref, "equal" if values else "missing", values))


def _holds_flag(work: Work) -> bool:
    """Whether rows of the subject are held to a flag: what is active is so now."""
    return any(
        each.operation == "equal"
        and each.ref.table.key == work.subject.key
        and work.asked.is_flag(each.ref.thing)
        for each in work.conditions
    )


def _says_state(work: Work, table: Table) -> bool:
    """Whether a condition holds rows to where they stand: what is open now has the status for it."""
    states = work.asked.words.states
    return any(
        condition.operation == "equal"
        and condition.ref.table.key == table.key
        and bool(states & set(condition.ref.thing.words))
        for condition in work.conditions
    )


def _adds_up_times(work: Work) -> bool:
    """Whether amounts are added up that hold for a time each, and no time is said."""
    if work.sketch.dated or work.sketch.everything:
        return False
    held = {condition.ref.thing.number for condition in work.conditions}
    grouped = any(group.part is not None for group in work.groups)
    for measure in work.measures:
        ending = None if measure.table is None else work.knowledge.ending(measure.table)
        added = measure.aggregate is Aggregate.SUM and measure.ref is not None
        if ending is None or not added or grouped:
            continue
        dates = work.knowledge.dates(ending.column.table)
        if not held & {date.number for date in dates}:
            return True
    return False


def _gone_through(work: Work) -> list[Table]:
    """The tables that are spoken of, and those on the ways between them."""
    # Of the ways to what must hold the one that is chosen: over those who manage, not over everybody.
    chosen = [condition.ref.links for condition in work.conditions if condition.ref.links]
    ends = {work.joins.graph.tables[links[-1].target].key for links in chosen}
    spoken = [table for table in _spoken(work) if table.key not in ends]
    base = next((measure.table for measure in work.measures if measure.table is not None), work.subject)
    found = {base.key: base}
    for table in spoken:
        way = work.joins.way(base, table)
        for link in way.links if way is not None else ():
            found.setdefault(link.target, work.joins.graph.tables[link.target])
        found.setdefault(table.key, table)
    for links in chosen:
        for link in links:
            found.setdefault(link.target, work.joins.graph.tables[link.target])
    return list(found.values())


def _led(work: Work, table: Table) -> tuple[Link, ...] | None:
    """The chosen way to a table, where a condition holds along it or beyond it."""
    for condition in work.conditions:
        for place, link in enumerate(condition.ref.links or (), 1):
            if link.target == table.key:
                return (condition.ref.links or ())[:place]
    return None


def _spoken(work: Work) -> Iterator[Table]:
    yield work.subject
    yield from (measure.table for measure in work.measures if measure.table is not None)
    yield from (condition.ref.table for condition in work.conditions)
    yield from (group.target for group in work.groups)
    yield from (ref.table for ref in work.shown)
    yield from (order.key.table for order in work.order if isinstance(order.key, Ref))
    yield from (linked.table for linked in work.linked if not linked.absent)


def _nearest(work: Work) -> Table | None:
    """A table beside the subject whose rows last: members by their memberships."""
    tables = work.joins.graph.tables.values()
    near = [each for each in tables if work.joins.distance(work.subject, each) <= _NEAREST]
    lasting = [each for each in near if work.knowledge.ending(each) is not None]
    return lasting[0] if len(lasting) == 1 else None
