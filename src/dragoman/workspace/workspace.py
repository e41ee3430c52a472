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
from itertools import count, islice
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Final, Self

from dragoman.answering.turn_report import interrupted_report
from dragoman.contracts import events as ev
from dragoman.contracts.cancellation import Cancellation
from dragoman.contracts.errors import (
    EventCorrupt,
    EventUnknown,
    LabelRefused,
    SessionNotFound,
    SessionOfAnother,
    TurnNotFound,
    WorkspaceClosed,
)
from dragoman.contracts.places import CONNECTIONS_FILE, METRICS_FILE, SETTINGS_FILE, STATE_FOLDER
from dragoman.contracts.report import ValidationMetrics
from dragoman.contracts.state import ReportRecord, SessionState
from dragoman.contracts.turn_result import ResultRows, TurnResult
from dragoman.contracts.viewer import Viewer
from dragoman.contracts.vocabulary import EffectOutcome, Lifecycle
from dragoman.guards.labels import accept_key, accept_label
from dragoman.reports.metrics_file import MetricsFile, read_metrics
from dragoman.reports.settings import resolve_settings
from dragoman.session import archive
from dragoman.session.journal import Journal, Sources
from dragoman.session.log import Listener, SessionLog
from dragoman.session.results import result_of
from dragoman.session.stores.protocol import SessionHead, SessionStore
from dragoman.workspace.asked_sql import AskedSql, asked_sql
from dragoman.workspace.audience import Audience
from dragoman.workspace.conversations import Conversations
from dragoman.workspace.program_calls import ProgramCalls
from dragoman.workspace.replays import Replay, replayed
from dragoman.workspace.session_title import title_of
from dragoman.workspace.store import open_store, workspace_folder

if TYPE_CHECKING:
    from dragoman.planning.model.settings import OwnModel
    from dragoman.turn import TurnServices
    from dragoman.workspace.completion import Completion
    from dragoman.workspace.services import ServiceOpener

Notice = Callable[[str], None]

WAIT_SECONDS = 10.0
"""How long a question waits for another turn of its session to end before it is a conflict."""
_PAGE: Final = 100
_SOMEBODY: Final = Viewer("\0")


