"""The account of the checks: a pure accumulator, and what it amounts to.

The last hour is kept by the minute; everything else is a total, so that the account does not grow.
"""

from collections.abc import Mapping
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


class Recorder(Protocol):
    """Where checks are counted. Raises a `StoreError` where it cannot."""

    def record_check(self, at: float, mode: ValidationMode, code: str | None) -> None:
        """One checked output; `code` is none where nothing was wrong."""

    def record_recovery(self, recovery: Recovery) -> None:
        """One attempt to mend a failure."""


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


class MemoryRecorder:
    """Counts for as long as the process lives."""

    def __init__(self) -> None:
        self.tally = Tally()
        self._lock = Lock()

    def record_check(self, at: float, mode: ValidationMode, code: str | None) -> None:
        with self._lock:
            self.tally = with_check(self.tally, at, mode, code)

    def record_recovery(self, recovery: Recovery) -> None:
        with self._lock:
            self.tally = with_recovery(self.tally, recovery)


def _with_one(counts: Mapping[str, int], name: str) -> dict[str, int]:
    key = str(name)
    return {**counts, key: counts.get(key, 0) + 1}


def _rate(part: int, whole: int) -> float:
    return part / whole if whole else 0.0
