"""The pipelines of a workspace: run a manifest, resume, cancel, look back. Every start recovers."""

import dataclasses
import functools
import logging
import os
import tempfile
import threading
import time
import uuid
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from dragoman.answering.run_report import report_of_run
from dragoman.catalog.knowledge.verbs import is_knowledge
from dragoman.catalog.once import once
from dragoman.contracts.cancellation import Cancellation
from dragoman.contracts.errors import DragomanError, InternalError, MemoryLimitExceeded, RunBusy, StepRefused
from dragoman.contracts.places import (
    CONNECTIONS_FILE,
    DEMO_FOLDER,
    METRICS_FILE,
    RUNS_FOLDER,
    STATE_FOLDER,
)
from dragoman.contracts.program import Statement
from dragoman.contracts.report import OutputValidationFailureEvent, StatusReport
from dragoman.contracts.run import RunLimits, RunRecord, RunStatus, StepRecord, StepState
from dragoman.databases.connections import (
    ResolvedConnection,
    Transport,
    load_connections,
    refuse_address,
    resolve,
)
from dragoman.engine.component import Component, Extraction, Writing
from dragoman.engine.file_targets import FileTargets
from dragoman.engine.files import write_whole
from dragoman.engine.guarded_components import guarded
from dragoman.engine.local.engine import LocalEngine
from dragoman.engine.local.jobs import Look
from dragoman.engine.local.plans import Planned
from dragoman.engine.local.strays import stop_strays
from dragoman.engine.local.surroundings import Surroundings
from dragoman.engine.order import Order, OrderStep, read_order
from dragoman.engine.policy_wall import PolicyWall
from dragoman.engine.registry import component, offered
from dragoman.engine.reserved_files import ReservedFiles
from dragoman.engine.resumption import can_help
from dragoman.engine.runs.lock import holder, run_lock
from dragoman.engine.runs.logbook import Logbook, RunListener, Unkept, fault_of, now
from dragoman.reports.metrics_file import MetricsFile, tell_unrecorded
from dragoman.reports.settings import resolve_settings
from dragoman.reports.validation import OutputValidation
from dragoman.workspace.audience import Audience
from dragoman.workspace.cancel_watch import CANCEL_FILE, POLL_SECONDS, CancelWatch
from dragoman.workspace.limits import run_limits
from dragoman.workspace.run_history import RunHistory

__all__ = [
    "Cancellation",
    "Extraction",
    "Look",
    "Order",
    "Pipelines",
    "Planned",
    "RunListener",
    "RunOutcome",
    "Settled",
    "Writing",
    "can_help",
    "read_order",
]

if TYPE_CHECKING:
    from dragoman.catalog.catalog import Catalog

_STOPPING_SECONDS: Final = 20.0


@dataclasses.dataclass(frozen=True)
class RunOutcome:
    """What came of a run: its record, its status report and how that failed its check, where it did, and
    the first rows of steps that only read."""

    record: RunRecord
    report: StatusReport
    looks: dict[str, Look]
    failure: OutputValidationFailureEvent | None = None


@dataclasses.dataclass(frozen=True)
class Settled:
    """A run whose process was gone, and what became of it; with `problem`, why nothing could yet."""

    record: RunRecord
    problem: DragomanError | None = None


