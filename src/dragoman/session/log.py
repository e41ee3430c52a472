"""The session log: every event of a turn as a JSON line, written as the turn is recorded."""

import datetime as dt
import errno
import re
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from dragoman.contracts.errors import SessionIdRefused, StoreError, StoreFull, StoreReadOnly, StoreUnavailable
from dragoman.contracts.events import RunStarted, SessionEvent, TurnRouted
from dragoman.contracts.model_events import ModelText
from dragoman.contracts.record import Record
from dragoman.contracts.run import RunEvent
from dragoman.guards.secrets import may_hold_secret, scrubbed_value
from dragoman.guards.session_id import accept_session_id


class Progress(Record, frozen=True):
    """An event of a turn that is being taken. It is a fact only once the turn is recorded; a text that a
    model is writing never is, and how far a run has come stands in the record of the run."""

    session: str
    turn: int
    trace: str
    event: SessionEvent | ModelText | RunEvent


Listener = Callable[[Progress], None]


class _Line(msgspec.Struct, frozen=True):
    at: str
    session: str
    turn: int
    trace: str
    event: SessionEvent


class SessionLog:
    """Appends to one file for each session. Nothing is read back from it: the store is the truth.

    A turn's lines are one write to a file that is opened for it and closed again. So threads need no lock, a
    log that somebody deletes frees its space at once, and no number of sessions uses up the open files.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def path(self, session_id: str) -> Path:
        return self._folder / f"{session_id}.jsonl"

    def write(self, session: str, turn: int, trace: str, events: Sequence[SessionEvent]) -> None:
        """The lines of one turn, all at once. A turn that is never recorded leaves none."""
        at = dt.datetime.now(dt.UTC).isoformat(timespec="milliseconds")
        lines = [msgspec.json.encode(_Line(at, session, turn, trace, event)) for event in events]
        text = _scrubbed(lines)
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            with self.path(session).open("ab", buffering=0) as file:
                file.write(text)
        except OSError as error:
            raise _refused(self._folder, error) from error

    def delete(self, session_id: str) -> None:
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


def as_they_came(effects: Sequence[SessionEvent], events: Sequence[SessionEvent]) -> list[SessionEvent]:
    """The events of a turn with its effects where they happened: in the run they belong to, or where none was
    begun, after the turn was routed. In the store they come first, since they are committed first."""
    kinds = [type(event) for event in events]
    before = RunStarted if RunStarted in kinds else TurnRouted
    place = kinds.index(before) + 1 if before in kinds else 0
    return [*events[:place], *effects, *events[place:]]


def _scrubbed(lines: list[bytes]) -> bytes:
    """The lines without secrets. A message has none any more; what a database or a model said may have.

    The text is looked at as a whole first: mostly there is nothing to find."""
    text = b"".join(line + b"\n" for line in lines)
    if not may_hold_secret(_OWN_WORDS.sub("", text.decode("utf-8"))):
        return text
    clean = (msgspec.json.encode(scrubbed_value(msgspec.json.decode(line))) for line in lines)
    return b"".join(line + b"\n" for line in clean)


_OWN_WORDS = re.compile(
    '"(?:kind":"schema_guard_pass|verdict":"PASS|status_v1_json|answer_v1_markdown|signals|client_key)"'
)
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
