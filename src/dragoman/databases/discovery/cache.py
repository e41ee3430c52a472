"""Schemas that were discovered, kept in a folder. A file that cannot be what was written counts as absent."""

import contextlib
import hashlib
import os
import re
import tempfile
from pathlib import Path

import msgspec

from dragoman.contracts.decoding import decoded
from dragoman.contracts.record import Record
from dragoman.contracts.schema import DatabaseSchema

VERSION = 7

_PLAIN = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,80}")


class _Kept(Record, frozen=True):
    version: int
    digest: str
    schema: msgspec.Raw


class SchemaCache:
    """One file for each connection, replaced whole or not at all."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def load(self, alias: str, fingerprint: str) -> DatabaseSchema | None:
        """The schema that was kept for a connection, if the database still has this shape."""
        schema = self.kept(alias)
        return schema if schema is not None and schema.fingerprint == fingerprint else None

    def kept(self, alias: str) -> DatabaseSchema | None:
        """The schema that was kept for a connection, whatever the database is like by now."""
        try:
            kept = decoded(self._path(alias).read_bytes(), _Kept)
            if kept.version != VERSION or kept.digest != _digest(bytes(kept.schema)):
                return None
            return decoded(kept.schema, DatabaseSchema)
        except (OSError, msgspec.DecodeError, UnicodeDecodeError):
            return None

    def store(self, alias: str, schema: DatabaseSchema) -> None:
        """Keep a schema. Raises `OSError` when the folder cannot be written."""
        encoded = msgspec.json.encode(schema)
        kept = _Kept(VERSION, _digest(encoded), msgspec.Raw(encoded))
        self._folder.mkdir(parents=True, exist_ok=True)
        _write_whole(self._path(alias), msgspec.json.encode(kept))

    def looked_at(self, alias: str) -> float:
        """When the database was last seen to be as it is kept; the beginning of time if never."""
        try:
            return self._path(alias).stat().st_mtime
        except OSError:
            return 0.0

    def touch(self, alias: str) -> None:
        """The database was looked at, and is as it is kept."""
        with contextlib.suppress(OSError):
            os.utime(self._path(alias))

    def forget(self, alias: str) -> None:
        self._path(alias).unlink(missing_ok=True)

    def _path(self, alias: str) -> Path:
        """An alias that is no plain name may not lead anywhere else."""
        name = alias.removeprefix("@")
        if not _PLAIN.fullmatch(name) or ".." in name:
            name = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()
        return self._folder / f"{name}.json"


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _write_whole(path: Path, data: bytes) -> None:
    descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise
