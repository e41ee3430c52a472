"""What a door gets back from a turn. Everything in it can be read again from the record."""

from dragoman.contracts.answer import Cell, Column
from dragoman.contracts.record import Record
from dragoman.contracts.vocabulary import AnswerMode, CarryoverDepth, LivingMode, Phase, TransitionClass


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
    repeated: bool = False


class ResultRows(Record, frozen=True):
    """Every row that a turn read: an answer keeps only the first of them."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
