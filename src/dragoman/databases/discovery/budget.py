"""How much looking at data may cost: rows of a table, values of a column, seconds in all."""

import time
from collections.abc import Callable

from dragoman.contracts.query import ReadLimits
from dragoman.contracts.record import Record


class SampleBudget(Record, frozen=True):
    """What may be spent on data. No seconds: only the catalog is read."""

    seconds: float = 15.0
    """For the whole database, inferred keys included."""
    query_seconds: float = 2.0
    rows: int = 1_000
    """How many rows of a table are looked at."""
    values: int = 6
    """How many values of a column are kept."""
    characters: int = 60
    """Where a long value is cut."""
    count_rows: int = 200_000
    """Up to how many rows of a table without an estimate are counted first of all."""


class Purse:
    """A budget while it is being spent."""

    def __init__(
        self,
        budget: SampleBudget,
        deadline: float | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.budget = budget
        self._clock = clock
        end = clock() + budget.seconds
        self._end = end if deadline is None else min(end, deadline)

    def part(self, share: float) -> "Purse":
        """A purse with a share of what is left, which is spent from this one too."""
        return Purse(self.budget, self._clock() + share * max(0.0, self.left), self._clock)

    @property
    def left(self) -> float:
        return self._end - self._clock()

    @property
    def is_empty(self) -> bool:
        return self.left <= 0

    def limits(self, rows: int) -> ReadLimits:
        return ReadLimits(rows=rows, seconds=max(0.05, min(self.budget.query_seconds, self.left)))
