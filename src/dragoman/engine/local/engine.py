"""The local engine: an order run to its end in this process, within its limits."""

import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from dragoman.contracts.cancellation import Cancellation
from dragoman.contracts.errors import DragomanError, EngineError, RunCancelled, RunLimitExceeded
from dragoman.contracts.run import RunLimits, RunRecord, RunStatus
from dragoman.databases.connections import ResolvedConnection
from dragoman.engine.component import StepContext
from dragoman.engine.local.execution import Execution
from dragoman.engine.local.jobs import Jobs, Look
from dragoman.engine.local.plans import Planned, refuse_without_rows
from dragoman.engine.local.strays import stop_strays
from dragoman.engine.local.surroundings import Surroundings
from dragoman.engine.local.waves import waves
from dragoman.engine.memory import give_large_blocks_back
from dragoman.engine.order import Order, OrderStep
from dragoman.engine.run_database import Lane, RunDatabase
from dragoman.engine.runs.logbook import Logbook, fault_of
from dragoman.engine.time_limit import time_over

_SCRATCH = "scratch"


class LocalEngine:
    """Runs orders. `looks` are, after a run, the first rows of the steps that nothing takes."""

    def __init__(self, around: Surroundings) -> None:
        self._around = around
        self._time_is_up = threading.Event()
        self.looks: dict[str, Look] = {}

    def run(self, order: Order, book: Logbook) -> RunRecord:
        """To the end, whatever that is. What a person has to know of a failure is in the record; only what is
        a defect of ours is raised."""
        give_large_blocks_back()
        book.begin()
        try:
            with self._limited_time(book.record.limits.seconds), self._execution(order, book) as execution:
                self.looks = looks = execution.looks
                execution.run()
                # They are read side by side. Whoever shows them shows them as the program has them.
                self.looks = {each.id: looks[each.id] for each in order.steps if each.id in looks}
        except DragomanError as error:
            told = self._why(error, book.record.limits)
            status = RunStatus.CANCELLED if isinstance(told, RunCancelled) else RunStatus.FAILED
            return book.end(status, fault_of(told))
        return book.end(RunStatus.DONE)

    def plan(self, order: Order, book: Logbook) -> Planned:
        """What a run would do, as far as it can be known now: its first wave. Nothing is written anywhere."""
        refuse_without_rows(order)
        limits = book.record.limits
        try:
            with self._limited_time(limits.seconds), self._execution(order, book) as execution:
                return execution.plan(waves(order)[0], {}) if order.steps else {}
        except EngineError as error:
            raise self._why(error, limits) from error

    def settle(self, order: Order, book: Logbook) -> RunRecord:
        """Bring a run whose process is gone to rest: published if all of it was staged, undone otherwise.
        Raises what keeps it from that, such as a database that does not answer."""
        stop_strays(book.record, self._around.connect)
        with self._execution(order, book) as execution:
            if execution.publish_staged():
                return book.end(RunStatus.DONE)
            execution.discard_all()
        return book.end(RunStatus.INTERRUPTED)

    @contextmanager
    def _execution(self, order: Order, book: Logbook) -> Iterator[Execution]:
        folder = self._around.folder / _SCRATCH
        # Scratch of an earlier try of this run: nothing in it is needed, and it may be half written.
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        # A cancellation of the run's own: a failing step stops its neighbours with it, and that must not look
        # as if the user had cancelled.
        stop = Cancellation()
        try:
            with (
                RunDatabase(folder, book.record.limits) as database,
                self._around.cancel.told_to(stop.cancel),
            ):
                jobs = self._jobs(order, book, database, folder, stop)
                yield Execution(order, book, jobs, self._around.component, stop, self._around.targets)
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def _jobs(
        self, order: Order, book: Logbook, database: RunDatabase, folder: Path, stop: Cancellation
    ) -> Jobs:
        around, limits = self._around, book.record.limits

        def context_of(step: OrderStep, lane: Lane) -> StepContext:
            passed = 0

            def rows(more: int) -> None:
                nonlocal passed
                passed += more
                book.progress(step.id, passed)

            def connect(name: str) -> ResolvedConnection:
                book.connects(name)
                return around.connect(name)

            return StepContext(
                run_id=book.record.id,
                pipeline=order.name or order.fingerprint[:16],
                step=step.id,
                workspace=around.workspace,
                folder=folder,
                lane=lane,
                limits=limits,
                cancel=stop,
                connect=connect,
                rows=rows,
                targets=around.targets,
                replaces=book.record.replaces,
                mark=book.record.mark,
            )

        return Jobs(order, database, limits, stop, context_of, book.step_begins)

    @contextmanager
    def _limited_time(self, seconds: float | None) -> Iterator[None]:
        if seconds is None:
            yield
            return

        def end() -> None:
            self._time_is_up.set()
            self._around.cancel.cancel()

        timer = threading.Timer(seconds, end)
        # A process that wants to exit does not wait for the time limit of a run.
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def _why(self, error: DragomanError, limits: RunLimits) -> DragomanError:
        """What ended the run. After a wish to stop, every other failure only followed from it."""
        if self._time_is_up.is_set():
            return time_over(limits)
        if self._around.cancel.cancelled and not isinstance(error, RunLimitExceeded):
            return RunCancelled("the run was cancelled", hint="what it had not published yet is undone")
        return error
