"""Whether two results are the same: rows as multisets, columns by their values, numbers nearly."""

import math
import re
from collections.abc import Sequence
from typing import Final

Rows = list[tuple[object, ...]]
_MOST_COLUMNS: Final = 12
_MOST_WAYS: Final = 200
_MOMENT: Final = re.compile(r"(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(?:\.0+)?")
_TOLERANCE: Final = 1e-6
_ORDERED: Final = re.compile(r"\border\s+by\b", re.IGNORECASE)


def is_ordered(sql: str) -> bool:
    return bool(_ORDERED.search(sql))


def same(gold: Rows, ours: Rows, *, ordered: bool) -> bool:
    """Whether ours is the answer: as many columns and rows, whatever the order of the columns."""
    if len(gold) != len(ours):
        return False
    if not gold:
        return True
    if len(gold[0]) != len(ours[0]):
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
    theirs = [_column(right, at) for at in range(width)]
    fitting = [[at for at in range(width) if _equal(_column(left, n), theirs[at])] for n in range(width)]
    if not all(fitting):
        return []
    found: list[tuple[int, ...]] = []

    def extend(chosen: tuple[int, ...]) -> None:
        if len(found) >= _MOST_WAYS:
            return
        if len(chosen) == width:
            found.append(chosen)
            return
        for at in fitting[len(chosen)]:
            if at not in chosen:
                extend((*chosen, at))

    extend(())
    return found


def _column(rows: Rows, at: int) -> list[object]:
    return sorted((row[at] for row in rows), key=_rank)


def _alike(left: Rows, right: Rows, *, ordered: bool) -> bool:
    if not ordered:
        left, right = sorted(left, key=_row_rank), sorted(right, key=_row_rank)
    return all(_equal(one, other) for one, other in zip(left, right, strict=True))


def _equal(one: Sequence[object], other: Sequence[object]) -> bool:
    return all(_near(a, b) for a, b in zip(one, other, strict=True))


def _near(one: object, other: object) -> bool:
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, rel_tol=_TOLERANCE, abs_tol=_TOLERANCE)
    return one == other


def _rank(cell: object) -> tuple[int, float, str]:
    """Numbers by what they are, nearly: two that differ by nothing stand at the same place."""
    if cell is None:
        return (0, 0.0, "")
    return (1, float(f"{cell:.5g}"), "") if isinstance(cell, float) else (2, 0.0, str(cell))


def _row_rank(row: tuple[object, ...]) -> list[tuple[int, float, str]]:
    # Texts first: numbers that were worked out may differ in their last digit.
    return sorted((_rank(cell) for cell in row), reverse=True)


def _plain(cell: object) -> object:
    """A cell as it is compared: numbers as numbers, also where the engine gives them as texts."""
    if isinstance(cell, str):
        try:
            return float(cell)
        except ValueError:
            return _moment(cell)
    if isinstance(cell, int | float) or hasattr(cell, "as_tuple"):
        return float(cell)  # type: ignore[arg-type]
    return cell if cell is None or isinstance(cell, bytes) else _moment(str(cell))


def _moment(text: str) -> str:
    """A moment is the same with and without its thousandths, with a space or a T."""
    found = _MOMENT.fullmatch(text)
    return f"{found[1]} {found[2]}" if found else text
