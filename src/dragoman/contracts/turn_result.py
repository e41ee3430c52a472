"""What a door gets back from a turn. Everything in it can be read again from the record."""

from dragoman.contracts.answer import Cell, Column, EvidenceItem, Heading
from dragoman.contracts.record import Record
from dragoman.contracts.vocabulary import (
    AnswerMode,
    CarryoverDepth,
    LivingMode,
    MetaQuestionKind,
    Phase,
    TransitionClass,
)


class ResultRows(Record, frozen=True):
    """A whole result, as it was read: what an answer keeps is its beginning."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]


class ProgramOption(Record, frozen=True):
    """A closed answer that is a program: the sentence that a person reads, and what would run."""

    text: str
    program: str


class TurnResult(Record, frozen=True):
    session_id: str
    turn: int
    transition: TransitionClass | None
    entry_transition: TransitionClass | None
    mode: LivingMode
    answer_mode: AnswerMode
    carryover: CarryoverDepth
    route: str | None
    program: str
    phase: Phase
    message: str
    columns: tuple[Column, ...] = ()
    rows: tuple[tuple[Cell, ...], ...] = ()
    row_count: int = 0
    reason_codes: tuple[str, ...] = ()
    evidence: tuple[EvidenceItem, ...] = ()
    meta_kind: MetaQuestionKind | None = None
    options: tuple[str | ProgramOption, ...] = ()
    """The closed answers to the question that the turn ended in."""
    repeated: bool = False
    headings: tuple[Heading, ...] = ()
    """How a person reads the columns; empty where by their names."""
    complete: bool = True
    """Whether `rows` are all the rows there are."""
    rows_total: int | None = None
    """How many there are, where `rows` are not all of them and that is known."""
