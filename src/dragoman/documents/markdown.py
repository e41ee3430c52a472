"""Markdown as blocks: headings, paragraphs, lists, tables and code, by their lines."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from dragoman.documents.blocks import Block

_HEADING: Final = re.compile(r" {0,3}(#{1,6})\s+(.*?)\s*#*\s*$")
_UNDERLINE: Final = re.compile(r" {0,3}(=+|-+)\s*$")
_FENCE: Final = re.compile(r"\s*(```+|~~~+)")
_ITEM: Final = re.compile(r"\s*(?:[-*+•]|\d{1,3}[.)])\s+")
_RULE: Final = re.compile(r"\s*(?:[-*_]\s*){3,}$")
_TABLE_RULE: Final = re.compile(r"\s*\|?(?:\s*:?-+:?\s*\|)*\s*:?-+:?\s*\|?\s*$")
_FRONT: Final = "---"
_COMMENT: Final = re.compile(r"<!--.*?-->")


def markdown_blocks(lines: Sequence[str]) -> Iterator[Block]:
    place = _after_front(lines)
    while place < len(lines):
        line = lines[place]
        heading = _HEADING.match(line)
        if heading:
            yield Block(_plain(heading[2]), place + 1, place + 1, len(heading[1]))
            place += 1
        elif not line.strip() or _RULE.match(line):
            place += 1
        elif _FENCE.match(line):
            end = _fence_end(lines, place)
            yield Block("\n".join(lines[place + 1 : end]), place + 1, min(end + 1, len(lines)), parted=True)
            place = end + 1
        else:
            end = _paragraph_end(lines, place)
            yield from _paragraph(lines, place, end)
            place = end


def _after_front(lines: Sequence[str]) -> int:
    """Where the text begins behind what some tools keep above it."""
    if not lines or lines[0].strip() != _FRONT:
        return 0
    ends = (place for place in range(1, len(lines)) if lines[place].strip() in (_FRONT, "..."))
    return next(ends, -1) + 1


def _fence_end(lines: Sequence[str], start: int) -> int:
    fence = lines[start].strip()[:3]
    ends = (place for place in range(start + 1, len(lines)) if lines[place].strip().startswith(fence))
    return next(ends, len(lines))


def _paragraph_end(lines: Sequence[str], start: int) -> int:
    """The line behind a paragraph; a list goes on past the blank lines between its items."""
    place = start
    while place < len(lines):
        line = lines[place]
        if _HEADING.match(line) or (_FENCE.match(line) and place > start):
            return place
        if place == start + 1 and _UNDERLINE.match(line) and not _ITEM.match(lines[start]):
            return place + 1
        if not line.strip():
            follows = place + 1 < len(lines) and _ITEM.match(lines[place + 1])
            if not (follows and _goes_on(lines[start:place])):
                return place
        place += 1
    return place


def _goes_on(lines: Sequence[str]) -> bool:
    """Whether items behind a blank line belong to these lines: to their list, or to what announces it."""
    return bool(_ITEM.match(lines[-1])) or lines[-1].rstrip().endswith(":")


def _paragraph(lines: Sequence[str], start: int, end: int) -> Iterator[Block]:
    own = lines[start:end]
    last = len(own) - 1
    underline = _UNDERLINE.match(own[last]) if last > 0 else None
    if underline and last == 1:
        yield Block(_plain(own[0]), start + 1, end, 1 if "=" in underline[1] else 2)
        return
    parted = any(_ITEM.match(line) or line.lstrip().startswith("|") for line in own)
    said = [_plain(line) for line in own if not _TABLE_RULE.match(line)]
    text = "\n".join(said) if parted else " ".join(each for each in said if each)
    if text.strip():
        yield Block(text, start + 1, end, parted=parted)


def _plain(line: str) -> str:
    """A line without the signs that only make it look some way."""
    text = _COMMENT.sub("", line)
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"(\*\*|__)(.+?)\1", r"\2", text)
    text = re.sub(r"(?<![\w*])\*([^*\s][^*]*)\*(?![\w*])", r"\1", text)
    text = re.sub(r"`([^`]*)`", r"\1", text)
    return re.sub(r"^\s*>\s?", "", text).strip()
