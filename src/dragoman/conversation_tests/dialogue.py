"""A dialogue: messages, and beside each what is expected of its turn. Every expectation is optional."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from dragoman.contracts.record import Record
from dragoman.contracts.vocabulary import (
    AnswerMode,
    CarryoverDepth,
    LivingMode,
    MetaQuestionKind,
    TransitionClass,
)

GOLD_ROWS = 12
"""How many rows an expectation compares, from the first on. With fewer written down there are no more."""


class Expectation(StrEnum):
    """What can be expected of a turn; the value is the key in a file."""

    TRANSITION = "expect_transition"
    ENTRY_TRANSITION = "entry_transition"
    MODE = "expect_mode"
    ANSWER_MODE = "expect_answer_mode"
    ROUTE = "expect_route"
    STATE = "expect_state"
    ROWS = "gold"
    CARRYOVER = "carryover"
    META_KIND = "meta_kind"
    ERROR = "expect_error"

    @property
    def label(self) -> str:
        """Its name in a report."""
        return "rows" if self is Expectation.ROWS else self.value.removeprefix("expect_")


VALUES: Mapping[Expectation, type[StrEnum]] = {
    Expectation.TRANSITION: TransitionClass,
    Expectation.ENTRY_TRANSITION: TransitionClass,
    Expectation.MODE: LivingMode,
    Expectation.ANSWER_MODE: AnswerMode,
    Expectation.CARRYOVER: CarryoverDepth,
    Expectation.META_KIND: MetaQuestionKind,
}
"""The expectations that are words of a closed vocabulary."""

STATE_KEYS = ("domain", "root_route", "organization", "date_scope", "warehouse", "focus", "clarification")


class DialogueTurn(Record, frozen=True):
    """A message, and what is expected of its turn: only what is present is compared, a null as well."""

    user: str
    expected: Mapping[Expectation, Any] = {}
    also_accept: tuple[str, ...] = ()


class Dialogue(Record, frozen=True):
    """One conversation in a session of its own. `db` names the database it is about."""

    id: str
    turns: tuple[DialogueTurn, ...]
    db: str | None = None
    source: str = ""
    """Where it was read: the file and its line."""
