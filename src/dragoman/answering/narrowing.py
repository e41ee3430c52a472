"""An answer to the question which one is meant, in words that are no name: what fits of those offered."""

import re

from msgspec.structs import replace
from rapidfuzz import fuzz

from dragoman.catalog.packs.catalog import PackCatalog
from dragoman.contracts.state import CandidateScope, ClarificationState, EntityRef
from dragoman.contracts.vocabulary import ResumeFrame
from dragoman.reading.reading import Reading

_WORD = re.compile(r"[^\W_]+")
_CLOSE = 84.0
_SHORT = 3


def narrowed_reading(
    text: str, reading: Reading, pending: ClarificationState, catalog: PackCatalog
) -> Reading:
    """The reading with the object that the message picks out of those offered, where it names none itself.

    A word of a candidate's name or of what tells it apart (its country, its role) is enough, when all words
    of the message that nothing covers are such."""
    if pending.resume_target_frame.frame is not ResumeFrame.OBJECT:
        return reading
    if reading.objects or reading.picks or not reading.uncovered:
        return reading
    kinds = {candidate.anchor for candidate in pending.candidate_scopes}
    fitting = [c for c in pending.candidate_scopes if _fits(reading.uncovered, c, catalog)]
    if not fitting:
        found = [
            CandidateScope(kind, match.entity_id, match.display)
            for kind in sorted(kinds)
            for match in catalog.programs.entity_matches(kind, " ".join(reading.uncovered))
        ]
        fitting = found[:5]
    if not fitting:
        return reading
    refs = tuple(EntityRef(c.anchor, c.key, c.label) for c in fitting)
    return replace(reading, objects=(refs,), uncovered=())


def _fits(words: tuple[str, ...], candidate: CandidateScope, catalog: PackCatalog) -> bool:
    known = catalog.entity(candidate.anchor, candidate.key)
    texts = [candidate.label, *(known.names if known else ()), *(known.told if known else ())]
    pool = [word.casefold() for text in texts for word in _WORD.findall(text)]
    return all(any(_same(word.casefold(), each) for each in pool) for word in words)


def _same(one: str, other: str) -> bool:
    if len(one) <= _SHORT or len(other) <= _SHORT:
        return one == other
    return other.startswith(one) or fuzz.ratio(one, other) >= _CLOSE
