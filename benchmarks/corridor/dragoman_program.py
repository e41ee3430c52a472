"""Dragoman as a process of its own, for the benchmark to start.

measure KIND TARGET LENGTHS ROUNDS      measure turns around each length (see `tracks.serve`)
take KIND TARGET TURNS                  take turns, and end
write KIND TARGET SESSION NAME TURNS    be one of two writers of a session
"""

import sys
import time
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Final

from benchmarks.corridor.children import lengths_from, write
from benchmarks.corridor.dragoman_turns import take_turn
from benchmarks.corridor.tracks import EXERCISE_LENGTH, Track, serve
from dragoman.contracts.errors import SessionConflict, StoreBusy
from dragoman.session.journal import Journal
from dragoman.session.stores.memory import MemoryStore
from dragoman.session.stores.postgres import open_postgres_store
from dragoman.session.stores.protocol import SessionStore
from dragoman.session.stores.sqlite import open_sqlite_store

WAIT_SECONDS: Final = 30.0

STORES: Final[dict[str, Callable[[str], SessionStore]]] = {
    "memory": lambda target: MemoryStore(),
    "sqlite": lambda target: open_sqlite_store(Path(target)),
    "postgres": open_postgres_store,
}


class DragomanTrack(Track):
    """Every turn before the measured ones is really taken."""

    def __init__(self, journal: Journal, length: int, turns: int, rounds: int) -> None:
        super().__init__(length, turns, rounds)
        self._journal = journal
        self._session = ""

    def begin(self, first: int) -> int:
        self._session = self._journal.create()
        return 1

    def take(self, number: int) -> None:
        take_turn(self._journal, self._session, number)


def measure(journal: Journal, lengths: str, rounds: str) -> None:
    turns = lengths_from(lengths)
    make = partial(DragomanTrack, journal, rounds=int(rounds))
    serve({n: make(n, turns[n]) for n in turns}, make(EXERCISE_LENGTH, 1))


def take(journal: Journal, turns: str) -> None:
    session = journal.create()
    for number in range(1, int(turns) + 1):
        take_turn(journal, session, number)


def write_session(journal: Journal, session: str, name: str, turns: str) -> None:
    def turn(number: int, mark: str) -> bool:
        deadline = time.monotonic() + WAIT_SECONDS
        while time.monotonic() < deadline:
            try:
                take_turn(journal, session, number, mark=mark, wait_seconds=WAIT_SECONDS)
            except (SessionConflict, StoreBusy):
                continue
            return True
        return False

    write(turn, name, int(turns))


JOBS: Final[dict[str, Callable[..., None]]] = {"measure": measure, "take": take, "write": write_session}


def main(job: str, kind: str, target: str, *rest: str) -> None:
    with closing(Journal(STORES[kind](target))) as journal:
        JOBS[job](journal, *rest)


if __name__ == "__main__":
    main(*sys.argv[1:])
