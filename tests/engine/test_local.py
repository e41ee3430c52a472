"""The local engine: what is staged and published when, what is tried again, what is left after a failure."""

import time
from pathlib import Path

import pytest
from msgspec.structs import replace

from dragoman.contracts.cancellation import Cancellation
from dragoman.contracts.errors import RunCancelled, TargetFailed, TransientFault
from dragoman.contracts.run import RunEvent, RunLimits, RunStatus, StepRetried, StepState
from dragoman.contracts.vocabulary import Notation
from dragoman.engine import retry
from dragoman.engine.order import read_order
from dragoman.language.source import Source
from dragoman.workspace.pipelines import Pipelines
from dragoman.workspace.programs import Programs
from tests.engine.shelf import Shelf, failing

ONE = """
(filesystem.extractor :path "2500" :as @read)
(duckdb.writer :needs [@read] :format "csv" :path "a" :as @write)
"""
TWO = """
(filesystem.extractor :path "100" :as @read)
(duckdb.writer :needs [@read] :format "csv" :path "a" :as @first)
(duckdb.writer :needs [@read] :format "csv" :path "b" :as @second)
"""


def manifest(text: str) -> bytes:
    done = Programs().compile(Source(text), Notation.VERBS)
    assert done.manifest is not None, done.diagnostics
    return done.manifest.data


class Trial:
    """Pipelines over a shelf."""

    def __init__(self, folder: Path) -> None:
        self.shelf = Shelf()
        self.pipelines = Pipelines(folder, component=self.shelf.component)
        self.events: list[RunEvent] = []

    def run(self, text: str, **options: object) -> RunStatus:
        outcome = self.pipelines.run(manifest(text), listeners=[self.events.append], **options)  # type: ignore[arg-type]
        self.record = outcome.record
        self.looks = outcome.looks
        return outcome.record.status


