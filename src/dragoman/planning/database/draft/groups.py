"""What rows are gathered by."""

from dragoman.planning.database.column_facts import Role
from dragoman.planning.database.draft.dates import date_column, main_table
from dragoman.planning.database.draft.presence import hold_flag
from dragoman.planning.database.draft.work import Asked, Work
from dragoman.planning.database.frame import Aggregate, Group, Measure, Order, Ref
from dragoman.planning.database.knowledge import Knowledge
from dragoman.planning.database.sketch import Ranked, Slot
from dragoman.planning.database.vocabulary import english
from dragoman.planning.tables.schema_names import Thing
from dragoman.planning.tables.words import stem
from dragoman.tables.graph import Table
from dragoman.tables.verbs import DatePart

_OWN_ROWS = 1.5
_PARTS = {"year": Role.YEAR, "month": Role.MONTH, "day": Role.DAY}
_BOTH = 2


def gather_groups(work: Work) -> None:
    sketch = work.sketch
    work.date = _named_date(work)
    for slot in sketch.groups:
        if isinstance(slot, str):
            _gather_by_part(work, slot)
            continue
        if work.date is not None and work.asked.thing(slot) == work.date:
            continue
        thing = work.asked.thing(slot)
        if thing is None:
            continue
        before = _flagged(work.asked, slot, thing)
        if sketch.share and sketch.part_from is not None and work.asked.is_flag(thing):
            # "What share of visits was by phone": the part, and no groups.
            hold_flag(work, thing)
        elif before is not None:
            # "In how many shops is each item retired": the flag holds of what stands before it.
            hold_flag(work, thing)
            work.groups.append(group_of(work.asked, before))
        elif _sorts(work, thing):
            # "Show the wines by price" sorts them.
            work.order.append(Order(Ref(thing), _first_descends(work, thing)))
            work.sorted_by_name = True
        else:
            work.groups.append(_named_group(work.asked, slot, thing))


def _named_date(work: Work) -> Thing | None:
    """ "Per month by ship date": the date whose months are meant."""
    if not any(isinstance(slot, str) for slot in work.sketch.groups):
        return None
    slots = [slot for slot in work.sketch.groups if isinstance(slot, Slot)]
    named = next((thing for thing in work.asked.things(slots) if thing.is_date), None)
    # "Returned bookings per month": the months of their return.
    done = [c.ref.thing for c in work.conditions if c.operation == "missing" and c.negative]
    return named or next((thing for thing in done if thing.is_date), None)


def _flagged(asked: Asked, slot: Slot, thing: Thing) -> Thing | None:
    """What stands just before a flag that would gather: that is what gathers."""
    if thing.column is None or not asked.is_flag(thing):
        return None
    before = [other for other in asked.sketch.context if other.segment.end == slot.segment.start]
    return next((each for each in asked.things(before) if not asked.is_flag(each)), None)


def _sorts(work: Work, thing: Thing) -> bool:
    """Whether "by" sorts what is listed: by a number or a date, or by anything that has a first and a last
    said of it. Where figures are asked for it gathers."""
    sketch = work.sketch
    if (
        work.measures
        or sketch.counts
        or sketch.share
        or sketch.per
        or not (sketch.shown or sketch.kept or sketch.ranked)
    ):
        return False
    role = work.knowledge.role(thing)
    first = any(_is_first(ranked) for ranked in sketch.ranked)
    own = thing in work.knowledge.labels(thing.table) and thing.table.key == work.subject.key
    return role in (Role.MEASURE, Role.DATE) or (first and role is Role.YEAR) or (own and bool(sketch.shown))


def _is_first(ranked: Ranked) -> bool:
    return ranked.words == "first" and ranked.limit == 0


def _first_descends(work: Work, thing: Thing) -> bool:
    said = [each for each in work.sketch.ranked if _is_first(each)] or work.sketch.ranked
    return bool(said) and descends(work.knowledge, said[0], thing)


