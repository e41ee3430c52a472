"""A graph of things and how they are linked, as evidence: its settings, its records, what a store can do."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Annotated, Final, Protocol

from msgspec import Meta

from dragoman.contracts.answer import Cell
from dragoman.contracts.record import Record

MOST_FOUND: Final = 20
"""So many paths or neighbours are given."""
LONGEST_PATH: Final = 8


class GraphSettings(Record, frozen=True):
    """`graph` in dragoman.yaml: a Bolt server in the place of the embedded graph."""

    uri: str
    user: str = ""
    password: str = ""
    """`${VARIABLE}`; empty for a server that asks for none."""
    database: str = ""
    seconds: Annotated[int, Meta(ge=1, le=600)] = 15
    """How long a question may take."""


class Direction(StrEnum):
    """`out`: what a thing refers to; `in`: what refers to it, and so depends on it."""

    IN = "in"
    OUT = "out"
    BOTH = "both"


class GraphNode(Record, frozen=True):
    """`id` finds it again: `customer`, `customer:12`; with a Bolt server `Label` or `Label:value`."""

    id: str
    kind: str
    name: str


class GraphEdge(Record, frozen=True):
    """A link as it is written: from the one that refers to the one that is referred to."""

    start: GraphNode
    name: str
    end: GraphNode
    declared: bool = True


class GraphContents(Record, frozen=True):
    """What an embedded graph is filled with."""

    nodes: tuple[GraphNode, ...]
    edges: tuple[GraphEdge, ...]


class GraphStore(Protocol):
    """A Cypher store that is only read. Everything raises a `GraphError`."""

    @property
    def name(self) -> str:
        """How it is cited."""
        ...

    def paths(self, start: str, end: str, most: int) -> Sequence[tuple[GraphEdge, ...]]:
        """The shortest ways between two things, whichever way their links lead."""
        ...

    def neighbours(self, of: str, direction: Direction, most: int) -> Sequence[GraphEdge]: ...

    def named(self, names: Sequence[str]) -> Mapping[str, tuple[GraphNode, ...]]:
        """The things that have one of these names, in any case, by the name."""
        ...

    def find(self, query: str) -> tuple[tuple[str, ...], list[tuple[Cell, ...]]]:
        """The columns and rows of a query that the guard has passed."""
        ...
