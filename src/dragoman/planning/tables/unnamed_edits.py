"""Changes of a statement in hand for which nothing of a table has to be named."""

from collections.abc import Iterator

from dragoman.contracts.record import Record
from dragoman.planning.tables.statement_parts import StatementParts
from dragoman.tables.graph import Table
from dragoman.tables.paths import ColumnPath
from dragoman.tables.request import Measured, Ordering
from dragoman.tables.verbs import TableVerb

COUNT = Measured(TableVerb.COUNT)


class Edit(Record, frozen=True):
    """One way to put them together, and what was done."""

    kind: str
    parts: StatementParts


def rows_of(previous: StatementParts) -> StatementParts:
    """The rows that a statement speaks of: those it shows, or those it works something out of."""
    if previous.rows or previous.by:
        return previous
    rows = StatementParts(
        previous.table, TableVerb.LIST, holds=previous.holds, joined=previous.joined, kept=previous.kept
    )
    own = previous.measures[0]
    if own.verb in (TableVerb.MIN, TableVerb.MAX) and own.of is not None:
        order = (Ordering(own.of, own.verb is TableVerb.MAX),)
        return rows.changed(order=order, top=1)
    return rows


def drilled(previous: StatementParts, names: tuple[ColumnPath, ...]) -> Iterator[Edit]:
    """The rows behind a figure."""
    if previous.rows:
        if previous.shown is not None:
            yield Edit("everything", previous.changed(shown=None, distinct=False))
        return
    rows = rows_of(previous)
    if previous.by:
        yield Edit("drill.groups", previous.changed(shown=previous.by))
        return
    yield Edit("drill.names", rows.changed(shown=names or None))
    yield Edit("drill.all", rows)


def widened(previous: StatementParts) -> Iterator[Edit]:
    """Without a condition."""
    if previous.holds:
        yield Edit("drop.last", previous.changed(holds=previous.holds[:-1]))
        if len(previous.holds) > 1:
            yield Edit("drop.all", previous.changed(holds=()))
    if previous.having is not None:
        yield Edit("drop.having", previous.changed(having=None))


def reversed_order(previous: StatementParts) -> Iterator[Edit]:
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


def _other_end(previous: StatementParts) -> StatementParts:
    verb = TableVerb.MAX if previous.verb is TableVerb.MIN else TableVerb.MIN
    measures = tuple(
        Measured(verb, each.of, each.distinct) if each.verb is previous.verb else each
        for each in previous.measures
    )
    return previous.changed(verb=verb, measures=measures, shown=None)


def switched(previous: StatementParts, table: Table, names: tuple[ColumnPath, ...]) -> Iterator[Edit]:
    """The same of another table, as far as it has such columns."""
    if previous.table is table or previous.by:
        return
    holds = tuple(each for each in previous.holds if not each.links and each.key in table.columns)
    plain = StatementParts(table, previous.verb, kept=previous.kept)
    if previous.is_list:
        asked = previous.shown or ()
        alike = [table.columns.get(each.column.name) for each in asked if isinstance(each, ColumnPath)]
        shown = tuple(ColumnPath((), column) for column in alike if column is not None)
        found = plain.changed(shown=shown or names or None, distinct=previous.distinct)
        yield Edit("switch", found.changed(holds=holds))
        if holds:
            yield Edit("switch.all", found)
    elif previous.verb is TableVerb.COUNT:
        yield Edit("switch", plain.changed(measures=(COUNT,), holds=holds))
        if holds:
            yield Edit("switch.all", plain.changed(measures=(COUNT,)))


def towards(previous: StatementParts, most: bool) -> Iterator[Edit]:
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
