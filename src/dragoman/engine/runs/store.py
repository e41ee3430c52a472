"""The records of runs, in a database of the workspace's own: on disk before an effect, and after it."""

import shutil
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import msgspec

from dragoman.contracts.decoding import decoded
from dragoman.contracts.errors import RunNotFound, StoreDamaged, StoreFull, StoreUnavailable
from dragoman.contracts.run import RunEvent, RunRecord, RunStatus, StepProgress

_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS runs (
    id TEXT PRIMARY KEY,
    status TEXT NOT NULL,
    started_at TEXT NOT NULL,
    record BLOB NOT NULL,
    manifest BLOB NOT NULL
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS runs_by_start ON runs (started_at DESC, id);
CREATE INDEX IF NOT EXISTS runs_by_status ON runs (status);
CREATE TABLE IF NOT EXISTS run_events (
    run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    event BLOB NOT NULL,
    PRIMARY KEY (run, number)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS files (
    path TEXT NOT NULL,
    token TEXT NOT NULL,
    PRIMARY KEY (path, token)
) WITHOUT ROWID;
"""
_FILE: Final = "runs.sqlite"
_BUSY_SECONDS: Final = 10.0
_SHORTEST: Final = 100
"""The header alone is as long."""


class RunStore:
    """Runs of a workspace. It may be used from several threads and several processes."""

    def __init__(self, folder: Path) -> None:
        """`folder` is where runs are kept; it is made with the first record."""
        self.folder = folder

    def folder_of(self, run_id: str) -> Path:
        return self.folder / run_id

    def create(self, record: RunRecord, manifest: bytes) -> bool:
        """Take in a new run; False when there is one of this id already."""
        with self._writing() as database:
            cursor = database.execute(
                "INSERT OR IGNORE INTO runs (id, status, started_at, record, manifest)"
                " VALUES (?, ?, ?, ?, ?)",
                (record.id, record.status, record.started_at, msgspec.json.encode(record), manifest),
            )
            return cursor.rowcount == 1

    def save(self, record: RunRecord) -> None:
        with self._writing() as database:
            database.execute(
                "UPDATE runs SET status = ?, record = ? WHERE id = ?",
                (record.status, msgspec.json.encode(record), record.id),
            )

    def note(self, event: RunEvent) -> None:
        """Keep an event. Progress is only for who is watching."""
        if isinstance(event, StepProgress):
            return
        with self._writing() as database:
            database.execute(
                "INSERT INTO run_events (run, number, event) SELECT ?, COALESCE(MAX(number), 0) + 1, ?"
                " FROM run_events WHERE run = ?",
                (event.run, msgspec.json.encode(event), event.run),
            )

    def note_file(self, path: str, token: str, before: str) -> None:
        """Keep that a run gives a file its name. `before` is what has the name until then: it stays known,
        since the process may end before the file has taken its place."""
        with self._writing() as database:
            database.execute("DELETE FROM files WHERE path = ? AND token <> ?", (path, before))
            database.execute("INSERT OR IGNORE INTO files (path, token) VALUES (?, ?)", (path, token))

    def made_file(self, path: str, token: str) -> bool:
        """Whether a run made the file that has this name and this token."""
        with self._reading() as database:
            return database is not None and (
                database.execute("SELECT 1 FROM files WHERE path = ? AND token = ?", (path, token)).fetchone()
                is not None
            )

    def load(self, run_id: str) -> RunRecord:
        return _decoded(self._row(run_id)[0])

    def manifest(self, run_id: str) -> bytes:
        return bytes(self._row(run_id)[1])

    def events(self, run_id: str) -> list[RunEvent]:
        with self._reading() as database:
            if database is None:
                return []
            rows = database.execute(
                "SELECT event FROM run_events WHERE run = ? ORDER BY number", (run_id,)
            ).fetchall()
        return [decoded(row[0], RunEvent) for row in rows]

    def list(self, *, limit: int = 50, statuses: Sequence[RunStatus] = ()) -> list[RunRecord]:
        """The runs, the newest first."""
        marks = ", ".join("?" for _ in statuses)
        only = f"WHERE status IN ({marks})" if statuses else ""
        with self._reading() as database:
            if database is None:
                return []
            rows = database.execute(
                f"SELECT record FROM runs {only} ORDER BY started_at DESC, id LIMIT ?", (*statuses, limit)
            ).fetchall()
        return [_decoded(row[0]) for row in rows]

    def find(self, beginning: str) -> str:
        """The id of the one run whose id begins so. Raises `RunNotFound`."""
        with self._reading() as database:
            found = (
                database.execute(
                    "SELECT id FROM runs WHERE substr(id, 1, ?) = ? LIMIT 2", (len(beginning), beginning)
                ).fetchall()
                if database is not None and beginning
                else []
            )
        if len(found) != 1:
            said = "several runs begin" if found else "no run begins"
            raise RunNotFound(
                f"{said} with {beginning!r}", hint="dragoman runs list shows them", run=beginning
            )
        return str(found[0][0])

    def _row(self, run_id: str) -> tuple[bytes, bytes]:
        with self._reading() as database:
            row = (
                database.execute("SELECT record, manifest FROM runs WHERE id = ?", (run_id,)).fetchone()
                if database is not None
                else None
            )
        if row is None:
            raise RunNotFound(f"there is no run {run_id!r}", hint="dragoman runs list shows them", run=run_id)
        return row[0], row[1]

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection | None]:
        """Nothing is made by looking: without a store there are no runs."""
        if not (self.folder / _FILE).exists():
            yield None
            return
        with self._writing() as database:
            yield database

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            self._refuse_cut()
            database = sqlite3.connect(self.folder / _FILE, timeout=_BUSY_SECONDS)
            try:
                database.execute("PRAGMA journal_mode = WAL")
                database.execute("PRAGMA synchronous = FULL")
                database.execute("PRAGMA foreign_keys = ON")
                database.executescript(_SCHEMA)
                with database:
                    yield database
            finally:
                database.close()
        except OSError as error:
            raise StoreUnavailable(
                f"the records of runs cannot be kept: {error.strerror}", hint="check the folder .dragoman"
            ) from error
        except sqlite3.OperationalError as error:
            if "full" in str(error) or _is_full(self.folder):
                raise StoreFull("no space is left for the records of runs", hint="free some") from error
            raise StoreUnavailable(
                f"the records of runs cannot be kept: {error}", hint="check the folder .dragoman"
            ) from error
        except sqlite3.IntegrityError as error:
            raise StoreUnavailable(
                "the record of the run is gone", hint="did somebody remove the folder .dragoman?"
            ) from error
        except sqlite3.DatabaseError as error:
            raise _damaged(str(error)) from error

    def _refuse_cut(self) -> None:
        """To SQLite a file of no bytes, or of one, is a new database. A run has a folder from its beginning,
        which comes after its record: a store that is that short beside one was cut."""
        path = self.folder / _FILE
        if (
            path.is_file()
            and path.stat().st_size < _SHORTEST
            and any(map(Path.is_dir, self.folder.iterdir()))
        ):
            raise _damaged(f"the file was cut to {path.stat().st_size} bytes")


def _is_full(folder: Path) -> bool:
    """SQLite calls it an I/O error when the index of its log does not fit."""
    return shutil.disk_usage(folder).free < _LOG_INDEX_BYTES


_LOG_INDEX_BYTES: Final = 32_768


def _decoded(record: bytes) -> RunRecord:
    try:
        return decoded(record, RunRecord)
    except msgspec.MsgspecError as error:
        raise _damaged(str(error)) from error


def _damaged(why: str) -> StoreDamaged:
    return StoreDamaged(
        f"the records of runs are damaged: {why}",
        hint=f"put {_FILE} back from a copy, or move it away; the targets have ledgers of their own",
    )
