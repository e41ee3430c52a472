"""What is said back: the gate that decides how it may sound, the evidence, the answer object."""

from enum import StrEnum

from dragoman.contracts.program import Program
from dragoman.contracts.record import Record
from dragoman.contracts.vocabulary import (
    CarryoverDepth,
    CoverageStatus,
    EvidenceGrade,
    EvidenceSource,
    GroundingStatus,
    TruthMode,
)

PREVIEW_ROWS = 50
"""How many rows of a result an answer keeps; the rest is behind its reference."""
NAMED_ROWS = 5
"""How many rows a sentence names one by one."""
FOUND_OUT = (TruthMode.CONFIRMED, TruthMode.LIMITED)
"""How an answer may sound that was found out."""


class CoverageGateState(Record, frozen=True):
    """Whether a result is admissible, and how far follow-ups may carry what it rests on."""

    coverage_status: CoverageStatus
    evidence_grade: EvidenceGrade
    grounding_status: GroundingStatus
    truth_mode: TruthMode
    carryover_eligibility: CarryoverDepth
    reason_codes: tuple[str, ...] = ()


class EvidenceItem(Record, frozen=True):
    source: EvidenceSource
    ref: str
    snippet: str
    confidence: float
    values: tuple[str, ...] = ()
    """Of a query: what stood for each `?` of the snippet, written as SQL writes it."""


class CellType(StrEnum):
    """How the cells of a column are to be read. A decimal is a string of digits: exact."""

    TEXT = "text"
    INTEGER = "integer"
    DECIMAL = "decimal"
    DATE = "date"


class Column(Record, frozen=True):
    name: str
    type: CellType


class Heading(Record, frozen=True):
    """How a column is shown to a person: by which words, and whether its numbers are rounded for the eye."""

    text: str
    rounded: bool = False


Cell = str | int | None


class Figure(Record, frozen=True):
    """A number of the answer that may be spoken of later, exact."""

    name: str
    value: str


class AnswerObject(Record, frozen=True):
    """One answer of the session: what was found, what made it, how sure it is."""

    ref: str
    turn_index: int
    route: str
    gate: CoverageGateState
    program: Program = ()
    result_set_id: str = ""
    columns: tuple[Column, ...] = ()
    rows: tuple[tuple[Cell, ...], ...] = ()
    row_count: int = 0
    figures: tuple[Figure, ...] = ()
    evidence: tuple[EvidenceItem, ...] = ()
    subject: str = ""
    """What it is about, in the words in which it was given; of a refusal, what was asked."""
    note: str = ""
    """Why it is limited, or was refused, in the same words."""
    headings: tuple[Heading, ...] = ()
    """How its columns are shown, in the same words; empty where their names are shown."""
    rows_total: int | None = None
    """How many rows there are, where not all of them were read and the database has counted them."""

    @property
    def truth_mode(self) -> TruthMode:
        return self.gate.truth_mode

    @property
    def grounded(self) -> bool:
        """Whether a recap may speak of it as something that was found out."""
        return self.gate.truth_mode in FOUND_OUT
