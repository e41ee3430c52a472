"""`runs resume` is offered where going on can help, and nowhere else."""

import pytest

from dragoman.answering.run_report import report_of_run
from dragoman.contracts.errors import (
    ColumnRefused,
    ConnectionRefused,
    DiskFull,
    DragomanError,
    QueryFailed,
    RunLimitExceeded,
    SchemaDrift,
    StagingLost,
    StepRefused,
    StoreFull,
    TransientFault,
    VariableMissing,
)
from dragoman.contracts.run import RunFault, RunRecord, RunStatus, StepRecord, StepState
from dragoman.engine.resumption import can_help

WRITTEN = StepRecord("first", "duckdb.writer", "write", state=StepState.DONE)
READ = StepRecord("source", "sqlite.extractor", "read", state=StepState.DONE)


def run_with(status: RunStatus, code: str = "", *steps: StepRecord, of_run: bool = False) -> RunRecord:
    fault = RunFault(code, "it went wrong") if code else None
    failed = StepRecord(
        "last", "duckdb.writer", "write", state=StepState.FAILED, fault=None if of_run else fault
    )
    return RunRecord("r", "", "m", status, "", (*steps, failed), fault=fault)


@pytest.mark.parametrize(
    "kind",
    [
        TransientFault,
        StagingLost,
        ConnectionRefused,
        DiskFull,
        RunLimitExceeded,
        VariableMissing,
        StoreFull,
    ],
)
@pytest.mark.parametrize("of_run", [False, True])
def test_what_may_pass_can_be_resumed(kind: type[DragomanError], of_run: bool) -> None:
    record = run_with(RunStatus.FAILED, kind.code, READ, of_run=of_run)
    assert can_help(record)
    assert report_of_run(record).next_focus == ("await user: dragoman runs resume r",)


@pytest.mark.parametrize("kind", [StepRefused, ColumnRefused, SchemaDrift, QueryFailed])
def test_what_would_be_refused_again_is_not_offered(kind: type[DragomanError]) -> None:
    record = run_with(RunStatus.FAILED, kind.code, READ)
    assert not can_help(record)
    assert "resume" not in report_of_run(record).next_focus[0]


def test_a_run_that_has_published_something_is_gone_on_with() -> None:
    assert can_help(run_with(RunStatus.FAILED, StepRefused.code, READ, WRITTEN))


@pytest.mark.parametrize("status", [RunStatus.CANCELLED, RunStatus.INTERRUPTED])
def test_a_run_that_was_stopped_can_go_on(status: RunStatus) -> None:
    assert can_help(run_with(status))


@pytest.mark.parametrize("status", [RunStatus.DONE, RunStatus.RUNNING])
def test_there_is_nothing_to_resume(status: RunStatus) -> None:
    assert not can_help(run_with(status))
