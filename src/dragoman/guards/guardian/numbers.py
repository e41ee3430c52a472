"""The numbers of a text, and which of them nothing stands behind.

A number has a reference where a mark of an item stands in its sentence (`[1]`, `[db:shop#12]`, the reference
itself), or where an item says the number.
"""

import re
from collections.abc import Iterator
from typing import Final

from dragoman.contracts.answer import EvidenceItem

# "Q3" and "user_2" are names; the 1 of "1. First" is a place in a list.
_NUMBER: Final = re.compile(r"(?<![^\W\d])\d+(?:[.,:'’/\u00a0\u202f-]\d+)*")
_PLACE: Final = re.compile(r"^\s*\d+[.)]\s", re.MULTILINE)
_MARK: Final = re.compile(r"\[([^\[\]\n]{1,300})\]")
_SENTENCE: Final = re.compile(r"(?<=[.!?。])\s+|\n+")
_GROUPING: Final = re.compile(r"[,'’\u00a0\u202f]")


def numbers_in(text: str) -> tuple[str, ...]:
    """Every number, as it is written, once."""
    return tuple(dict.fromkeys(_NUMBER.findall(_PLACE.sub("", text))))


def numbers_without_reference(text: str, evidence: tuple[EvidenceItem, ...]) -> tuple[str, ...]:
    """The numbers of a text that nothing stands behind, as they are written."""
    if not numbers_in(text):
        return ()
    said = {plain for item in evidence for plain in _numbers_of(item)}
    bare: dict[str, None] = {}
    for sentence, marked in _sentences(text, evidence):
        if not marked:
            bare.update((each, None) for each in numbers_in(sentence) if _plain(each) not in said)
    return tuple(bare)


def _sentences(text: str, evidence: tuple[EvidenceItem, ...]) -> Iterator[tuple[str, bool]]:
    """The sentences without their marks, and whether there were any. A mark may stand behind its sentence."""
    held: tuple[str, bool] | None = None
    for part in _SENTENCE.split(_PLACE.sub("", text)):
        plain, marked = _without_marks(part, evidence)
        if held is not None and marked and not any(map(str.isalnum, plain)):
            held = (held[0], True)
            continue
        if held is not None:
            yield held
        held = (plain, marked)
    if held is not None:
        yield held


def _without_marks(part: str, evidence: tuple[EvidenceItem, ...]) -> tuple[str, bool]:
    found = False

    def dropped(match: re.Match[str]) -> str:
        nonlocal found
        mark = match[1].strip()
        means = mark.isdecimal() and 1 <= int(mark) <= len(evidence)
        means = means or any(
            mark in (item.ref, f"{item.source}:{item.ref}", item.source) for item in evidence
        )
        found = found or means
        return "" if means else match[0]

    plain = _MARK.sub(dropped, part)
    for item in evidence:
        if item.ref and item.ref in plain:
            plain, found = plain.replace(item.ref, ""), True
    return plain, found


def _numbers_of(item: EvidenceItem) -> Iterator[str]:
    for text in (item.snippet, *item.values):
        yield from map(_plain, _NUMBER.findall(text))


def _plain(number: str) -> str:
    """1,200 and 1200 are one number."""
    return _GROUPING.sub("", number)
