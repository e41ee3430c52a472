"""The demo database: built once from the SQL that ships with the pack, then only read."""

from pathlib import Path

from dragoman.catalog.packs.demo import build_demo
from dragoman.catalog.packs.reading import load_shipped


def ensure_database(path: Path) -> Path:
    """The demo database at `path`, built when it is not there or was built of other data."""
    return build_demo(load_shipped("trade"), path)
