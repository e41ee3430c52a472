"""The account on disk: a small SQLite file that several processes may count in.

A count is not worth a sync of the disk: a killed process loses nothing that was recorded, but a machine that
stops may lose the file. The size is bounded by the minutes of two hours and the number of codes.
"""

import logging
import os
import sqlite3
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import Self

from dragoman.contracts.errors import SchemaNewer, StoreError, StoreUnavailable
from dragoman.contracts.report import OutputValidationSettings, Recovery, ValidationMetrics, ValidationMode
from dragoman.contracts.stages import StageFigures, StageMetrics
from dragoman.reports.tally import (
    MINUTES,
    STAGES,
    Minute,
    Tally,
    counts_of,
    metrics_of,
    minute_of,
    stage_metrics_of,
)

BUSY_SECONDS = 2.0
SCHEMA_VERSION = 1
_CHECKPOINT_PAGES = 64

_TABLES = (
    "CREATE TABLE IF NOT EXISTS totals (subject TEXT NOT NULL, name TEXT NOT NULL, count INTEGER NOT NULL,"
    " PRIMARY KEY (subject, name)) WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS minutes"
    " (minute INTEGER PRIMARY KEY, checks INTEGER NOT NULL, failures INTEGER NOT NULL)",
)
_ADD_TOTAL = "INSERT INTO totals VALUES (?, ?, 1) ON CONFLICT (subject, name) DO UPDATE SET count = count + 1"
_ADD_COUNT = (
    "INSERT INTO totals VALUES (?, ?, ?)"
    " ON CONFLICT (subject, name) DO UPDATE SET count = count + excluded.count"
)
_ADD_MINUTE = (
    "INSERT INTO minutes VALUES (?, 1, ?) ON CONFLICT (minute)"
    " DO UPDATE SET checks = checks + 1, failures = failures + excluded.failures"
)
_FORGET_MINUTES = "DELETE FROM minutes WHERE minute <= ? OR minute >= ?"


class MetricsFile:
    """A recorder over a file, which is made with the first record. Safe in several threads and processes."""

    def __init__(self, path: Path, *, busy_seconds: float = BUSY_SECONDS) -> None:
        self._path = path
        self._busy_seconds = busy_seconds
        self._lock = Lock()
        # A connection belongs to the process that opened it; one that was inherited by forking is never used.
        self._connections: dict[int, tuple[sqlite3.Connection, int]] = {}

    def record_check(
        self, at: float, mode: ValidationMode, code: str | None, stages: StageFigures | None = None
    ) -> None:
        now = minute_of(at)
        with self._writing() as connection:
            connection.execute(_FORGET_MINUTES, (now - MINUTES, now + MINUTES))
            connection.execute(_ADD_MINUTE, (now, code is not None))
            if code is not None:
                connection.execute(_ADD_TOTAL, ("failure", str(mode)))
                connection.execute(_ADD_TOTAL, ("code", str(code)))
            if stages is not None:
                add_stages(connection, stages)

    def record_recovery(self, recovery: Recovery) -> None:
        with self._writing() as connection:
            connection.execute(_ADD_TOTAL, ("recovery", str(recovery)))

    def record_stages(self, figures: StageFigures) -> None:
        with self._writing() as connection:
            add_stages(connection, figures)

    def close(self) -> None:
        with self._lock:
            self._forget()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """One transaction. After any fault the next record begins with a new connection."""
        with self._lock:
            try:
                connection = self._connected()
                connection.execute("BEGIN IMMEDIATE")
                yield connection
                connection.execute("COMMIT")
            except (sqlite3.Error, OSError) as error:
                self._forget()
                message = f"the metrics in {self._path} cannot be written: {error}"
                raise StoreUnavailable(message, path=str(self._path)) from error
            except BaseException:
                self._forget()
                raise

    def _connected(self) -> sqlite3.Connection:
        known = self._connections.get(os.getpid())
        if known is not None and known[1] == _identity(self._path):
            return known[0]
        # Somebody has removed or replaced the file: what is written to the old one, nobody reads.
        self._forget()
        connection = _opened(self._path, self._busy_seconds)
        self._connections[os.getpid()] = connection, _identity(self._path)
        return connection

    def _forget(self) -> None:
        known = self._connections.pop(os.getpid(), None)
        if known is not None:
            known[0].close()


def add_stages(connection: sqlite3.Connection, figures: StageFigures) -> None:
    connection.executemany(_ADD_COUNT, counts_of(figures))


def read_metrics(path: Path, settings: OutputValidationSettings, now: float) -> ValidationMetrics:
    """What has been counted up to now; nothing where nobody has counted yet."""
    return metrics_of(_read_tally(path), settings, now)


def read_stage_metrics(path: Path) -> StageMetrics:
    """What has been counted of the stages of turns."""
    return stage_metrics_of(_read_tally(path))


def _read_tally(path: Path) -> Tally:
    try:
        if not path.exists():
            return Tally()
        uri = f"{path.absolute().as_uri()}?mode=ro"
        with closing(
            sqlite3.connect(uri, uri=True, timeout=BUSY_SECONDS, isolation_level=None)
        ) as connection:
            connection.execute("BEGIN")
            if _version(connection, path) == 0:
                return Tally()
            totals = connection.execute("SELECT subject, name, count FROM totals").fetchall()
            minutes = connection.execute("SELECT minute, checks, failures FROM minutes").fetchall()
    except (sqlite3.Error, OSError) as error:
        raise StoreUnavailable(f"the metrics in {path} cannot be read: {error}", path=str(path)) from error
    counts: dict[str, dict[str, int]] = defaultdict(dict)
    for subject, name, count in totals:
        counts[subject][name] = count
    by_minute = {minute: Minute(checks, failures) for minute, checks, failures in minutes}
    stages = {(subject, name): count for subject, name, count in totals if subject in STAGES}
    return Tally(by_minute, counts["failure"], counts["code"], counts["recovery"], stages)


def _opened(path: Path, busy_seconds: float) -> sqlite3.Connection:
    path.parent.mkdir(exist_ok=True)
    connection = sqlite3.connect(path, timeout=busy_seconds, isolation_level=None, check_same_thread=False)
    try:
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute(f"PRAGMA wal_autocheckpoint = {_CHECKPOINT_PAGES}")
        _use_wal(connection, busy_seconds)
        if _version(connection, path) == 0:
            connection.execute("BEGIN IMMEDIATE")
            for table in _TABLES:
                connection.execute(table)
            connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
            connection.execute("COMMIT")
    except BaseException:
        connection.close()
        raise
    return connection


def _use_wal(connection: sqlite3.Connection, busy_seconds: float) -> None:
    """Switch to WAL, which lasts. SQLite does not wait for others here by itself."""
    deadline = time.monotonic() + busy_seconds
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL").fetchone()
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(0.01)
        else:
            return


def _version(connection: sqlite3.Connection, path: Path) -> int:
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    if version > SCHEMA_VERSION:
        message = f"the metrics in {path} have version {version}; this Dragoman knows up to {SCHEMA_VERSION}"
        raise SchemaNewer(message, hint="install the newer Dragoman that wrote them")
    return version


def _identity(path: Path) -> int:
    return path.stat().st_ino if path.exists() else 0


def tell_unrecorded(error: StoreError) -> None:
    """A count that is lost is no reason to lose a turn, but somebody should know."""
    logging.getLogger("dragoman").warning("a check was not counted: %s", error.message)
