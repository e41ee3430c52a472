"""Where evidence is looked for: one protocol for everything that has some.

A database answers through the program of a turn. Documents, policies and graphs are asked beside it, each by
its own provider; nobody upstream knows which there are.
"""

from typing import Protocol

from dragoman.contracts.answer import EvidenceItem
from dragoman.contracts.record import Record
from dragoman.contracts.roles import RequestType
from dragoman.contracts.vocabulary import EvidenceSource

USUAL_ITEMS = 4
"""So many items a source gives at first."""


class EvidenceRequest(Record, frozen=True):
    """What is looked for. The first request of a turn has the defaults; what the guardian asks for instead
    changes the next one."""

    query: str
    """The words of the person, without secrets."""
    language: str
    request_type: RequestType
    terms: tuple[str, ...] = ()
    """The words that matter, where the query is to be refined: what has none of them is no evidence."""
    most: int = USUAL_ITEMS
    """How many items a source may give."""
    known: tuple[str, ...] = ()
    """References that are there already: what is wanted is beside them."""
    spread: bool = False
    """Whether each item is to come from another document."""


class EvidenceProvider(Protocol):
    """Something that has evidence of one source."""

    @property
    def source(self) -> EvidenceSource: ...

    def find(self, request: EvidenceRequest) -> tuple[EvidenceItem, ...]:
        """The items for a request, best first; none where it has nothing to say. A reference says where a
        person finds the passage again (`docs/guide.md:12-18`), a snippet is the passage itself."""


class PolicyRules(Protocol):
    """The rules of a workspace that the guardian asks before anything else."""

    def denying(self, request_type: RequestType, query: str, text: str) -> tuple[str, ...]:
        """The names of the rules that forbid what was asked, or what would be said; none where nothing is
        against it."""
