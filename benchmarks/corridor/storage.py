"""How many bytes a turn leaves in the database, at each length of a session."""

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

import psycopg

from benchmarks.corridor import langgraph_turns
from benchmarks.corridor.dragoman_program import STORES
from benchmarks.corridor.dragoman_turns import take_turn
from benchmarks.corridor.langgraph_program import GRAPHS
from benchmarks.corridor.tracks import SHORTEST
from dragoman.session import codec
from dragoman.session.journal import Journal

SHORT_SESSIONS: Final = 20
SHORT_TURNS: Final = 15
WINDOW: Final = 200
"""Sizes come in whole pages: short sessions are measured by the dozen, long ones over this many turns, or
over as many as they are long."""

LANGGRAPH_TURNS: Final = 5


@dataclass(frozen=True, slots=True)
class Growth:
    """What a turn adds to the database, and the bytes of its own events."""

    stored: float
    payload: float


Size = Callable[[], int]


def size_of(kind: str, target: str) -> Size:
    return partial(_sqlite_bytes, Path(target)) if kind == "sqlite" else partial(_postgres_bytes, target)


def _sqlite_bytes(path: Path) -> int:
    """The size of the database once its log is written into it."""
    with closing(sqlite3.connect(path, timeout=30)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        pages: int = connection.execute("PRAGMA page_count").fetchone()[0]
        size: int = connection.execute("PRAGMA page_size").fetchone()[0]
    return pages * size


def _postgres_bytes(url: str) -> int:
    """The size of all tables, without what was overwritten in them and is not yet used again."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("VACUUM FULL")
        row = connection.execute(
            "SELECT sum(pg_total_relation_size(relid)) FROM pg_stat_user_tables"
        ).fetchone()
    return int(row[0]) if row else 0


def dragoman_growth(kind: str, target: str, lengths: Sequence[int]) -> dict[int, Growth]:
    """Short sessions, as many as make a good measure; then one that grows through all other lengths."""
    with closing(Journal(STORES[kind](target))) as journal:
        return dict(_dragoman_growth(journal, size_of(kind, target), lengths))


def _dragoman_growth(journal: Journal, size: Size, lengths: Sequence[int]) -> Iterator[tuple[int, Growth]]:
    if SHORTEST in lengths:
        before = size()
        sessions = [journal.create() for _ in range(SHORT_SESSIONS)]
        for session in sessions:
            _take(journal, session, 1, SHORT_TURNS)
        stored = size() - before
        payload = sum(_payload(journal, session, 1, SHORT_TURNS) for session in sessions)
        turns = SHORT_SESSIONS * SHORT_TURNS
        yield SHORTEST, Growth(stored / turns, payload / turns)
    session, taken = journal.create(), 0
    for length in sorted(set(lengths) - {SHORTEST}):
        window = min(WINDOW, length)
        first = length - window // 2
        _take(journal, session, taken + 1, first)
        before, taken = size(), first + window
        _take(journal, session, first + 1, taken)
        stored = size() - before
        yield length, Growth(stored / window, _payload(journal, session, first + 1, taken) / window)


def _take(journal: Journal, session: str, first: int, last: int) -> None:
    for number in range(first, last + 1):
        take_turn(journal, session, number)


def _payload(journal: Journal, session: str, first: int, last: int) -> int:
    """The bytes of the events of these turns."""
    versions = range(first, last + 1)
    return sum(len(codec.encode_events(journal.events(session, version) or [])) for version in versions)


def langgraph_growth(kind: str, target: str, lengths: Sequence[int]) -> dict[int, float]:
    """What a turn adds to the database: a thread for each length, its history put in before."""
    with GRAPHS[kind](target) as graph:
        return {length: _langgraph_growth(graph, size_of(kind, target), length) for length in lengths}


def _langgraph_growth(graph: Any, size: Size, length: int) -> float:
    config = langgraph_turns.thread(f"{length} turns")
    first = length - LANGGRAPH_TURNS // 2
    langgraph_turns.seed(graph, config, langgraph_turns.history(first - 1))
    before = size()
    for number in range(first, first + LANGGRAPH_TURNS):
        graph.invoke(langgraph_turns.turn_input(number), config)
    return (size() - before) / LANGGRAPH_TURNS
