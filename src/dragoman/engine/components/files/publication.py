"""A file that stands complete under another name, and then at once under its own."""

import contextlib
import os
import re
from collections.abc import Callable
from pathlib import Path

from dragoman.contracts.errors import StagingLost
from dragoman.engine.file_token import Token, token_of
from dragoman.engine.files import new_file_mode
from dragoman.engine.ledger import STAGING_PREFIX, staging_name

_NAME = re.compile(re.escape(f".{STAGING_PREFIX}") + r"[0-9a-f]{24}\.partial")


def partial_beside(target: Path, run_id: str, step: str) -> Path:
    return target.with_name(f".{staging_name(run_id, step)}.partial")


def is_partial(path: Path) -> bool:
    return _NAME.fullmatch(path.name) is not None


def synced(path: Path) -> None:
    """Let it be on the disk, whatever happens to the machine. A folder's names, too."""
    handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def publish(partial: Path, target: Path, token: Token | None, allowed: Callable[[], None]) -> None:
    """Give the file its name. Done twice, it changes nothing. `allowed` is asked right before, and raises
    where the file must not have the name. Raises TransientFault, OSError."""
    if token is None or token_of(target) != token:
        if token is None or token_of(partial) != token:
            raise StagingLost(
                f"what was written for {target.name} is gone or was changed", hint="it is written again"
            )
        allowed()
        partial.chmod(new_file_mode(target))
        partial.replace(target)
    synced(target.parent)


def remove(path: Path) -> None:
    # A disk that is read-only refuses to remove even what is not there.
    if not os.path.lexists(path):
        return
    with contextlib.suppress(FileNotFoundError, NotADirectoryError):
        path.unlink()
