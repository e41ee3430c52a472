"""Two columns of results side by side: whether they say the same, and which of their cells do.

A comparison gives every cell the number of its class: a gold cell and a cell of ours that say the same have
the same number. Rows are then compared by these numbers alone, so that a tolerance is judged only once.
"""

import math
import re
from collections.abc import Iterable, Iterator
from datetime import date, datetime
from decimal import Decimal
from functools import cached_property
from typing import Final, NamedTuple

Cell = float | str | bytes | None

_TOLERANCE: Final = 1e-6
_LEAST_DECIMALS: Final = 2
_MOST_DECIMALS: Final = 9
_LARGEST_RATIO: Final = 10.0
_NUMBER: Final = re.compile(r"[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?")
_MOMENT: Final = re.compile(r"(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d)(?::(\d\d)(?:\.\d+)?)?(?:Z|\+00:00)?")
_PART_OF_YEAR: Final = re.compile(r"(?P<year>\d{4})-(?:(?P<month>\d\d)(?:-01)?|Q(?P<quarter>[1-4]))")


class Column:
    """The cells of a column, and in which order they sort: found out once, compared often."""

    def __init__(self, cells: Iterable[Cell]) -> None:
        self.cells: Final = tuple(cells)

    @cached_property
    def order(self) -> list[int]:
        return sorted(range(len(self.cells)), key=lambda at: _rank(self.cells[at]))

    @cached_property
    def is_text(self) -> bool:
        return any(isinstance(cell, str) for cell in self.cells)

    @cached_property
    def half_step(self) -> float:
        """Half of the last decimal it is written with: how far a rounded number may be from the exact one."""
        decimals = max((_decimals(cell) for cell in self.cells if isinstance(cell, float)), default=0)
        return 0.5 * 10.0**-decimals * 1.0001 if decimals <= _MOST_DECIMALS else 0.0

    def joined(self, other: "Column") -> "Column":
        pairs = zip(self.cells, other.cells, strict=True)
        return Column(" ".join(map(str, filter(None, pair))) or None for pair in pairs)


class Classes(NamedTuple):
    """The class of every cell, row by row: of the gold column and of ours."""

    gold: list[int]
    ours: list[int]


def plain(cell: object) -> Cell:
    """A cell as it is compared: numbers as numbers, also those stored as texts; moments in one form."""
    match cell:
        case None | bytes():
            return cell
        case bool() | int() | float() | Decimal():
            return float(cell)
        case datetime():
            return _moment(cell.isoformat(" "))
        case date():
            return cell.isoformat()
        case _:
            text = str(cell).strip()
            return float(text) if _NUMBER.fullmatch(text) else _moment(text)


def _moment(text: str) -> str:
    found = _MOMENT.fullmatch(text)
    if not found:
        return text
    time = f"{found[2]}:{found[3] or '00'}"
    return found[1] if time == "00:00:00" else f"{found[1]} {time}"


def compared(gold: Column, ours: Column, *, ratio: bool) -> Classes | None:
    """The classes of two columns that hold the same values; None where they do not."""
    for left, right in _views(gold, ours, ratio=ratio):
        found = _aligned(left, right)
        if found:
            return found
    return None


def _views(gold: Column, ours: Column, *, ratio: bool) -> Iterator[tuple[Column, Column]]:
    """The forms to compare: as they are, as percent and fraction, as parts of one year."""
    yield gold, ours
    if ratio and _is_fraction(gold):
        yield _scaled(gold), ours
    if ratio and _is_fraction(ours):
        yield gold, _scaled(ours)
    for left, right in ((_parts(gold), ours), (gold, _parts(ours)), (_firsts(gold), _firsts(ours))):
        if left is not None and right is not None:
            yield left, right


def _is_fraction(column: Column) -> bool:
    numbers = [cell for cell in column.cells if isinstance(cell, float)]
    return bool(numbers) and max(map(abs, numbers)) <= _LARGEST_RATIO


def _scaled(column: Column) -> Column:
    return Column(cell * 100 if isinstance(cell, float) else cell for cell in column.cells)


def _in_year(column: Column) -> list[re.Match[str] | None] | None:
    """Its cells read as months or quarters; None where one of them is something else."""
    if not column.is_text:
        return None
    found: list[re.Match[str] | None] = []
    for cell in column.cells:
        read = _PART_OF_YEAR.fullmatch(cell) if isinstance(cell, str) else None
        if cell is not None and not read:
            return None
        found.append(read)
    return found


def _parts(column: Column) -> Column | None:
    """2024-03 as 3, 2024-Q1 as 1: where every cell lies in the same year."""
    found = _in_year(column)
    if found is None or len({each["year"] for each in found if each}) != 1:
        return None
    return Column(float(each["month"] or each["quarter"]) if each else None for each in found)


def _firsts(column: Column) -> Column | None:
    """2024-03-01 as 2024-03: a month may be given by its first day."""
    found = _in_year(column)
    return None if found is None else Column(each[0][:7] if each else None for each in found)


def _decimals(number: float) -> int:
    """How many decimals a number is written with; two at least, for a rounded number may end in noughts."""
    for decimals in range(_LEAST_DECIMALS, _MOST_DECIMALS + 1):
        if round(number, decimals) == number:
            return decimals
    return _MOST_DECIMALS + 1


def _aligned(gold: Column, ours: Column) -> Classes | None:
    """Both columns sorted and laid side by side. A class ends where both go on to another value."""
    if len(gold.cells) != len(ours.cells):
        return None
    classes = Classes([0] * len(gold.cells), [0] * len(ours.cells))
    number = 0
    before: tuple[Cell, Cell] | None = None
    for left, right in zip(gold.order, ours.order, strict=True):
        pair = (gold.cells[left], ours.cells[right])
        if not _is_near(*pair, ours.half_step):
            return None
        if before and pair[0] != before[0] and pair[1] != before[1]:
            number += 1
        classes.gold[left] = classes.ours[right] = number
        before = pair
    return classes


def _is_near(gold: Cell, ours: Cell, half_step: float) -> bool:
    """Equal, numbers nearly: ours may be rounded, to two decimals or more."""
    if isinstance(gold, float) and isinstance(ours, float):
        close = math.isclose(gold, ours, rel_tol=_TOLERANCE, abs_tol=1e-9)
        return close or abs(gold - ours) <= half_step
    return gold == ours


def _rank(cell: Cell) -> tuple[int, float, str]:
    match cell:
        case None:
            return (0, 0.0, "")
        case float():
            return (1, cell, "")
        case str():
            return (2, 0.0, cell)
        case bytes():
            return (3, 0.0, cell.hex())
