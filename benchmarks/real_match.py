"""Whether a result answers a question: every gold column is found in it by its values, row by row.

Further columns do no harm; the number of rows must be equal. A name may be in one column or in two. The
order counts only where it is asked for, and rows that are tied may change places, also at the cut of a top N.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, islice
from typing import Final

from benchmarks.real_columns import Cell, Classes, Column, compared, plain
from benchmarks.real_gold import GoldShape, gold_ordered, gold_shape, widened

__all__ = ["Rows", "gold_ordered", "matches", "widened"]

Rows = Sequence[Sequence[object]]
Row = tuple[Cell, ...]
Fit = tuple[Column, Classes]
Order = list[list[int]] | None
_MOST_STEPS: Final = 400
_MOST_TIES: Final = 200
_MOST_NAME_COLUMNS: Final = 8


def matches(
    gold_rows: Rows, our_rows: Rows, ordered: bool, question_sql: str, wider: Rows | None = None
) -> bool:
    """Whether our rows answer the question as the gold query does.

    `wider` are the rows of `widened(question_sql)`. With them a tie is known, not presumed.
    """
    if len(gold_rows) != len(our_rows):
        return False
    if not gold_rows:
        return True
    shape = gold_shape(question_sql)
    gold, ours = _plain(gold_rows), _plain(our_rows)
    width, count = len(gold[0]), len(gold)
    if wider is not None and len(wider) >= count:
        wide = _plain(wider)
        rows, keys = [row[:width] for row in wide], [row[width:] for row in wide]
        tops = _cuts(rows, keys, count) if shape.limit else iter([rows])
        return any(_same(top, ours, shape, keys if ordered else None) for top in tops)
    keys = _keys(gold, shape)
    if _same(gold, ours, shape, keys if ordered else None):
        return True
    return shape.limit == count and bool(keys) and _same_but_ties(gold, ours, keys, shape)


def _plain(rows: Rows) -> list[Row]:
    return [tuple(plain(cell) for cell in row) for row in rows]


def _keys(gold: list[Row], shape: GoldShape) -> list[Row]:
    """What each row is ordered by; its own place where that is not shown."""
    if shape.keys is None:
        return [(float(at),) for at in range(len(gold))]
    return [tuple(row[at] for at in shape.keys) for row in gold]


def _cuts(rows: list[Row], keys: list[Row], count: int) -> Iterator[list[Row]]:
    """The tops that the query may as well have given: any of the rows that are tied at the cut."""
    cut = keys[count - 1]
    above = [row for row, key in zip(rows[:count], keys[:count], strict=True) if key != cut]
    tied = [row for row, key in zip(rows, keys, strict=True) if key == cut]
    for chosen in islice(combinations(tied, count - len(above)), _MOST_TIES):
        yield above + list(chosen)


def _same_but_ties(gold: list[Row], ours: list[Row], keys: list[Row], shape: GoldShape) -> bool:
    """The same measures, and above the cut the same rows: who else is tied there is not known here."""
    if shape.keys is None or len(ours[0]) < len(gold[0]):
        return False
    measure = _columns(gold)[shape.keys[0]]
    above = [row for row, key in zip(gold, keys, strict=True) if key != keys[-1]]
    for column in _columns(ours):
        found = compared(measure, column, ratio=shape.ratio)
        if found is None:
            continue
        rest = [row for row, number in zip(ours, found.ours, strict=True) if number != found.gold[-1]]
        if _same(above, rest, shape, None):
            return True
    return False


def _same(gold: list[Row], ours: list[Row], shape: GoldShape, keys: list[Row] | None) -> bool:
    """Whether the rows are the same; with keys, whether they also stand in their order."""
    if len(gold) != len(ours):
        return False
    if not gold:
        return True
    columns = _columns(ours)
    orders: list[Order] = [None] if keys is None else [*_orders(keys)]
    return any(_found(view, columns, shape, order) for view in _views(_columns(gold)) for order in orders)


def _columns(rows: list[Row]) -> list[Column]:
    return [Column(cells) for cells in zip(*rows, strict=True)]


def _views(columns: list[Column]) -> Iterator[list[Column]]:
    """The gold as it is, and with two neighbouring columns of text as one: a name given in one column."""
    yield columns
    for at in range(len(columns) - 1):
        first, second = columns[at], columns[at + 1]
        if first.is_text and second.is_text:
            for joined in (first.joined(second), second.joined(first)):
                yield [*columns[:at], joined, *columns[at + 2 :]]


def _joined(columns: list[Column]) -> list[Column]:
    texts = [column for column in columns if column.is_text][:_MOST_NAME_COLUMNS]
    return [one.joined(other) for one in texts for other in texts if one is not other]


def _orders(keys: list[Row]) -> list[list[list[int]]]:
    """The places of the gold rows in order, those of one key together: within a run any order is right.

    Engines differ in where they put rows that have nothing to sort by; both ends are right.
    """
    runs: list[list[int]] = []
    for at, key in enumerate(keys):
        if runs and key == keys[at - 1]:
            runs[-1].append(at)
        else:
            runs.append([at])
    empty = [run for run in runs if keys[run[0]][0] is None]
    full = [run for run in runs if keys[run[0]][0] is not None]
    return [runs, empty + full, full + empty] if empty else [runs]


def _found(gold: list[Column], ours: list[Column], shape: GoldShape, order: Order) -> bool:
    """Whether each gold column has a column of its own among ours, so that the rows agree.

    Columns are told apart by their values first; a column is added only while the rows so far agree, and
    the number of tries is bounded.
    """
    fitting: list[list[Fit]] = []
    for column in gold:
        fits = _fits(column, ours, shape) or (_fits(column, _joined(ours), shape) if column.is_text else [])
        if not fits:
            return False
        fitting.append(fits)
    steps = 0

    def extend(chosen: tuple[Fit, ...]) -> bool:
        nonlocal steps
        steps += 1
        if steps > _MOST_STEPS or not _agree([classes for _, classes in chosen], order):
            return False
        if len(chosen) == len(gold):
            return True
        taken = [column for column, _ in chosen]
        return any(extend((*chosen, each)) for each in fitting[len(chosen)] if each[0] not in taken)

    return extend(())


def _fits(column: Column, offered: list[Column], shape: GoldShape) -> list[Fit]:
    compares = ((each, compared(column, each, ratio=shape.ratio)) for each in offered)
    return [(each, classes) for each, classes in compares if classes is not None]


def _agree(chosen: list[Classes], order: Order) -> bool:
    if not chosen:
        return True
    gold = list(zip(*(each.gold for each in chosen), strict=True))
    ours = list(zip(*(each.ours for each in chosen), strict=True))
    if order is None:
        return Counter(gold) == Counter(ours)
    at = 0
    for run in order:
        if Counter(gold[each] for each in run) != Counter(ours[at : at + len(run)]):
            return False
        at += len(run)
    return True
