"""Files that appear complete or not at all."""

import os
import tempfile
from pathlib import Path


def write_whole(path: Path, data: bytes) -> None:
    """Write a file under another name, sync it, then give it its own. Links are followed, an old file's mode
    is kept, and a device or a pipe is written to as it is, never replaced. Raises OSError."""
    target = path.resolve()
    if target.exists() and not target.is_file():
        target.write_bytes(data)
        return
    mode = new_file_mode(target)
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=".dragoman-", suffix=".partial")
    unfinished = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        unfinished.chmod(mode)
        unfinished.replace(target)
    finally:
        unfinished.unlink(missing_ok=True)


def new_file_mode(target: Path) -> int:
    """The mode of a file that takes the place of another, or of a new one."""
    return target.stat().st_mode & 0o7777 if target.exists() else 0o666 & ~_umask()


def _umask() -> int:
    """What new files are not allowed. It can only be read by setting it."""
    mask = os.umask(0o022)
    os.umask(mask)
    return mask
