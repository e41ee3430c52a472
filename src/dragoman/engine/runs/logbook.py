"""The logbook of a run that is going on: its record, kept on disk at every turn, and who is told."""

import datetime as dt
import threading
import time
from collections.abc import Callable, Sequence
from typing import Protocol

from msgspec.structs import replace

from dragoman.contracts.errors import DragomanError
from dragoman.contracts.flow import ColumnWarning
from dragoman.contracts.run import (
    RunBegun,
    RunEnded,
    RunEvent,
    RunFault,
    RunRecord,
    RunStatus,
    StepBegun,
    StepEnded,
    StepProgress,
    StepRecord,
    StepRetried,
    StepState,
    StepWarned,
)
from dragoman.guards.secrets import scrubbed

RunListener = Callable[[RunEvent], None]


class Keeper(Protocol):
    """Where a record and its events are kept."""

    def save(self, record: RunRecord) -> None: ...

    def note(self, event: RunEvent) -> None: ...


class Unkept:
    """For what is only tried: nothing is kept."""

    def save(self, record: RunRecord) -> None:
        pass

    def note(self, event: RunEvent) -> None:
        pass


def fault_of(error: DragomanError) -> RunFault:
    column = error.details.get("column")
    return RunFault(error.code, scrubbed(error.message), error.hint, str(column) if column else "")


def now() -> str:
    return dt.datetime.now(dt.UTC).isoformat(timespec="milliseconds")


class Logbook:
    """Every change is on disk before it returns. Several threads may write in it."""

    def __init__(self, record: RunRecord, store: Keeper, listeners: Sequence[RunListener] = ()) -> None:
        self._store = store
        self._listeners = tuple(listeners)
        self._lock = threading.RLock()
        self._record = record
        self._clocks: dict[str, float] = {}
        self._started = time.monotonic()

    @property
    def record(self) -> RunRecord:
        return self._record

    def step(self, name: str) -> StepRecord:
        return next(step for step in self._record.steps if step.id == name)

    def begin(self) -> None:
        names = tuple(step.id for step in self._record.steps)
        self._tell(RunBegun(self._record.id, now(), self._record.name, names, self._record.cycle))

    def change(self, name: str, **changes: object) -> None:
        """Put down something about a step."""
        with self._lock:
            steps = tuple(replace(s, **changes) if s.id == name else s for s in self._record.steps)
            self._record = replace(self._record, steps=steps)
            self._store.save(self._record)

    def connects(self, connection: str) -> None:
        """Put down that the run goes to a server now: if its process dies, somebody else looks there."""
        with self._lock:
            if connection not in self._record.connections:
                known = (*self._record.connections, connection)
                self._record = replace(self._record, connections=known)
                self._store.save(self._record)

    def step_begins(self, name: str) -> None:
        with self._lock:
            if name in self._clocks:
                return
            self._clocks[name] = time.monotonic()
        self.change(name, state=StepState.RUNNING, started_at=now(), fault=None)
        self._tell(StepBegun(self._record.id, now(), name, self.step(name).component))

    def step_ends(
        self, name: str, state: StepState, *, rows: int | None = None, fault: RunFault | None = None
    ) -> None:
        begun = self._clocks.get(name)
        taken = time.monotonic() - begun if begun is not None else self.step(name).seconds
        counted = self.step(name).rows if rows is None else rows
        self.change(name, state=state, rows=counted, seconds=taken, ended_at=now(), fault=fault)
        size = self.step(name).bytes
        self._tell(StepEnded(self._record.id, now(), name, state, counted, size, taken, fault))

    def progress(self, name: str, rows: int | None = None, fraction: float | None = None) -> None:
        self._tell(StepProgress(self._record.id, now(), name, rows, fraction))

    def warn(self, name: str, warnings: Sequence[ColumnWarning]) -> None:
        for warning in warnings:
            self._tell(StepWarned(self._record.id, now(), name, warning))

    def retried(self, name: str, attempt: int, error: DragomanError, delay: float) -> None:
        self.change(name, retries=self.step(name).retries + 1)
        self._tell(StepRetried(self._record.id, now(), name, attempt, fault_of(error), round(delay, 3)))

    def end(self, status: RunStatus, fault: RunFault | None = None) -> RunRecord:
        with self._lock:
            self._record = replace(self._record, status=status, ended_at=now(), fault=fault)
            self._store.save(self._record)
        self._tell(RunEnded(self._record.id, now(), status, time.monotonic() - self._started, fault))
        return self._record

    def _tell(self, event: RunEvent) -> None:
        self._store.note(event)
        with self._lock:
            for listener in self._listeners:
                listener(event)
