"""Runs of what a conversation wrote: the run itself, what became of each table, and the program as a file."""

from collections.abc import Mapping
from pathlib import Path

from dragoman.answering.effects import RunHeard, TableWritten, Written
from dragoman.contracts.cancellation import Cancellation
from dragoman.contracts.errors import RunNotFound, TargetExists
from dragoman.contracts.run import RunRecord, RunStatus, StepRecord, StepState
from dragoman.contracts.vocabulary import EffectOutcome
from dragoman.engine.files import write_whole
from dragoman.engine.order import Order, OrderStep
from dragoman.workspace.pipelines import Pipelines, read_order


def run_written(
    folder: Path,
    home: Path,
    manifest: bytes,
    run_id: str,
    replaces: tuple[str, ...],
    cancel: Cancellation | None,
    *,
    keep_going: bool = False,
    progress: RunHeard | None = None,
) -> Written:
    """Run a manifest, and say what came of it."""
    pipelines = Pipelines(folder, home=home)
    done = pipelines.run(
        manifest,
        run_id=run_id,
        replaces=replaces,
        cancel=cancel,
        listeners=() if progress is None else (progress,),
        keep_going=keep_going,
    )
    record, fault = done.record, done.record.fault
    problem, code = (fault.message, fault.code) if fault is not None else ("", "")
    written = [step for step in record.steps if step.mode == "write"]
    warnings = tuple(warning.message for step in written for warning in step.warnings)
    return Written(
        outcome_of(record),
        sum(step.rows or 0 for step in written if not keep_going or step.state is StepState.DONE),
        problem,
        code=code,
        warnings=warnings,
        failure=done.failure,
        tables=tables_of(record, read_order(manifest)) if keep_going else (),
        report=done.report if keep_going else None,
    )


def outcome_of(record: RunRecord) -> EffectOutcome:
    """Whether what a run was to write is there. A part of it is neither."""
    if record.status is RunStatus.DONE:
        return EffectOutcome.DONE
    begun = record.status is RunStatus.RUNNING
    published = any(step.mode == "write" and step.state is StepState.DONE for step in record.steps)
    return EffectOutcome.UNKNOWN if begun or published else EffectOutcome.UNDONE


def tables_of(record: RunRecord, order: Order) -> tuple[TableWritten, ...]:
    """What became of each writer of a run."""
    steps = {step.id: step for step in record.steps}
    return tuple(
        TableWritten(
            step.id,
            _source(step, order),
            _target(step),
            steps[step.id].rows if steps[step.id].state is StepState.DONE else None,
            steps[step.id].state is StepState.DONE,
            _problem(step, order, steps),
        )
        for step in order.steps
        if step.mode == "write"
    )


def account_of(folder: Path, home: Path, run_id: str) -> tuple[TableWritten, ...]:
    """What became of each writer of a run that is known here; nothing of any other."""
    pipelines = Pipelines(folder, home=home)
    try:
        record, order = pipelines.store.load(run_id), read_order(pipelines.store.manifest(run_id))
    except RunNotFound:
        return ()
    return tables_of(record, order)


def unwritten_of(folder: Path, home: Path, run_id: str) -> tuple[str, ...] | None:
    """The writers of a run that have not written; None where nobody knows of the run."""
    found = account_of(folder, home, run_id)
    return tuple(each.step for each in found if not each.done) if found else None


def _source(step: OrderStep, order: Order) -> str:
    """What a writer writes the rows of: the table, or the verb that gives them."""
    found = order.step(step.needs[0]) if step.needs else step
    while found.needs:
        found = order.step(found.needs[0])
    return str(found.settings.get("table") or found.settings.get("path") or found.component)


def _target(step: OrderStep) -> str:
    told = step.settings
    table = f"{told.get('connection')}.{told.get('table')}" if told.get("table") else ""
    return str(told.get("path") or table)


def _problem(step: OrderStep, order: Order, steps: Mapping[str, StepRecord]) -> str:
    """Why a writer has not written: its own fault, or that of a step that it needs."""
    record = steps[step.id]
    if record.state is StepState.DONE:
        return ""
    waiting, seen = [step.id], set[str]()
    while waiting:
        name = waiting.pop()
        fault = steps[name].fault
        if fault is not None:
            return f"{fault.code}: {fault.message}"
        seen.add(name)
        waiting += [need for need in order.step(name).needs if need not in seen]
    return record.state.value


def save_program(folder: Path, path: str, text: str) -> None:
    """The program in a file of the workspace; one that is there already stays as it is."""
    place = Pipelines(folder).targets.place(path)
    if place.exists() and place.read_text("utf-8") != text:
        raise TargetExists(f"{path} is there already", hint="name another file", path=path)
    place.parent.mkdir(parents=True, exist_ok=True)
    write_whole(place, text.encode())
