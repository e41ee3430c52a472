"""A workspace: a folder, and everything of Dragoman opened from it. The one object a library user holds.

>>> import tempfile
>>> from dragoman import Workspace
>>> with Workspace.open(tempfile.mkdtemp()) as workspace:
...     session = workspace.new_session()
...     result = workspace.ask(session, "total sales of Alfa Trade in April 2020")
...     print(result.message)
Sales of Alfa Trade from 1 April 2020 to 30 April 2020: 1320.00.
"""

import datetime as dt
import os
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from dragoman.answering.turn_report import interrupted_report
from dragoman.contracts import events as ev
from dragoman.contracts.errors import (
    LabelRefused,
    ReplayMismatch,
    TurnNotFound,
)
from dragoman.contracts.places import METRICS_FILE, STATE_FOLDER
from dragoman.contracts.record import Record
from dragoman.contracts.report import ValidationMetrics
from dragoman.contracts.state import ReportRecord, SessionState
from dragoman.contracts.turn_result import ResultRows, TurnResult
from dragoman.contracts.vocabulary import EffectOutcome, Lifecycle
from dragoman.guards.labels import MAX_LABEL, accept_key, accept_label
from dragoman.guards.secrets import scrubbed
from dragoman.reports.metrics_file import MetricsFile, read_metrics
from dragoman.reports.settings import resolve_settings
from dragoman.session import archive, codec
from dragoman.session.folded import load, replay
from dragoman.session.journal import Journal, Sources
from dragoman.session.log import Listener, SessionLog
from dragoman.session.results import result_of
from dragoman.session.stores.protocol import SessionHead, SessionStore
from dragoman.workspace.parts import Parts
from dragoman.workspace.store import open_store, workspace_folder

if TYPE_CHECKING:
    from dragoman.turn import TurnServices
    from dragoman.workspace.services import ServiceOpener

WAIT_SECONDS = 10.0
"""How long a question waits for another turn of its session to end before it is a conflict."""


class Replay(Record, frozen=True):
    """A session folded again from its first record, and found to be what the store says."""

    session_id: str
    records: int
    events: int
    digest: str
    state: SessionState


