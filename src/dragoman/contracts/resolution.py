"""A resolution as the session keeps it: the references of the program in hand, and where the search for each
of them stands. It is one object with two views: 001's unresolved references, and 003's pending question."""

from collections.abc import Mapping
from enum import StrEnum

from dragoman.contracts.program import (
    CreatedNew,
    EntityMatch,
    Pending,
    Program,
    Resolved,
    Skipped,
    UnresolvedRef,
)
from dragoman.contracts.record import Record
from dragoman.contracts.vocabulary import Notation


class BoundBy(StrEnum):
    """Who said which entity is meant."""

    RULE = "rule"
    """By itself: the name is exact and there is one such, or it is clearly ahead."""
    PERSON = "person"
    CREATION = "creation"


class Reference(Record, frozen=True):
    """A reference as it stands now: what was last searched for, and what that found."""

    ref: UnresolvedRef
    text: str
    filters: Mapping[str, str] = {}
    matches: tuple[EntityMatch, ...] = ()
    rejected: tuple[str, ...] = ()
    """Keys that a person has said are not meant: they never bind by themselves."""
    bound_by: BoundBy | None = None
    narrowed: tuple[str, ...] = ()
    """The words that the matches were narrowed by. They are no part of what is searched for."""

    @property
    def is_settled(self) -> bool:
        return isinstance(self.ref.status, Resolved | CreatedNew)


class ResolutionState(Record, frozen=True):
    """The references of the program in hand and the one that is asked about. It stays with the program when
    all are settled: what was left out limits the answer."""

    message: str
    """The message that asked for the program."""
    references: tuple[Reference, ...] = ()
    current_index: int = 0
    left_out: tuple[int, ...] = ()
    """The statements that are skipped, and those that need them, by their place in the program."""
    moot: tuple[str, ...] = ()
    """The references in them that nobody has to resolve any more."""

    @property
    def refs(self) -> tuple[UnresolvedRef, ...]:
        """001's view."""
        return tuple(each.ref for each in self.references)

    @property
    def open(self) -> tuple[Reference, ...]:
        """What still waits for somebody, in the order of the text."""
        pending = (each for each in self.references if isinstance(each.ref.status, Pending))
        return tuple(each for each in pending if each.ref.ref_id not in self.moot)

    @property
    def current(self) -> Reference | None:
        """The reference that is asked about; None when nothing waits."""
        waiting = self.open
        at = self.references[self.current_index : self.current_index + 1]
        return at[0] if at and at[0] in waiting else next(iter(waiting), None)

    @property
    def skipped(self) -> tuple[str, ...]:
        """The names that were skipped."""
        return tuple(r.ref.search_value for r in self.references if isinstance(r.ref.status, Skipped))


class WaitingResolution(Record, frozen=True):
    """A resolution that waits until something new is created: its program is not in hand meanwhile."""

    ref_id: str
    """The reference that the new entity is for."""
    verb: str
    """The verb that creates it."""
    notation: Notation
    source: str
    ast: Program
    edited_by_user: bool
    resolution: ResolutionState
