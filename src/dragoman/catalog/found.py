"""What a lookup gives: rows, and the proof of them."""

from dragoman.contracts.answer import Cell, Column, EvidenceItem, Figure
from dragoman.contracts.record import Record


class Found(Record, frozen=True):
    """What a lookup gave. `figures` are the sums of a pack's amounts, where they are of one unit; `inferred`
    are the links it followed that no key declares."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    figures: tuple[Figure, ...]
    checked: bool
    truncated: bool
    inferred: tuple[str, ...]
    evidence: tuple[EvidenceItem, ...]
    skipped: int = 0
    """How many lines of the files behind it were left out."""
    total: int | None = None
    """How many rows there are, as the database counted them, where not all of them were read."""
    limits: tuple[str, ...] = ()
    """The codes of what limits it beside all that."""
