"""The systems that are measured: how each is opened, where it keeps its sessions, how big that has grown."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

import psycopg
from langgraph.checkpoint.postgres import PostgresSaver
from langgraph.checkpoint.sqlite import SqliteSaver

from benchmarks.corridor import langgraph_turns
from benchmarks.corridor.tracks import DragomanTrack, LangGraphMemoryTrack, LangGraphTrack, Track
from dragoman.session.journal import Journal
from dragoman.session.stores.memory import MemoryStore
from dragoman.session.stores.postgres import open_postgres_store
from dragoman.session.stores.sqlite import open_sqlite_store

DRAGOMAN: Final = "Dragoman"
LANGGRAPH: Final = "LangGraph"
LANGGRAPH_EXIT: Final = "LangGraph, durability=exit"

MakeTrack = Callable[[int, int, int], Track]
"""A track for a length, the turns of a round, and the number of rounds."""


@dataclass(frozen=True)
class System:
    """Something that takes turns. `ours` decides how many turns of it are measured."""

    name: str
    ours: bool
    open: Callable[[], AbstractContextManager[MakeTrack]]


def in_process() -> list[System]:
    return [System(DRAGOMAN, True, _dragoman_in_memory), System(LANGGRAPH, False, _langgraph_in_memory)]


def on_sqlite(folder: Path) -> list[System]:
    """Each with a file of its own in `folder`."""
    return [
        System(DRAGOMAN, True, partial(_dragoman_on_sqlite, folder / "dragoman.db")),
        System(LANGGRAPH, False, partial(_langgraph_on_sqlite, folder / "default.db", None)),
        System(LANGGRAPH_EXIT, False, partial(_langgraph_on_sqlite, folder / "exit.db", "exit")),
    ]


def on_postgres(new_database: Callable[[], str]) -> list[System]:
    """Each with a database of its own, whose URL `new_database` gives."""
    return [
        System(DRAGOMAN, True, partial(_dragoman_on_postgres, new_database())),
        System(LANGGRAPH, False, partial(_langgraph_on_postgres, new_database(), None)),
        System(LANGGRAPH_EXIT, False, partial(_langgraph_on_postgres, new_database(), "exit")),
    ]


@contextmanager
def _dragoman_in_memory() -> Iterator[MakeTrack]:
    with closing(Journal(MemoryStore())) as journal:
        yield partial(DragomanTrack, journal)


@contextmanager
def _dragoman_on_sqlite(path: Path) -> Iterator[MakeTrack]:
    with closing(Journal(open_sqlite_store(path))) as journal:
        yield partial(DragomanTrack, journal)


@contextmanager
def _dragoman_on_postgres(url: str) -> Iterator[MakeTrack]:
    with closing(Journal(open_postgres_store(url))) as journal:
        yield partial(DragomanTrack, journal)


@contextmanager
def _langgraph_in_memory() -> Iterator[MakeTrack]:
    yield partial(LangGraphMemoryTrack, langgraph_turns.compiled())


@contextmanager
def _langgraph_on_sqlite(path: Path, durability: str | None) -> Iterator[MakeTrack]:
    with langgraph_sqlite(path) as graph:
        yield partial(LangGraphTrack, graph, durability)


@contextmanager
def _langgraph_on_postgres(url: str, durability: str | None) -> Iterator[MakeTrack]:
    with langgraph_postgres(url) as graph:
        yield partial(LangGraphTrack, graph, durability)


@contextmanager
def langgraph_sqlite(path: Path) -> Iterator[Any]:
    with SqliteSaver.from_conn_string(str(path)) as saver:
        yield langgraph_turns.compiled(saver)


@contextmanager
def langgraph_postgres(url: str) -> Iterator[Any]:
    with PostgresSaver.from_conn_string(url) as saver:
        saver.setup()
        yield langgraph_turns.compiled(saver)


def sqlite_bytes(path: Path) -> int:
    """The size of the database once its log is written into it."""
    with closing(sqlite3.connect(path, timeout=30)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        pages: int = connection.execute("PRAGMA page_count").fetchone()[0]
        size: int = connection.execute("PRAGMA page_size").fetchone()[0]
    return pages * size


def postgres_bytes(url: str) -> int:
    with psycopg.connect(url) as connection:
        row = connection.execute("SELECT pg_database_size(current_database())").fetchone()
    return int(row[0]) if row else 0
