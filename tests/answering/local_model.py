"""The small language model of the tests: where its weights are, and which processes it has."""

import os
from pathlib import Path
from typing import Final

import pytest

from tools.model_weights import VARIABLE, find_weights


def _found() -> Path | None:
    told = os.environ.get(VARIABLE)
    return Path(told) if told else find_weights()


WEIGHTS: Final = _found()
_WHY: Final = os.environ.get(f"{VARIABLE}_MISSING", "./do test fetches the weights")
NEEDS_WEIGHTS: Final = pytest.mark.skipif(WEIGHTS is None, reason=f"no weights of a small model: {_WHY}")


def processes() -> list[int]:
    """The processes of local models that this one has begun."""
    children = Path(f"/proc/{os.getpid()}/task").glob("*/children")
    found = [int(number) for each in children for number in each.read_text().split()]
    return [number for number in found if b"dragoman.models.local.worker" in _command(number)]


def computed(process: int) -> int:
    """How long a process has computed, in ticks of the clock; 0 where there is none."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0
    return int(fields[11]) + int(fields[12])


def _command(process: int) -> bytes:
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return b""
