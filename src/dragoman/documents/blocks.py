"""What every reader of documents gives: headings and paragraphs, each with its lines."""

from typing import Final

from dragoman.contracts.record import Record

PARAGRAPH: Final = 0


class Block(Record, frozen=True):
    """A heading (`level` from 1) or a paragraph. `parted`: its lines are items of their own, as in a list."""

    text: str
    first: int
    last: int
    level: int = PARAGRAPH
    page: int | None = None
    parted: bool = False
