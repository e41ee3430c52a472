"""Databases that are kept as packed SQL: NAME.sql.xz beside, or in the place of, NAME.sqlite."""

import hashlib
import lzma
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

CACHE: Final = Path(__file__).resolve().parent.parent / ".cache" / "databases"
"""Where they are unpacked, each in a folder that is named by what it was packed from."""


def database_file(databases: Path, name: str) -> Path:
    """The file of a database, unpacked where that has not been done yet."""
    plain, packed = databases / f"{name}.sqlite", databases / f"{name}.sql.xz"
    if plain.exists() or not packed.exists():
        return plain
    content = packed.read_bytes()
    unpacked = CACHE / hashlib.sha256(content).hexdigest()[:16] / f"{name}.sqlite"
    if not unpacked.exists():
        unpacked.parent.mkdir(parents=True, exist_ok=True)
        # Another process may unpack the same: each writes a file of its own, and the last to end wins.
        with closing(sqlite3.connect(":memory:")) as made:
            made.executescript(lzma.decompress(content).decode("utf-8"))
            half = unpacked.with_suffix(f".{id(made)}.half")
            half.write_bytes(made.serialize())
        half.replace(unpacked)
    return unpacked
