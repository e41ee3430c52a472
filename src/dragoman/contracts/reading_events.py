"""How the readings of a message were weighed, as events. They change no state and are there for `why`."""

from typing import Literal

from dragoman.contracts.event import Event
from dragoman.contracts.objection import Objection
from dragoman.contracts.readings import RivalResult, WeighedReading


class ReadingsWeighed(Event, frozen=True):
    """The readings that were compared, best first, and the rule that decided between them."""

    readings: tuple[WeighedReading, ...]
    rule: str
    v: Literal[1] = 1


class RivalsRun(Event, frozen=True):
    """Readings near the best were run, to see whether it matters which is meant; the best comes first."""

    results: tuple[RivalResult, ...]
    v: Literal[1] = 1


class ReadingReviewed(Event, frozen=True):
    """A second reader looked at a reading, and has these objections or none."""

    program: str
    objections: tuple[Objection, ...]
    v: Literal[1] = 1
