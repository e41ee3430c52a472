"""The phase table put shortly: edges that leave many phases for the same one become one move."""

from collections.abc import Iterable

from dragoman.contracts.record import Record
from dragoman.contracts.transition import PhaseEdge
from dragoman.contracts.vocabulary import Phase

_MANY = 4
"""From so many sources on, edges with the same target and reason are told as one."""


class Move(Record, frozen=True):
    """One edge, or many that differ in their source alone; then `name` says which sources are meant."""

    sources: tuple[Phase, ...]
    target: Phase
    by: str
    name: str

    @property
    def is_shared(self) -> bool:
        return len(self.sources) > 1

    def edges(self) -> tuple[PhaseEdge, ...]:
        """The edges that the move stands for."""
        return tuple(PhaseEdge(source, self.target, self.by) for source in self.sources)


def moves_of(edges: Iterable[PhaseEdge], at_rest: Iterable[Phase]) -> tuple[Move, ...]:
    """All moves, in the order of the table; their edges together are the table."""
    alike: dict[tuple[Phase, str], list[Phase]] = {}
    for edge in edges:
        alike.setdefault((edge.target, edge.by), []).append(edge.source)
    resting = tuple(at_rest)
    return tuple(
        move
        for (target, by), sources in alike.items()
        for move in _moves(tuple(sources), target, by, resting)
    )


def _moves(sources: tuple[Phase, ...], target: Phase, by: str, resting: tuple[Phase, ...]) -> list[Move]:
    if len(sources) < _MANY:
        return [Move((source,), target, by, source) for source in sources]
    return [Move(sources, target, by, _name(frozenset(sources), resting))]


def _name(sources: frozenset[Phase], resting: tuple[Phase, ...]) -> str:
    if sources == frozenset(Phase):
        return "any phase"
    if sources <= frozenset(resting):
        missing = [phase for phase in resting if phase not in sources]
        return "any phase at rest" + (f" but {', '.join(missing)}" if missing else "")
    return ", ".join(phase for phase in Phase if phase in sources)
