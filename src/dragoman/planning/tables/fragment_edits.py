"""A statement in hand, changed by what a message says: every sensible way to put the two together."""

from collections.abc import Iterator

from dragoman.contracts import program
from dragoman.planning.tables.fragment import Fragment
from dragoman.planning.tables.statement_parts import Holds, StatementParts
from dragoman.planning.tables.unnamed_edits import COUNT, Edit, rows_of, towards
from dragoman.tables.paths import ColumnPath
from dragoman.tables.request import Measured
from dragoman.tables.verbs import NUMBERS, TableVerb


def edits(previous: StatementParts, said: Fragment, names: tuple[ColumnPath, ...]) -> Iterator[Edit]:
    """`names`: the columns that tell a person which row of the table it is."""
    if said.wanted and previous.joined and previous.joined != said.wanted:
        return
    before = previous.changed(joined=said.wanted) if said.wanted else previous
    if said.verbs and not said.measures:
        yield from _same_measured(before, said)
    if said.measures:
        yield from _measured(before, said)
    elif said.by:
        yield from _gathered(before, said)
    if (said.shown or said.everything) and not said.measures:
        yield from _shown(before, said)
    if not said.shown and not said.measures and not said.everything and not said.by:
        yield from _narrowed(before, said, names)


# What was said, put together with what there is.


def _merged(before: tuple[Holds, ...], said: tuple[Holds, ...]) -> tuple[Holds, ...]:
    """What is said of a column takes the place of what was said of it."""
    places = {(each.links, each.key) for each in said if each.key}
    return (*(each for each in before if (each.links, each.key) not in places), *said)


def _either(before: tuple[Holds, ...], said: tuple[Holds, ...]) -> tuple[Holds, ...] | None:
    """A value more beside the one that a column must have: one of them."""
    known = {(each.links, each.key): each for each in before if each.key}
    if not said or not all((each.links, each.key) in known for each in said):
        return None
    found = list(before)
    for each in said:
        other = known[each.links, each.key]
        if isinstance(each.value, program.Map) or isinstance(other.value, program.Map):
            return None
        values = tuple(dict.fromkeys((*_values(other.value), *_values(each.value))))
        both = Holds(each.links, each.key, program.Sequence(values))
        found[found.index(other)] = both
        # A message may name the column again, and its value then joins these.
        known[each.links, each.key] = both
    return tuple(found)


def _values(value: program.Value) -> tuple[program.Value, ...]:
    return value.items if isinstance(value, program.Sequence) else (value,)


def _with_holds(base: StatementParts, said: Fragment) -> Iterator[tuple[str, StatementParts]]:
    """The conditions of both; where they speak of the same column also both of them."""
    merged = _merged(base.holds, said.holds)
    yield "", base.changed(holds=merged)
    both = (*base.holds, *(each for each in said.holds if each not in base.holds))
    if said.holds and both != merged:
        yield ".both", base.changed(holds=both)


def _ordered(base: StatementParts, said: Fragment) -> StatementParts:
    """In the order that is asked for, and only the first where that is."""
    if said.extreme is not None:
        found = base.changed(order=(said.extreme,), top=said.top or 1, limit=None, ties=False)
    elif said.order:
        found = base.changed(order=said.order)
    else:
        found = base
    if said.top is not None and said.extreme is None:
        if found.order or found.by:
            found = found.changed(top=said.top, limit=None)
        else:
            found = found.changed(limit=said.top)
    if found.verb is TableVerb.TOP and (said.extreme or said.order):
        found = found.changed(verb=TableVerb.LIST, measures=())
    return found.changed(distinct=True) if said.distinct and found.is_list else found


def _measured(previous: StatementParts, said: Fragment) -> Iterator[Edit]:
    own = said.measures[0]
    base = StatementParts(
        previous.table,
        own.verb,
        measures=said.measures,
        distinct=own.distinct,
        by=said.by,
        holds=previous.holds,
        having=said.having,
        joined=previous.joined,
        kept=previous.kept,
    )
    for note, found in _with_holds(base, said):
        yield Edit(f"measure{note}", _ordered(found, said) if said.by else found)
    if previous.by and not said.by:
        kept = base.changed(by=previous.by, having=said.having or previous.having)
        yield Edit("measure.by", _ordered(kept.changed(holds=_merged(kept.holds, said.holds)), said))
    if previous.by and previous.measures and previous.verb is not TableVerb.TOP:
        yield from _unhidden(previous, said)
    if previous.measures and not previous.rows and previous.verb is not TableVerb.TOP:
        more = tuple(each for each in said.measures if each not in previous.measures)
        both = previous.changed(measures=(*previous.measures, *more), shown=None)
        yield Edit("measure.also", both.changed(holds=_merged(both.holds, said.holds)))


def _same_measured(previous: StatementParts, said: Fragment) -> Iterator[Edit]:
    """Another figure of what the statement in hand measures, or of a number that it shows."""
    of = next((each.of for each in previous.measures if each.of is not None), None)
    if of is None:
        of = next((path for path in _numbers(previous)), None)
    if of is None:
        return
    measures = tuple(Measured(verb, of) for verb in said.verbs)
    swapped = StatementParts(
        previous.table,
        measures[0].verb,
        measures=measures,
        by=said.by or (() if previous.rows else previous.by),
        holds=_merged(previous.holds, said.holds),
        having=previous.having,
        joined=previous.joined,
        kept=previous.kept,
    )
    yield Edit("swap", swapped)
    if previous.measures and not previous.rows and previous.verb is not TableVerb.TOP:
        more = tuple(each for each in measures if each not in previous.measures)
        yield Edit("swap.also", previous.changed(measures=(*previous.measures, *more), shown=None))


