"""The stages of a turn as they are told: each event, and where it takes the program.

Told while the turn is taken or from its record, an event has the same number and the same digest, as long as
nothing was taken back. So whoever lost the connection can go on where it broke, with any server.
"""

import hashlib
from collections.abc import Iterable

from dragoman.contracts import events as ev
from dragoman.contracts.record import Record
from dragoman.contracts.state import SessionState
from dragoman.contracts.vocabulary import Phase
from dragoman.session.codec import encode_events
from dragoman.session.reducer import apply

_UNTOLD = (ev.EffectIntended, ev.EffectDone)
"""What is written down beside the turn while it is taken: it is told to nobody, and stands in the record."""


class TurnStage(Record, frozen=True):
    """One event of a turn. `digest` is of it and all that were told before it."""

    turn: int
    number: int
    kind: str
    phase: Phase
    digest: str
    event: ev.SessionEvent


class StageTeller:
    """Numbers the events of one turn and follows the program through its phases."""

    def __init__(self, before: SessionState) -> None:
        self._state = before
        self._turn = before.version + 1
        self._chain = hashlib.sha256()
        self.told: list[TurnStage] = []

    def hear(self, event: ev.SessionEvent) -> TurnStage:
        self._state = apply(self._state, event)
        self._chain.update(encode_events([event]))
        stage = TurnStage(
            self._turn,
            len(self.told) + 1,
            str(type(event).__struct_config__.tag),
            self._state.program.phase,
            self._chain.hexdigest()[:8],
            event,
        )
        self.told.append(stage)
        return stage


def stages_of(before: SessionState, events: Iterable[ev.SessionEvent]) -> tuple[TurnStage, ...]:
    """The stages of a turn from its record."""
    teller = StageTeller(before)
    for event in events:
        if not isinstance(event, _UNTOLD):
            teller.hear(event)
    return tuple(teller.told)
