"""The record of a run: what was to be done, what came of each step, and what happened on the way."""

from enum import StrEnum

from dragoman.contracts.flow import ColumnWarning, CursorValue, FlowColumn
from dragoman.contracts.record import Record
from dragoman.contracts.viewer import Viewer


class RunStatus(StrEnum):
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"
    INTERRUPTED = "interrupted"
    """Its process ended in the middle. What it had staged is gone, what it had published stands."""


class StepState(StrEnum):
    """How far a step is. A write that is STAGED is complete and not visible yet."""

    WAITING = "waiting"
    RUNNING = "running"
    STAGED = "staged"
    DONE = "done"
    FAILED = "failed"
    SKIPPED = "skipped"


class RunLimits(Record, frozen=True):
    """When a run ends whatever it has done. None is without a limit."""

    rows: int | None = None
    seconds: float | None = None
    memory_bytes: int = 256 * 1024 * 1024
    """What DuckDB may hold; more goes to disk."""


class RunFault(Record, frozen=True):
    """Why a step or a run failed."""

    code: str
    message: str
    hint: str = ""
    column: str = ""


class StepRecord(Record, frozen=True):
    """One step of a run. `staging` and `token` are how its writer finds its work again after a crash."""

    id: str
    component: str
    mode: str
    needs: tuple[str, ...] = ()
    state: StepState = StepState.WAITING
    rows: int | None = None
    bytes: int | None = None
    seconds: float = 0.0
    retries: int = 0
    started_at: str = ""
    ended_at: str = ""
    columns: tuple[FlowColumn, ...] = ()
    warnings: tuple[ColumnWarning, ...] = ()
    target: str = ""
    """What was read or written, as a person would say it; never with a secret."""
    staging: str = ""
    token: str = ""
    plan: str = ""
    """The writer's plan as JSON, kept until it is published."""
    cursor: CursorValue | None = None
    fault: RunFault | None = None


class RunRecord(Record, frozen=True):
    """A run as the store holds it. `manifest` is its bytes' fingerprint; the bytes stand beside it."""

    id: str
    name: str
    manifest: str
    status: RunStatus
    started_at: str
    steps: tuple[StepRecord, ...]
    ended_at: str = ""
    limits: RunLimits = RunLimits()
    """Those that hold."""
    asked: RunLimits = RunLimits()
    """Those that were given with the run; what they leave open, the workspace says, each time it is begun."""
    mark: str = ""
    """A random word that the sessions of the run have on their servers."""
    connections: tuple[str, ...] = ()
    """Where it has such sessions, by the names of the connections."""
    cycle: int = 1
    """How often it was begun: the first time, and once for each time it was resumed."""
    fault: RunFault | None = None
    operator: bool = False
    """Whether an operator runs it: no policy holds for it."""
    viewer: Viewer | None = None
    """Who runs it: nobody else may look at it where policies hold."""
    replaces: tuple[str, ...] = ()
    """The files that somebody agreed to have replaced, though no run made them."""
    keep_going: bool = False
    """What fails ends only the steps that hang on it."""


class RunBegun(Record, frozen=True, tag="run_begun", tag_field="kind"):
    run: str
    at: str
    name: str
    steps: tuple[str, ...]
    cycle: int = 1


class StepBegun(Record, frozen=True, tag="step_begun", tag_field="kind"):
    run: str
    at: str
    step: str
    component: str


class StepProgress(Record, frozen=True, tag="step_progress", tag_field="kind"):
    """`fraction` from 0 to 1 where it is known."""

    run: str
    at: str
    step: str
    rows: int | None = None
    fraction: float | None = None


class StepWarned(Record, frozen=True, tag="step_warned", tag_field="kind"):
    run: str
    at: str
    step: str
    warning: ColumnWarning


class StepRetried(Record, frozen=True, tag="step_retried", tag_field="kind"):
    run: str
    at: str
    step: str
    attempt: int
    fault: RunFault
    delay: float


class StepEnded(Record, frozen=True, tag="step_ended", tag_field="kind"):
    run: str
    at: str
    step: str
    state: StepState
    rows: int | None = None
    bytes: int | None = None
    seconds: float = 0.0
    fault: RunFault | None = None


class RunEnded(Record, frozen=True, tag="run_ended", tag_field="kind"):
    run: str
    at: str
    status: RunStatus
    seconds: float = 0.0
    fault: RunFault | None = None


RunEvent = RunBegun | StepBegun | StepProgress | StepWarned | StepRetried | StepEnded | RunEnded
