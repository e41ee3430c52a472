"""The demo database: built once from the SQL that ships with the package, then only read."""

import os
import sqlite3
import tempfile
from importlib.resources import files
from pathlib import Path

from dragoman.contracts.errors import WorkspaceError


def ensure_database(path: Path) -> Path:
    """The demo database at `path`, built when it is not there. It appears complete or not at all."""
    if path.exists():
        return path
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, suffix=".partial")
        os.close(handle)
        unfinished = Path(name)
        try:
            _build(unfinished)
            unfinished.replace(path)
        finally:
            unfinished.unlink(missing_ok=True)
    except (OSError, sqlite3.Error) as error:
        raise WorkspaceError(
            f"the demo database cannot be made at {path}: {error}",
            hint="name a workspace you may write to with --workspace",
        ) from error
    return path


def _build(path: Path) -> None:
    script = files("dragoman.catalog.packs").joinpath("trade/trade.sql").read_text(encoding="utf-8")
    connection = sqlite3.connect(path)
    try:
        connection.executescript(script)
        connection.commit()
    finally:
        connection.close()
    with path.open("rb") as file:
        os.fsync(file.fileno())