def descends(knowledge: Knowledge, ranked: Ranked, thing: Thing) -> bool:
    """The oldest has the earliest date of birth: of dates the other end is meant."""
    adjective = ranked.adjective
    if adjective is None:
        return ranked.descending
    if knowledge.role(thing) in (Role.DATE, Role.YEAR):
        return ranked.descending != adjective.backward
    return ranked.descending != bool(set(thing.words) & {stem(word) for word in adjective.down})


def _named_group(asked: Asked, slot: Slot, thing: Thing) -> Group:
    role = _role_before(asked, slot, thing)
    if role is not None:
        return Group(table=thing.table, through=role)
    leading = _role_behind(asked, slot, thing)
    if leading is not None:
        return Group(Ref(thing, through=leading))
    return Group(Ref(thing)) if thing.column is not None and says_id(slot) else group_of(asked, thing)


def says_id(slot: Slot) -> bool:
    """Whether the key itself is asked for, not what it points at."""
    return not set(english().codes).isdisjoint(slot.segment.text.casefold().split())


def _role_before(asked: Asked, slot: Slot, thing: Thing) -> Thing | None:
    """The key that is named just before its table: the home harbour."""
    if thing.column is not None:
        return None
    before = [other for other in asked.sketch.context if other.segment.end == slot.segment.start]
    for named in asked.things(before):
        target = asked.target(named)
        if target is not None and target.key == thing.table.key:
            return named
    return None


def _role_behind(asked: Asked, slot: Slot, thing: Thing) -> Thing | None:
    """The key that is named behind a column of the rows that it points at: the town they are delivered to."""
    if thing.column is None or thing.is_key:
        return None
    sketch = asked.sketch
    behind = [
        each
        for each in (*sketch.context, *sketch.linked, *sketch.shown)
        if each.segment.start > slot.segment.start
    ]
    for named in asked.things(behind):
        target = asked.target(named) if named.column is not None else None
        if target is not None and target.key == thing.table.key and asked.knowledge.is_role(named):
            return named
    return None


def group_of(asked: Asked, thing: Thing) -> Group:
    """Gathered by a name: by the rows that it names where it names rows, else by its values."""
    if thing.column is None:
        key = _key_of_pair(asked, thing)
        target = None if key is None else asked.target(key)
        return Group(table=thing.table) if target is None else Group(table=target, through=key)
    if asked.knowledge.labels(thing.table) == (thing,) and thing.table.info.primary_key:
        return Group(table=thing.table)
    target = asked.target(thing)
    if target is not None and asked.knowledge.labels(target):
        return Group(table=target, through=thing)
    if thing.is_date:
        return Group(Ref(thing), DatePart("day") if thing.column.type.value != "date" else None)
    return Group(Ref(thing))


def _key_of_pair(asked: Asked, table: Thing) -> Thing | None:
    """Of a table that only pairs two others, and is called by both: the key to the last of them. "By film
    category" is by the category, and not by each pair."""
    if (
        asked.knowledge.has_name(table.table)
        or len(table.words) < _BOTH
        or asked.knowledge.measures(table.table)
    ):
        return None
    keys = [
        each.thing for each in asked.knowledge.columns(table.table) if asked.target(each.thing) is not None
    ]
    if len(keys) != _BOTH or {key.column.info.name for key in keys if key.column} != {
        *table.table.info.primary_key
    }:
        return None
    things = asked.knowledge.things.table_thing
    for key in keys:
        target = asked.target(key)
        if target is not None and things[target.key].words[-1:] == table.words[-1:]:
            return key
    return None


def repeated_label(knowledge: Knowledge, table: Table) -> Thing | None:
    """The name that many rows of a table share: rows are then not told apart by it."""
    labels = knowledge.labels(table)
    one = labels[0] if len(labels) == 1 and labels[0].is_text else None
    alone = len(table.info.primary_key) == 1
    return None if one is None or (one.is_key and alone) or knowledge.identifies(table) else one


