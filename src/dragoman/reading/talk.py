"""Phrases that lean on what is in hand, put together of the words that a language has for them."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from dragoman.reading.phrases import Meaning
from dragoman.reading.reading import MentionKind

SLICE: Final = "slice"
"""What is carried where the slice is asked for once more, and not only its dates."""

LAST, FIRST = "last", "first"

Phrases = Iterator[tuple[str, Meaning]]


def leaning(data: Mapping[str, Any]) -> Phrases:
    """The dates in hand, and the slice in hand once more: any word of the one kind with any of the other."""
    for same in data["same"]:
        for noun in (*data["time"], *data["units"]):
            yield f"{same} {noun}", Meaning(MentionKind.CARRY)
    # "This year" is a period of its own: only what is no unit of the calendar is pointed at.
    for pointing in data["pointing"]:
        for noun in data["time"]:
            yield f"{pointing} {noun}", Meaning(MentionKind.CARRY)
    for phrase in data["repeats"]:
        yield phrase, Meaning(MentionKind.CARRY, SLICE)
    # Without a name it points at the object in hand; a name beside it is the one.
    for selected in data["selected"]["words"]:
        for thing in data["selected"]["things"]:
            yield f"{selected} {thing}", Meaning(MentionKind.ANAPHOR)


def same_words(data: Mapping[str, Any]) -> Phrases:
    """What says that the time in hand is meant; the word for time may be of another language."""
    for same in data["same"]:
        yield same, Meaning(MentionKind.CARRY)


def time_words(data: Mapping[str, Any]) -> Phrases:
    for noun in (*data["time"], *data["units"]):
        yield noun, Meaning(MentionKind.CARRY)


def ends(data: Mapping[str, Any]) -> Phrases:
    """What a place is counted from: the last row, or the first."""
    for end in (LAST, FIRST):
        for phrase in data["ends"][end]:
            yield phrase, Meaning(MentionKind.ORDINAL, end)
