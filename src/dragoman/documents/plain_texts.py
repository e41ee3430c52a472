"""Plain text as blocks: paragraphs between blank lines, and headings by how they stand."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from dragoman.documents.blocks import Block

_UNDERLINE: Final = re.compile(r"\s*([=\-~*#])\1{2,}\s*$")
_ENDS: Final = ".:;,!?…。"
_ITEM: Final = re.compile(r"\s*(?:[-*+•·]|\d{1,3}[.)])\s+")
_LONGEST_HEADING: Final = 80


def plain_blocks(lines: Sequence[str], page: int | None = None) -> Iterator[Block]:
    start = 0
    while start < len(lines):
        if not lines[start].strip():
            start += 1
            continue
        end = start
        while end < len(lines) and lines[end].strip():
            end += 1
        yield from _block(lines, start, end, page)
        start = end


def _block(lines: Sequence[str], start: int, end: int, page: int | None) -> Iterator[Block]:
    own = [line.strip() for line in lines[start:end]]
    if len(own) > 1 and _UNDERLINE.match(own[1]):
        yield Block(own[0], start + 1, start + 2, 1 if own[1].startswith("=") else 2, page)
        yield from _block(lines, start + 2, end, page) if end > start + 2 else ()
        return
    if _is_heading(own[0]) and (len(own) == 1 or own[0].isupper()):
        yield Block(own[0], start + 1, start + 1, 2, page)
        yield from _block(lines, start + 1, end, page) if len(own) > 1 else ()
        return
    parted = any(map(_ITEM.match, own))
    text = "\n".join(own) if parted else " ".join(own)
    yield Block(text, start + 1, end, page=page, parted=parted)


def _is_heading(line: str) -> bool:
    """A short line that is no sentence and no item."""
    short = len(line) <= _LONGEST_HEADING and line[-1] not in _ENDS
    return short and not _ITEM.match(line.lower()) if not line[:1].isdigit() else short
