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

from dragoman.answering.extending import Effects, Runners, Written
from dragoman.answering.reporting import interrupted_report
from dragoman.catalog.packs.catalog import open_catalog
from dragoman.catalog.packs.homes import CONNECTIONS, database_home, demo_home, look_again
from dragoman.catalog.workspace_catalog import WorkspaceCatalog
from dragoman.contracts import events as ev
from dragoman.contracts.errors import (
    DragomanError,
    LabelRefused,
    ReplayMismatch,
    RunNotFound,
    TurnNotFound,
    WorkspaceError,
)
from dragoman.contracts.places import METRICS_FILE, STATE_FOLDER
from dragoman.contracts.program import Statement
from dragoman.contracts.record import Record
from dragoman.contracts.report import ValidationMetrics
from dragoman.contracts.run import RunRecord, RunStatus, StepState
from dragoman.contracts.state import ReportRecord, SessionState
from dragoman.contracts.turn_result import ResultRows, TurnResult
from dragoman.contracts.vocabulary import EffectOutcome, Lifecycle
from dragoman.guards.labels import MAX_LABEL, accept_key, accept_label
from dragoman.guards.secrets import scrubbed
from dragoman.models.metrics_file import MetricsFile, read_metrics, tell_unrecorded
from dragoman.models.settings import resolve_settings
from dragoman.models.validation import OutputValidation
from dragoman.planning.table_talk import TableTalk
from dragoman.reading.message import Reader
from dragoman.session import archive, codec
from dragoman.session.journal import Journal, Sources, load, replay
from dragoman.session.log import Listener, SessionLog
from dragoman.session.stores.memory import MemoryStore
from dragoman.session.stores.protocol import SessionHead, SessionStore
from dragoman.turn import Road, result_of, take_turn

if TYPE_CHECKING:
    from dragoman.planning.tables.planner import TablePlanner

WAIT_SECONDS = 10.0
"""How long a question waits for another turn of its session to end before it is a conflict."""


class Replay(Record, frozen=True):
    """A session folded again from its first record, and found to be what the store says."""

    session_id: str
    records: int
    events: int
    digest: str
    state: SessionState


