"""The account of the checks: the same in memory and on disk, bounded, and exact with several processes."""

import os
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Final

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.contracts.errors import SchemaNewer, StoreUnavailable
from dragoman.contracts.report import Recoveries, Recovery, ValidationMetrics, ValidationMode
from dragoman.reports.metrics_file import MetricsFile, read_metrics
from dragoman.reports.prometheus import prometheus_text
from dragoman.reports.tally import MINUTES, MemoryRecorder, Tally, metrics_of
from tests.reports.outputs import BROKEN, GOOD, Bench, settings

ROOT: Final = Path(__file__).parents[2]
SHADOW = settings(ValidationMode.SHADOW)
NOW = 1_000_000_020.0
NOTHING = metrics_of(Tally(), SHADOW, NOW)


def test_nothing_was_counted(tmp_path: Path) -> None:
    assert read_metrics(tmp_path / "none" / "metrics.sqlite", SHADOW, NOW) == NOTHING
    assert not (tmp_path / "none").exists()
    assert msgspec.to_builtins(NOTHING) == {
        "totalFailures": 0,
        "failuresLastHour": 0,
        "recentFailureRate": 0.0,
        "failuresByCode": {},
        "shadowFailures": 0,
        "enforcedFailures": 0,
        "mode": "shadow",
        "canaryAcknowledged": False,
        "retryRate": 0.0,
        "recoveries": {"retries": 0, "reassignments": 0, "failures": 0},
    }


CHECKS = st.tuples(
    st.integers(0, 200),
    st.sampled_from([ValidationMode.SHADOW, ValidationMode.ENFORCE]),
    st.sampled_from([None, "invalid_json", "non_ascii_output"]),
)
ACTS = st.lists(CHECKS | st.sampled_from(Recovery), max_size=30)


@given(ACTS)
def test_memory_and_file_count_alike(acts: list[tuple[int, ValidationMode, str | None] | Recovery]) -> None:
    from tempfile import TemporaryDirectory

    memory = MemoryRecorder()
    with TemporaryDirectory() as folder, MetricsFile(Path(folder) / "metrics.sqlite") as file:
        for act in acts:
            for recorder in (memory, file):
                if isinstance(act, Recovery):
                    recorder.record_recovery(act)
                else:
                    minute, mode, code = act
                    recorder.record_check(NOW + 60 * minute, mode, code)
        for minute in (0, 30, 100, 200, 300):
            now = NOW + 60 * minute
            expected = metrics_of(memory.tally, SHADOW, now)
            assert read_metrics(Path(folder) / "metrics.sqlite", SHADOW, now) == expected
    failed = [act for act in acts if isinstance(act, tuple) and act[2] is not None]
    assert expected.total_failures == len(failed) == sum(expected.failures_by_code.values())
    assert expected.shadow_failures + expected.enforced_failures == len(failed)


def test_the_last_hour_moves_on(tmp_path: Path) -> None:
    path = tmp_path / "metrics.sqlite"
    with MetricsFile(path) as file:
        bench = Bench(ValidationMode.SHADOW, file)
        start = bench.now
        for _ in range(3):
            bench.judge(BROKEN)
        bench.now = start + 30 * 60
        bench.judge(GOOD)

        def at(minutes: int) -> tuple[int, float]:
            metrics = read_metrics(path, SHADOW, start + minutes * 60)
            assert metrics.total_failures == 3
            return metrics.failures_last_hour, metrics.recent_failure_rate

        assert at(30) == (3, 0.75)
        assert at(59) == (3, 0.75)
        assert at(60) == (0, 0.0)
        assert at(89) == (0, 0.0)
        assert at(90) == (0, 0.0)


def rows(path: Path) -> int:
    with sqlite3.connect(path) as connection:
        return sum(
            connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
            for table in ("minutes", "totals")
        )


def test_the_account_does_not_grow(tmp_path: Path) -> None:
    path = tmp_path / "metrics.sqlite"
    memory = MemoryRecorder()
    with MetricsFile(path) as file:
        for number in range(3000):
            # Far ahead at first, so that old and impossible minutes both have to go.
            at = NOW + 60 * (5000 - number if number < 1000 else number)
            for recorder in (memory, file):
                recorder.record_check(at, ValidationMode.SHADOW, "invalid_json")
    assert len(memory.tally.minutes) < 2 * MINUTES
    assert rows(path) < 2 * MINUTES + 2
    assert path.stat().st_size < 64 * 1024
    assert read_metrics(path, SHADOW, at).total_failures == 3000


