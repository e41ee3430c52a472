"""Blocks as passages: a paragraph under its headings, short neighbours together, long ones parted."""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from dragoman.contracts.record import Record
from dragoman.documents.blocks import PARAGRAPH, Block

LONGEST: Final = 1_200
"""So many letters a passage has at most: it is shown whole, and longer ones are about several things."""
_SHORT: Final = 60
"""A shorter paragraph says little alone: it goes with its neighbour of the same section."""
_SENTENCE: Final = re.compile(r"(?<=[.!?。])\s+")


class Chunk(Record, frozen=True):
    text: str
    headings: tuple[str, ...]
    first: int
    last: int
    page: int | None = None

    @property
    def heading(self) -> str:
        return " › ".join(self.headings)


def chunks(blocks: Iterable[Block]) -> Iterator[Chunk]:
    above: list[tuple[int, str]] = []
    held: Chunk | None = None
    for block in blocks:
        if block.level != PARAGRAPH:
            if held is not None:
                yield held
            held = None
            above = [*(each for each in above if each[0] < block.level), (block.level, block.text)]
            continue
        for chunk in _parted(block, tuple(text for _, text in above)):
            joined = None if held is None else _joined(held, chunk)
            if held is not None and joined is None:
                yield held
            held = joined or chunk
    if held is not None:
        yield held


def _joined(one: Chunk, other: Chunk) -> Chunk | None:
    """Both as one, where either is too short to stand alone or the first announces the other."""
    short = min(len(one.text), len(other.text)) < _SHORT or one.text.endswith(":")
    if not short or one.page != other.page or len(one.text) + len(other.text) >= LONGEST // 2:
        return None
    return Chunk(f"{one.text}\n{other.text}", one.headings, one.first, other.last, one.page)


def _parted(block: Block, headings: tuple[str, ...]) -> Iterator[Chunk]:
    """A block in parts that are short enough: by its lines where it is parted, otherwise by sentences.

    Lines are told apart as far as the block knows them: the parts of a paragraph all have its lines."""
    if len(block.text) <= LONGEST:
        yield Chunk(block.text, headings, block.first, block.last, block.page)
        return
    rows = block.text.split("\n") if block.parted else _SENTENCE.split(block.text)
    exact = block.parted and len(rows) == block.last - block.first + 1
    gathered: list[str] = []
    begun = 0
    for number, row in enumerate(rows if exact else [piece for each in rows for piece in _cut(each)]):
        if gathered and sum(map(len, gathered)) + len(gathered) + len(row) > LONGEST:
            yield _part(block, headings, gathered, begun, exact)
            gathered, begun = [], number
        gathered.append(row[:LONGEST])
    if gathered:
        yield _part(block, headings, gathered, begun, exact)


def _part(block: Block, headings: tuple[str, ...], rows: list[str], begun: int, exact: bool) -> Chunk:
    text = ("\n" if block.parted else " ").join(rows)
    if not exact:
        return Chunk(text, headings, block.first, block.last, block.page)
    first = block.first + begun
    return Chunk(text, headings, first, first + len(rows) - 1, block.page)


def _cut(row: str) -> Iterator[str]:
    """A row without any end in it, in pieces."""
    for start in range(0, max(len(row), 1), LONGEST):
        yield row[start : start + LONGEST]
