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
    """The median turn of a window, in microseconds, and of how many turns it is the median."""

    cpu: float
    wall: float
    turns: int


def cpu_seconds() -> float:
    """User and system time of this process, all of its threads."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def sampled(turn: Callable[[], object]) -> Sample:
    cpu, wall = cpu_seconds(), time.perf_counter()
    turn()
    return Sample(cpu_seconds() - cpu, time.perf_counter() - wall)


def cost(samples: Sequence[Sample]) -> Cost:
    cpu = statistics.median(sample.cpu for sample in samples)
    wall = statistics.median(sample.wall for sample in samples)
    return Cost(cpu * 1e6, wall * 1e6, len(samples))
