"""A report that fails its check is an event of the session: in its record, in its log, and in the metrics."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from dragoman import TurnResult, Workspace
from dragoman.answering.effects import Runners, Written
from dragoman.answering.run_report import report_of_run
from dragoman.contracts.cancellation import Cancellation
from dragoman.contracts.report import OutputValidationFailureEvent, ValidationMode
from dragoman.contracts.run import RunLimits, RunRecord, RunStatus
from dragoman.contracts.vocabulary import EffectOutcome
from dragoman.reports.settings import resolve_settings
from dragoman.reports.tally import MemoryRecorder
from dragoman.reports.validation import JudgedOutput, OutputValidation
from dragoman.turn import TurnServices, take_turn

QUESTION = "stock of Alfa Trade on 31 March 2020"
SECRET = "ghp_" + "a1B2" * 9
MODES = {
    ValidationMode.SHADOW: {},
    ValidationMode.ENFORCE: {
        "DRAGOMAN_OUTPUT_VALIDATION_MODE": "enforce",
        "DRAGOMAN_OUTPUT_VALIDATION_CANARY": "1",
    },
    ValidationMode.DISABLED: {"DRAGOMAN_OUTPUT_VALIDATION_MODE": "disabled"},
}


class LossyWire(OutputValidation):
    """The report guard behind a wire that damages every report: what it judges, counts and tells is real."""

    def judge(self, text: str, **told: Any) -> JudgedOutput:
        return super().judge(f"{text[:-1]} {SECRET}", **told)


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    with Workspace.open(tmp_path) as opened:
        yield opened


def lossy(mode: ValidationMode) -> LossyWire:
    return LossyWire(resolve_settings(MODES[mode]), MemoryRecorder(), unrecorded=_unexpected)


def _unexpected(error: Exception) -> None:
    raise error


def asked(workspace: Workspace, session: str, message: str, **services: Any) -> TurnResult:
    """One turn on the road, with a part of what it needs replaced."""
    own: TurnServices = workspace._open_services()
    return take_turn(replace(own, **services), session, message)


def logged(workspace: Workspace, session: str) -> list[dict[str, Any]]:
    path = workspace.folder / ".dragoman" / "logs" / f"{session}.jsonl"
    text = path.read_text("utf-8")
    assert SECRET not in text
    return [json.loads(line) for line in text.splitlines()]


def failures(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [line["event"]["failure"] for line in lines if line["event"]["kind"] == "output_validation_failed"]


@pytest.mark.parametrize("mode", [ValidationMode.SHADOW, ValidationMode.ENFORCE])
def test_a_broken_report_of_a_turn_is_in_the_log(workspace: Workspace, mode: ValidationMode) -> None:
    validation = lossy(mode)
    session = workspace.new_session()
    answered = asked(workspace, session, QUESTION, validation=validation)
    enforced = mode is ValidationMode.ENFORCE
    # The answer is no report: it stands, whatever became of the report.
    assert (answered.transition, answered.answer_mode) == ("T1", "confirmed")
    lines = logged(workspace, session)
    (failure,) = failures(lines)
    assert set(failure) == {"task", "agent", "output", "error", "mode", "agentType", "code", "enforced"}
    assert failure["task"] == "turn 1: T1 inventory.stock"
    assert (failure["agent"], failure["agentType"]) == ("dragoman", "turn")
    assert (failure["mode"], failure["code"], failure["enforced"]) == (mode, "invalid_json", enforced)
    assert failure["output"].startswith('{"completed_tasks": [')
    assert failure["error"]
    # What failed is said before what became of it, and the turn ends last.
    assert [line["event"]["kind"] for line in lines][-3:] == [
        "output_validation_failed",
        "report_emitted",
        "turn_closed",
    ]
    record = workspace.report(session)
    assert record is not None
    assert (record.accepted, record.mode, record.code) == (not enforced, mode, "invalid_json")
    # The record of the turn has it too, so that replay gives the same state.
    kinds = [type(event).__struct_config__.tag for event in workspace.turn_events(session, 1)]
    assert kinds.count("output_validation_failed") == 1
    assert workspace.replay(session).records == 2


def test_a_refused_turn_tells_of_its_broken_report_too(workspace: Workspace) -> None:
    session = workspace.new_session()
    refused = asked(workspace, session, "flibber the wobble", validation=lossy(ValidationMode.SHADOW))
    assert refused.transition == "T10"
    (failure,) = failures(logged(workspace, session))
    assert failure["task"] == "turn 1: T10"


def test_what_is_not_checked_or_not_broken_is_no_event(workspace: Workspace) -> None:
    session = workspace.new_session()
    asked(workspace, session, QUESTION, validation=lossy(ValidationMode.DISABLED))
    workspace.ask(session, "and for April?")
    assert failures(logged(workspace, session)) == []


def test_the_report_of_a_run_that_a_turn_started_is_told_as_well(workspace: Workspace) -> None:
    """The runner is the seam: what it says of the report of its run is what the guard said."""

    def run(manifest: bytes, run_id: str, replaces: tuple[str, ...], cancel: Cancellation | None) -> Written:
        told: list[OutputValidationFailureEvent] = []
        record = RunRecord(run_id, "copy", "0", RunStatus.DONE, "", (), "", RunLimits())
        report_of_run(record, lossy(ValidationMode.SHADOW), told.append)
        return Written(EffectOutcome.DONE, 7, failure=told[0])

    session = workspace.new_session()
    workspace.ask(session, QUESTION)
    workspace.ask(session, "save that as csv")
    done = asked(workspace, session, "yes", runners=Runners(run))
    assert (done.transition, done.answer_mode) == ("T7", "confirmed")
    (failure,) = failures(logged(workspace, session))
    assert (failure["agentType"], failure["code"]) == ("run", "invalid_json")
    assert failure["task"].startswith("run ")
