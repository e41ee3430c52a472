"""A track is a session that has grown to a given length and goes on growing while its turns are measured."""

from abc import ABC, abstractmethod
from itertools import count
from typing import Any, Final

from benchmarks.corridor import dragoman_turns, langgraph_turns
from benchmarks.corridor.measurement import Sample, sampled
from dragoman.session.journal import Journal

SHORTEST: Final = 10
SHORT_WINDOW: Final = range(6, 16)
"""A session of ten turns is soon longer than that: every round takes a fresh one and measures these turns."""


class Track(ABC):
    """Measures, in rounds, the turns around the length `length`; `turns` of them in every round."""

    def __init__(self, length: int, turns: int, rounds: int) -> None:
        self._length = length
        self._turns = len(SHORT_WINDOW) if self._is_short else turns
        self._first = SHORT_WINDOW.start if self._is_short else max(1, length - turns * rounds // 2)
        self._next = 1

    @property
    def _is_short(self) -> bool:
        return self._length <= SHORTEST

    def prepare(self) -> None:
        """Grow to where the measured turns begin."""
        if not self._is_short:
            self._grow()

    def round(self) -> list[Sample]:
        if self._is_short:
            self._grow()
        return [sampled(self.turn) for _ in range(self._turns)]

    def _grow(self) -> None:
        self._next = 1
        self.begin(self._first)
        while self._next < self._first:
            self.turn()

    def turn(self) -> None:
        """Take one turn."""
        self.take(self._next)
        self._next += 1

    @abstractmethod
    def begin(self, first: int) -> None:
        """Make a fresh session; one that cannot grow to turn `first` by itself sets its history here."""

    @abstractmethod
    def take(self, number: int) -> None:
        """Take turn `number` of the session."""


class DragomanTrack(Track):
    """Every turn before the measured ones is really taken."""

    def __init__(self, journal: Journal, length: int, turns: int, rounds: int) -> None:
        super().__init__(length, turns, rounds)
        self._journal = journal
        self._session = ""

    def begin(self, first: int) -> None:
        self._session = self._journal.create()

    def take(self, number: int) -> None:
        dragoman_turns.take_turn(self._journal, self._session, number)


class SeededTrack(Track):
    """LangGraph's cost grows with its history, and so would the time to get there. A long history is put in
    at once instead: as many messages as after real turns, and fewer old checkpoints to look past."""

    def begin(self, first: int) -> None:
        if self._is_short:
            self.seed([])
            return
        # The last turn before the measured ones is real, so that every channel is filled.
        self._next = first - 1
        self.seed(langgraph_turns.history(self._next - 1))

    @abstractmethod
    def seed(self, messages: list[langgraph_turns.Message]) -> None:
        """Make a fresh thread with this history."""


class LangGraphTrack(SeededTrack):
    """A thread of a graph with a checkpointer."""

    _threads = count()

    def __init__(self, graph: Any, durability: str | None, length: int, turns: int, rounds: int) -> None:
        super().__init__(length, turns, rounds)
        self._graph = graph
        self._durability = durability
        self._config: dict[str, Any] = {}

    def seed(self, messages: list[langgraph_turns.Message]) -> None:
        self._config = {"configurable": {"thread_id": f"track-{next(self._threads)}"}}
        if messages:
            langgraph_turns.seed(self._graph, self._config, messages)

    def take(self, number: int) -> None:
        given = langgraph_turns.turn_input(number)
        self._graph.invoke(given, self._config, durability=self._durability)


class LangGraphMemoryTrack(SeededTrack):
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
