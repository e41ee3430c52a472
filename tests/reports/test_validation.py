"""The one call of every producer: judged by the mode, counted, told to who listens."""

import json

import msgspec
import pytest

from dragoman.contracts.errors import StoreUnavailable
from dragoman.contracts.report import OutputValidationFailureEvent, Recovery, ValidationMode
from dragoman.contracts.stages import StageFigures
from dragoman.reports.tally import MemoryRecorder, metrics_of
from dragoman.reports.validation import MAX_EVENT_ERROR, MAX_EVENT_OUTPUT
from tests.reports.outputs import BROKEN, GOOD, MEANINGLESS, WARNED, Bench, settings

MODES = list(ValidationMode)


@pytest.mark.parametrize("text", [GOOD, BROKEN, MEANINGLESS, ""])
def test_disabled_checks_nothing_and_counts_nothing(text: str) -> None:
    recorder = MemoryRecorder()
    judged = Bench(ValidationMode.DISABLED, recorder).judge(text)
    assert (judged.accepted, judged.verdict, judged.failure) == (True, None, None)
    assert recorder.tally.minutes == {}


@pytest.mark.parametrize(
    ("text", "code"),
    [(BROKEN, "invalid_json"), (MEANINGLESS, "semantic_validation_failed"), ("", "empty_json_output")],
)
@pytest.mark.parametrize("mode", [ValidationMode.SHADOW, ValidationMode.ENFORCE])
def test_a_failure_stops_the_output_only_where_it_is_enforced(
    text: str, code: str, mode: ValidationMode
) -> None:
    recorder = MemoryRecorder()
    bench = Bench(mode, recorder)
    judged = bench.judge(text)
    enforced = mode is ValidationMode.ENFORCE
    assert judged.accepted is not enforced
    assert judged.verdict is not None
    assert judged.verdict.code == code
    assert judged.failure is not None
    assert (judged.failure.code, judged.failure.enforced, judged.failure.mode) == (code, enforced, mode)
    metrics = metrics_of(recorder.tally, settings(mode), bench.now)
    assert metrics.failures_by_code == {code: 1}
    assert (metrics.shadow_failures, metrics.enforced_failures) == (int(not enforced), int(enforced))


@pytest.mark.parametrize("mode", [ValidationMode.SHADOW, ValidationMode.ENFORCE])
@pytest.mark.parametrize("text", [GOOD, WARNED])
def test_what_passes_is_counted_as_a_check(mode: ValidationMode, text: str) -> None:
    recorder = MemoryRecorder()
    bench = Bench(mode, recorder)
    judged = bench.judge(text)
    assert judged.accepted
    assert judged.failure is None
    bench.judge(BROKEN)
    metrics = metrics_of(recorder.tally, settings(mode), bench.now)
    assert (metrics.total_failures, metrics.recent_failure_rate) == (1, 0.5)


def test_the_listener_hears_of_failures_only() -> None:
    heard: list[OutputValidationFailureEvent] = []
    validation = Bench(ValidationMode.SHADOW, MemoryRecorder()).validation
    for text in (GOOD, BROKEN):
        validation.judge(text, task="T", agent="a", agent_type="m", listener=heard.append)
    assert [event.output for event in heard] == [BROKEN]


def test_the_event_on_the_wire_has_all_its_fields() -> None:
    failure = Bench(ValidationMode.SHADOW, MemoryRecorder()).judge(MEANINGLESS).failure
    assert msgspec.to_builtins(failure) == {
        "task": "T1",
        "agent": "writer",
        "output": MEANINGLESS,
        "error": "notes_empty at notes: notes must say something; they are empty",
        "mode": "shadow",
        "agentType": "model",
        "code": "semantic_validation_failed",
        "enforced": False,
    }


def test_an_event_is_short_and_has_no_secrets() -> None:
    token = "ghp_" + "a1B2" * 8
    text = "\ud800 postgresql://u:hunter2@db/x " + token + "x" * 100_000
    validation = Bench(ValidationMode.SHADOW, MemoryRecorder()).validation
    failure = validation.judge(text, task=token, agent="a\udc00", agent_type="m").failure
    assert failure is not None
    encoded = msgspec.json.encode(failure).decode()
    assert "hunter2" not in encoded
    assert "a1B2" not in encoded
    assert len(failure.output) <= MAX_EVENT_OUTPUT


def test_the_error_of_an_event_is_short() -> None:
    many = json.dumps({**json.loads(GOOD), "blockers": [0] * 500})
    failure = Bench(ValidationMode.SHADOW, MemoryRecorder()).judge(many).failure
    assert failure is not None
    assert failure.error.endswith("and 495 more")
    assert len(failure.error) <= MAX_EVENT_ERROR


def test_what_is_no_text_is_judged_too() -> None:
    judged = Bench(ValidationMode.ENFORCE, MemoryRecorder()).judge(None)  # type: ignore[arg-type]
    assert not judged.accepted
    assert judged.failure is not None
    assert judged.failure.output == ""


def test_a_kind_and_an_unknown_one() -> None:
    validation = Bench(ValidationMode.ENFORCE, MemoryRecorder()).validation
    long = GOOD.replace('"n"', json.dumps("n" * 3000))
    assert validation.judge(long, task="t", agent="a", agent_type="m").accepted
    assert not validation.judge(long, task="t", agent="a", agent_type="m", kind="turn").accepted
    judged = validation.judge(GOOD, task="t", agent="a", agent_type="m", kind="poet")
    assert judged.failure is not None
    assert judged.failure.code == "unknown_report_kind"


class Broken:
    """A recorder that cannot write."""

    def record_check(
        self, at: float, mode: ValidationMode, code: str | None, stages: StageFigures | None = None
    ) -> None:
        raise StoreUnavailable("the disk is full")

    def record_stages(self, figures: StageFigures) -> None:
        raise StoreUnavailable("the disk is full")

    def record_recovery(self, recovery: Recovery) -> None:
        raise StoreUnavailable("the disk is full")


@pytest.mark.parametrize("mode", [ValidationMode.SHADOW, ValidationMode.ENFORCE])
def test_an_output_is_judged_where_it_cannot_be_counted(mode: ValidationMode) -> None:
    bench = Bench(mode, Broken())
    assert bench.judge(GOOD).accepted
    assert bench.judge(BROKEN).accepted == (mode is ValidationMode.SHADOW)
    bench.validation.recovered(Recovery.RETRY)
    assert [error.message for error in bench.unrecorded] == ["the disk is full"] * 3


def test_recoveries_are_counted() -> None:
    recorder = MemoryRecorder()
    bench = Bench(ValidationMode.SHADOW, recorder)
    for _ in range(4):
        bench.judge(BROKEN)
    for recovery, times in ((Recovery.RETRY, 3), (Recovery.REASSIGNMENT, 2), (Recovery.FAILURE, 1)):
        for _ in range(times):
            bench.validation.recovered(recovery)
    metrics = metrics_of(recorder.tally, settings(ValidationMode.SHADOW), bench.now)
    assert msgspec.to_builtins(metrics.recoveries) == {"retries": 3, "reassignments": 2, "failures": 1}
    assert metrics.retry_rate == 0.75
