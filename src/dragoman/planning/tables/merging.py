"""A statement in hand, changed by what a message says: every sensible way to put the two together."""

from collections.abc import Iterator

from dragoman.catalog.tables.graph import Table
from dragoman.catalog.tables.paths import ColumnPath, Links
from dragoman.catalog.tables.request import Measured, Ordering
from dragoman.catalog.tables.verbs import TableVerb
from dragoman.contracts import program
from dragoman.contracts.record import Record
from dragoman.planning.tables.meaning import Holds, Meaning

_COUNT = Measured(TableVerb.COUNT)


class Fragment(Record, frozen=True):
    """What a message itself says, seen from the table of the statement in hand. Nothing is made up: what is
    not said is empty. `extreme` asks for the first in an order; `wanted` are linked rows to join."""

    shown: tuple[ColumnPath, ...] = ()
    everything: bool = False
    measures: tuple[Measured, ...] = ()
    by: tuple[ColumnPath, ...] = ()
    holds: tuple[Holds, ...] = ()
    having: program.Value | None = None
    order: tuple[Ordering, ...] = ()
    extreme: Ordering | None = None
    most: bool | None = None
    """An extreme or a direction, without saying of what."""
    top: int | None = None
    distinct: bool = False
    subjects: tuple[Table, ...] = ()
    wanted: Links = ()

    @property
    def speaks(self) -> bool:
        """Whether it says anything of rows or columns."""
        said = (self.shown, self.measures, self.by, self.holds, self.order, self.subjects)
        return any(said) or self.having is not None or self.extreme is not None or self.everything


class Edit(Record, frozen=True):
    """One way to put them together, and what was done."""

    kind: str
    meaning: Meaning


def edits(previous: Meaning, said: Fragment, names: tuple[ColumnPath, ...]) -> Iterator[Edit]:
    """`names`: the columns that tell a person which row of the table it is."""
    if said.wanted and previous.joined and previous.joined != said.wanted:
        return
    before = previous.changed(joined=said.wanted) if said.wanted else previous
    if said.measures:
        yield from _measured(before, said)
    elif said.by:
        yield from _gathered(before, said)
    if (said.shown or said.everything) and not said.measures:
        yield from _shown(before, said)
    if not said.shown and not said.measures and not said.everything and not said.by:
        yield from _narrowed(before, said, names)


def drilled(previous: Meaning, names: tuple[ColumnPath, ...]) -> Iterator[Edit]:
    """The rows behind a figure."""
    if previous.rows:
        if previous.shown is not None:
            yield Edit("everything", previous.changed(shown=None, distinct=False))
        return
    rows = _rows(previous)
    if previous.by:
        yield Edit("drill.groups", previous.changed(shown=previous.by))
        return
    yield Edit("drill.names", rows.changed(shown=names or None))
    yield Edit("drill.all", rows)


def widened(previous: Meaning) -> Iterator[Edit]:
    """Without a condition."""
    if previous.holds:
        yield Edit("drop.last", previous.changed(holds=previous.holds[:-1]))
        if len(previous.holds) > 1:
            yield Edit("drop.all", previous.changed(holds=()))
    if previous.having is not None:
        yield Edit("drop.having", previous.changed(having=None))


def reversed_order(previous: Meaning) -> Iterator[Edit]:
    """The other end of an order."""
    if previous.order:
        order = tuple(Ordering(each.by, not each.descending) for each in previous.order)
        yield Edit("flip", previous.changed(order=order))
    elif previous.by and previous.top is not None:
        yield Edit("flip", previous.changed(order=(Ordering(previous.measures[0], descending=False),)))
    elif previous.verb in (TableVerb.MIN, TableVerb.MAX):
        yield Edit("flip", _other_end(previous))
    elif previous.verb is TableVerb.TOP and previous.measures and previous.measures[0].of is not None:
        order = (Ordering(previous.measures[0].of),)
        yield Edit("flip", previous.changed(verb=TableVerb.LIST, measures=(), order=order))


def _other_end(previous: Meaning) -> Meaning:
    verb = TableVerb.MAX if previous.verb is TableVerb.MIN else TableVerb.MIN
    measures = tuple(
        Measured(verb, each.of, each.distinct) if each.verb is previous.verb else each
        for each in previous.measures
    )
    return previous.changed(verb=verb, measures=measures, shown=None)


def switched(previous: Meaning, table: Table, names: tuple[ColumnPath, ...]) -> Iterator[Edit]:
    """The same of another table, as far as it has such columns."""
    if previous.table is table or previous.by:
        return
    holds = tuple(each for each in previous.holds if not each.links and each.key in table.columns)
    plain = Meaning(table, previous.verb, kept=previous.kept)
    if previous.is_list:
        asked = previous.shown or ()
        alike = [table.columns.get(each.column.name) for each in asked if isinstance(each, ColumnPath)]
        shown = tuple(ColumnPath((), column) for column in alike if column is not None)
        found = plain.changed(shown=shown or names or None, distinct=previous.distinct)
        yield Edit("switch", found.changed(holds=holds))
        if holds:
            yield Edit("switch.all", found)
    elif previous.verb is TableVerb.COUNT:
        yield Edit("switch", plain.changed(measures=(_COUNT,), holds=holds))
        if holds:
            yield Edit("switch.all", plain.changed(measures=(_COUNT,)))