def gather_own_rows(work: Work) -> None:
    """Rows that are counted by themselves are one each: they are gathered by the name that they share."""
    for place, group in enumerate(work.groups):
        counted = any(
            m.ref is None and m.counts is not None and m.counts.key == group.target.key for m in work.measures
        )
        silent = not work.measures
        # "Bookings per customer" counts bookings, though no figure is named.
        told = silent and work.sketch.per and group.target.key != (work.base or work.subject).key
        if group.table is None or group.through is not None:
            continue
        # Rows with a key of several columns say something of other rows: titles that people had.
        said = len(group.table.info.primary_key) > 1
        if not (counted or silent or said) or (told and not said):
            continue
        label = repeated_label(work.knowledge, group.table)
        if label is not None and not told:
            work.groups[place] = Group(Ref(label))
        elif counted or not said:
            work.cost += _OWN_ROWS


def _gather_by_part(work: Work, part: str) -> None:
    table = main_table(work)
    role = _PARTS.get(part)
    numbers = work.knowledge.of_role(table, role) if role else []
    date = work.date or date_column(work, table, parted=True)
    if numbers and (date is None or date.table.key != table.key):
        work.groups.append(Group(Ref(numbers[0])))
    elif date is not None:
        work.groups.append(Group(Ref(date), DatePart(part)))
    else:
        work.cost += 1.5
        work.sketch.uncovered.append(part)


def gather_by_default(work: Work, thing: Thing) -> None:
    """Gathers by a name where the question says nothing else."""
    if not work.groups:
        work.groups = [group_of(work.asked, thing)]


def gather_by_figure(work: Work, measure: Measure, descending: bool) -> None:
    """Groups ordered by a figure. What is shown is what rows are gathered by."""
    if not work.groups:
        shown = shown_or_subject(work)
        if (
            measure.ref is not None
            and measure.aggregate is Aggregate.SUM
            and _own_column(work, shown, measure)
        ):
            # "The hall with the largest number of seats": a row has its own number, and nothing is added up.
            work.order.append(Order(measure.ref, descending))
            return
        for thing in _rows_by_names(work, shown):
            measured = (
                thing.column is None and measure.table is not None and thing.table.key == measure.table.key
            )
            if not measured or len(shown) == 1:
                work.groups.append(group_of(work.asked, thing))
    if measure not in work.measures:
        work.measures.append(measure)
    work.order.append(Order(measure, descending))


def _own_column(work: Work, shown: list[Thing], measure: Measure) -> bool:
    """Whether rows are ranked by a column of theirs: they are asked for themselves, or by their names."""
    table = work.subject if measure.ref is None else measure.ref.table
    labels = work.knowledge.labels(table) if work.knowledge.names_rows(table) else ()
    own = all(thing.table.key == table.key and (thing.column is None or thing in labels) for thing in shown)
    added = measure.aggregate is Aggregate.SUM and not (work.measures or work.having)
    return own and added and table.key == work.subject.key


def _rows_by_names(work: Work, shown: list[Thing]) -> list[Thing]:
    """People of the same name are several people: rows are gathered where all their names are asked for."""
    found = list(shown)
    for table in {thing.table.key: thing.table for thing in shown}.values():
        labels = work.knowledge.labels(table)
        if len(labels) > 1 and all(label in found for label in labels):
            at = min(found.index(label) for label in labels)
            found = [thing for thing in found if thing not in labels]
            found.insert(at, work.knowledge.things.table_thing[table.key])
    return found


def shown_or_subject(work: Work) -> list[Thing]:
    """What is shown, else the subject itself."""
    shown = work.asked.things(slot for slot in work.sketch.shown if not work.asked.is_kind(slot))
    if not shown and work.role is not None:
        return [work.role]
    return shown or [work.knowledge.things.table_thing[work.subject.key]]
