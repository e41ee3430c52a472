"""The demo database of a pack: an SQLite file, built from the SQL beside the pack, complete or not at all.

The file's header keeps the fingerprint of the SQL it was built from, so that a newer package builds it again;
a table for that would stand among the demo's own.
"""

import hashlib
import os
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path

from dragoman.contracts.errors import WorkspaceError
from dragoman.contracts.pack import Pack
from dragoman.packs.pack_files import shipped_file

_OURS = 0x44524744
"""SQLite's application id of a demo."""


def demo_script(pack: Pack, folder: Path | None = None) -> str:
    """The SQL of a pack's demo: from the pack's folder, or from the package for a shipped one."""
    if not pack.demo:
        raise WorkspaceError(
            f"the pack {pack.pack} has no demo database", hint="name its SQL file in the pack as `demo:`"
        )
    if Path(pack.demo).name != pack.demo or pack.demo in {".", ".."}:
        raise WorkspaceError(
            f"the demo of a pack is a file beside it, not {pack.demo!r}", hint="write its name alone"
        )
    if folder is None:
        return shipped_file(pack.pack, pack.demo)
    try:
        return (folder / pack.demo).read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise WorkspaceError(
            f"the demo {folder / pack.demo} cannot be read: {error}", hint="put the SQL beside the pack"
        ) from error


def build_demo(pack: Pack, path: Path, folder: Path | None = None) -> Path:
    """The demo database at `path`, built when it is not there or was built from other SQL.

    A file that is no demo of ours is never replaced.
    """
    script = demo_script(pack, folder)
    # As large as SQLite's user version can be, and never nothing.
    fingerprint = int.from_bytes(hashlib.sha256(script.encode()).digest()[:4], "big") >> 1 or 1
    if path.exists():
        built_from = _fingerprint(path)
        if built_from == fingerprint:
            return path
        if built_from is None:
            raise WorkspaceError(
                f"{path} is there and is no demo database", hint="move it away, or name another place"
            )
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, suffix=".partial")
        os.close(handle)
        unfinished = Path(name)
        try:
            _build(unfinished, script, fingerprint)
            unfinished.replace(path)
        finally:
            unfinished.unlink(missing_ok=True)
    except (OSError, sqlite3.Error) as error:
        raise WorkspaceError(
            f"the demo database cannot be made at {path}: {error}",
            hint="name a workspace you may write to with --workspace",
        ) from error
    return path


def _fingerprint(path: Path) -> int | None:
    """What a demo was built from; None where the file is something else."""
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as connection:
            (ours,) = connection.execute("PRAGMA application_id").fetchone()
            (fingerprint,) = connection.execute("PRAGMA user_version").fetchone()
    except sqlite3.Error:
        return None
    return int(fingerprint) if ours == _OURS else None


def _build(path: Path, script: str, fingerprint: int) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(script)
        connection.execute(f"PRAGMA application_id = {_OURS}")
        connection.execute(f"PRAGMA user_version = {fingerprint}")
        connection.commit()
    with path.open("rb") as file:
        os.fsync(file.fileno())
