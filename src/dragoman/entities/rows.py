"""The entries of an index as one file: each with its length before it, found by its place.

An index keeps only places. Reading one entry back is a look into mapped memory, many times cheaper than
taking it out of the compressed store of a search index.
"""

import mmap
import os
from collections.abc import Iterator
from pathlib import Path
from struct import Struct
from types import TracebackType
from typing import Final

from dragoman.entities.entries import Entry, decoded, encoded

_LENGTH: Final = Struct("<I")


class RowWriter:
    """Writes entries, and says where each one stands."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("xb", buffering=1 << 20)
        self._place = 0

    def __enter__(self) -> "RowWriter":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def add(self, entry: Entry) -> int:
        written = encoded(entry)
        place = self._place
        self._place += self._file.write(_LENGTH.pack(len(written)) + written)
        return place


class RowFile:
    """Entries read by their places, or all of them in a row."""

    def __init__(self, path: Path) -> None:
        with path.open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            self._mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) if size else b""

    def entry(self, place: int) -> Entry:
        start, end = self._extent(place)
        return decoded(self._mapped[start:end])

    def __iter__(self) -> Iterator[Entry]:
        place = 0
        while place < len(self._mapped):
            start, place = self._extent(place)
            yield decoded(self._mapped[start:place])

    def _extent(self, place: int) -> tuple[int, int]:
        start = place + _LENGTH.size
        (length,) = _LENGTH.unpack_from(self._mapped, place)
        return start, start + length
