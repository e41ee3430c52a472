"""One process at a time: an advisory lock on a file."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tools.checkout import say


@contextmanager
def exclusive(path: Path, doing: str) -> Iterator[int]:
    """Hold the lock at `path`; yields its file descriptor.

    A child that inherits the descriptor keeps the lock for as long as it lives. So when this process is
    killed, whoever comes next waits until the orphaned child has stopped writing.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        _acquire(descriptor, doing)
        yield descriptor
    finally:
        os.close(descriptor)


def _acquire(descriptor: int, doing: str) -> None:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        say(f"waiting for another process that is {doing}")
        fcntl.flock(descriptor, fcntl.LOCK_EX)
