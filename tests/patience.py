"""Waiting for a state. A test that waits for a time in the place of one passes or fails by how busy the
machine is: what it meant to meet has not begun yet, or is over."""

import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

LONGEST: Final = 120.0
"""So long a state is waited for; on a machine with other work everything takes a few times as long."""

PROMPT: Final = 20.0
"""What is stopped ends within this on a busy machine too; let alone it goes on for a minute or for ever."""


def until(state: Callable[[], object], what: str, seconds: float = LONGEST) -> None:
    """Wait for a state; fail and say which where it does not come."""
    end = time.monotonic() + seconds
    while not state():
        assert time.monotonic() < end, f"not within {seconds:.0f} seconds: {what}"
        time.sleep(0.01)


@contextmanager
def once(state: Callable[[], object], deed: Callable[[], object], what: str) -> Iterator[None]:
    """While the block runs, wait for a state in another thread and then do the deed.

    The block usually goes on for ever unless the deed ends it. So it is done in any case, and a state that
    never came is said afterwards.
    """
    over = threading.Event()
    failures: list[BaseException] = []

    def watch() -> None:
        try:
            until(lambda: over.is_set() or state(), what)
        except BaseException as failure:  # noqa: BLE001 - raised again by whoever waits for this thread
            failures.append(failure)
        deed()

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
    if failures:
        raise failures[0]


class Stopwatch:
    """How long ago something was done."""

    def __init__(self, deed: Callable[[], object]) -> None:
        self._deed = deed
        self._at: float | None = None

    def __call__(self) -> None:
        self._at = time.monotonic()
        self._deed()

    @property
    def seconds(self) -> float:
        assert self._at is not None, "it was never done"
        return time.monotonic() - self._at


def cpu_seconds(pid: int) -> float:
    """How long a process has computed; nothing where it is gone."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def children() -> list[int]:
    """The processes that this one has started and that still run."""
    tasks = Path("/proc/self/task").iterdir()
    return [int(pid) for task in tasks for pid in (task / "children").read_text().split()]