# What was said, put together with what there is.


def _rows(previous: Meaning) -> Meaning:
    """The rows that a statement speaks of: those it shows, or those it works something out of."""
    if previous.rows or previous.by:
        return previous
    rows = Meaning(
        previous.table, TableVerb.LIST, holds=previous.holds, joined=previous.joined, kept=previous.kept
    )
    own = previous.measures[0]
    if own.verb in (TableVerb.MIN, TableVerb.MAX) and own.of is not None:
        order = (Ordering(own.of, own.verb is TableVerb.MAX),)
        return rows.changed(order=order, top=1)
    return rows


def _merged(before: tuple[Holds, ...], said: tuple[Holds, ...]) -> tuple[Holds, ...]:
    """What is said of a column takes the place of what was said of it."""
    places = {(each.links, each.key) for each in said if each.key}
    return (*(each for each in before if (each.links, each.key) not in places), *said)


def _with_holds(base: Meaning, said: Fragment) -> Iterator[tuple[str, Meaning]]:
    """The conditions of both; where they speak of the same column also both of them."""
    merged = _merged(base.holds, said.holds)
    yield "", base.changed(holds=merged)
    both = (*base.holds, *(each for each in said.holds if each not in base.holds))
    if said.holds and both != merged:
        yield ".both", base.changed(holds=both)


def _ordered(base: Meaning, said: Fragment) -> Meaning:
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


def _measured(previous: Meaning, said: Fragment) -> Iterator[Edit]:
    own = said.measures[0]
    base = Meaning(
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


def _unhidden(previous: Meaning, said: Fragment) -> Iterator[Edit]:
    """The same groups with a figure of theirs, or only the figure."""
    more = tuple(each for each in said.measures if each not in previous.measures)
    both = previous.changed(measures=(*previous.measures, *more), holds=_merged(previous.holds, said.holds))
    beside = tuple(each for each in previous.shown or previous.by if each not in said.measures)
    yield Edit("measure.beside", both.changed(shown=(*beside, *said.measures)))
    yield Edit("measure.alone", both.changed(shown=said.measures))


def _gathered(previous: Meaning, said: Fragment) -> Iterator[Edit]:
    figures = previous.measures if not previous.rows else ()
    own = figures[0] if figures else _COUNT
    base = Meaning(
        previous.table,
        own.verb,
        measures=figures or (_COUNT,),
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


def _shown(previous: Meaning, said: Fragment) -> Iterator[Edit]:
    base = _rows(previous)
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


def _shown_of_groups(base: Meaning, said: Fragment) -> Iterator[Edit]:
    ordered = _ordered(base.changed(holds=_merged(base.holds, said.holds)), said)
    more = tuple(each for each in said.shown if each not in base.by)
    own = base.shown or (*base.by, *base.measures)
    yield Edit("show", ordered.changed(shown=said.shown))
    yield Edit("show.also", ordered.changed(shown=(*own, *more)))
    if more:
        wider = ordered.changed(by=(*base.by, *more))
        yield Edit("show.wider", wider.changed(shown=said.shown))
        yield Edit("show.also.wider", wider.changed(shown=(*own, *more)))


def _narrowed(previous: Meaning, said: Fragment, names: tuple[ColumnPath, ...]) -> Iterator[Edit]:
    if said.holds or said.having is not None:
        for note, found in _with_holds(previous, said):
            kept = found.changed(having=said.having) if said.having is not None and found.by else found
            yield Edit(f"narrow{note}", _ordered(kept, said))
            if previous.top is not None:
                yield Edit(f"narrow.all{note}", _ordered(kept.changed(top=None, order=()), said))
        if not previous.rows and not previous.by:
            rows = _rows(previous)
            found = rows.changed(holds=_merged(rows.holds, said.holds), shown=names or None)
            yield Edit("narrow.rows", _ordered(found, said))
    elif said.extreme is not None or said.order or said.top is not None:
        yield from _reordered(previous, said, names)
    if said.most is not None:
        yield from _towards(previous, said.most)


def _reordered(previous: Meaning, said: Fragment, names: tuple[ColumnPath, ...]) -> Iterator[Edit]:
    if previous.rows or previous.by:
        yield Edit("order", _ordered(previous, said))
        return
    rows = _ordered(_rows(previous).changed(top=None, order=()), said)
    yield Edit("order.names", rows.changed(shown=names or None))


def _towards(previous: Meaning, most: bool) -> Iterator[Edit]:
    """The greatest or the least of what the statement in hand is about."""
    if previous.order:
        if previous.order[0].descending != most:
            yield from reversed_order(previous)
        if previous.top is None:
            order = tuple(Ordering(each.by, most) for each in previous.order)
            yield Edit("order.first", previous.changed(order=order, top=1))
    elif previous.by and previous.measures:
        order = (Ordering(previous.measures[0], most),)
        if previous.top is None or not most:
            yield Edit("order.groups", previous.changed(order=order, top=previous.top or 1))
    elif previous.verb is (TableVerb.MIN if most else TableVerb.MAX):
        yield Edit("flip", _other_end(previous))
