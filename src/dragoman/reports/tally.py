"""The account of the checks: a pure accumulator, and what it amounts to.

The last hour is kept by the minute; everything else is a total, so that the account does not grow.
"""

from collections.abc import Iterator, Mapping
from threading import Lock
from typing import Protocol

import msgspec

from dragoman.contracts.record import Record
from dragoman.contracts.report import (
    OutputValidationSettings,
    Recoveries,
    Recovery,
    ValidationMetrics,
    ValidationMode,
)
from dragoman.contracts.stages import StageFigures, StageMetrics, StageTime

MINUTES = 60


class Minute(Record, frozen=True):
    checks: int = 0
    failures: int = 0


class Tally(Record, frozen=True):
    """`failures` by the mode they happened in, `codes` by their top code."""

    minutes: dict[int, Minute] = msgspec.field(default_factory=dict)
    failures: dict[str, int] = msgspec.field(default_factory=dict)
    codes: dict[str, int] = msgspec.field(default_factory=dict)
    recoveries: dict[str, int] = msgspec.field(default_factory=dict)
    stages: dict[tuple[str, str], int] = msgspec.field(default_factory=dict)
    """The counts of the stages of turns, by subject and name."""


class Recorder(Protocol):
    """Where checks are counted. Raises a `StoreError` where it cannot."""

    def record_check(
        self, at: float, mode: ValidationMode, code: str | None, stages: StageFigures | None = None
    ) -> None:
        """One checked output; `code` is none where nothing was wrong. `stages` are those of the turn that it
        ends."""

    def record_recovery(self, recovery: Recovery) -> None:
        """One attempt to mend a failure."""

    def record_stages(self, figures: StageFigures) -> None:
        """The stages of one turn whose output is not checked."""


def minute_of(at: float) -> int:
    return int(at // 60)


def with_check(tally: Tally, at: float, mode: ValidationMode, code: str | None) -> Tally:
    now = minute_of(at)
    # A clock that was set back leaves minutes of the future behind; they would never grow old.
    minutes = {minute: kept for minute, kept in tally.minutes.items() if abs(now - minute) < MINUTES}
    before = minutes.get(now, Minute())
    minutes[now] = Minute(before.checks + 1, before.failures + (code is not None))
    if code is None:
        return msgspec.structs.replace(tally, minutes=minutes)
    return msgspec.structs.replace(
        tally,
        minutes=minutes,
        failures=_with_one(tally.failures, mode),
        codes=_with_one(tally.codes, code),
    )


def with_recovery(tally: Tally, recovery: Recovery) -> Tally:
    return msgspec.structs.replace(tally, recoveries=_with_one(tally.recoveries, recovery))


def metrics_of(tally: Tally, settings: OutputValidationSettings, now: float) -> ValidationMetrics:
    """The last hour is this minute and the 59 before it."""
    last = minute_of(now)
    recent = [held for minute, held in tally.minutes.items() if last - MINUTES < minute <= last]
    checks = sum(minute.checks for minute in recent)
    failed = sum(minute.failures for minute in recent)
    total = sum(tally.failures.values())
    retries = tally.recoveries.get(Recovery.RETRY, 0)
    return ValidationMetrics(
        total_failures=total,
        failures_last_hour=failed,
        recent_failure_rate=_rate(failed, checks),
        failures_by_code=dict(sorted(tally.codes.items())),
        shadow_failures=tally.failures.get(ValidationMode.SHADOW, 0),
        enforced_failures=tally.failures.get(ValidationMode.ENFORCE, 0),
        mode=settings.effective_mode,
        canary_acknowledged=settings.canary_acknowledged,
        retry_rate=_rate(retries, total),
        recoveries=Recoveries(
            retries=retries,
            reassignments=tally.recoveries.get(Recovery.REASSIGNMENT, 0),
            failures=tally.recoveries.get(Recovery.FAILURE, 0),
        ),
    )


VERDICT, RETRY, COVERAGE, TURNS, MICROSECONDS = "verdict", "retries", "coverage", "stage_turns", "stage_us"
"""What is counted of stages; of each, by name."""

STAGES = (VERDICT, RETRY, COVERAGE, TURNS, MICROSECONDS)


def counts_of(figures: StageFigures) -> Iterator[tuple[str, str, int]]:
    """The counts that a turn adds to: subject, name, how many."""
    if figures.verdict is not None:
        yield VERDICT, f"{figures.track}/{figures.verdict}", 1
    if figures.retries:
        yield RETRY, str(figures.track), figures.retries
    if figures.coverage is not None:
        yield COVERAGE, str(figures.coverage), 1
    for stage, seconds in figures.seconds.items():
        yield TURNS, stage, 1
        yield MICROSECONDS, stage, round(1_000_000 * seconds)


def with_stages(tally: Tally, figures: StageFigures) -> Tally:
    counts = dict(tally.stages)
    for subject, name, count in counts_of(figures):
        counts[subject, name] = counts.get((subject, name), 0) + count
    return msgspec.structs.replace(tally, stages=counts)


def stage_metrics_of(tally: Tally) -> StageMetrics:
    held: dict[str, dict[str, int]] = {subject: {} for subject in STAGES}
    for (subject, name), count in sorted(tally.stages.items()):
        held[subject][name] = count
    verdicts: dict[str, dict[str, int]] = {}
    for name, count in held[VERDICT].items():
        track, _, verdict = name.partition("/")
        verdicts.setdefault(track, {})[verdict] = count
    times = {
        stage: StageTime(turns, held[MICROSECONDS].get(stage, 0) / 1_000_000)
        for stage, turns in held[TURNS].items()
    }
    return StageMetrics(verdicts, held[RETRY], held[COVERAGE], times)


class MemoryRecorder:
    """Counts for as long as the process lives."""

    def __init__(self) -> None:
        self.tally = Tally()
        self._lock = Lock()

    def record_check(
        self, at: float, mode: ValidationMode, code: str | None, stages: StageFigures | None = None
    ) -> None:
        with self._lock:
            self.tally = with_check(self.tally, at, mode, code)
            if stages is not None:
                self.tally = with_stages(self.tally, stages)

    def record_recovery(self, recovery: Recovery) -> None:
        with self._lock:
            self.tally = with_recovery(self.tally, recovery)

    def record_stages(self, figures: StageFigures) -> None:
        with self._lock:
            self.tally = with_stages(self.tally, figures)


def _with_one(counts: Mapping[str, int], name: str) -> dict[str, int]:
    key = str(name)
    return {**counts, key: counts.get(key, 0) + 1}


def _rate(part: int, whole: int) -> float:
    return part / whole if whole else 0.0
