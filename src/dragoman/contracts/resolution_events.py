"""What happens to a session while the names of a program are resolved."""

from typing import Literal

from dragoman.contracts.event import Event
from dragoman.contracts.program import Program, UnresolvedRef
from dragoman.contracts.resolution import BoundBy, Reference


class RefsUnresolved(Event, frozen=True):
    """Names of the program are no keys yet. The first time it opens a resolution; after each settling it says
    what is left, and which reference is asked about next. `message` is what asked for the program."""

    refs: tuple[UnresolvedRef, ...]
    current_index: int = 0
    message: str = ""
    v: Literal[1] = 1


class RefSearched(Event, frozen=True):
    """The search for an open reference changed: other words, none yet, or matches narrowed by what was said.
    The program is as it was."""

    reference: Reference
    v: Literal[1] = 1


class RefSettled(Event, frozen=True):
    """The user resolved, skipped or created what one reference stands for; the program is read again.

    `source` and `ast` are the program with the key in place; `left_out` are the places of the statements that
    a skip leaves out, `moot` the references in them."""

    ref: UnresolvedRef
    bound_by: BoundBy | None = None
    source: str = ""
    ast: Program = ()
    left_out: tuple[int, ...] = ()
    moot: tuple[str, ...] = ()
    v: Literal[1] = 1


class ResolutionSuspended(Event, frozen=True):
    """What a reference means is created first: the resolution waits behind the program that `verb` makes."""

    ref_id: str
    verb: str
    v: Literal[1] = 1


class ResolutionResumed(Event, frozen=True):
    """The program that waited for something new is in hand again."""

    v: Literal[1] = 1
