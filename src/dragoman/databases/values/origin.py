"""Where the values of an index come from, and how it is noticed that they are others by now."""

from collections.abc import Iterator
from pathlib import Path

from dragoman.contracts.connection import ResolvedConnection, Transport
from dragoman.contracts.record import Record

SERVER_SECONDS = 3_600.0
"""How old an index may be of a database that does not show whether it was written to."""
_MOST_FILES = 10_000


class Origin(Record, frozen=True):
    """A database by its place, and a stamp that is another one after a change; empty where there is none."""

    place: str = ""
    stamp: str = ""
    max_age: float | None = None


def origin_of(connection: ResolvedConnection) -> Origin:
    """To be asked for before the values are read: what is written meanwhile must not count as seen."""
    if connection.transport is not Transport.FILE or connection.path is None:
        place = f"{connection.user}@{connection.host}:{connection.port}/{connection.database}"
        return Origin(place, max_age=SERVER_SECONDS)
    stamps = [_stamp(path) for path in _files(connection.path)]
    return Origin(str(connection.path), " ".join(filter(None, stamps)))


def _files(path: Path) -> Iterator[Path]:
    """The file and the log of what was written to it, or the files of a folder."""
    try:
        inside = sorted(path.iterdir())[:_MOST_FILES] if path.is_dir() else []
    except OSError:
        inside = []
    yield from inside or (path, path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}.wal"))


def _stamp(path: Path) -> str:
    try:
        found = path.stat()
    except (OSError, ValueError):
        return ""
    # An empty log comes and goes with readers.
    return f"{path.name}:{found.st_size}:{found.st_mtime_ns}" if found.st_size else ""
