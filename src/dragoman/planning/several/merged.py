"""The proposals of several databases as one: the surest is taken; where others are near, a person chooses.

Every database ranks its readings on the same scale, so they can be held against each other. What two of them
can answer is asked about, although both may give the same rows: a follow-up would not.
"""

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from dragoman.catalog.verbs import connection_in
from dragoman.contracts.record import Record
from dragoman.contracts.vocabulary import Signal
from dragoman.planning.contract import (
    LIKELY,
    MAX_OPTIONS,
    NEAR,
    OFFERED,
    POSSIBLE,
    Candidate,
    Options,
    Proposal,
)
from dragoman.planning.several.place import Place

_STEP = 0.01


class Answered(Record, frozen=True, gc=True):
    """What one database makes of a message."""

    place: Place
    proposal: Proposal

    @property
    def takes(self) -> bool:
        """Whether it would answer without asking."""
        return self.proposal.asks is None and self.proposal.refuses is None and self.proposal.sure

    @property
    def best(self) -> Candidate | None:
        return self.proposal.candidates[0] if self.proposal.candidates else None

    @property
    def left_over(self) -> tuple[str, ...]:
        """The words that it has no sense for."""
        if self.proposal.refuses is not None:
            return self.proposal.refuses.words
        return self.best.uncovered if self.best is not None else ()

    @property
    def failed(self) -> bool:
        """Whether the database could not be read."""
        refused = self.proposal.refuses
        return refused is not None and bool(refused.problem) and refused.code != "no_tables"


def merged(answered: Sequence[Answered], home: Place | None) -> Proposal:
    """The one proposal of several databases. A follow-up stays at `home`, the one that was asked last."""
    kept = _at_home(answered, home)
    if kept is not None:
        return kept.proposal
    offering = [each for each in answered if each.proposal.refuses is None and each.best is not None]
    if not offering:
        return _refused(answered)
    best = max(offering, key=lambda each: each.proposal.certainty)
    if not best.proposal.sure:
        return best.proposal
    rivals = _unread_rivals(best, answered) if best.takes else ()
    others = [each for each in offering if each is not best]
    near = [*_near(best, others), *rivals] if best.takes else _likely(best, others)
    return _asking(best, near, len(answered)) if near else best.proposal


def _at_home(answered: Sequence[Answered], home: Place | None) -> Answered | None:
    """What changes the program in hand is meant there, whatever the words may mean elsewhere."""
    for each in answered:
        if each.place is home and each.best is not None and each.best.follows:
            return each if each.proposal.refuses is None else None
    return None


def _near(best: Answered, others: Iterable[Answered]) -> list[Candidate]:
    """Readings of other databases that explain every word, and are about as likely."""
    least = best.proposal.candidates[0].probability * NEAR
    found = (
        candidate for each in others for candidate in each.proposal.candidates if not candidate.uncovered
    )
    return [each for each in found if each.probability >= least]


def _likely(best: Answered, others: Iterable[Answered]) -> list[Candidate]:
    """Readings of other databases that are worth offering beside what is offered anyway."""
    first = best.proposal.candidates[0]
    return [
        candidate
        for each in others
        for candidate in each.proposal.candidates
        if candidate.probability >= first.probability * OFFERED
        and len(candidate.uncovered) <= len(first.uncovered)
    ]


def _unread_rivals(best: Answered, answered: Iterable[Answered]) -> tuple[Candidate, ...]:
    """The best reading, asked of databases that cannot be read now and have the same tables: which one is
    meant does not depend on which one is up."""
    first = best.proposal.candidates[0]
    moved = ((each, each.place.moved(first.program)) for each in answered if each.failed)
    return tuple(replace(first, program=program, edits=()) for _, program in moved if program is not None)


def _asking(best: Answered, near: list[Candidate], databases: int) -> Proposal:
    own = best.proposal.candidates if not best.takes else best.proposal.candidates[:1]
    ranked = sorted((*own, *near), key=lambda each: -each.probability)
    offered = _one_of_each(ranked)
    certainty = min(max(best.proposal.certainty, POSSIBLE + _STEP), LIKELY - _STEP)
    return replace(
        best.proposal,
        signals=(Signal.REQUEST, Signal.OPENS_ROOT),
        certainty=certainty,
        candidates=tuple(offered[:MAX_OPTIONS]),
        asks=Options(person=True),
        rivals=False,
        rule=f"ask: readings of several of {databases} databases are near",
    )


def _one_of_each(ranked: list[Candidate]) -> list[Candidate]:
    """The best reading of each database first, then the others."""
    first: dict[str, Candidate] = {}
    for each in ranked:
        first.setdefault(_read_from(each), each)
    heads = list(first.values())
    return [*heads, *(each for each in ranked if each not in heads)]


def _read_from(candidate: Candidate) -> str:
    return connection_in(candidate.program[0])


def _refused(answered: Sequence[Answered]) -> Proposal:
    """The refusal that helps most: a database that cannot be read, or else the one that has sense for most
    of the words."""
    failed = next((each for each in answered if each.failed), None)
    if failed is not None:
        return failed.proposal
    return min(
        (each.proposal for each in answered),
        key=lambda each: (-each.certainty, len(each.refuses.words) if each.refuses is not None else 0),
    )
