"""Blocks as passages: a paragraph under its headings, short neighbours together, long ones parted."""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from dragoman.contracts.record import Record
from dragoman.documents.blocks import PARAGRAPH, Block

LONGEST: Final = 1_200
"""So many letters a passage has at most: it is shown whole, and longer ones are about several things."""
LONGEST_ITEMS: Final = 400
"""So many of a list or a table: each item is about something else."""
_SHORT: Final = 60
"""A shorter paragraph says little alone: it goes with its neighbour of the same section."""
_SENTENCE: Final = re.compile(r"(?<=[.!?。])\s+")
_BEGINS: Final = re.compile(r"\s*(?:[-*+•·|]|\d{1,3}[.)]\s)")
"""How an item of a list begins, or a row of a table."""


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
    """A block in parts that are short enough: by its items where it has any, otherwise by sentences.

    Lines are told apart as far as the block knows them: the parts of a paragraph all have its lines."""
    most = LONGEST_ITEMS if block.parted else LONGEST
    if len(block.text) <= most:
        yield Chunk(block.text, headings, block.first, block.last, block.page)
        return
    lines = block.text.split("\n") if block.parted else [block.text]
    exact = block.parted and len(lines) == block.last - block.first + 1
    begun = block.first
    for part in _gathered(_items(lines) if block.parted else _SENTENCE.split(block.text), most):
        text = ("\n" if block.parted else " ").join(part)
        last = begun + text.count("\n")
        for piece in _cut(text):
            first, end = (begun, last) if exact else (block.first, block.last)
            yield Chunk(piece, headings, first, end, block.page)
        begun = last + 1


def _items(lines: Iterable[str]) -> Iterator[str]:
    """Lines with those that go on with their item."""
    held: list[str] = []
    for line in lines:
        if held and _BEGINS.match(line):
            yield "\n".join(held)
            held = []
        held.append(line)
    if held:
        yield "\n".join(held)


def _gathered(rows: Iterable[str], most: int) -> Iterator[list[str]]:
    """Rows in groups that are short enough."""
    held: list[str] = []
    for row in rows:
        if held and sum(map(len, held)) + len(held) + len(row) > most:
            yield held
            held = []
        held.append(row)
    if held:
        yield held


def _cut(text: str) -> Iterator[str]:
    """A text without any end in it, in pieces."""
    for start in range(0, max(len(text), 1), LONGEST):
        yield text[start : start + LONGEST]