def test_it_lasts(tmp_path: Path) -> None:
    path = tmp_path / ".dragoman" / "metrics.sqlite"
    for _ in range(3):
        with MetricsFile(path) as file:
            Bench(ValidationMode.ENFORCE, file).judge(BROKEN)
    metrics = read_metrics(path, settings(ValidationMode.ENFORCE), NOW)
    assert (metrics.enforced_failures, metrics.failures_by_code) == (3, {"invalid_json": 3})


def worker(path: Path, count: int) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", "tests.reports.recording_worker", str(path), str(count)]
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join((str(ROOT / "src"), str(ROOT)))}
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT, env=environ)


def test_four_processes_count_exactly(tmp_path: Path) -> None:
    path = tmp_path / "metrics.sqlite"
    processes = [worker(path, 200) for _ in range(4)]
    assert [process.communicate()[0].count("\n") for process in processes] == [200] * 4
    assert [process.returncode for process in processes] == [0] * 4
    metrics = read_metrics(path, SHADOW, NOW)
    assert metrics.total_failures == 4 * 50
    assert metrics.recoveries == Recoveries(retries=4 * 50, reassignments=0, failures=0)


def test_what_was_acknowledged_survives_a_kill(tmp_path: Path) -> None:
    path = tmp_path / "metrics.sqlite"
    process = worker(path, 1_000_000)
    assert process.stdout is not None
    for line in process.stdout:
        if line == "299\n":
            break
    process.kill()
    rest = process.stdout.read().count("\n")
    process.wait()
    done = 300 + rest
    retries = read_metrics(path, SHADOW, NOW).recoveries.retries
    assert retries in (done // 4, (done + 1) // 4)
    with MetricsFile(path) as file:
        file.record_recovery(Recovery.RETRY)
    assert read_metrics(path, SHADOW, NOW).recoveries.retries == retries + 1


def test_no_record_waits_for_the_disk(strace: Path, tmp_path: Path) -> None:
    counted = tmp_path / "calls.txt"
    command = [str(strace), "-f", "-o", str(counted), "-e", "trace=fsync,fdatasync,sync_file_range,msync"]
    worked = [
        sys.executable,
        "-m",
        "tests.reports.recording_worker",
        str(tmp_path / "m" / "metrics.sqlite"),
        "100",
    ]
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join((str(ROOT / "src"), str(ROOT)))}
    subprocess.run([*command, *worked], check=True, cwd=ROOT, env=environ, stdout=subprocess.DEVNULL)
    assert "sync(" not in counted.read_text()


