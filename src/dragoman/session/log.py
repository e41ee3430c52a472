"""The session log: every event of a turn as a JSON line, the moment it happens."""

import datetime as dt
import errno
import re
from collections.abc import Callable
from io import FileIO
from pathlib import Path

import msgspec

from dragoman.contracts.errors import SessionIdRefused, StoreError, StoreFull, StoreReadOnly, StoreUnavailable
from dragoman.contracts.events import SessionEvent
from dragoman.contracts.record import Record
from dragoman.guards.secrets import may_hold_secret, scrubbed_value
from dragoman.guards.session_id import accept_session_id


class Progress(Record, frozen=True):
    """An event of a turn that is being taken. It is a fact only once the turn is recorded."""

    session: str
    turn: int
    trace: str
    event: SessionEvent


Listener = Callable[[Progress], None]


class _Line(msgspec.Struct, frozen=True):
    at: str
    session: str
    turn: int
    trace: str
    event: SessionEvent


class SessionLog:
    """Appends to one file for each session. Nothing is read back from it: the store is the truth."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._open: tuple[str, FileIO] | None = None

    def path(self, session_id: str) -> Path:
        return self._folder / f"{session_id}.jsonl"

    def __call__(self, progress: Progress) -> None:
        at = dt.datetime.now(dt.UTC).isoformat(timespec="milliseconds")
        line = msgspec.json.encode(_Line(at, progress.session, progress.turn, progress.trace, progress.event))
        try:
            self._file(progress.session).write(_scrubbed(line) + b"\n")
        except OSError as error:
            self.close()
            raise _refused(self._folder, error) from error

    def _file(self, session_id: str) -> FileIO:
        """The log of a session, open: a turn has a dozen events. One that is gone meanwhile is begun anew."""
        path = self.path(session_id)
        if self._open is not None and self._open[0] == session_id and path.exists():
            return self._open[1]
        self.close()
        self._folder.mkdir(parents=True, exist_ok=True)
        file = path.open("ab", buffering=0)
        self._open = (session_id, file)
        return file

    def close(self) -> None:
        if self._open is not None:
            self._open[1].close()
            self._open = None

    def delete(self, session_id: str) -> None:
        if self._open is not None and self._open[0] == session_id:
            self.close()
        try:
            accept_session_id(session_id)
            self.path(session_id).unlink(missing_ok=True)
        except SessionIdRefused:
            return  # No session has such an id, and so no log.
        except OSError as error:
            raise StoreUnavailable(
                f"the log {self.path(session_id)} cannot be removed: {error.strerror}",
                hint="remove it by hand",
            ) from error


def _scrubbed(line: bytes) -> bytes:
    """The line without secrets. A message has none any more; what a database or a model said may have."""
    if not may_hold_secret(_OWN_WORDS.sub("", line.decode("utf-8"))):
        return line
    return msgspec.json.encode(scrubbed_value(msgspec.json.decode(line)))


_OWN_WORDS = re.compile('"(?:kind":"schema_guard_pass|signals|client_key)"')
"""Our own names that look like those of secrets: with them every second line would be looked at closely."""

_KINDS: dict[int, type[StoreError]] = {
    errno.ENOSPC: StoreFull,
    errno.EDQUOT: StoreFull,
    errno.EROFS: StoreReadOnly,
    errno.EACCES: StoreReadOnly,
    errno.EPERM: StoreReadOnly,
}


def _refused(folder: Path, error: OSError) -> StoreError:
    kind = _KINDS.get(error.errno or 0, StoreUnavailable)
    return kind(
        f"the session log in {folder} cannot be written: {error.strerror}",
        hint="the turn was not recorded; make the folder writable and ask again",
    )
