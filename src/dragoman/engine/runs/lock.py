"""Who has a run in hand. The lock ends with its process, however that ends: there is nothing to clean up."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from dragoman.contracts.errors import RunBusy

_FILE = "lock"


@contextmanager
def run_lock(folder: Path) -> Iterator[None]:
    """Hold a run. Raises `RunBusy` while another process has it."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / _FILE).open("a+b", buffering=0) as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise RunBusy(
                f"run {folder.name} is in the hands of another process",
                hint="wait for it, or stop it: dragoman runs cancel " + folder.name,
                run=folder.name,
            ) from error
        file.truncate(0)
        file.write(str(os.getpid()).encode())
        yield


def holder(folder: Path) -> int | None:
    """The process that has the run in hand; None when nobody has."""
    try:
        with (folder / _FILE).open("rb") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except BlockingIOError:
                return int(file.read().strip() or b"0")
    except FileNotFoundError:
        pass
    return None