class Workspace(Parts):
    """Sessions over the databases of a folder, kept under `<folder>/.dragoman`, and the parts of the folder.

    A folder with a connections.yaml is asked about its own databases; any other about the embedded demo.
    """

    def __init__(
        self,
        folder: Path,
        store: SessionStore,
        *,
        sources: Sources | None = None,
        home: Path | None = None,
        answer_always: bool = False,
        review: bool = True,
    ) -> None:
        super().__init__(folder, home)
        self._answer_always = answer_always
        self._review = review
        self._log = SessionLog(folder / STATE_FOLDER / "logs")
        self._journal = Journal(store, sources=sources, settle_effect=self._settle_effect)
        self._metrics = MetricsFile(folder / STATE_FOLDER / METRICS_FILE)

    @classmethod
    def open(
        cls,
        folder: str | Path = ".",
        *,
        store: str | None = None,
        create: bool = True,
        answer_always: bool = False,
        review: bool = True,
    ) -> Self:
        """Open the workspace in a folder; `store` is the URL of a PostgreSQL store in place of its own.

        Without `create` a folder that has no store yet is left as it is, and has no sessions. With
        `answer_always` the best reading of a question is answered even when it is not sure; without `review`
        no second reader objects.
        """
        root = workspace_folder(folder)
        return cls(root, open_store(root, store, create=create), answer_always=answer_always, review=review)

    @classmethod
    def open_database(
        cls, path: str | Path, folder: str | Path, *, answer_always: bool = False, review: bool = True
    ) -> Self:
        """A workspace in a folder whose one connection is that database file."""
        from dragoman.catalog.homes import database_home

        root = workspace_folder(folder)
        home = database_home(Path(path), root)
        return cls(root, open_store(root, None), home=home, answer_always=answer_always, review=review)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self._metrics.close()
        self._journal.close()

    def new_session(self, *, owner: str = "", title: str = "") -> str:
        return self._journal.create(owner=accept_label(owner, "owner"), title=_title(title))

    def ask(
        self,
        session_id: str,
        message: str | bytes,
        *,
        client_key: str | None = None,
        expected_version: int | None = None,
        wait_seconds: float = WAIT_SECONDS,
        listeners: Sequence[Listener] = (),
        on_result: Callable[[ResultRows], None] | None = None,
    ) -> TurnResult:
        """Take one turn. See `dragoman.turn.take_turn`. `on_result` gets all rows of what was looked up."""
        if client_key is not None:
            accept_key(client_key)
        if expected_version is not None and type(expected_version) is not int:
            raise LabelRefused("the expected version is not a whole number", hint="give the number of a turn")
        from dragoman.turn import take_turn

        return take_turn(
            self._open_services(),
            session_id,
            message,
            client_key=client_key,
            expected_version=expected_version,
            wait_seconds=wait_seconds,
            listeners=listeners,
            on_result=on_result,
        )

    def sessions(self, *, owner: str | None = None, limit: int = 100, offset: int = 0) -> list[SessionHead]:
        return self._journal.store.heads(owner=owner, limit=limit, offset=offset)

    def session(self, session_id: str) -> SessionHead:
        return self._journal.store.head(session_id)

    def state(self, session_id: str) -> SessionState:
        return self._journal.state(session_id)

    def turn_events(self, session_id: str, turn: int) -> list[ev.SessionEvent]:
        """The record of one turn, by its number."""
        newest = self._journal.store.head(session_id).version
        events = self._journal.events(session_id, turn) if 1 <= turn <= newest else None
        if events is None:
            raise TurnNotFound(
                f"session {session_id} has no turn {turn}",
                hint=f"its turns are 1 to {newest}" if newest else "it has no turns yet",
                session_id=session_id,
                turn=turn,
            )
        return events

    def turn_result(self, session_id: str, turn: int) -> TurnResult:
        """What came of an earlier turn."""
        events = self.turn_events(session_id, turn)
        return result_of(session_id, events, self._journal.state_at(session_id, turn))

    def report(self, session_id: str, turn: int | None = None) -> ReportRecord | None:
        """The status report of a turn, or the last one of the session."""
        if turn is None:
            return self._journal.state(session_id).reports.last
        events = self.turn_events(session_id, turn)
        if isinstance(events[-1], ev.TurnAbandoned | ev.TurnSettled):
            report = interrupted_report(turn, self.turn_result(session_id, turn).message)
            return ReportRecord(report, resolve_settings(os.environ).effective_mode, accepted=True)
        return next((event.record for event in events if isinstance(event, ev.ReportEmitted)), None)

    def turns(self, session_id: str) -> Iterator[tuple[list[ev.SessionEvent], TurnResult]]:
        """Every record after the first: its events, and what came of it."""
        for events, state in self._journal.history(session_id):
            if state.version > 0:
                yield events, result_of(session_id, events, state)

    def history(self, session_id: str) -> Iterator[tuple[list[ev.SessionEvent], SessionState, TurnResult]]:
        """Every record after the first: its events, the state after it, and what came of it."""
        for events, state in self._journal.history(session_id):
            if state.version > 0:
                yield events, state, result_of(session_id, events, state)

    def replay(self, session_id: str) -> Replay:
        """Fold the session from its first record and compare with what the store holds, byte for byte."""
        store = self._journal.store
        # The session may go on meanwhile: what it is now is compared up to now.
        head = store.head(session_id)
        kept, again = load(store, session_id, head.version), replay(store, session_id, head.version)
        one, two = codec.encode_state(kept.state), codec.encode_state(again.state)
        told = (head.version, head.lifecycle)
        if one != two or told != (again.state.version, again.state.lifecycle):
            raise ReplayMismatch(
                f"session {session_id} does not fold to what is stored of it",
                hint="its records are intact: export and import it to make its state anew",
                session_id=session_id,
            )
        records = store.records(session_id, -1, head.version)
        events = sum(len(codec.decode_events(record.events)) for record in records)
        return Replay(session_id, again.state.version + 1, events, again.digest.hex(), again.state)

    def close_session(self, session_id: str) -> None:
        self._journal.close_session(session_id, wait_seconds=WAIT_SECONDS)

    def delete_session(self, session_id: str) -> None:
        """Remove a session, its records and its log. There is no way back."""
        try:
            self._journal.store.delete(session_id)
        finally:
            # Also when it was gone already: a deletion that was cut short may have left the log.
            self._journal.forget(session_id)
            self._log.delete(session_id)
        self._journal.store.scrub()

    def prune(self, older_than: dt.timedelta, *, open_too: bool = False) -> list[str]:
        """Delete the sessions that ended, or with `open_too` any, whose last change is older."""
        lifecycles = set(Lifecycle) if open_too else {Lifecycle.CLOSED, Lifecycle.CANCELLED}
        before = (dt.datetime.now(dt.UTC) - older_than).timestamp()
        gone = self._journal.store.delete_idle(before, frozenset(lifecycles))
        for session_id in gone:
            self._journal.forget(session_id)
            self._log.delete(session_id)
        self._journal.store.scrub()
        return gone

    def export_session(self, session_id: str) -> str:
        """The whole session as JSON lines."""
        return "".join(f"{line}\n" for line in archive.export_lines(self._journal.store, session_id))

    def import_session(self, text: str, *, new_id: bool = False) -> str:
        """Take in an exported session; its id. Nothing is taken in unless every line is right."""
        session_id = self._journal.sources.new_id() if new_id else None
        return archive.import_lines(self._journal.store, text, session_id)

    def metrics(self) -> ValidationMetrics:
        """How the status reports of this workspace fared with their guard."""
        path = self.folder / STATE_FOLDER / METRICS_FILE
        return read_metrics(path, resolve_settings(os.environ), time.time())

    def _open_services(self) -> "TurnServices":
        return self._part(
            "services",
            lambda: self._opener().open(self._journal, self._metrics, self._forget_parts, self._log),
        )

    def _opener(self) -> "ServiceOpener":
        # Imported when a turn is taken or settled: most commands only look at sessions.
        from dragoman.workspace.services import ServiceOpener

        return ServiceOpener(self.folder, self.home, answer_always=self._answer_always, review=self._review)

    def _settle_effect(self, effect: ev.EffectIntended) -> EffectOutcome:
        return self._opener().settle_effect(effect)


def _title(text: str) -> str:
    # Before it is cut: half of a secret is no longer known as one.
    line = "".join(character if character.isprintable() else " " for character in scrubbed(text))
    line = accept_label(" ".join(line.split())[:MAX_LABEL], "title")
    return line if len(line) <= 80 else line[:79] + "…"
