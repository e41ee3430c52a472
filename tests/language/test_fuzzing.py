"""Coverage-guided fuzzing of every reader: the long proof. Its short form is in the property tests."""

import os
import resource
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import pytest

from tests.fuzz_process import apart, fuzz

SECONDS: Final = int(os.environ.get("DRAGOMAN_FUZZING_SECONDS", "600"))
MEGABYTE: Final = 2**20


@pytest.mark.long
@pytest.mark.timeout(SECONDS + 300)
@pytest.mark.skipif(find_spec("atheris") is None, reason="atheris has no wheel for this platform")
@pytest.mark.parametrize("reader", ["verbs", "oml", "json_text", "model_replies"])
def test_ten_minutes_of_fuzzing_find_nothing(reader: str, tmp_path: Path) -> None:
    ran = fuzz(reader, SECONDS, tmp_path)
    assert ran.returncode == 0, ran.stderr[-4_000:]
    assert "Done" in ran.stderr, "the fuzzer did not say that it ran"


def test_a_process_that_is_started_apart_counts_its_own_memory_alone(tmp_path: Path) -> None:
    """A fuzzer that took the peak of this process for its own would end at once."""
    large = bytearray(os.urandom(1)) * (200 * MEGABYTE)
    assert _peak_mb(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss) >= 200
    del large
    told = "import resource; print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    ran = apart([sys.executable, "-c", told], tmp_path, 60)
    assert _peak_mb(int(ran.stdout)) < 100


def test_a_process_that_is_started_apart_tells_how_it_ended(tmp_path: Path) -> None:
    assert apart([sys.executable, "-c", "raise SystemExit(77)"], tmp_path, 60).returncode == 77


def _peak_mb(kilobytes: int) -> int:
    return kilobytes // 1024