class Pipelines(RunHistory):
    """Runs of one workspace folder, kept under `<folder>/.dragoman/runs`."""

    def __init__(
        self,
        folder: Path,
        *,
        home: Path | None = None,
        component: Callable[[str], Component] | None = None,
        operator: bool = False,
    ) -> None:
        """Files are read and written in `folder`; `home`, where it is another, has connections and packs.
        Runs of an `operator` are held to no policy, and their records say so.

        A folder that is no workspace has the embedded demo's, as conversations in it do: a program that one
        of them printed runs here."""
        super().__init__(folder / STATE_FOLDER / RUNS_FOLDER, lambda: self._seen_by)
        self.folder = folder
        self.lock = threading.RLock()
        self._given_home = home
        self._component = component
        self._operator = operator

    def run(
        self,
        manifest: bytes,
        *,
        limits: RunLimits | None = None,
        run_id: str | None = None,
        cancel: Cancellation | None = None,
        listeners: Sequence[RunListener] = (),
        replaces: tuple[str, ...] = (),
        keep_going: bool = False,
    ) -> RunOutcome:
        """Run a manifest to its end. With the id of a run that is done, nothing is done again. `replaces` are
        the files that somebody agreed to have replaced, as `replaced` gave them. With `keep_going` what fails
        ends only the steps that hang on it."""
        order = read_order(manifest)
        record = self._new_record(order, run_id or uuid.uuid4().hex, limits or RunLimits(), replaces)
        record = replace(record, keep_going=keep_going)
        if not self.store.create(record, manifest):
            known = self.store.load(record.id)
            if known.manifest != order.fingerprint:
                raise StepRefused(
                    f"run {record.id} was of another manifest", hint="give another --run-id, or none"
                )
            return self.resume(record.id, limits=limits, cancel=cancel, listeners=listeners)
        return self._go(order, record, cancel, listeners)

    def replaced(self, order: Order) -> tuple[str, ...]:
        """The files that a run would replace though no run made them. Raises `StepRefused` of one that no run
        may write."""
        return self.targets.replaced(order.files)

    @property
    def targets(self) -> FileTargets:
        """Which files of this folder may be written, as they are now."""
        home = self._home or self.folder / STATE_FOLDER / DEMO_FOLDER
        return FileTargets(self.folder, ReservedFiles(self.folder, home), self.store)

    def plan(
        self, manifest: bytes, *, limits: RunLimits | None = None, cancel: Cancellation | None = None
    ) -> tuple[Order, Planned]:
        """What a run would do. Connections are made and looked at; nothing is written, not even a record."""
        order = read_order(manifest)
        replaces = self.replaced(order)
        with tempfile.TemporaryDirectory(prefix="dragoman-") as folder:
            record = self._new_record(order, uuid.uuid4().hex, limits or RunLimits(), replaces)
            engine = self._engine(Path(folder), cancel or Cancellation(), self._operator)
            return order, engine.plan(order, Logbook(record, Unkept()))

    def resume(
        self,
        run_id: str,
        *,
        limits: RunLimits | None = None,
        cancel: Cancellation | None = None,
        listeners: Sequence[RunListener] = (),
    ) -> RunOutcome:
        """Finish a run that was interrupted, failed or was cancelled. What it has published is left alone.
        Without `limits` those hold that it was given, and for the rest those of the workspace as it is now.
        """
        record = self.store.load(run_id)
        if record.status is RunStatus.DONE:
            return RunOutcome(record, report_of_run(record), {})
        order = read_order(self.store.manifest(run_id))
        steps = tuple(
            step if step.state is StepState.DONE else replace(step, fault=None, state=_begun_anew(step.state))
            for step in record.steps
        )
        asked = limits or record.asked
        # Whoever goes on with a run does so in their own name: an operator's run is not a way past policies.
        again = replace(
            record,
            status=RunStatus.RUNNING,
            cycle=record.cycle + 1,
            steps=steps,
            fault=None,
            ended_at="",
            operator=self._operator,
            viewer=self._seen_by.viewer,
            limits=run_limits(self.folder, asked),
            asked=asked,
        )
        return self._go(order, again, cancel, listeners, resumed=True)

    def cancel(self, run_id: str) -> RunRecord:
        """Stop a run, whichever process has it in hand, and wait until it has stopped."""
        folder = self.store.folder_of(run_id)
        record = self.store.load(run_id)
        if record.status is not RunStatus.RUNNING:
            return record
        if holder(folder) is not None:
            (folder / CANCEL_FILE).touch()
            deadline = time.monotonic() + _STOPPING_SECONDS
            while holder(folder) is not None and time.monotonic() < deadline:
                time.sleep(POLL_SECONDS)
        if holder(folder) is None:
            self.settle()
        return self.store.load(run_id)

    def settle(self) -> list[Settled]:
        """Find the runs whose process is gone, and finish or undo each."""
        found = []
        for record in self.store.list(limit=1_000, statuses=[RunStatus.RUNNING]):
            try:
                with run_lock(self.store.folder_of(record.id)):
                    # It may have ended between the look at the list and the lock.
                    fresh = self.store.load(record.id)
                    if fresh.status is RunStatus.RUNNING:
                        found.append(self._settle(fresh))
            except RunBusy:
                continue
        return found

    def _settle(self, record: RunRecord) -> Settled:
        # What was staged was allowed when it was read: it is published, or undone, in the name of its run.
        engine = self._engine(self.store.folder_of(record.id), Cancellation(), record.operator)
        try:
            order = read_order(self.store.manifest(record.id))
            return Settled(engine.settle(order, Logbook(record, self.store)))
        except DragomanError as problem:
            return Settled(record, problem)

    def _go(
        self,
        order: Order,
        record: RunRecord,
        cancel: Cancellation | None,
        listeners: Sequence[RunListener],
        *,
        resumed: bool = False,
    ) -> RunOutcome:
        folder = self.store.folder_of(record.id)
        wish = cancel or Cancellation()
        with run_lock(folder):
            (folder / CANCEL_FILE).unlink(missing_ok=True)
            if resumed:
                # Its process may have died and left queries behind; from here on it has another mark.
                stop_strays(record, self.connect)
                record = replace(record, mark=uuid.uuid4().hex, connections=())
                self.store.save(record)
            engine = self._engine(folder, wish, record.operator)
            with CancelWatch(folder / CANCEL_FILE, wish):
                book = Logbook(record, self.store, listeners)
                try:
                    ended = engine.run(order, book)
                except BaseException as error:
                    book.end(RunStatus.FAILED, fault_of(_defect(error)))
                    raise
        self._write_page(ended)
        report, failure = self._reported(ended)
        return RunOutcome(ended, report, engine.looks, failure)

    def _write_page(self, record: RunRecord) -> None:
        """The page of the run, beside its lock. Without it a run is as good as with it."""
        try:
            write_whole(self.page_file(record.id), self.page(record).encode())
        except OSError as error:
            logging.getLogger("dragoman").warning("the page of run %s was not written: %s", record.id, error)

    def _reported(self, record: RunRecord) -> tuple[StatusReport, OutputValidationFailureEvent | None]:
        """The status report of a cycle: made, guarded and counted; and how it failed, where it did."""
        failures: list[OutputValidationFailureEvent] = []
        metrics = MetricsFile(self.folder / STATE_FOLDER / METRICS_FILE)
        try:
            validation = OutputValidation(resolve_settings(os.environ), metrics, unrecorded=tell_unrecorded)
            report = report_of_run(record, validation, failures.append)
            return report, next(iter(failures), None)
        finally:
            metrics.close()

    def _new_record(
        self, order: Order, run_id: str, asked: RunLimits, replaces: tuple[str, ...]
    ) -> RunRecord:
        return RunRecord(
            id=run_id,
            name=order.name,
            manifest=order.fingerprint,
            status=RunStatus.RUNNING,
            started_at=now(),
            steps=tuple(_new_step(step) for step in order.steps),
            limits=run_limits(self.folder, asked),
            asked=asked,
            mark=uuid.uuid4().hex,
            operator=self._operator,
            viewer=self._seen_by.viewer,
            replaces=replaces,
        )

    def _engine(self, folder: Path, cancel: Cancellation, operator: bool) -> LocalEngine:
        catalog = self._operators_catalog if operator else self._catalog
        # A folder without connections has the demo's, which has no policies: it is not built to ask.
        found = self._component or functools.partial(component_in, catalog, walled=self._home is not None)
        around = Surroundings(self.folder, folder, self.connect, cancel, self.targets, found)
        return LocalEngine(around)

    @once
    def _seen_by(self) -> Audience:
        return Audience(self._home, operator=self._operator)

    def _catalog(self) -> "Catalog":
        return self._opened

    def _operators_catalog(self) -> "Catalog":
        return self._opened_whole

    @once
    def _opened(self) -> "Catalog":
        return self._open(operator=False)

    @once
    def _opened_whole(self) -> "Catalog":
        return self._open(operator=True)

    def _open(self, *, operator: bool) -> "Catalog":
        from dragoman.catalog.catalog import Catalog

        if self._home is not None:
            found = Catalog(self._home, operator=operator)
        else:
            from dragoman.catalog.homes import demo_home

            found = Catalog(demo_home(self.folder), operator=operator)
        found.run_log = self
        return found

    @property
    def _home(self) -> Path | None:
        """Where connections and packs are; None where they are those of the demo."""
        if self._given_home is not None:
            return self._given_home
        return self.folder if (self.folder / CONNECTIONS_FILE).exists() else None

    def connect(self, name: str) -> ResolvedConnection:
        """A connection of the workspace by its name; its address is judged."""
        home = self._home or self.folder / STATE_FOLDER / DEMO_FOLDER
        connection = resolve(load_connections(home).find(name), home)
        if connection.transport is not Transport.FILE:
            refuse_address(connection.host)
        return connection


def component_in(catalog: "Callable[[], Catalog]", verb: str, *, walled: bool) -> Component:
    """The component of a verb, held to the policies of a workspace; a verb of the workspace itself is read by
    its database's extractor."""
    if not offered(verb):
        known = catalog()
        if is_knowledge(known, Statement(verb)):
            from dragoman.engine.components.knowledge import KnowledgeExtractor

            return KnowledgeExtractor(known, verb)
        # Imported when it is needed: most pipelines are made of components.
        from dragoman.engine.components.verbs import VerbExtractor

        return VerbExtractor(known, verb)
    wall = PolicyWall(catalog)
    return guarded(component(verb), wall) if walled and wall.stands() else component(verb)


def _new_step(step: OrderStep) -> StepRecord:
    return StepRecord(step.id, step.component, step.mode.value, step.needs)


def _begun_anew(state: StepState) -> StepState:
    """What was running when its process ended does not run now, and may never again."""
    return StepState.WAITING if state is StepState.RUNNING else state


def _defect(error: BaseException) -> DragomanError:
    if isinstance(error, DragomanError):
        return error
    if isinstance(error, MemoryError):
        return MemoryLimitExceeded()
    return InternalError(f"{type(error).__name__}: {error}", hint="please report it")
