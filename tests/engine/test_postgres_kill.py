"""A writer that is killed leaves what was there, and the same run finishes it, once."""

import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.engine.postgres_slow_write import BATCH, BATCHES, slow_flow
from tests.engine.postgres_steps import Trial

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("mode", ["append", "replace", "upsert"])
@pytest.mark.parametrize("existing", [True, False])
def test_killed_in_the_middle(postgres_database: str, tmp_path: Path, mode: str, existing: bool) -> None:
    trial = Trial(postgres_database, tmp_path)
    if existing:
        trial.run("CREATE TABLE t (id int PRIMARY KEY, v text)", "INSERT INTO t VALUES (-1, 'old')")
    command = [
        sys.executable,
        "-m",
        "tests.engine.postgres_slow_write",
        trial.url,
        str(tmp_path),
        "run-1",
        mode,
    ]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        # Somewhere between the first row and the end, and at any instant after that.
        for _ in range(random.randint(1, BATCHES)):
            assert process.stdout.readline(), "the writer ended before it was killed"
        time.sleep(random.uniform(0, 0.2))
        process.send_signal(signal.SIGKILL)
    seen = trial.rows("SELECT to_regclass('t') IS NOT NULL")[0][0]
    rows = trial.rows("SELECT count(*) FROM t")[0][0] if seen else None
    whole = BATCHES * BATCH + (1 if existing and mode != "replace" else 0)
    assert rows in ((1, whole) if existing else (None, whole))
    config: dict[str, object] = {"table": "t", "write_mode": mode, "primary_key": ["id"]}
    trial.write(slow_flow(0), "run-1", None, True, **config)
    assert trial.rows("SELECT count(*), count(DISTINCT id) FROM t") == [(whole, whole)]
