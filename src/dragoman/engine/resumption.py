"""Whether going on with a run that ended early can help, or only another program or other data can."""

from typing import Final

from dragoman.contracts.errors import (
    AuthenticationFailed,
    ConnectionRefused,
    DatabaseBusy,
    DiskFull,
    DragomanError,
    DriverFailed,
    HostNotFound,
    MemoryLimitExceeded,
    QueryCancelled,
    QueryTimeout,
    RunBusy,
    RunCancelled,
    RunLimitExceeded,
    ScannerMissing,
    StagingLost,
    StoreError,
    TransientFault,
    VariableMissing,
)
from dragoman.contracts.run import RunRecord, RunStatus, StepState
from dragoman.contracts.verb import Effect

_OUTSIDE: Final[tuple[type[DragomanError], ...]] = (
    TransientFault,
    StagingLost,
    ConnectionRefused,
    DatabaseBusy,
    DriverFailed,
    HostNotFound,
    AuthenticationFailed,
    VariableMissing,
    QueryTimeout,
    QueryCancelled,
    DiskFull,
    MemoryLimitExceeded,
    RunLimitExceeded,
    RunCancelled,
    RunBusy,
    ScannerMissing,
    StoreError,
    *StoreError.__subclasses__(),
)
"""What lies in the surroundings and may be otherwise the next time. A refused step, a column that cannot be
kept or a query that fails would end the same run in the same way."""

_MAY_PASS: Final = frozenset(kind.code for kind in _OUTSIDE if kind.code != DragomanError.code)


def can_help(record: RunRecord) -> bool:
    """Whether to offer `runs resume` for a run."""
    match record.status:
        case RunStatus.DONE | RunStatus.RUNNING:
            return False
        case RunStatus.CANCELLED | RunStatus.INTERRUPTED:
            return True
        case RunStatus.FAILED:
            return _has_published(record) or any(code in _MAY_PASS for code in _faults(record))


def _has_published(record: RunRecord) -> bool:
    """A new run would write once more what this one has written; going on with it leaves that alone."""
    return any(step.mode == Effect.WRITE and step.state is StepState.DONE for step in record.steps)


def _faults(record: RunRecord) -> list[str]:
    found = [step.fault.code for step in record.steps if step.fault and step.state is not StepState.DONE]
    return found or ([record.fault.code] if record.fault else [])
