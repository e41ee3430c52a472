"""The folder of an index: whole generations, one of which is current.

A generation is written beside the current one and becomes current by the renaming of one small file, so a
reader, a second writer or a crash meets the old one or the new one and never a half. Files of a generation
are never changed; what is not current is cleared away by the next writer.
"""

import fcntl
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final
from uuid import uuid4

from dragoman.contracts.errors import EntityIndexDamaged, EntityIndexMissing, EntityIndexUnwritable

_CURRENT: Final = "current"
_LOCK: Final = "lock"
_NAME: Final = re.compile(r"generation-[0-9a-f]{32}")
REBUILD: Final = "Build the index again; that mends it."


def current(folder: Path) -> Path:
    """The folder of the current generation."""
    try:
        name = (folder / _CURRENT).read_text(encoding="ascii")
    except (FileNotFoundError, NotADirectoryError) as missing:
        raise EntityIndexMissing(
            f"There is no entity index in {folder}.", hint="Build it first.", folder=str(folder)
        ) from missing
    except (OSError, ValueError) as failure:
        raise damaged(folder, f"{_CURRENT} cannot be read") from failure
    if not _NAME.fullmatch(name):
        raise damaged(folder, f"{_CURRENT} names no generation")
    return folder / name


def damaged(folder: Path, what: str) -> EntityIndexDamaged:
    return EntityIndexDamaged(
        f"The entity index in {folder} is damaged: {what}.", hint=REBUILD, folder=str(folder)
    )


@contextmanager
def next_generation(folder: Path) -> Iterator[Path]:
    """An empty folder that becomes the current generation when the block ends well. One writer at a time."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with (folder / _LOCK).open("ab") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            _clear(folder)
            made = folder / f"generation-{uuid4().hex}"
            made.mkdir()
            yield made
            _sync(made)
            _switch(folder, made.name)
            _clear(folder)
    except OSError as failure:
        raise EntityIndexUnwritable(
            f"The entity index in {folder} cannot be written: {failure.strerror or failure}.",
            hint="Check that the folder can be written and that the disk has space.",
            folder=str(folder),
        ) from failure


def _switch(folder: Path, name: str) -> None:
    beside = folder / f"{_CURRENT}.new"
    with beside.open("w", encoding="ascii") as file:
        file.write(name)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(folder / _CURRENT)
    _sync_folder(folder)


def _sync(made: Path) -> None:
    for path in made.rglob("*"):
        if path.is_file():
            with path.open("rb") as file:
                os.fsync(file.fileno())
    for path in (made, *(path for path in made.rglob("*") if path.is_dir())):
        _sync_folder(path)


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _clear(folder: Path) -> None:
    """Take away generations that are not current: old ones, and those whose writer died."""
    try:
        kept = current(folder).name
    except (EntityIndexMissing, EntityIndexDamaged):
        kept = ""
    for path in folder.iterdir():
        if _NAME.fullmatch(path.name) and path.name != kept:
            shutil.rmtree(path, ignore_errors=True)