class Workspace(ProgramCalls, Conversations):
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
        notice: Notice | None = None,
        model: "OwnModel | None" = None,
    ) -> None:
        super().__init__(folder, home)
        self._notice = notice
        self._model = model
        self._answer_always = answer_always
        self._review = review
        self._log = SessionLog(folder / STATE_FOLDER / "logs")
        self._open_journal = Journal(store, sources=sources, settle_effect=self._settle_effect)
        self._closed = False
        self._own_sessions: set[str] = set()
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
        notice: Notice | None = None,
        model: "OwnModel | None" = None,
    ) -> Self:
        """Open the workspace in a folder; `store` is the URL of a PostgreSQL store in place of its own.

        Without `create` a folder that has no store yet is left as it is, and has no sessions. With
        `answer_always` the best reading of a question is answered even when it is not sure; without `review`
        no second reader objects. `notice` gets a line when a database is discovered first, or cannot be; the
        log `dragoman` gets it without one. `model` is asked in place of those that dragoman.yaml names.
        """
        root = workspace_folder(folder)
        return cls(
            root,
            open_store(root, store, create=create),
            answer_always=answer_always,
            review=review,
            notice=notice,
            model=model,
        )

    @classmethod
    def open_database(
        cls,
        path: str | Path,
        folder: str | Path,
        *,
        answer_always: bool = False,
        review: bool = True,
        model: "OwnModel | None" = None,
    ) -> Self:
        """A workspace in a folder whose one connection is that database file."""
        from dragoman.catalog.homes import database_home

        root = workspace_folder(folder)
        home = database_home(Path(path), root)
        return cls(
            root, open_store(root, None), home=home, answer_always=answer_always, review=review, model=model
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End it. What is asked of it afterwards is a `WorkspaceClosed`."""
        self._closed = True
        self._wishes.close()
        self._close_models()
        self._metrics.close()
        self._open_journal.close()

    @property
    def _journal(self) -> Journal:
        if self._closed:
            raise WorkspaceClosed(
                f"the workspace in {self.folder} is closed",
                hint="open it again with Workspace.open, and ask inside of its with block",
            )
        return self._open_journal

    def _held(self, session_id: str) -> Journal:
        """The journal, to look at a session in it. Raises `SessionOfAnother` where its viewer is another."""
        journal = self._journal
        if session_id not in self._own_sessions:
            if not self._may_see(session_id):
                raise SessionOfAnother(
                    f"session {session_id} is another viewer's",
                    hint=f"begin one of your own; who the viewer is stands in {SETTINGS_FILE}",
                    session_id=session_id,
                )
            self._own_sessions.add(session_id)
        return journal

    def _may_see(self, session_id: str) -> bool:
        try:
            opened = next(iter(self._journal.events(session_id, 0) or ()), None)
        except (EventCorrupt, EventUnknown):
            # Whoever reads on hears what is damaged. Whose it was nobody knows: where policies hold, it is
            # nobody's.
            return self._audience.may_see(_SOMEBODY)
        return self._audience.may_see(opened.viewer if isinstance(opened, ev.SessionOpened) else None)

    @property
    def _audience(self) -> Audience:
        has_own = self._home is not None or (self.folder / CONNECTIONS_FILE).exists()
        return self._part("audience", lambda: Audience(self.home if has_own else None))

    def new_session(self, *, owner: str = "", title: str = "") -> str:
        viewer = self._audience.viewer
        return self._journal.create(owner=accept_label(owner, "owner"), title=title_of(title), viewer=viewer)

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
        cancel: Cancellation | None = None,
        connection: str = "",
        as_sql: bool = False,
    ) -> TurnResult:
        """Take one turn. See `dragoman.turn.take_turn`. `on_result` gets all rows of what was looked up;
        `cancel` stops it from another thread; `connection` names the one database that is asked; `as_sql`
        reads the message as SQL and never as words."""
        if client_key is not None:
            accept_key(client_key)
        if expected_version is not None and type(expected_version) is not int:
            raise LabelRefused("the expected version is not a whole number", hint="give the number of a turn")
        from dragoman.turn import take_turn

        self._held(session_id)
        services = self._open_services()
        return take_turn(
            services.of_sql() if as_sql else services,
            session_id,
            message,
            client_key=client_key,
            expected_version=expected_version,
            wait_seconds=wait_seconds,
            listeners=listeners,
            on_result=on_result,
            cancel=cancel,
            # An unknown name is an error before the turn begins, and changes nothing.
            connection=self.databases.find(connection).name if connection else "",
        )

    def suggestions(self) -> tuple[str, ...]:
        """Questions that work on the workspace's database: each was read, planned and run before it is given.
        None where there are no tables to ask, as in the demo."""
        return self._open_services().suggested()

    def completion(self) -> "Completion":
        """What half-typed words may become: names, verbs, taught words and values of the database. Reading
        the values may take a while, the first time."""
        from dragoman.workspace.completion import completion_of

        services = self._open_services()
        return self._part("completion", lambda: completion_of(services.catalog, services.planners))

    def sessions(self, *, owner: str | None = None, limit: int = 100, offset: int = 0) -> list[SessionHead]:
        """The sessions that this viewer may see, the newest first."""
        seen = (head for head in self._heads(owner) if self._is_listed(head))
        return list(islice(seen, offset, offset + limit))

    def _is_listed(self, head: SessionHead) -> bool:
        try:
            return self._may_see(head.id)
        except SessionNotFound:
            # Somebody deleted it between the page of heads and this look at it.
            return False

    def _heads(self, owner: str | None) -> Iterator[SessionHead]:
        for offset in count(0, _PAGE):
            page = self._journal.store.heads(owner=owner, limit=_PAGE, offset=offset)
            yield from page
            if len(page) < _PAGE:
                return

    def session(self, session_id: str) -> SessionHead:
        return self._held(session_id).store.head(session_id)

    def state(self, session_id: str) -> SessionState:
        return self._held(session_id).state(session_id)

    def turn_events(self, session_id: str, turn: int) -> list[ev.SessionEvent]:
        """The record of one turn, by its number."""
        newest = self._held(session_id).store.head(session_id).version
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

    def asked_sql(self, session_id: str, turn: int | None = None) -> AskedSql:
        """The SQL that the answer of a turn stands on; without a turn, of the last answer that has any."""
        if turn is not None:
            return AskedSql(turn, asked_sql(self.turn_result(session_id, turn).evidence))
        newest = self.session(session_id).version
        for number in range(newest, 0, -1):
            found = asked_sql(self.turn_result(session_id, number).evidence)
            if found:
                return AskedSql(number, found)
        return AskedSql(newest, ())

    def report(self, session_id: str, turn: int | None = None) -> ReportRecord | None:
        """The status report of a turn, or the last one of the session."""
        if turn is None:
            return self._held(session_id).state(session_id).reports.last
        events = self.turn_events(session_id, turn)
        if isinstance(events[-1], ev.TurnAbandoned | ev.TurnSettled):
            report = interrupted_report(turn, self.turn_result(session_id, turn).message)
            return ReportRecord(report, resolve_settings(os.environ).effective_mode, accepted=True)
        return next((event.record for event in events if isinstance(event, ev.ReportEmitted)), None)

    def turns(self, session_id: str) -> Iterator[tuple[list[ev.SessionEvent], TurnResult]]:
        """Every record after the first: its events, and what came of it."""
        for events, state in self._held(session_id).history(session_id):
            if state.version > 0:
                yield events, result_of(session_id, events, state)

    def history(self, session_id: str) -> Iterator[tuple[list[ev.SessionEvent], SessionState, TurnResult]]:
        """Every record after the first: its events, the state after it, and what came of it."""
        for events, state in self._held(session_id).history(session_id):
            if state.version > 0:
                yield events, state, result_of(session_id, events, state)

    def replay(self, session_id: str) -> Replay:
        """Fold the session from its first record and compare with what the store holds, byte for byte."""
        return replayed(self._held(session_id).store, session_id)

    def close_session(self, session_id: str) -> None:
        self._held(session_id).close_session(session_id, wait_seconds=WAIT_SECONDS)

    def delete_session(self, session_id: str) -> None:
        """Remove a session, its records and its log. There is no way back."""
        try:
            self._held(session_id).store.delete(session_id)
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
        return "".join(f"{line}\n" for line in archive.export_lines(self._held(session_id).store, session_id))

    def import_session(self, text: str, *, new_id: bool = False) -> str:
        """Take in an exported session; its id. Nothing is taken in unless every line is right."""
        session_id = self._journal.sources.new_id() if new_id else None
        return archive.import_lines(self._journal.store, text, session_id)

    def metrics(self) -> ValidationMetrics:
        """What the guard has said of the status reports of this workspace."""
        path = self.folder / STATE_FOLDER / METRICS_FILE
        return read_metrics(path, resolve_settings(os.environ), time.time())

    def _open_services(self) -> "TurnServices":
        # Looked at before the services, which may have been opened when the workspace still was.
        journal = self._journal
        return self._part(
            "services", lambda: self._opener().open(journal, self._metrics, self._forget_parts, self._log)
        )

    def _opener(self) -> "ServiceOpener":
        # Imported when a turn is taken or settled: most commands only look at sessions.
        from dragoman.workspace.services import ServiceOpener

        return ServiceOpener(
            self.folder,
            self.home,
            answer_always=self._answer_always,
            review=self._review,
            notice=self._notice,
            model=self._model,
            language_models=lambda: self.language_models,
        )

    def _settle_effect(self, effect: ev.EffectIntended) -> EffectOutcome:
        return self._opener().settle_effect(effect)
