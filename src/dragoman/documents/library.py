"""The documents of a workspace, as everybody else asks them."""

from collections.abc import Sequence
from pathlib import Path
from threading import RLock
from typing import Final

from dragoman.contracts.knowledge import DocumentFinding, OwnText, Ranked
from dragoman.contracts.vocabulary import EvidenceSource
from dragoman.documents.asked_for import asking_in
from dragoman.documents.files import has_documents, sources_in
from dragoman.documents.index import DocumentIndex, Kept, OpenIndex
from dragoman.documents.ranking import SECTION, Ranking, keys_sought, sought_in
from dragoman.documents.terms import language_of

MOST_FOUND: Final = 20
_LOOKED_AT: Final = 60
"""So many passages are held against a question word by word."""
_BY_WEIGHT: Final = 0.15
"""How much the order owes to the index, where two passages have the same words of the question."""
_BY_NEARNESS: Final = 0.2
"""How much it owes to these words standing together."""
_BY_REASON: Final = 0.2
"""How much to a heading that announces the reason that was asked for."""
_SECTIONS: Final = 10
"""So many of the best passages bring the rest of their section."""
LONGEST_QUESTION: Final = 2_000


class Library:
    """Passages of a folder's documents and of texts that packs bring."""

    def __init__(self, folder: Path | None, state: Path, own: Sequence[OwnText] = ()) -> None:
        """Without a `folder` the texts of packs are all there is, and nothing is kept."""
        self._folder = folder
        self._own = tuple(own)
        self._index = DocumentIndex(folder, state, own)
        self._lock = RLock()

    def has_any(self) -> bool:
        """Whether there may be a document at all: asked of every message, so nothing is read."""
        return bool(self._own) or (self._folder is not None and has_documents(self._folder))

    def sources(self) -> tuple[EvidenceSource, ...]:
        """The kinds of documents there are, by their folders and by what packs bring."""
        own = {each.source for each in self._own}
        there = sources_in(self._folder) if self._folder is not None else set()
        return tuple(each for each in (EvidenceSource.DOC, EvidenceSource.POLICY) if each in own | there)

    def findings(self) -> tuple[DocumentFinding, ...]:
        """Which files are left out, and why."""
        with self._lock, self._index.opened() as index:
            return index.findings

    def find(
        self,
        question: str,
        *,
        source: EvidenceSource | None = None,
        top: int = MOST_FOUND,
        least: float = 0.0,
    ) -> tuple[Ranked, ...]:
        """The passages that have most of what a question asks, the best first."""
        if not self.has_any():
            return ()
        with self._lock, self._index.opened() as index:
            found = _ranked(question[:LONGEST_QUESTION], index, source)
        return tuple(each for each in found if each.confidence >= least)[: min(top, MOST_FOUND)]


def _ranked(question: str, index: OpenIndex, source: EvidenceSource | None) -> list[Ranked]:
    code = language_of([question])
    asking = asking_in(question, code)
    sought = sought_in(question, code, index, asking)
    if not any(not each.light for each in sought):
        return []
    kept = index.search(keys_sought(sought), source, _LOOKED_AT)
    if not kept:
        return []
    ranking = Ranking(sought, asking, index)
    best = max(each.weight for each in kept) or 1.0
    # What happened and why stand under two headings, and often only one of them has the words.
    known = {(each.passage.file, each.passage.first) for each in kept}
    for each in kept[:_SECTIONS]:
        for other in index.section(each.passage, SECTION):
            if (place := (other.passage.file, other.passage.first)) not in known:
                known.add(place)
                kept.append(other)

    def order(each: tuple[Kept, float, float]) -> tuple[float, str, int]:
        found, confidence, nearness = each
        by_weight = _BY_WEIGHT * max(0.0, found.weight) / best
        near = _BY_NEARNESS * nearness
        reason = _BY_REASON * asking.is_reason(found.passage.heading.rpartition(" › ")[2], found.language)
        return -(confidence + by_weight + near + reason), found.passage.file, found.passage.first

    judged = sorted(((each, ranking.confidence(each), ranking.nearness(each)) for each in kept), key=order)
    telling = sum(not each.light for each in sought)
    return [
        Ranked(each.passage, round(min(1.0, sure), 2), telling, round(near, 2)) for each, sure, near in judged
    ]
