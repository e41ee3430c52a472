"""LangGraph as a process of its own, for the benchmark to start.

measure KIND TARGET LENGTHS ROUNDS DURABILITY   measure turns around each length (see `tracks.serve`)
take KIND TARGET TURNS                          take turns, and end
write KIND TARGET THREAD NAME TURNS             be one of two writers of a thread
"""

import secrets
import sqlite3
import sys
from abc import abstractmethod
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from typing import Any, Final

import psycopg
from langgraph.checkpoint.postgres import PostgresSaver
from langgraph.checkpoint.sqlite import SqliteSaver

from benchmarks.corridor import langgraph_turns
from benchmarks.corridor.children import lengths_from, write
from benchmarks.corridor.tracks import EXERCISE_LENGTH, Track, serve


@contextmanager
def in_memory(target: str) -> Iterator[Any]:
    yield langgraph_turns.compiled()


@contextmanager
def on_sqlite(path: str) -> Iterator[Any]:
    with SqliteSaver.from_conn_string(path) as saver:
        saver.setup()
        yield langgraph_turns.compiled(saver)


@contextmanager
def on_postgres(url: str) -> Iterator[Any]:
    with PostgresSaver.from_conn_string(url) as saver:
        saver.setup()
        yield langgraph_turns.compiled(saver)


GRAPHS: Final[dict[str, Callable[[str], AbstractContextManager[Any]]]] = {
    "memory": in_memory,
    "sqlite": on_sqlite,
    "postgres": on_postgres,
}


class SeededTrack(Track):
    """LangGraph's cost grows with its history, and so would the time to get there. A long history is put in
    at once instead: as many messages as after real turns, and fewer old checkpoints to look past."""

    def begin(self, first: int) -> int:
        # The last turn before the measured ones is real, so that every channel is filled.
        next_turn = 1 if self.is_short else first - 1
        self.seed(langgraph_turns.history(next_turn - 1))
        return next_turn

    @abstractmethod
    def seed(self, messages: list[langgraph_turns.Message]) -> None:
        """Make a fresh thread with this history."""


class ThreadTrack(SeededTrack):
    """A thread of a graph with a checkpointer."""

    def __init__(self, graph: Any, durability: str, length: int, turns: int, rounds: int) -> None:
        super().__init__(length, turns, rounds)
        self._graph = graph
        self._durability = None if durability == "default" else durability
        self._config: dict[str, Any] = {}

    def seed(self, messages: list[langgraph_turns.Message]) -> None:
        self._config = langgraph_turns.thread(secrets.token_hex(8))
        langgraph_turns.seed(self._graph, self._config, messages)

    def take(self, number: int) -> None:
        given = langgraph_turns.turn_input(number)
        self._graph.invoke(given, self._config, durability=self._durability)


class StateTrack(SeededTrack):
    """A graph without a checkpointer: the state that one turn returned is handed to the next."""

    def __init__(self, graph: Any, length: int, turns: int, rounds: int) -> None:
        super().__init__(length, turns, rounds)
        self._graph = graph
        self._state: dict[str, Any] = {}

    def seed(self, messages: list[langgraph_turns.Message]) -> None:
        self._state = {"messages": messages}

    def take(self, number: int) -> None:
        given = langgraph_turns.turn_input(number)
        messages = self._state["messages"] + given["messages"]
        self._state = self._graph.invoke({**self._state, **given, "messages": messages})


def measure(graph: Any, lengths: str, rounds: str, durability: str) -> None:
    turns = lengths_from(lengths)
    make: Callable[..., Track] = partial(StateTrack, graph, rounds=int(rounds))
    if graph.checkpointer is not None:
        make = partial(ThreadTrack, graph, durability, rounds=int(rounds))
    serve({n: make(n, turns[n]) for n in turns}, make(EXERCISE_LENGTH, 1))


def take(graph: Any, turns: str) -> None:
    for number in range(1, int(turns) + 1):
        graph.invoke(langgraph_turns.turn_input(number), langgraph_turns.thread("taken"))


def write_thread(graph: Any, thread: str, name: str, turns: str) -> None:
    def turn(number: int, mark: str) -> bool:
        try:
            graph.invoke(langgraph_turns.turn_input(number, mark), langgraph_turns.thread(thread))
        except (sqlite3.Error, psycopg.Error):
            return False
        return True

    write(turn, name, int(turns))


JOBS: Final[dict[str, Callable[..., None]]] = {"measure": measure, "take": take, "write": write_thread}


def main(job: str, kind: str, target: str, *rest: str) -> None:
    with GRAPHS[kind](target) as graph:
        JOBS[job](graph, *rest)


if __name__ == "__main__":
    main(*sys.argv[1:])
