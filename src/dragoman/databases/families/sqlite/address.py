"""The address of a SQLite file."""

from pathlib import Path

from dragoman.contracts.record import Record


class SqliteAddress(Record, frozen=True):
    path: Path
