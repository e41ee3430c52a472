"""Writing what a patch made, all files or none.

Every new text is first a complete, synced file beside its target, and every file that will change keeps a
second name (a hard link, or a copy where the file system has no links). Only then are the targets replaced,
one atomic rename each; when one fails, those before it get their old files back. One file alone changes in a
single rename: whoever reads it sees the old text or the new one. With several, a process killed between two
renames leaves some files new, and the second names (`.dragoman-*.before`) hold the old ones.
"""

import errno
import os
import secrets
import shutil
import stat
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from dragoman.contracts.program import Diagnostic
from dragoman.language.patches.folder import FileRefused, Stamp, locate, stamp_of
from dragoman.language.patches.lines import excerpt
from dragoman.language.patches.model import Applied, Outcome, PatchCode

_NO_LINKS = (errno.EPERM, errno.ENOTSUP, errno.EMLINK, errno.EACCES, errno.ENOSYS)


def write_files(root: Path, applied: Applied, stamps: Mapping[str, Stamp]) -> list[Diagnostic]:
    """Make the files what the patch made of them; or nothing, and why."""
    writing = _Writing(root, stamps)
    try:
        writing.prepare(applied)
        writing.commit()
    except FileRefused as refused:
        return [Diagnostic(refused.finding, refused.message, refused.hint)]
    except OSError as error:
        where = f"{excerpt(str(error.filename))}: " if error.filename else ""
        message = f"nothing was written: {where}{error.strerror}"
        return [Diagnostic(PatchCode.WRITE_FAILED, message, "make the folder writable, or free some space")]
    finally:
        writing.tidy()
    return []


class _Writing:
    """The steps of one writing, and what to take back when one fails."""

    def __init__(self, root: Path, stamps: Mapping[str, Stamp]) -> None:
        self._root, self._stamps = root, stamps
        self._outcomes: list[tuple[Outcome, Path]] = []
        self._token = secrets.token_hex(8)
        self._staged: dict[Path, Path] = {}
        self._kept: dict[Path, Path] = {}
        self._folders: list[Path] = []
        self._committed = False

    def prepare(self, applied: Applied) -> None:
        """All that can fail without a trace: folders, new files, second names of the old ones."""
        self._outcomes = [(outcome, locate(self._root, outcome.path)) for outcome in applied.outcomes]
        for outcome, place in self._outcomes:
            if outcome.text is not None:
                self._make_folders(place.parent)
                self._stage(outcome, place, outcome.text)
        for outcome, place in self._outcomes:
            self._check_unchanged(outcome, place)
            if outcome.path in self._stamps and len(self._outcomes) > 1:
                self._kept[place] = self._beside(place, "before")
                _give_second_name(place, self._kept[place])

    def commit(self) -> None:
        """Replace, add and delete. Whatever interrupts it, what was done is taken back first."""
        try:
            for outcome, place in self._outcomes:
                if outcome.text is None:
                    place.unlink()
                elif outcome.path in self._stamps:
                    self._staged[place].replace(place)
                else:
                    _place_new(self._staged[place], place)
        except BaseException:
            self._take_back()
            raise
        self._committed = True
        for folder in {place.parent for _, place in self._outcomes}:
            _sync_folder(folder)

    def tidy(self) -> None:
        """Remove what was only needed on the way."""
        for left in (*self._staged.values(), *self._kept.values()):
            with suppress(OSError):
                left.unlink(missing_ok=True)
        if not self._committed:
            for folder in reversed(self._folders):
                with suppress(OSError):
                    folder.rmdir()

    def _beside(self, place: Path, kind: str) -> Path:
        number = len(self._staged) + len(self._kept)
        return place.with_name(f".dragoman-{self._token}-{number}.{kind}")

    def _make_folders(self, folder: Path) -> None:
        missing = []
        while not folder.exists():
            missing.append(folder)
            folder = folder.parent
        for each in reversed(missing):
            each.mkdir()
            self._folders.append(each)

    def _stage(self, outcome: Outcome, place: Path, text: str) -> None:
        staged = self._staged[place] = self._beside(place, "after")
        handle = os.open(staged, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o666)
        with open(handle, "wb") as file:
            source = locate(self._root, outcome.source or outcome.path)
            # A file keeps its permissions, under its old name or a new one.
            with suppress(FileNotFoundError):
                os.fchmod(handle, stat.S_IMODE(source.lstat().st_mode))
            file.write(text.encode("utf-8"))
            file.flush()
            os.fsync(handle)

    def _check_unchanged(self, outcome: Outcome, place: Path) -> None:
        if stamp_of(place) != self._stamps.get(outcome.path):
            message = f"{excerpt(outcome.path)} was changed by somebody else meanwhile"
            raise FileRefused(PatchCode.FILE_CHANGED, message, "apply the patch again")

    def _take_back(self) -> None:
        """The old files again, and the new ones gone. A file that was not yet replaced is its own second
        name: renaming one to the other changes nothing."""
        lost: list[str] = []
        for outcome, place in reversed(self._outcomes):
            try:
                if place in self._kept:
                    self._kept[place].replace(place)
                elif outcome.path not in self._stamps:
                    _remove_new(self._staged[place], place)
            except OSError:
                kept = self._kept.pop(place, None)
                lost.append(f"{place}, kept as {kept}" if kept else str(place))
        if lost:
            message = f"the writing failed, and these could not be restored: {'; '.join(lost)}"
            raise FileRefused(PatchCode.WRITE_FAILED, message, "put them back by hand")


def _give_second_name(place: Path, second: Path) -> None:
    try:
        os.link(place, second, follow_symlinks=False)
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        shutil.copy2(place, second, follow_symlinks=False)


def _place_new(staged: Path, place: Path) -> None:
    """Put a new file where none is: a link fails when somebody made one meanwhile, a rename would not."""
    try:
        os.link(staged, place, follow_symlinks=False)
    except OSError as error:
        if error.errno not in _NO_LINKS or place.exists():
            raise
        staged.rename(place)


def _remove_new(staged: Path, place: Path) -> None:
    """Remove a file that was placed, and never one that somebody else made there."""
    if place.exists() and (not staged.exists() or staged.samefile(place)):
        place.unlink()


def _sync_folder(folder: Path) -> None:
    """Make the new names last. Some file systems cannot; the files themselves are synced by then."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
