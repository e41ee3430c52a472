"""What the roles are asked and what they hand over. The types are the entry tickets: nothing is retrieved
without an `AnalystPlan`, nothing written with care without an `ArchitectSpec`, nothing sent without a
`Passed`.
"""

from typing import Protocol

from dragoman.contracts.answer import AnswerObject, EvidenceItem
from dragoman.contracts.evidence import USUAL_ITEMS
from dragoman.contracts.record import Record
from dragoman.contracts.roles import AnalystPlan, ArchitectSpec, EvidenceSource
from dragoman.guards.guardian import DraftForm, GuardianCase, Reason
from dragoman.planning.contract import Asked, Proposal
from dragoman.session.routing import Routing


class RetrieveRequest(Record, frozen=True):
    """How evidence is looked for. The first try has the plan's sources; actions of the guardian change it."""

    sources: tuple[EvidenceSource, ...]
    """In the order in which they are asked."""
    attempt: int = 0
    without: tuple[EvidenceSource, ...] = ()
    """What these gave is dropped."""
    only: tuple[EvidenceSource, ...] = ()
    """Where there are some, what others gave is dropped."""
    again: bool = False
    """Whether the database is asked once more."""
    most: int = USUAL_ITEMS
    terms: tuple[str, ...] = ()
    known: tuple[str, ...] = ()
    spread: bool = False


class GenerateRequest(Record, frozen=True):
    """How the draft is written. The first try has nothing to heed; actions of the guardian change it."""

    attempt: int = 0
    sections: bool = False
    """The sections that were missing are written first of all."""
    without: tuple[str, ...] = ()
    """Phrases whose sentences are left out."""
    terms: tuple[str, ...] = ()
    """Terms of which the draft must use some."""
    references: bool = False
    """Every sentence with a number names its item of evidence."""
    as_json: bool = False
    """The draft is one JSON object and nothing else."""
    say: tuple[str, ...] = ()
    """Statements that a rule of the workspace puts into every answer, from the first try on."""


class Retrieved(Record, frozen=True, gc=True):
    """What was found for a plan: the answer as the house has it, and every item it may rest on."""

    plan: AnalystPlan
    query: str
    language: str
    said: str
    """The finding in the words of the house."""
    answer: AnswerObject
    items: tuple[EvidenceItem, ...]


class Drafted(Record, frozen=True):
    """A draft, and how it came about."""

    text: str
    form: DraftForm = DraftForm.WRITTEN


class Analyst(Protocol):
    """Says what is asked and what an answer needs."""

    def plan(self, asked: Asked, proposal: Proposal, routing: Routing) -> AnalystPlan: ...


class Architect(Protocol):
    """Says how an answer must look."""

    def specify(self, plan: AnalystPlan, found: Retrieved) -> ArchitectSpec: ...


class Writer(Protocol):
    """Writes the draft: quickly after the plan alone, or with care after a specification."""

    def sketch(self, plan: AnalystPlan, found: Retrieved, how: GenerateRequest) -> Drafted: ...

    def write(self, spec: ArchitectSpec, found: Retrieved, how: GenerateRequest) -> Drafted: ...


class Reviewer(Protocol):
    """Looks at a draft that the guardian has passed. It can hold one back, and let none out."""

    def objections(self, case: GuardianCase) -> tuple[Reason, ...]: ...
