"""How many bytes a turn leaves in the database, at each length of a session."""

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import Any, Final

from benchmarks.corridor import langgraph_turns
from benchmarks.corridor.dragoman_turns import take_turn
from benchmarks.corridor.tracks import SHORTEST
from dragoman.session import codec
from dragoman.session.journal import Journal
from dragoman.session.stores.protocol import SessionStore

SHORT_SESSIONS: Final = 20
SHORT_TURNS: Final = 15
WINDOW: Final = 100
"""Sizes come in whole pages: short sessions are measured by the dozen, long ones over this many turns."""

LANGGRAPH_TURNS: Final = 5


@dataclass(frozen=True, slots=True)
class Growth:
    """What a turn adds to the database, and the bytes of its own events (0 where nobody counts them)."""

    stored: float
    payload: float = 0.0

    @property
    def ratio(self) -> float:
        return self.stored / self.payload if self.payload else 0.0


Size = Callable[[], int]


def dragoman_growth(
    open_store: Callable[[], SessionStore], size: Size, lengths: tuple[int, ...]
) -> dict[int, Growth]:
    """One session that grows through all lengths; before it, as many short ones as make a good measure."""
    with closing(Journal(open_store())) as journal:
        return dict(_dragoman_growth(journal, size, lengths))


def _dragoman_growth(journal: Journal, size: Size, lengths: tuple[int, ...]) -> Iterator[tuple[int, Growth]]:
    if SHORTEST in lengths:
        before = size()
        sessions = [journal.create() for _ in range(SHORT_SESSIONS)]
        for session in sessions:
            _take(journal, session, 1, SHORT_TURNS)
        turns = SHORT_SESSIONS * SHORT_TURNS
        payload = sum(_payload(journal, session, 1, SHORT_TURNS) for session in sessions)
        yield SHORTEST, Growth((size() - before) / turns, payload / turns)
    session, taken = journal.create(), 0
    for length in lengths:
        if length <= SHORTEST:
            continue
        first = length - WINDOW // 2
        _take(journal, session, taken + 1, first)
        before = size()
        taken = first + WINDOW
        _take(journal, session, first + 1, taken)
        stored = size() - before
        yield length, Growth(stored / WINDOW, _payload(journal, session, first + 1, taken) / WINDOW)


def _take(journal: Journal, session: str, first: int, last: int) -> None:
    for number in range(first, last + 1):
        take_turn(journal, session, number)


def _payload(journal: Journal, session: str, first: int, last: int) -> int:
    """The bytes of the events of these turns."""
    versions = range(first, last + 1)
    return sum(len(codec.encode_events(journal.events(session, version) or [])) for version in versions)


def langgraph_growth(graph: Any, size: Size, lengths: tuple[int, ...]) -> dict[int, Growth]:
    """A thread for each length, its history put in before."""
    return {length: Growth(_langgraph_growth(graph, size, length)) for length in lengths}


def _langgraph_growth(graph: Any, size: Size, length: int) -> float:
    config = {"configurable": {"thread_id": f"bytes-{length}"}}
    first = length - LANGGRAPH_TURNS // 2
    langgraph_turns.seed(graph, config, langgraph_turns.history(first - 1))
    before = size()
    for number in range(first, first + LANGGRAPH_TURNS):
        graph.invoke(langgraph_turns.turn_input(number), config)
    return (size() - before) / LANGGRAPH_TURNS