def _numbers(previous: StatementParts) -> list[ColumnPath]:
    """The numbers a statement over rows is about: what it is ordered by, what it shows, what it tests."""
    ordered = [each.by for each in previous.order]
    shown = [*ordered, *(previous.shown or ())]
    found = [each for each in shown if isinstance(each, ColumnPath) and each.type in NUMBERS]
    for each in previous.holds:
        column = previous.table.columns.get(each.key) if not each.links else None
        if column is not None and column.type in NUMBERS:
            found.append(ColumnPath((), column))
    return list(dict.fromkeys(found))


def _compared(previous: StatementParts, value: program.Value) -> Iterator[Edit]:
    """A comparison with what the statement in hand is about: the figure of its groups, or a number."""
    if previous.by:
        yield Edit("compare", previous.changed(having=value))
        return
    for number in _numbers(previous)[:2]:
        hold = Holds(number.links, number.column.name, value)
        yield Edit("compare", previous.changed(holds=_merged(previous.holds, (hold,))))


def _unhidden(previous: StatementParts, said: Fragment) -> Iterator[Edit]:
    """The same groups with a figure of theirs, or only the figure."""
    more = tuple(each for each in said.measures if each not in previous.measures)
    both = previous.changed(measures=(*previous.measures, *more), holds=_merged(previous.holds, said.holds))
    beside = tuple(each for each in previous.shown or previous.by if each not in said.measures)
    yield Edit("measure.beside", both.changed(shown=(*beside, *said.measures)))
    yield Edit("measure.alone", both.changed(shown=said.measures))


def _gathered(previous: StatementParts, said: Fragment) -> Iterator[Edit]:
    figures = previous.measures if not previous.rows else ()
    own = figures[0] if figures else COUNT
    base = StatementParts(
        previous.table,
        own.verb,
        measures=figures or (COUNT,),
        distinct=own.distinct,
        by=said.by,
        holds=_merged(previous.holds, said.holds),
        having=said.having,
        joined=previous.joined,
        kept=previous.kept,
    )
    yield Edit("group", _ordered(base, said))
    if said.shown:
        yield Edit("group.shown", _ordered(base.changed(shown=(*said.shown,)), said))


def _shown(previous: StatementParts, said: Fragment) -> Iterator[Edit]:
    base = rows_of(previous)
    if base.by:
        yield from _shown_of_groups(base, said)
        return
    for note, found in _with_holds(base, said):
        ordered = _ordered(found, said)
        shown = said.shown or None
        yield Edit(f"show{note}", ordered.changed(shown=shown, distinct=said.distinct))
        if previous.shown and shown and not said.everything:
            more = (*previous.shown, *(each for each in shown if each not in previous.shown))
            if previous.rows and more != shown:
                yield Edit(f"show.also{note}", ordered.changed(shown=more))
        if found.top is not None and (said.holds or said.extreme):
            loose = _ordered(found.changed(top=None, order=()), said)
            yield Edit(f"show.all{note}", loose.changed(shown=shown))


def _shown_of_groups(base: StatementParts, said: Fragment) -> Iterator[Edit]:
    ordered = _ordered(base.changed(holds=_merged(base.holds, said.holds)), said)
    more = tuple(each for each in said.shown if each not in base.by)
    own = base.shown or (*base.by, *base.measures)
    yield Edit("show", ordered.changed(shown=said.shown))
    yield Edit("show.also", ordered.changed(shown=(*own, *more)))
    if more:
        wider = ordered.changed(by=(*base.by, *more))
        yield Edit("show.wider", wider.changed(shown=said.shown))
        yield Edit("show.also.wider", wider.changed(shown=(*own, *more)))


def _narrowed(previous: StatementParts, said: Fragment, names: tuple[ColumnPath, ...]) -> Iterator[Edit]:
    if said.holds or said.having is not None:
        for note, found in _with_holds(previous, said):
            kept = found.changed(having=said.having) if said.having is not None and found.by else found
            yield Edit(f"narrow{note}", _ordered(kept, said))
            if previous.top is not None:
                yield Edit(f"narrow.all{note}", _ordered(kept.changed(top=None, order=()), said))
        either = _either(previous.holds, said.holds)
        if either is not None:
            yield Edit("narrow.or", _ordered(previous.changed(holds=either), said))
        if not previous.rows and not previous.by:
            rows = rows_of(previous)
            found = rows.changed(holds=_merged(rows.holds, said.holds), shown=names or None)
            yield Edit("narrow.rows", _ordered(found, said))
    elif said.extreme is not None or said.order or said.top is not None:
        yield from _reordered(previous, said, names)
    if said.compared is not None:
        yield from _compared(previous, said.compared)
    if said.most is not None:
        yield from towards(previous, said.most)


def _reordered(previous: StatementParts, said: Fragment, names: tuple[ColumnPath, ...]) -> Iterator[Edit]:
    if previous.rows or previous.by:
        yield Edit("order", _ordered(previous, said))
        return
    rows = _ordered(rows_of(previous).changed(top=None, order=()), said)
    yield Edit("order.names", rows.changed(shown=names or None))
