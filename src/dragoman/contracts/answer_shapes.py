"""The shapes that a plan may promise an answer in, by their names: `status_v1_json`, `answer_v1_markdown`."""

from dragoman.contracts.record import Record
from dragoman.contracts.vocabulary import TruthMode


class StatusFigure(Record, frozen=True):
    """A number of a status that may be spoken of later, exact, and the item of evidence it was read from."""

    name: str
    value: str
    ref: str


class ReferredNumbers(Record, frozen=True):
    """Numbers of the text, as they are written there, and the item of evidence that they rest on."""

    numbers: tuple[str, ...]
    ref: str


class StatusV1Json(Record, frozen=True):
    """`status_v1_json`: what the database says now. `text` is what a person reads; every number in it has its
    item of evidence in `numbers`."""

    text: str
    route: str
    truth_mode: TruthMode
    numbers: tuple[ReferredNumbers, ...] = ()
    figures: tuple[StatusFigure, ...] = ()
    row_count: int = 0
    result: str = ""
    """The reference of the result, whose rows are in the answer."""
    limits: tuple[str, ...] = ()
    """The codes of what limits it."""
    evidence: tuple[str, ...] = ()
    """The references of all items."""


class AnswerSection(Record, frozen=True):
    """A part of an answer; the first may have no title."""

    title: str
    text: str


class Citation(Record, frozen=True):
    """What a mark in the text points at: `[1]` at the item with the number 1."""

    number: int
    ref: str


class AnswerV1Markdown(Record, frozen=True):
    """`answer_v1_markdown`: what a Markdown answer is once it is read. Each mark of its text has a citation,
    a line of the form `[1] docs/guide.md:12-18`."""

    sections: tuple[AnswerSection, ...]
    citations: tuple[Citation, ...] = ()
