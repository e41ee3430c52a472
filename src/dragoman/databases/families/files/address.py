"""The address of files that are read as tables."""

from pathlib import Path

from dragoman.contracts.record import Record


class FilesAddress(Record, frozen=True):
    """A folder, whose files each become a table, or single files. CSV, Parquet and JSON."""

    paths: tuple[Path, ...]
    options: tuple[tuple[str, str], ...] = ()
    """What is said of its CSV files."""
