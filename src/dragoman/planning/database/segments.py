"""The pieces that a message is cut into: cues, names, values, numbers, periods; and words left over."""

from collections.abc import Sequence
from enum import StrEnum

from dragoman.contracts.record import Record
from dragoman.planning.database.units import Unit
from dragoman.planning.database.vocabulary import Adjective
from dragoman.planning.tables.name_linker import Named
from dragoman.planning.tables.schema_names import Thing
from dragoman.planning.tables.value_linker import Valued
from dragoman.planning.tables.words import Token
from dragoman.reading.periods import PeriodMention


class Piece(StrEnum):
    CUE = "cue"
    NAME = "name"
    VALUE = "value"
    NUMBER = "number"
    PERIOD = "period"
    PART = "part"
    MONEY = "money"
    SOLD = "sold"
    SHARE = "share"
    WHO = "who"
    WHEN = "when"
    WHERE = "where"
    VERB = "verb"
    HOW = "how"
    UNIT = "unit"
    LASTS = "lasts"
    MARK = "mark"
    UNKNOWN = "unknown"


class Segment(Record, frozen=True):
    """Words `start` to `end` and what they are."""

    start: int
    end: int
    piece: Piece
    text: str
    stem: str = ""
    score: float = 0.0
    cue: str = ""
    kinds: frozenset[str] = frozenset()
    """All that a cue may be."""
    adjective: Adjective | None = None
    names: tuple[Named, ...] = ()
    below: bool = False
    """Of names: rows of the table that are below others of it."""
    turned: bool = False
    """Of names: they are flags, and the word says that they do not hold."""
    values: tuple[Valued, ...] = ()
    rows: tuple[Named, ...] = ()
    """Of a value that says of which kind rows are: the tables of those rows."""
    number: float | None = None
    unit: Unit | None = None
    money: bool = False
    period: PeriodMention | None = None
    part: str = ""
    parts: tuple[int, ...] = ()
    """Of a period that comes again: which of the parts of dates it is."""


class Cut(Record, frozen=True):
    """One way to cut a message."""

    segments: tuple[Segment, ...]
    score: float


def things_of(segment: Segment) -> list[tuple[Thing, float]]:
    """The things a name may mean, each once, the best first."""
    best: dict[int, tuple[Thing, float]] = {}
    for each in segment.names:
        known = best.get(each.thing.number)
        if known is None or each.score > known[1]:
            best[each.thing.number] = (each.thing, each.score)
    return sorted(best.values(), key=lambda each: -each[1])


WEAK_NAME = 0.7
"""A name by another word for it, or by a part of it only."""


def is_weak(segment: Segment, thing: Thing) -> bool:
    """Whether it is only a guess that a piece names a thing."""
    scores = (name.score for name in segment.names if name.thing.number == thing.number)
    return max(scores, default=1.0) < WEAK_NAME


def text_of(tokens: Sequence[Token], start: int, end: int) -> str:
    return " ".join(token.text for token in tokens[start:end])