class Workspace:
    """Sessions over the databases of a folder, kept under `<folder>/.dragoman`.

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
    ) -> None:
        self.folder = folder
        self._home = home
        self._answer_always = answer_always
        self._log = SessionLog(folder / STATE_FOLDER / "logs")
        self._journal = Journal(store, sources=sources, settle_effect=self._settle_effect)
        self._metrics = MetricsFile(folder / STATE_FOLDER / METRICS_FILE)
        self._road: Road | None = None

    @classmethod
    def open(
        cls,
        folder: str | Path = ".",
        *,
        store: str | None = None,
        create: bool = True,
        answer_always: bool = False,
    ) -> Self:
        """Open the workspace in a folder; `store` is the URL of a PostgreSQL store in place of its own.

        Without `create` a folder that has no store yet is left as it is, and has no sessions. With
        `answer_always` the best reading of a question is answered even when it is not sure.
        """
        root = _folder(folder)
        return cls(root, open_store(root, store, create=create), answer_always=answer_always)

    @classmethod
    def open_database(cls, path: str | Path, folder: str | Path, *, answer_always: bool = False) -> Self:
        """A workspace in a folder whose one connection is that database file."""
        root = _folder(folder)
        home = database_home(Path(path), root)
        return cls(root, open_store(root, None), home=home, answer_always=answer_always)

    @property
    def home(self) -> Path:
        """The folder whose connections and packs are asked: this one, or the demo's own."""
        if self._home is None:
            own = (self.folder / CONNECTIONS).exists()
            self._home = self.folder if own else demo_home(self.folder)
        return self._home

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self._log.close()
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
        return take_turn(
            self._open_road(),
            session_id,
            message,
            client_key=client_key,
            expected_version=expected_version,
            wait_seconds=wait_seconds,
            listeners=(self._log, *listeners),
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

    def _open_road(self) -> Road:
        if self._road is None:
            workspace = WorkspaceCatalog(self.home)
            if self.home == self.folder:
                look_again(workspace)
            catalog = open_catalog(workspace)
            validation = OutputValidation(
                resolve_settings(os.environ), self._metrics, unrecorded=tell_unrecorded
            )
            self._road = Road(
                self._journal,
                Reader(catalog),
                catalog,
                validation,
                Runners(self._run_pipeline, self._run_write),
                self._table_talk(catalog.workspace),
                self.folder,
            )
        return self._road

    def _table_talk(self, workspace: WorkspaceCatalog) -> TableTalk | None:
        """Questions to the tables of the default database, where it was discovered. The demo has its pack."""
        if self.home != self.folder and workspace.packs.packs:
            return None
        spec = workspace.default
        schema = workspace.visible_schema(spec) if spec is not None else None
        tables = workspace.tables_of(spec) if spec is not None else None
        if spec is None or schema is None or tables is None:
            return None

        def planner() -> "TablePlanner":
            from dragoman.catalog.connections import open_connection, resolve
            from dragoman.catalog.values import ValueIndex, origin_of, read_values
            from dragoman.planning.tables.planner import TablePlanner

            if workspace.guards(spec):
                # Values are not for everybody then: a question has to bring its own.
                return TablePlanner(tables, schema, ValueIndex(()))
            connection = resolve(spec, self.home)
            origin = origin_of(connection)
            with open_connection(connection) as reader:
                values = read_values(reader, schema, self.home / STATE_FOLDER / "values", origin)
            return TablePlanner(tables, schema, values)

        return TableTalk(workspace, planner, answer_always=self._answer_always)

    def _run_write(self, statement: Statement, run_id: str) -> Written:
        """Run a write verb of a pack: one transaction, once for a run. Names are read again afterwards."""
        from dragoman.catalog.packs.databases import PackDatabases
        from dragoman.engine.pack_writes import run_write

        databases = PackDatabases(self.home)
        owned = databases.own.verbs[statement.verb]
        target, schema = databases.target(owned.pack), databases.schema(owned.pack)
        done = run_write(owned.pack, statement, target, schema, run_id=run_id, viewer=databases.viewer)
        for entity in databases.own.entities.values():
            if entity.entity.create == statement.verb:
                databases.index(entity)
        self._road = None
        return Written(EffectOutcome.DONE, done.rows)

    def _run_pipeline(self, manifest: bytes, run_id: str) -> Written:
        """Run what a conversation wrote: with the connections of its home, into this folder."""
        # Imported for the yes alone: most conversations only read.
        from dragoman.pipelines import Pipelines

        record = Pipelines(self.folder, home=self.home).run(manifest, run_id=run_id).record
        problem = record.fault.message if record.fault is not None else ""
        rows = sum(step.rows or 0 for step in record.steps if step.mode == "write")
        return Written(_outcome(record), rows, problem)

    def _settle_effect(self, effect: ev.EffectIntended) -> EffectOutcome:
        """What became of a run whose turn was interrupted: its record is finished or undone first."""
        try:
            if effect.effect == Effects.WRITE:
                return self._settled_write(effect.key)
            return self._settled_run(effect.key) if effect.effect == Effects.RUN else EffectOutcome.UNKNOWN
        except DragomanError:
            return EffectOutcome.UNKNOWN

    def _settled_run(self, run_id: str) -> EffectOutcome:
        from dragoman.pipelines import Pipelines

        pipelines = Pipelines(self.folder, home=self.home)
        pipelines.settle()
        try:
            return _outcome(pipelines.store.load(run_id))
        except RunNotFound:
            # It has a record before it does anything.
            return EffectOutcome.UNDONE

    def _settled_write(self, run_id: str) -> EffectOutcome:
        """A write verb stands in the ledger of its database, or it has changed nothing."""
        from dragoman.catalog.packs.databases import PackDatabases
        from dragoman.engine.pack_writes import was_written

        databases = PackDatabases(self.home)
        done = any(was_written(databases.target(pack), run_id) for pack in databases.own.packs)
        return EffectOutcome.DONE if done else EffectOutcome.UNDONE


def _outcome(record: RunRecord) -> EffectOutcome:
    """Whether what a run was to write is there. A part of it is neither."""
    if record.status is RunStatus.DONE:
        return EffectOutcome.DONE
    begun = record.status is RunStatus.RUNNING
    published = any(step.mode == "write" and step.state is StepState.DONE for step in record.steps)
    return EffectOutcome.UNKNOWN if begun or published else EffectOutcome.UNDONE


def open_store(folder: Path, url: str | None, *, create: bool = True) -> SessionStore:
    """The store of a workspace: PostgreSQL behind a URL, otherwise SQLite in the folder."""
    url = url or os.environ.get("DRAGOMAN_STORE") or None
    if url is None:
        from dragoman.session.stores.sqlite import open_sqlite_store

        file = folder / STATE_FOLDER / "sessions.sqlite"
        return open_sqlite_store(file) if create or file.exists() else MemoryStore()
    if not url.startswith(("postgresql://", "postgres://")):
        raise WorkspaceError(
            "the store's URL does not begin with postgresql://",
            hint="leave it out to keep sessions in the workspace folder",
        )
    from dragoman.session.stores.postgres import open_postgres_store

    return open_postgres_store(url)


def _folder(name: str | Path) -> Path:
    try:
        root = Path(name).resolve()
        fine = not root.exists() or root.is_dir()
        state = root / STATE_FOLDER
        fine = fine and (not os.path.lexists(state) or state.is_dir())
    except (OSError, RuntimeError, ValueError) as error:
        raise WorkspaceError(
            f"the workspace {str(name)[:200]!r} cannot be opened: {error}",
            hint="name a folder with --workspace",
        ) from error
    if not fine:
        raise WorkspaceError(
            f"{root} is not a folder, or its {STATE_FOLDER} is none", hint="name a folder with --workspace"
        )
    return root


def _title(text: str) -> str:
    # Before it is cut: half of a secret is no longer known as one.
    line = "".join(character if character.isprintable() else " " for character in scrubbed(text))
    line = accept_label(" ".join(line.split())[:MAX_LABEL], "title")
    return line if len(line) <= 80 else line[:79] + "…"
