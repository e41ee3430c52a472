"""The session log: every event of a turn as a JSON line, written as the turn is recorded."""

import datetime as dt
import errno
import re
from collections import OrderedDict
from collections.abc import Callable, Sequence
from io import FileIO
from pathlib import Path
from threading import Lock

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

_OPEN_FILES = 32
"""So many logs stay open: about as many turns as one process takes at once."""


class _Line(msgspec.Struct, frozen=True):
    at: str
    session: str
    turn: int
    trace: str
    event: SessionEvent


class SessionLog:
    """Appends to one file for each session. Nothing is read back from it: the store is the truth.

    Turns of many sessions may write at once. One lock covers finding a file, writing a line and closing: a
    file that one thread writes to cannot be closed by another, and a line cannot land in a file that was
    opened for another session under the same number.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = Lock()
        self._open: OrderedDict[str, FileIO] = OrderedDict()

    def path(self, session_id: str) -> Path:
        return self._folder / f"{session_id}.jsonl"

    def write(self, session: str, turn: int, trace: str, events: Sequence[SessionEvent]) -> None:
        """The lines of one turn, all at once. A turn that is never recorded leaves none."""
        at = dt.datetime.now(dt.UTC).isoformat(timespec="milliseconds")
        lines = [msgspec.json.encode(_Line(at, session, turn, trace, event)) for event in events]
        text = _scrubbed(lines)
        with self._lock:
            try:
                self._file(session).write(text)
            except OSError as error:
                self._close(session)
                raise _refused(self._folder, error) from error

    def _file(self, session_id: str) -> FileIO:
        """The log of a session, open: a turn has a dozen events. One that is gone meanwhile is begun anew."""
        path = self.path(session_id)
        known = self._open.get(session_id)
        if known is not None and path.exists():
            self._open.move_to_end(session_id)
            return known
        self._close(session_id)
        self._folder.mkdir(parents=True, exist_ok=True)
        file = path.open("ab", buffering=0)
        self._open[session_id] = file
        if len(self._open) > _OPEN_FILES:
            self._close(next(iter(self._open)))
        return file

    def close(self) -> None:
        with self._lock:
            for session_id in list(self._open):
                self._close(session_id)

    def delete(self, session_id: str) -> None:
        with self._lock:
            self._close(session_id)
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

    def _close(self, session_id: str) -> None:
        file = self._open.pop(session_id, None)
        if file is not None:
            file.close()


def _scrubbed(lines: list[bytes]) -> bytes:
    """The lines without secrets. A message has none any more; what a database or a model said may have.

    The text is looked at as a whole first: mostly there is nothing to find."""
    text = b"".join(line + b"\n" for line in lines)
    if not may_hold_secret(_OWN_WORDS.sub("", text.decode("utf-8"))):
        return text
    clean = (msgspec.json.encode(scrubbed_value(msgspec.json.decode(line))) for line in lines)
    return b"".join(line + b"\n" for line in clean)


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
