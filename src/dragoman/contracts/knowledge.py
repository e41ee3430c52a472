"""What is known from texts: passages with their places, definitions, and what was found on the way."""

from typing import Final, Protocol

from dragoman.contracts.record import Record
from dragoman.contracts.run import RunRecord
from dragoman.contracts.vocabulary import EvidenceSource

SURE: Final = 0.60
"""From this confidence on a passage is evidence. Below it, what was asked is not in what there is."""


class Passage(Record, frozen=True):
    """A piece of a document as it stands there: its first and last line, or the page of a PDF."""

    source: EvidenceSource
    file: str
    first: int
    last: int
    text: str
    heading: str = ""
    """The headings above it, the outermost first."""
    page: int | None = None

    @property
    def lines(self) -> str:
        if self.page is not None:
            return f"p{self.page}"
        return str(self.first) if self.first == self.last else f"{self.first}-{self.last}"

    @property
    def ref(self) -> str:
        """How it is cited."""
        return f"{self.file}:{self.lines}"


class Ranked(Record, frozen=True):
    """A passage, and how much of what was asked it has, from 0 to 1."""

    passage: Passage
    confidence: float
    words: int = 0
    """How many words of the question say something of their own."""
    nearness: float = 0.0
    """How much of what was asked stands together in it."""


class OwnText(Record, frozen=True):
    """A text that is no file of its own, such as a document of a pack."""

    source: EvidenceSource
    file: str
    title: str
    text: str
    language: str = ""


class DocumentFinding(Record, frozen=True):
    """A file that was left out, and why: a stable code and a sentence."""

    file: str
    code: str
    problem: str


class RunLog(Protocol):
    """What was run in a folder, as far as its viewer may see it."""

    def runs(self, *, limit: int = 50) -> list[RunRecord]:
        """The newest first."""
        ...

    def find(self, beginning: str) -> RunRecord:
        """A run by its id, or by the beginning of it. Raises `RunNotFound`, `RunOfAnother`."""
        ...
