"""Starts a fuzzer of tests/fuzz in a process that has nothing of the process that starts it."""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

FUZZERS: Final = Path(__file__).parent / "fuzz"
MEMORY_MB: Final = 1_000
"""What a fuzzer may take. It holds the inputs that it found interesting; a reader takes a few megabytes."""

INPUT_SECONDS: Final = 120
GRACE_SECONDS: Final = 200


def apart(command: Sequence[str | Path], folder: Path, seconds: float) -> "subprocess.CompletedProcess[str]":
    """Run a command as the child of a shell, not of this process.

    Linux carries the peak of a process's memory over to the programs it becomes, and a program that is
    started from here begins as this process. libFuzzer ends a run by that figure: started from a test worker
    that has once been large, it would end before it has read anything. The shell between them is small.
    """
    return subprocess.run(
        ["/bin/sh", "-c", '"$@"; exit $?', "apart", *command],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=seconds,
    )


def fuzz(reader: str, seconds: int, folder: Path) -> "subprocess.CompletedProcess[str]":
    """Fuzz a reader for so long. What it finds is written to the folder."""
    limits = (
        f"-max_total_time={seconds}",
        f"-timeout={INPUT_SECONDS}",
        f"-rss_limit_mb={MEMORY_MB}",
        f"-artifact_prefix={folder}/",
    )
    return apart([sys.executable, FUZZERS / f"{reader}.py", *limits], folder, seconds + GRACE_SECONDS)