@pytest.fixture
def trial(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Trial:
    monkeypatch.setattr(retry, "_FIRST_DELAY", 0.01)
    return Trial(tmp_path)


def test_rows_arrive_once_with_their_numbers_on_record(trial: Trial) -> None:
    assert trial.run(ONE) is RunStatus.DONE
    assert [row[0] for row in trial.shelf.published["a"]] == list(range(2500))
    steps = {step.id: step for step in trial.record.steps}
    assert (steps["read"].rows, steps["write"].rows) == (2500, 2500)
    assert all(step.state is StepState.DONE for step in steps.values())
    assert trial.shelf.staging == {}
    assert steps["read"].warnings[0].rule == "said"


def test_what_two_take_is_read_once(trial: Trial) -> None:
    assert trial.run(TWO) is RunStatus.DONE
    assert trial.shelf.deeds.count(("open", "read")) == 1
    assert trial.shelf.published["a"] == trial.shelf.published["b"]


def test_nothing_is_published_before_all_is_staged(trial: Trial) -> None:
    trial.run(TWO)
    deeds = [deed for deed, _ in trial.shelf.deeds]
    assert max(i for i, deed in enumerate(deeds) if deed == "staged") < deeds.index("publish")


def test_several_inputs_and_transforms(trial: Trial) -> None:
    text = """
    (filesystem.extractor :path "3" :as @one)
    (filesystem.extractor :path "2" :as @two)
    (duckdb.transform :needs [@one @two] :query "SELECT 1" :as @both)
    (duckdb.writer :needs [@both] :format "csv" :path "a" :as @write)
    """
    assert trial.run(text) is RunStatus.DONE
    assert sorted(row[0] for row in trial.shelf.published["a"]) == [0, 0, 2, 2, 4]


def test_a_writer_takes_all_that_it_needs(trial: Trial) -> None:
    text = """
    (filesystem.extractor :path "3" :as @one)
    (filesystem.extractor :path "2" :as @two)
    (duckdb.writer :needs [@one @two] :format "csv" :path "a" :as @write)
    """
    assert trial.run(text) is RunStatus.DONE
    assert sorted(row[0] for row in trial.shelf.published["a"]) == [0, 0, 1, 1, 2]


def test_parts_are_put_together(trial: Trial) -> None:
    text = ONE.replace(':path "2500"', ':path "2500" :delimiter "3"')
    assert trial.run(text) is RunStatus.DONE
    assert [row[0] for row in trial.shelf.published["a"]] == list(range(2500))
    assert trial.shelf.deeds.count(("open", "read")) == 3


def test_a_step_that_needs_a_write_waits_until_it_is_published(trial: Trial) -> None:
    text = """
    (filesystem.extractor :path "3" :as @one)
    (duckdb.writer :needs [@one] :format "csv" :path "a" :as @write)
    (filesystem.extractor :needs [@write] :path "2" :as @two)
    (duckdb.writer :needs [@two] :format "csv" :path "b" :as @again)
    """
    assert trial.run(text) is RunStatus.DONE
    deeds = trial.shelf.deeds
    assert deeds.index(("published", "write")) < deeds.index(("plan", "two"))


def test_what_nothing_takes_is_looked_at(trial: Trial) -> None:
    assert trial.run('(filesystem.extractor :path "1500" :as @read)') is RunStatus.DONE
    look = trial.looks["read"]
    assert look.columns == ("n", "word")
    assert len(look.rows) == 1000
    assert look.more


@pytest.mark.parametrize("deed", ["open", "read", "stage", "staged", "publish", "plan"])
def test_a_fault_that_passes_is_tried_again(trial: Trial, deed: str) -> None:
    step = "read" if deed in ("open", "read") else "write"
    trial.shelf.trouble = failing(deed, step, TransientFault("the line was cut"))
    assert trial.run(ONE) is RunStatus.DONE
    assert [row[0] for row in trial.shelf.published["a"]] == list(range(2500))
    assert sum(isinstance(event, StepRetried) for event in trial.events) == 1
    assert sum(step.retries for step in trial.record.steps) == 1


def test_a_lost_answer_to_a_publication_does_not_publish_again(trial: Trial) -> None:
    trial.shelf.trouble = failing("published", "write", TransientFault("the answer was lost"))
    assert trial.run(ONE) is RunStatus.DONE
    assert len(trial.shelf.published["a"]) == 2500


def test_what_does_not_pass_is_given_up_and_undone(trial: Trial) -> None:
    trial.shelf.trouble = failing("stage", "write", *[TransientFault("the line was cut")] * 4)
    assert trial.run(ONE) is RunStatus.FAILED
    assert trial.shelf.published == {}
    assert trial.shelf.staging == {}
    assert trial.shelf.deeds.count(("stage", "write")) == 4
    assert trial.record.fault is not None
    assert trial.record.fault.code == "transient_fault"


def test_what_would_fail_again_is_not_tried_again(trial: Trial) -> None:
    trial.shelf.trouble = failing("stage", "second", TargetFailed("no such thing"))
    assert trial.run(TWO) is RunStatus.FAILED
    assert trial.shelf.deeds.count(("stage", "second")) == 1
    assert trial.shelf.published == {}
    assert trial.shelf.staging == {}
    states = {step.id: step.state for step in trial.record.steps}
    assert states["second"] is StepState.FAILED
    assert trial.record.fault is not None
    assert trial.record.fault.message == "no such thing"


def test_a_refusal_comes_before_any_row_moves(trial: Trial) -> None:
    assert trial.run(TWO.replace('"b"', '"forbidden"')) is RunStatus.FAILED
    assert ("open", "read") not in trial.shelf.deeds
    fault = next(step.fault for step in trial.record.steps if step.id == "second")
    assert fault is not None
    assert fault.code == "step_refused"


def test_more_rows_than_allowed_write_nothing(trial: Trial) -> None:
    assert trial.run(ONE, limits=RunLimits(rows=2499)) is RunStatus.FAILED
    assert trial.record.fault is not None
    assert trial.record.fault.code == "run_limit_exceeded"
    assert trial.shelf.published == {}
    assert trial.run(ONE, limits=RunLimits(rows=2500)) is RunStatus.DONE


def test_time_is_limited(trial: Trial) -> None:
    trial.shelf.trouble = lambda deed, step: time.sleep(0.05) if deed == "read" else None
    text = ONE.replace("2500", "100000")
    assert trial.run(text, limits=RunLimits(seconds=0.3)) is RunStatus.FAILED
    assert trial.record.fault is not None
    assert trial.record.fault.code == "run_limit_exceeded"
    assert trial.shelf.published == {}


def test_a_cancelled_run_stops_and_leaves_nothing(trial: Trial) -> None:
    cancel = Cancellation()

    def trouble(deed: str, step: str) -> None:
        if deed == "read":
            cancel.cancel()
            raise RunCancelled("stopped")

    trial.shelf.trouble = trouble
    assert trial.run(ONE, cancel=cancel) is RunStatus.CANCELLED
    assert trial.shelf.published == {}
    assert trial.shelf.staging == {}


def test_the_same_run_again_changes_nothing(trial: Trial) -> None:
    assert trial.run(ONE, run_id="mine") is RunStatus.DONE
    deeds = len(trial.shelf.deeds)
    assert trial.run(ONE, run_id="mine") is RunStatus.DONE
    assert len(trial.shelf.deeds) == deeds
    assert len(trial.shelf.published["a"]) == 2500


def test_a_failed_run_is_resumed_and_what_it_published_stays(trial: Trial) -> None:
    trial.shelf.trouble = failing("publish", "second", TargetFailed("a trigger said no"))
    assert trial.run(TWO, run_id="mine") is RunStatus.FAILED
    assert list(trial.shelf.published) == ["a"]
    again = trial.pipelines.resume("mine").record
    assert again.status is RunStatus.DONE
    assert again.cycle == 2
    assert len(trial.shelf.published["a"]) == len(trial.shelf.published["b"]) == 100


def test_an_increment_is_read_from_where_the_target_is(trial: Trial) -> None:
    text = """
    (oml.pipeline :name "counted")
    (sqlite.extractor :connection "@x" :table "2500" :cursor ["n"] :as @read)
    (duckdb.writer :needs [@read] :format "csv" :path "a" :as @write)
    """
    trial.run(text)
    assert trial.run(text.replace("2500", "2600")) is RunStatus.DONE
    assert trial.shelf.published["a"] == [(n, f"no {n}") for n in range(2600)]


def test_an_increment_has_one_target(trial: Trial) -> None:
    text = TWO.replace(
        'filesystem.extractor :path "100"', 'sqlite.extractor :connection "@x" :table "9" :cursor ["n"]'
    )
    assert trial.run(text) is RunStatus.FAILED
    assert trial.record.fault is not None
    assert "exactly one writer" in trial.record.fault.hint


def test_a_resumed_increment_reads_as_far_as_it_was_to(trial: Trial) -> None:
    text = """
    (oml.pipeline :name "counted")
    (sqlite.extractor :connection "@x" :table "10" :cursor ["n"] :as @read)
    (duckdb.writer :needs [@read] :format "csv" :path "a" :as @write)
    """
    trial.shelf.trouble = failing("staged", "write", TargetFailed("no"))
    trial.run(text, run_id="mine")
    bounds = [step.cursor for step in trial.pipelines.store.load("mine").steps if step.id == "read"]
    assert trial.pipelines.resume("mine").record.status is RunStatus.DONE
    assert bounds[0] == trial.shelf.cursors["counted", "write"]


def test_a_manifest_that_was_changed_is_refused() -> None:
    data = manifest(ONE)
    assert read_order(data).steps[0].id == "read"
    with pytest.raises(Exception, match="not as the compiler wrote it"):
        read_order(data.replace(b"2500", b"2501"))


def test_a_crash_between_two_publications_is_finished(trial: Trial) -> None:
    """The first stands published and on record, the second is staged: the next start publishes it."""
    trial.shelf.trouble = failing("publish", "second", KeyboardInterrupt)
    staging = dict(trial.shelf.staging)
    discard = trial.shelf.did

    def crashed(deed: str, step: str) -> None:
        if deed == "discard":
            raise TargetFailed("the process is gone")
        discard(deed, step)

    trial.shelf.did = crashed  # type: ignore[method-assign]
    with pytest.raises(KeyboardInterrupt):
        trial.run(TWO, run_id="mine")
    trial.shelf.did = discard  # type: ignore[method-assign]
    record = trial.pipelines.store.load("mine")
    states = {step.id: step.state for step in record.steps}
    assert (states["first"], bool(staging)) == (StepState.DONE, False)
    gone = tuple(
        replace(step, state=StepState.STAGED, plan=PLAN, token="shelf", staging="mine/second", rows=100)
        if step.id == "second"
        else step
        for step in record.steps
    )
    trial.pipelines.store.save(replace(record, status=RunStatus.RUNNING, steps=gone))
    (settled,) = trial.pipelines.settle()
    assert settled.problem is None
    assert settled.record.status is RunStatus.DONE
    assert trial.shelf.published["a"] == trial.shelf.published["b"]


PLAN = '{"target": "shelf b", "staging": "mine/second"}'


def test_two_steps_cannot_both_write_the_whole_of_one_thing(trial: Trial) -> None:
    assert trial.run(TWO.replace('"b"', '"a"')) is RunStatus.FAILED
    assert trial.record.fault is not None
    assert "both write the whole of shelf a" in trial.record.fault.message
    assert trial.shelf.published == {}
