"""The status report of a cycle of a run: what is done, what is not, what was in the way, what comes next."""

from dragoman.contracts.report import StatusReport
from dragoman.contracts.run import RunRecord, RunStatus, StepRecord, StepState
from dragoman.engine.resumption import can_help
from dragoman.guards.report import AWAIT_USER, make_report, report_text
from dragoman.locales.plural import counted
from dragoman.reports.validation import Listener, OutputValidation

AGENT = "dragoman"
RUN = "run"
"""The kind of report, and of agent, that a cycle of a run is."""


def report_of_run(
    record: RunRecord, validation: OutputValidation | None = None, listener: Listener | None = None
) -> StatusReport:
    """The report of the last cycle of a run; with `validation` it is guarded and counted too, and `listener`
    is told where it fails."""
    report = make_report(
        [_done(step) for step in record.steps if step.state is StepState.DONE],
        [f"{step.id}: {step.component}" for step in record.steps if _open(record, step)],
        _blockers(record),
        (_next(record),),
        _notes(record),
        kind=RUN,
    )
    if validation is not None:
        task = f"run {record.id}: cycle {record.cycle}"
        text = report_text(report)
        validation.judge(text, task=task, agent=AGENT, agent_type=RUN, kind=RUN, listener=listener)
    return report


def _open(record: RunRecord, step: StepRecord) -> bool:
    """Whether a step is still to be ended. In a run that has ended nothing is in progress."""
    return record.status is RunStatus.RUNNING and step.state not in (StepState.DONE, StepState.FAILED)


def _done(step: StepRecord) -> str:
    rows = f", {counted(step.rows, 'row')}" if step.rows is not None else ""
    return f"{step.id}: {step.component}{rows}"


def _blockers(record: RunRecord) -> list[str]:
    found = [
        f"{step.id}: {step.fault.code}: {step.fault.message}"
        for step in record.steps
        if step.fault is not None and step.state is not StepState.DONE
    ]
    if not found and record.fault is not None:
        found.append(f"run {record.id}: {record.fault.code}: {record.fault.message}")
    return found


def _next(record: RunRecord) -> str:
    match record.status:
        case RunStatus.DONE:
            return AWAIT_USER
        case RunStatus.RUNNING:
            return f"go on with run {record.id}"
        case RunStatus.FAILED | RunStatus.CANCELLED | RunStatus.INTERRUPTED:
            if can_help(record):
                return f"await user: dragoman runs resume {record.id}"
            return "await user: mend what is in the way, then run the program again"


def _notes(record: RunRecord) -> str:
    warned = sum(len(step.warnings) for step in record.steps)
    retried = sum(step.retries for step in record.steps)
    name = record.name or record.id
    said = f"Run {name}, cycle {record.cycle}: {record.status}."
    return f"{said} Warnings: {warned}. Retries: {retried}."
