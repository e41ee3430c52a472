"""The files of a folder that a patch speaks of: found below the root, read whole, as they were then."""

import os
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec

from dragoman.contracts.errors import InternalSignal
from dragoman.contracts.program import Diagnostic, Span
from dragoman.contracts.record import Record
from dragoman.language.patches.lines import excerpt
from dragoman.language.patches.model import (
    FileChange,
    Patch,
    PatchCode,
    RenameFile,
    UpdateFile,
    paths_of,
)
from dragoman.language.patches.patch_reader import MAX_BYTES
from dragoman.language.patches.paths import refused_place

Stamp = tuple[int, int, int, int]
"""Device, inode, size and time of change: whether a file is still the one that was read."""


class Files(Record, frozen=True):
    """What was found of the paths a patch names. Those that do not exist have no entry."""

    texts: Mapping[str, str]
    stamps: Mapping[str, Stamp]
    diagnostics: tuple[Diagnostic, ...] = ()


class FileRefused(InternalSignal):
    """A path leads to something a patch may not touch."""

    def __init__(self, finding: PatchCode, message: str, hint: str) -> None:
        super().__init__(message, hint=hint)
        self.finding = finding


def retargeted(patch: Patch, name: str) -> Patch | Diagnostic:
    """The patch with the one file it speaks of called `name`, whatever the patch calls it."""
    change = patch.changes[0]
    if len(patch.changes) > 1 or isinstance(change, RenameFile):
        message = (
            "the patch speaks of several files" if len(patch.changes) > 1 else "the patch renames a file"
        )
        hint = "give the folder they are in instead: --root DIR"
        return Diagnostic(PatchCode.NEEDS_ROOT, message, hint, span=patch.changes[-1].span)
    renamed: FileChange = msgspec.structs.replace(change, path=name)
    if isinstance(renamed, UpdateFile):
        renamed = msgspec.structs.replace(renamed, alias="")
    return msgspec.structs.replace(patch, changes=(renamed,))


def read_files(root: Path, patch: Patch) -> Files:
    """Read what the patch speaks of; what cannot be read is a finding at the file's header."""
    texts: dict[str, str] = {}
    stamps: dict[str, Stamp] = {}
    wrong: list[Diagnostic] = []
    for path, span in _named(patch):
        try:
            found = _read(locate(root, path))
        except FileRefused as refused:
            wrong.append(_finding(refused.finding, path, refused.message, refused.hint, span))
        except OSError as error:
            reason = f"it cannot be read: {error.strerror}"
            wrong.append(_finding(PatchCode.FILE_REFUSED, path, reason, "make it readable", span))
        else:
            if found is not None:
                texts[path], stamps[path] = found
    return Files(texts, stamps, tuple(wrong))


def _named(patch: Patch) -> Iterator[tuple[str, Span]]:
    for change in patch.changes:
        for path in paths_of(change):
            yield path, change.span


def _finding(code: PatchCode, path: str, reason: str, hint: str, span: Span) -> Diagnostic:
    return Diagnostic(code, f"{excerpt(path)} is refused: {reason}", hint, span=span)


def locate(root: Path, path: str) -> Path:
    """Where a path of the patch leads. Links on the way to it may not lead out of the root."""
    place = root / path
    real_root, real_parent = os.path.realpath(root), os.path.realpath(place.parent)
    if os.path.commonpath([real_root, real_parent]) != real_root:
        raise FileRefused(
            PatchCode.PATH_LEAVES_ROOT, "a link on its way leads out of the folder", "name the real file"
        )
    # A link may also lead into a folder that no patch may name.
    if (refused := refused_place(os.path.relpath(real_parent, real_root))) is not None:
        raise FileRefused(*refused, "patch the files beside it")
    return Path(real_parent) / place.name


def stamp_of(place: Path) -> Stamp | None:
    """The stamp of a plain file; none where there is nothing."""
    try:
        status = place.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    if not stat.S_ISREG(status.st_mode):
        raise FileRefused(PatchCode.FILE_REFUSED, "it is not a plain file", "name a plain file")
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns


def _read(place: Path) -> tuple[str, Stamp] | None:
    stamp = stamp_of(place)
    if stamp is None:
        return None
    # Between the look and the opening it may have become a link or a pipe: do not follow, do not wait.
    with open(os.open(place, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb") as file:
        data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        hint = "patch smaller files"
        raise FileRefused(PatchCode.FILE_REFUSED, f"it has more than {MAX_BYTES:,} bytes", hint)
    try:
        return data.decode("utf-8"), stamp
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        reason = f"it is not UTF-8 text (line {line})"
        raise FileRefused(PatchCode.FILE_REFUSED, reason, "save it as UTF-8") from error
