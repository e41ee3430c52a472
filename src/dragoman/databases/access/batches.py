"""Rows fetched in batches that fit in memory, and counted and weighed as they come."""

from collections.abc import Callable, Sequence

from dragoman.contracts.errors import CellTooLarge, ResultTooLarge
from dragoman.contracts.query import ReadLimits

FIRST_BATCH = 64
LARGEST_BATCH = 5_000
BATCH_BYTES = 2_000_000

_BYTES_OF_A_PLAIN_CELL = 16
_MOST_BYTES_OF_A_CHARACTER = 4

Fetch = Callable[[int], Sequence[tuple[object, ...]]]


def gather(
    fetch: Fetch, names: Sequence[str], limits: ReadLimits, first: int = FIRST_BATCH
) -> tuple[list[tuple[object, ...]], bool]:
    """All rows that `fetch` has, up to the limits, and whether there were more.

    One row more than may be given is asked for; it is how one knows. Raises CellTooLarge, ResultTooLarge.
    """
    rows, weight, size = list[tuple[object, ...]](), 0, first
    while True:
        wanted = min(size, limits.rows + 1 - len(rows))
        batch = fetch(wanted)
        heft = sum(weigh(row, names, limits) for row in batch)
        rows.extend(batch)
        weight += heft
        if weight > limits.result_bytes:
            raise too_much(limits)
        if len(rows) > limits.rows:
            return rows[: limits.rows], True
        if len(batch) < wanted:
            return rows, False
        per_row = max(1, heft // max(1, len(batch)))
        size = max(1, min(LARGEST_BATCH, size * 4, BATCH_BYTES // per_row))


def weigh(row: Sequence[object], names: Sequence[str], limits: ReadLimits) -> int:
    """About how many bytes a row holds. Raises CellTooLarge."""
    weight = 0
    for name, cell in zip(names, row, strict=True):
        size = _size(cell, limits)
        if size > limits.cell_bytes:
            raise too_large(name, size, limits)
        weight += size or _BYTES_OF_A_PLAIN_CELL
    return weight


def _size(cell: object, limits: ReadLimits) -> int:
    """The bytes of a text or of bytes; other values are small whatever they are."""
    match cell:
        case bytes():
            return len(cell)
        case str() if len(cell) * _MOST_BYTES_OF_A_CHARACTER > limits.cell_bytes:
            return len(cell) if cell.isascii() else len(cell.encode("utf-8", "surrogatepass"))
        case str():
            return len(cell)
        case _:
            return 0


def too_large(name: str, size: int, limits: ReadLimits) -> CellTooLarge:
    return CellTooLarge(
        f"a value in the column {name!r} has {size:,} bytes, more than the {limits.cell_bytes:,} allowed",
        hint="leave the column out, or read a part of it",
        column=name,
        bytes=size,
        limit=limits.cell_bytes,
    )


def too_much(limits: ReadLimits) -> ResultTooLarge:
    return ResultTooLarge(
        f"the result holds more than {limits.result_bytes:,} bytes",
        hint="ask for fewer rows or fewer columns",
        limit=limits.result_bytes,
    )
