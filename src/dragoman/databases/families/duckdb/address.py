"""The address of a DuckDB file."""

from pathlib import Path

from dragoman.contracts.record import Record


class DuckdbAddress(Record, frozen=True):
    path: Path
