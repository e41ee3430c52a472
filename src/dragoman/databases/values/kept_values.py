"""The file in which the values of a database are kept: one for each place and shape of a database."""

import contextlib
import fcntl
import hashlib
import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec

from dragoman.contracts.decoding import decoded
from dragoman.contracts.record import Record
from dragoman.databases.values.origin import Origin
from dragoman.databases.values.value_reader import Reading

PATIENCE = 20.0
"""An index is read again no sooner than after so many times what reading it took."""
VERSION = 3


class Kept(Record, frozen=True):
    version: int
    fingerprint: str
    origin: Origin
    in_background: bool
    """Whether it was read while nobody waited: then it is also read again so."""
    reading: Reading


class KeptValues:
    """The file of one database in a folder, and the lock of whoever reads for it in the background."""

    def __init__(self, folder: Path, fingerprint: str, place: str) -> None:
        self._folder = folder
        self._fingerprint = fingerprint
        self._place = place
        told = f"{fingerprint}\0{place}".encode("utf-8", "surrogatepass")
        self._path = folder / f"{hashlib.sha256(told).hexdigest()[:32]}.values.json"

    def load(self) -> Kept | None:
        """What is kept. A file that cannot be what was written counts as absent."""
        try:
            kept = decoded(self._path.read_bytes(), Kept)
        except (OSError, msgspec.DecodeError, UnicodeDecodeError):
            return None
        known = (kept.version, kept.fingerprint, kept.origin.place)
        return kept if known == (VERSION, self._fingerprint, self._place) else None

    def is_due(self, kept: Kept, origin: Origin) -> bool:
        """Whether the data are others by now, and it is time to read them again."""
        age = time.time() - self._moment()
        if origin.max_age is not None and age > origin.max_age:
            return True
        return kept.origin.stamp != origin.stamp and age > PATIENCE * kept.reading.seconds

    def store(self, origin: Origin, reading: Reading, *, in_background: bool) -> Kept | None:
        """Keep what was read; None where that cannot be. It saves time and decides nothing."""
        kept = Kept(VERSION, self._fingerprint, origin, in_background, reading)
        # What stands in the data is for whoever may read the database: the file is its owner's alone.
        with contextlib.suppress(OSError, UnicodeEncodeError):
            self._folder.mkdir(parents=True, exist_ok=True)
            descriptor, name = tempfile.mkstemp(prefix=f".{self._path.name}.", dir=self._folder)
            try:
                with os.fdopen(descriptor, "wb") as file:
                    file.write(msgspec.json.encode(kept))
                os.replace(name, self._path)
            except BaseException:
                with contextlib.suppress(OSError):
                    os.unlink(name)
                raise
            return kept
        return None

    @property
    def token(self) -> tuple[int, int] | None:
        """Another one once somebody has written the file."""
        try:
            found = self._path.stat()
        except OSError:
            return None
        return found.st_ino, found.st_mtime_ns

    @contextlib.contextmanager
    def lock(self) -> Iterator[bool]:
        """Whether it is this process that reads in the background, as long as the block lasts. The lock ends
        with its process, however that ends. Raises `OSError` where the folder is gone."""
        with self._lock_file.open("ab") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                yield False
                return
            yield True

    @property
    def is_locked(self) -> bool:
        """Whether somebody reads in the background."""
        try:
            with self._lock_file.open("rb") as file:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        except OSError:
            return False
        return False

    @property
    def trouble(self) -> Path:
        """Where whoever reads in the background tells what went wrong."""
        return self._path.with_suffix(".log")

    @property
    def _lock_file(self) -> Path:
        return self._path.with_suffix(".lock")

    def _moment(self) -> float:
        try:
            return self._path.stat().st_mtime
        except OSError:
            return 0.0