def test_threads_share_a_recorder(tmp_path: Path) -> None:
    path = tmp_path / "metrics.sqlite"
    with MetricsFile(path) as file:

        def count() -> None:
            for _ in range(50):
                file.record_recovery(Recovery.FAILURE)

        threads = [threading.Thread(target=count) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert read_metrics(path, SHADOW, NOW).recoveries.failures == 200


def test_a_forked_process_opens_its_own(tmp_path: Path) -> None:
    path = tmp_path / "metrics.sqlite"
    with MetricsFile(path) as file:
        file.record_recovery(Recovery.RETRY)
        child = os.fork()
        if child == 0:
            file.record_recovery(Recovery.RETRY)
            os._exit(0)
        assert os.waitpid(child, 0)[1] == 0
        file.record_recovery(Recovery.RETRY)
    assert read_metrics(path, SHADOW, NOW).recoveries.retries == 3


# What can be wrong with the file. Each time the output is judged all the same, and somebody is told.


def _a_folder(path: Path) -> None:
    path.mkdir()


def _not_a_database(path: Path) -> None:
    path.write_bytes(b"certainly no database " * 100)


def _no_place(path: Path) -> None:
    path.parent.rmdir()
    path.parent.write_text("a file where the folder should be")


def _newer(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 99")


@pytest.mark.parametrize("spoil", [_a_folder, _not_a_database, _no_place, _newer])
def test_a_file_that_cannot_be_written(tmp_path: Path, spoil: Callable[[Path], None]) -> None:
    path = tmp_path / "folder" / "metrics.sqlite"
    path.parent.mkdir()
    spoil(path)
    with MetricsFile(path) as file:
        bench = Bench(ValidationMode.ENFORCE, file)
        assert bench.judge(GOOD).accepted
        assert not bench.judge(BROKEN).accepted
        assert len(bench.unrecorded) == 2
        assert str(path) in bench.unrecorded[0].message


def test_a_file_that_somebody_holds(tmp_path: Path) -> None:
    path = tmp_path / "metrics.sqlite"
    with MetricsFile(path, busy_seconds=0.05) as file:
        bench = Bench(ValidationMode.SHADOW, file)
        bench.judge(BROKEN)
        holder = sqlite3.connect(path, isolation_level=None)
        holder.execute("BEGIN IMMEDIATE")
        bench.judge(BROKEN)
        assert ["locked" in error.message for error in bench.unrecorded] == [True]
        assert read_metrics(path, SHADOW, NOW).total_failures == 1
        holder.execute("ROLLBACK")
        holder.close()
        bench.judge(BROKEN)
    assert read_metrics(path, SHADOW, NOW).total_failures == 2
    assert len(bench.unrecorded) == 1


def test_a_full_disk(tmp_path: Path) -> None:
    path = tmp_path / "metrics.sqlite"
    command = (
        "import resource, sys; from pathlib import Path\n"
        "from dragoman.contracts.report import ValidationMode\n"
        "from dragoman.reports.metrics_file import MetricsFile\n"
        "from tests.reports.outputs import BROKEN, Bench\n"
        "import signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))\n"
        "bench = Bench(ValidationMode.ENFORCE, MetricsFile(Path(sys.argv[1])))\n"
        "assert not bench.judge(BROKEN).accepted\n"
        "assert len(bench.unrecorded) == 1, bench.unrecorded\n"
    )
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join((str(ROOT / "src"), str(ROOT)))}
    subprocess.run([sys.executable, "-c", command, str(path)], check=True, cwd=ROOT, env=environ)


def test_a_file_that_was_removed_is_made_again(tmp_path: Path) -> None:
    path = tmp_path / "metrics.sqlite"
    with MetricsFile(path) as file:
        file.record_recovery(Recovery.RETRY)
        for left in tmp_path.iterdir():
            left.unlink()
        file.record_recovery(Recovery.RETRY)
        assert read_metrics(path, SHADOW, NOW).recoveries.retries == 1


def test_reading_a_file_that_is_none(tmp_path: Path) -> None:
    path = tmp_path / "metrics.sqlite"
    _not_a_database(path)
    with pytest.raises(StoreUnavailable, match="cannot be read"):
        read_metrics(path, SHADOW, NOW)
    path.unlink()
    path.touch()
    assert read_metrics(path, SHADOW, NOW) == NOTHING
    _newer(path)
    with pytest.raises(SchemaNewer):
        read_metrics(path, SHADOW, NOW)


def test_a_path_with_marks_of_a_url(tmp_path: Path) -> None:
    path = tmp_path / "a?b#c%20 d" / "metrics.sqlite"
    with MetricsFile(path) as file:
        file.record_recovery(Recovery.RETRY)
    assert read_metrics(path, SHADOW, NOW).recoveries.retries == 1


METRICS = ValidationMetrics(
    total_failures=3,
    failures_last_hour=2,
    recent_failure_rate=0.25,
    failures_by_code={"invalid_json": 2, 'odd"\\\ncode': 1},
    shadow_failures=2,
    enforced_failures=1,
    mode=ValidationMode.ENFORCE,
    canary_acknowledged=True,
    retry_rate=1 / 3,
    recoveries=Recoveries(retries=1, reassignments=2, failures=0),
)


def test_prometheus() -> None:
    lines = prometheus_text(METRICS).split("\n")
    samples = [line.removeprefix("dragoman_output_validation_") for line in lines if not line.startswith("#")]
    assert samples == [
        "failures_total 3",
        "failures_last_hour 2",
        "recent_failure_rate 0.25",
        'failures_by_code_total{code="invalid_json"} 2',
        'failures_by_code_total{code="odd\\"\\\\\\ncode"} 1',
        "shadow_failures_total 2",
        "enforced_failures_total 1",
        'mode{mode="disabled"} 0',
        'mode{mode="shadow"} 0',
        'mode{mode="enforce"} 1',
        "canary_acknowledged 1",
        "retry_rate 0.3333333333333333",
        'recoveries_total{kind="retry"} 1',
        'recoveries_total{kind="reassignment"} 2',
        'recoveries_total{kind="failure"} 0',
        "",
    ]


def test_each_family_of_prometheus_has_help_and_type_before_its_samples() -> None:
    text = prometheus_text(METRICS)
    assert text.endswith("\n")
    names: list[str] = []
    for line in text.splitlines():
        if line.startswith("# HELP "):
            names.append(line.split()[2])
        elif line.startswith("# TYPE "):
            _, _, name, kind = line.split()
            assert name == names[-1]
            assert kind == ("counter" if name.endswith("_total") else "gauge")
        else:
            assert line.split("{")[0].split(" ")[0] == names[-1]
    assert len(names) == len(set(names)) == 10
