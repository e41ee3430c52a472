"""What the guardian is asked about: a draft, what it rests on, and what it was to look like."""

from enum import StrEnum

from dragoman.contracts.answer import EvidenceItem
from dragoman.contracts.record import Record
from dragoman.contracts.roles import ArchitectSpec, EvidenceSource, OutputSchemaId, RequestType, Track
from dragoman.contracts.vocabulary import CoverageStatus


class DraftForm(StrEnum):
    """How a text came about: `written` freely, by a model for example; `computed` from rows that the viewer
    may see; or a `phrase` of the house, which states nothing that was not found out before."""

    WRITTEN = "written"
    COMPUTED = "computed"
    PHRASE = "phrase"


class GuardianCase(Record, frozen=True):
    """`coverage` is what the gate has said before; the guardian reads it and computes none."""

    request_type: RequestType
    track: Track
    retry_count: int
    evidence: tuple[EvidenceItem, ...]
    draft: str
    spec: ArchitectSpec | None = None
    coverage: CoverageStatus | None = None
    form: DraftForm = DraftForm.WRITTEN
    denied: tuple[str, ...] = ()
    """The rules of the workspace that forbid it."""
    unsaid: tuple[str, ...] = ()
    """What no answer of the workspace may say, whatever a specification forbids."""
    stated: tuple[str, ...] = ()
    """What every answer of the workspace has to say."""
    configured: tuple[EvidenceSource, ...] | None = None
    """The sources there are to ask; None where nobody says, and all of the type's are expected."""
    shape: OutputSchemaId | None = None
    """The shape that the plan promised; None where nobody says."""

    @property
    def admitted(self) -> tuple[EvidenceItem, ...]:
        """What may count: under a gate that blocks, nothing."""
        return () if self.coverage is CoverageStatus.BLOCKED else self.evidence
