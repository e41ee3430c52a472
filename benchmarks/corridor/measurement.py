"""What a turn costs: the processor time and the wall time of this process, and their medians."""

import resource
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Sample:
    """One turn, in seconds."""

    cpu: float
    wall: float


@dataclass(frozen=True, slots=True)
class Cost:
    """The median turn of all rounds, in microseconds, of how many turns it is the median, and the median
    processor time of each round."""

    cpu: float
    wall: float
    turns: int
    rounds: tuple[float, ...]


def cpu_seconds() -> float:
    """User and system time of this process, all of its threads."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def sampled(turn: Callable[[], object]) -> Sample:
    cpu, wall = cpu_seconds(), time.perf_counter()
    turn()
    return Sample(cpu_seconds() - cpu, time.perf_counter() - wall)


def cost(rounds: Sequence[Sequence[Sample]]) -> Cost:
    samples = [sample for of_round in rounds for sample in of_round]
    wall = statistics.median(sample.wall for sample in samples)
    medians = tuple(_median_cpu(of_round) for of_round in rounds)
    return Cost(_median_cpu(samples), wall * 1e6, len(samples), medians)


def _median_cpu(samples: Sequence[Sample]) -> float:
    return statistics.median(sample.cpu for sample in samples) * 1e6


def times(one: Cost, other: Cost) -> float:
    """How many times the processor time of the other one takes.

    Compared round by round: a machine that is slow for a while is slow for both.
    """
    return statistics.median(a / b for a, b in zip(one.rounds, other.rounds, strict=True))
