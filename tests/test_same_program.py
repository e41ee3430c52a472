"""The same message in the same state gives the same program, byte for byte, whatever order hashes have."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

SEEDS: Final = ("0", "1", "4242")
EVERY: Final = 8
"""One dialogue in so many: enough for all classes, and quick."""

COMPARED: Final = ("transition", "route", "program", "columns", "rows", "state")


@pytest.fixture(scope="module")
def some(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = Path(__file__).parent / "dialogues"
    lines = [line for file in sorted(folder.glob("*.jsonl")) for line in file.read_text("utf-8").splitlines()]
    chosen = tmp_path_factory.mktemp("dialogues") / "some.jsonl"
    chosen.write_text("\n".join(lines[::EVERY]), "utf-8")
    return chosen


def _turns(file: Path, seed: str) -> list[tuple[Any, ...]]:
    """What a process of its own makes of every turn."""
    ran = subprocess.run(
        [sys.executable, "-m", "dragoman.cli", "test", str(file), "--jsonl", "-"],
        env={**os.environ, "PYTHONHASHSEED": seed},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        check=False,
    )
    lines = [msgspec.json.decode(line) for line in ran.stdout.splitlines()]
    return [(line["id"], line["turn"], *(_without_run(line[key]) for key in COMPARED)) for line in lines]


def _without_run(value: Any) -> Any:
    """A run that wrote something has an id of its own, which nothing else depends on."""
    return re.sub(r"\brun [0-9a-f]{16}\b", "run …", value) if isinstance(value, str) else value


@pytest.mark.timeout(600)
def test_three_processes_with_other_hashes_write_the_same_programs(some: Path) -> None:
    first, *others = (_turns(some, seed) for seed in SEEDS)
    programs = [turn[2 + COMPARED.index("program")] for turn in first]
    assert len([program for program in programs if program]) > 40
    for other in others:
        assert other == first
