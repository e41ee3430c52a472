"""Whether two results are the same: rows as multisets, columns by their values, numbers nearly."""

import re
from collections import Counter
from typing import Final

Rows = list[tuple[object, ...]]
_MOST_COLUMNS: Final = 12
_ORDERED: Final = re.compile(r"\border\s+by\b", re.IGNORECASE)


def is_ordered(sql: str) -> bool:
    return bool(_ORDERED.search(sql))


def same(gold: Rows, ours: Rows, *, ordered: bool) -> bool:
    """Whether ours is the answer: as many columns and rows, whatever the order of the columns."""
    if len(gold) != len(ours):
        return False
    if not gold:
        return True
    width = len(gold[0])
    if width != len(ours[0]):
        return False
    left = [tuple(_plain(cell) for cell in row) for row in gold]
    right = [tuple(_plain(cell) for cell in row) for row in ours]
    return any(
        _alike(left, [tuple(row[at] for at in places) for row in right], ordered=ordered)
        for places in _places(left, right)
    )


def _places(left: Rows, right: Rows) -> list[tuple[int, ...]]:
    """The ways to put our columns in the gold's order: only where each column has the same values."""
    width = len(left[0])
    if width > _MOST_COLUMNS:
        return [tuple(range(width))]
    theirs = [Counter(row[at] for row in right) for at in range(width)]
    fitting = [
        [at for at in range(width) if theirs[at] == Counter(row[n] for row in left)] for n in range(width)
    ]
    if not all(fitting):
        return []
    found: list[tuple[int, ...]] = []

    def extend(chosen: tuple[int, ...]) -> None:
        if len(found) >= 200:
            return
        if len(chosen) == width:
            found.append(chosen)
            return
        for at in fitting[len(chosen)]:
            if at not in chosen:
                extend((*chosen, at))

    extend(())
    return found


def _alike(left: Rows, right: Rows, *, ordered: bool) -> bool:
    return left == right if ordered else Counter(left) == Counter(right)


def _plain(cell: object) -> object:
    """A cell as it is compared: numbers to six places of what they are, texts as they are."""
    if isinstance(cell, bool):
        return float(cell)
    if isinstance(cell, str):
        try:
            cell = float(cell)
        except ValueError:
            return cell
    if isinstance(cell, int | float) or hasattr(cell, "as_tuple"):
        return float(f"{float(cell):.6g}")  # type: ignore[arg-type]
    return cell if cell is None or isinstance(cell, bytes) else str(cell)
