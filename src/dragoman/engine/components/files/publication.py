"""A file that stands complete under another name, and then at once under its own."""

import contextlib
import os
import re
from pathlib import Path

import msgspec

from dragoman.contracts.errors import StagingLost
from dragoman.contracts.record import Record
from dragoman.engine.files import new_file_mode
from dragoman.engine.ledger import STAGING_PREFIX, staging_name

_NAME = re.compile(re.escape(f".{STAGING_PREFIX}") + r"[0-9a-f]{24}\.partial")


class Token(Record, frozen=True):
    """How a file is known again: giving it another name changes none of these."""

    device: int
    inode: int
    size: int
    changed_ns: int


def partial_beside(target: Path, run_id: str, step: str) -> Path:
    return target.with_name(f".{staging_name(run_id, step)}.partial")


def is_partial(path: Path) -> bool:
    return _NAME.fullmatch(path.name) is not None


def token_of(path: Path) -> Token | None:
    """Of a plain file only; a link is not followed."""
    try:
        found = path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    return Token(found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns)


def written(token: Token) -> str:
    return msgspec.json.encode(token).decode()


def read(token: str) -> Token | None:
    try:
        return msgspec.json.decode(token, type=Token)
    except msgspec.MsgspecError:
        return None


def synced(path: Path) -> None:
    """Let it be on the disk, whatever happens to the machine. A folder's names, too."""
    handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def publish(partial: Path, target: Path, token: Token | None) -> None:
    """Give the file its name. Done twice, it changes nothing. Raises TransientFault, OSError."""
    if token is None or token_of(target) != token:
        if token is None or token_of(partial) != token:
            raise StagingLost(
                f"what was written for {target.name} is gone or was changed", hint="it is written again"
            )
        partial.chmod(new_file_mode(target))
        partial.replace(target)
    synced(target.parent)


def remove(path: Path) -> None:
    with contextlib.suppress(FileNotFoundError, NotADirectoryError):
        path.unlink()
