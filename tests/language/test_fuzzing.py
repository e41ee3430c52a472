"""Coverage-guided fuzzing of every reader: the long proof. Its short form is in the property tests."""

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

SECONDS = 600
ROOT = Path(__file__).parents[2]


@pytest.mark.long
@pytest.mark.timeout(SECONDS + 300)
@pytest.mark.skipif(find_spec("atheris") is None, reason="atheris has no wheel for this platform")
@pytest.mark.parametrize("reader", ["verbs", "oml", "json_text"])
def test_ten_minutes_of_fuzzing_find_nothing(reader: str, tmp_path: Path) -> None:
    ran = subprocess.run(
        [sys.executable, ROOT / "tests" / "fuzz" / f"{reader}.py", f"-max_total_time={SECONDS}"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=SECONDS + 200,
    )
    assert ran.returncode == 0, ran.stderr[-4000:]
    assert "Done" in ran.stderr, "the fuzzer did not say that it ran"
