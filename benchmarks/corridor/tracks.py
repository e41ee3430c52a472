"""A track is a session that has grown to a given length and goes on growing while its turns are measured."""

import json
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Final

from benchmarks.corridor.measurement import Sample, sampled

SHORTEST: Final = 10
SHORT_WINDOW: Final = range(6, 16)
"""A session of ten turns is soon longer than that: every round takes a fresh one and measures these turns."""

EXERCISE_SECONDS: Final = 0.05
EXERCISE_LENGTH: Final = 100
LEAD: Final = 5
"""As many turns of a long session go before the measured ones of a round, as they do of a short one: its
state has to be in the caches too."""


class Track(ABC):
    """Measures, in rounds, the turns around the length `length`; `turns` of them in every round."""

    def __init__(self, length: int, turns: int, rounds: int) -> None:
        self.is_short = length <= SHORTEST
        self._turns = len(SHORT_WINDOW) if self.is_short else turns
        self._lead = 0 if self.is_short else min(LEAD, turns)
        self._first = SHORT_WINDOW.start if self.is_short else length - (self._lead + turns) * rounds // 2
        self._next = 1

    def prepare(self) -> None:
        """Grow to where the measured turns begin."""
        if not self.is_short:
            self._grow()

    def round(self) -> list[Sample]:
        if self.is_short:
            self._grow()
        for _ in range(self._lead):
            self._turn()
        return [sampled(self._turn) for _ in range(self._turns)]

    def _grow(self) -> None:
        self._next = self.begin(self._first)
        while self._next < self._first:
            self._turn()

    def _turn(self) -> None:
        self.take(self._next)
        self._next += 1

    @abstractmethod
    def begin(self, first: int) -> int:
        """Make a fresh session, on its way to turn `first`; the number of the turn to be taken next."""

    @abstractmethod
    def take(self, number: int) -> None:
        """Take turn `number` of the session."""


def serve(tracks: Mapping[int, Track], exercise: Track) -> None:
    """Obey whoever started this process: prepare all tracks, then measure a round for every length told.

    While the others were measured, this process lost the processor and its caches. `exercise` has them back
    before anything is measured.
    """
    for track in (*tracks.values(), exercise):
        track.prepare()
    print("ready", flush=True)
    for line in sys.stdin:
        deadline = time.monotonic() + EXERCISE_SECONDS
        while time.monotonic() < deadline:
            exercise.round()
        samples = tracks[int(line)].round()
        print(json.dumps([[sample.cpu, sample.wall] for sample in samples]), flush=True)
