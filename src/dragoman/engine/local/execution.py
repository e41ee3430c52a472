"""The execution of one run: its waves, each planned, staged and published, with every step on record.

Staging first, then publishing, is what makes writes atomic: a fault before the first publication leaves every
target as it was. Every effect is on record before it happens, so that after a crash another process can tell
what to publish and what to remove.
"""

import functools
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import TypeVar

import msgspec

from dragoman.contracts.cancellation import Cancellation
from dragoman.contracts.decoding import decoded
from dragoman.contracts.errors import DragomanError, RunCancelled, RunLimitExceeded, StagingLost, StepRefused
from dragoman.contracts.flow import CursorValue, WriteMode
from dragoman.contracts.run import StepState
from dragoman.contracts.verb import Effect
from dragoman.engine.component import Component, Extraction, Staged, Writer, Writing
from dragoman.engine.file_targets import FileTargets
from dragoman.engine.local.jobs import Jobs, Look, pause, side_by_side
from dragoman.engine.local.plans import Planned, PlannedStep, kept_steps, plan_step, refuse_without_rows
from dragoman.engine.local.waves import Wave, sources, strands, waves
from dragoman.engine.order import Order, OrderStep, written_file
from dragoman.engine.retry import RETRIES, with_retries
from dragoman.engine.runs.logbook import Logbook, fault_of

T = TypeVar("T")

_ENDING = (RunCancelled, RunLimitExceeded)
"""What ends a whole run, whatever goes on in its other parts."""


class Execution:
    """One run going its way. `looks` are the first rows of steps that nothing takes."""

    def __init__(
        self,
        order: Order,
        book: Logbook,
        jobs: Jobs,
        component: Callable[[str], Component],
        stop: Cancellation,
        targets: FileTargets,
    ) -> None:
        self._order = order
        self._book = book
        self._jobs = jobs
        self._component = component
        self._stop = stop
        self._targets = targets
        self.looks: dict[str, Look] = {}

    def run(self) -> None:
        # Before the first wave: a mistake in the last step should not be found after the first one has
        # published.
        refuse_without_rows(self._order)
        if self._book.record.keep_going:
            self._run_strands()
            return
        self._refuse_files(self._order)
        self._run_waves(self._order)

    def _run_strands(self) -> None:
        """What hangs together is run by itself: what fails in one part leaves the others alone. The first
        failure is raised when all are through."""
        first: DragomanError | None = None
        for part in strands(self._order):
            try:
                self._refuse_files(part)
                self._run_waves(part)
            except _ENDING:
                raise
            except DragomanError as error:
                if self._stop.cancelled:
                    raise
                first = first or error
                self._fail(part, error)
        if first is not None:
            raise first

    def _fail(self, part: Order, error: DragomanError) -> None:
        """The steps of a part that failed, and why."""
        waiting = [step for step in part.steps if self._book.step(step.id).state is not StepState.DONE]
        faulty = any(self._book.step(step.id).fault is not None for step in waiting)
        for step in waiting:
            record = self._book.step(step.id)
            fault = record.fault or (None if faulty else fault_of(error))
            faulty = True
            self._book.step_ends(step.id, StepState.FAILED, fault=fault)

    def _run_waves(self, part: Order) -> None:
        planned: Planned = {}
        for wave in waves(part):
            if self._published_before(wave):
                continue
            planned = self.plan(wave, planned)
            try:
                staged = self._stage_all(wave, planned)
                self._publish_all(wave, planned, staged)
            except BaseException:
                # Also for KeyboardInterrupt and SystemExit: whatever ends the run, its staging is removed.
                self._undo(wave)
                raise

    def _refuse_files(self, part: Order) -> None:
        for step in part.steps:
            path = written_file(step)
            if path and self._book.step(step.id).state is not StepState.DONE:
                targets, replaces = self._targets, self._book.record.replaces
                self._tried(step, functools.partial(targets.refuse_unagreed, targets.place(path), replaces))

    def plan(self, wave: Wave, earlier: Planned) -> Planned:
        """Ask every step of a wave what it will do. No row moves."""
        planned = dict(earlier)
        for step in wave.steps:
            # Somebody may wait at a wrong address, and nothing has moved yet: one more try is enough.
            planned[step.id] = self._tried(step, functools.partial(self._plan, step, planned), retries=1)
            plan = planned[step.id].plan
            self._book.change(
                step.id,
                columns=planned[step.id].columns,
                warnings=plan.warnings,
                target=plan.target if isinstance(plan, Extraction | Writing) else "",
                cursor=plan.cursor if isinstance(plan, Extraction) else None,
            )
            self._book.warn(step.id, plan.warnings)
        _refuse_two_whole_writes([planned[step.id] for step in wave.steps])
        return planned

    def _plan(self, step: OrderStep, planned: Planned) -> PlannedStep:
        bound = self._book.step(step.id).cursor
        with self._jobs.on_lane(step) as context:
            return plan_step(self._order, step, planned, self._component, bound, context)

    def discard_all(self) -> None:
        """Remove whatever is on record as staged and was not published."""
        for step in self._order.steps:
            if self._book.step(step.id).state is not StepState.STAGED or not self._is_published(step):
                self._discard(step)

    def publish_staged(self) -> bool:
        """Publish what an earlier process staged completely; False, with nothing done, when anything of the
        run is not staged or published yet."""
        writes = [step for step in self._order.steps if step.mode is Effect.WRITE]
        ready = (StepState.STAGED, StepState.DONE)
        if not writes or any(self._book.step(step.id).state not in ready for step in writes):
            return False
        try:
            for step in writes:
                if not self._is_published(step):
                    self._publish_from_record(step)
        except StagingLost:
            # A server restarted, or a folder was cleaned. The run is then undone, and can be resumed.
            return False
        return True

    def _publish_from_record(self, step: OrderStep) -> None:
        record = self._book.step(step.id)
        writing = decoded(record.plan, Writing)
        with self._jobs.on_lane(step) as context:
            self._writer(step).publish(step.settings, writing, self._recorded(step), record.cursor, context)
        self._published_now(step)

    def _recorded(self, step: OrderStep) -> Staged:
        record = self._book.step(step.id)
        return Staged(record.rows or 0, record.bytes, record.token)

    def _published_now(self, step: OrderStep) -> None:
        self._book.step_ends(step.id, StepState.DONE)
        self._book.change(step.id, staging="", token="", plan="")

    def _published_before(self, wave: Wave) -> bool:
        """Whether an earlier try of this run has published all that the wave writes."""
        writes = [step for step in wave.ends if step.mode is Effect.WRITE]
        # Nobody can have published anything before a first try, and asking every target costs a connection
        # each.
        if self._book.record.cycle == 1 or not writes:
            return False
        # All are asked, whatever the first one answers: what was published is on record then.
        found = [self._is_published(step) for step in writes]
        return all(found)

    def _is_published(self, step: OrderStep) -> bool:
        """Whether a step was published. Our record says so only after it was; before, the target is asked."""
        record = self._book.step(step.id)
        if record.state is StepState.DONE:
            return True
        staged = self._recorded(step) if record.token else None
        with self._jobs.on_lane(step) as context:
            rows = self._writer(step).published(step.settings, staged, context)
        if rows is None:
            return False
        self._book.step_ends(step.id, StepState.DONE, rows=rows)
        return True

    def _stage_all(self, wave: Wave, planned: Planned) -> dict[str, Staged]:
        """Stage every writer of a wave. Those that take the same rows took them from the same reading: when
        the run's database had to begin anew in between, all begin anew."""
        shared = kept_steps(self._order, wave, planned)
        while True:
            generation = self._jobs.generation
            for step in shared:
                self._book.step_begins(step.id)
                rows = self._tried(step, functools.partial(self._jobs.spool, step, planned))
                if rows is not None:
                    self._book.step_ends(step.id, StepState.DONE, rows=rows)
            staged: dict[str, Staged] = {}

            def end(step: OrderStep, staged: dict[str, Staged] = staged) -> None:
                if step.mode is not Effect.WRITE:
                    self._look(step, planned)
                elif self._book.step(step.id).state is not StepState.DONE:
                    staged[step.id] = self._stage(step, planned, shared)

            side_by_side([functools.partial(end, step) for step in wave.ends], self._stop.cancel)
            if not shared or generation == self._jobs.generation:
                return staged

    def _look(self, step: OrderStep, planned: Planned) -> None:
        self._book.step_begins(step.id)
        look = self._tried(step, functools.partial(self._jobs.look, step, planned))
        self.looks[step.id] = look
        self._book.step_ends(step.id, StepState.DONE, rows=len(look.rows))

    def _stage(self, step: OrderStep, planned: Planned, shared: Sequence[OrderStep]) -> Staged:
        self._book.step_begins(step.id)
        plan = planned[step.id].plan
        assert isinstance(plan, Writing)  # noqa: S101
        # On disk before the first effect: after a crash this says what there is to remove, or to publish.
        self._book.change(
            step.id,
            staging=plan.staging,
            plan=msgspec.json.encode(plan).decode(),
            cursor=_cursor_of(self._order, step, planned),
        )

        def work() -> Staged:
            for each in shared:
                self._jobs.spool(each, planned)
            return self._jobs.stage(step, planned)

        staged = self._tried(step, work)
        self._book.change(
            step.id, state=StepState.STAGED, rows=staged.rows, bytes=staged.bytes, token=staged.token
        )
        if staged.warnings:
            self._book.change(step.id, warnings=(*self._book.step(step.id).warnings, *staged.warnings))
            self._book.warn(step.id, staged.warnings)
        self._sources_ended(step, staged.rows)
        return staged

    def _sources_ended(self, step: OrderStep, rows: int) -> None:
        """What flowed into a writer has ended with it; of a single source it is known how much it was."""
        feeding = sources(self._order, step)
        for source in feeding:
            if self._book.step(source.id).state is StepState.RUNNING:
                alone = len(feeding) == 1
                self._book.step_ends(source.id, StepState.DONE, rows=rows if alone else None)
                self._sources_ended(source, rows=-1)

    def _publish_all(self, wave: Wave, planned: Planned, staged: Mapping[str, Staged]) -> None:
        # The last moment to stop. Publishing itself is not disturbed by a cancel: nobody asked for half of a
        # wave.
        if self._stop.cancelled:
            raise RunCancelled("the run was cancelled", hint="nothing of it was published")
        for step in wave.ends:
            if step.id in staged:
                work = functools.partial(self._publish, step, planned)
                self._tried(step, work)
                self._published_now(step)

    def _publish(self, step: OrderStep, planned: Planned) -> None:
        # As it is on record: an earlier try may have had to stage it again.
        staged = self._recorded(step)
        mine = planned[step.id]
        assert isinstance(mine.component, Writer)  # noqa: S101
        assert isinstance(mine.plan, Writing)  # noqa: S101
        cursor = _cursor_of(self._order, step, planned)
        try:
            with self._jobs.on_lane(step, cancelled_too=True) as context:
                # Of an earlier try the answer may have been lost on the way, and not the deed.
                if mine.component.published(mine.settings, staged, context) is None:
                    mine.component.publish(mine.settings, mine.plan, staged, cursor, context)
        except StagingLost:
            again = self._jobs.stage(step, planned)
            self._book.change(step.id, rows=again.rows, bytes=again.bytes, token=again.token)
            with self._jobs.on_lane(step, cancelled_too=True) as context:
                mine.component.publish(mine.settings, mine.plan, again, cursor, context)

    def _undo(self, wave: Wave) -> None:
        """Remove what a wave has staged. What cannot be removed now stays on record, for a later start."""
        for step in wave.ends:
            # One target that cannot be reached must not keep the others from being cleaned.
            with suppress(DragomanError):
                self._discard(step)
        for step in wave.steps:
            record = self._book.step(step.id)
            if record.state in (StepState.RUNNING, StepState.STAGED):
                self._book.step_ends(step.id, StepState.FAILED, fault=record.fault)

    def _discard(self, step: OrderStep) -> None:
        record = self._book.step(step.id)
        if step.mode is not Effect.WRITE or not record.staging or record.state is StepState.DONE:
            return
        with self._jobs.on_lane(step, cancelled_too=True) as context:
            self._writer(step).discard(step.settings, record.staging, context)
        self._book.change(step.id, staging="", token="", plan="")

    def _writer(self, step: OrderStep) -> Writer:
        writer = self._component(step.component)
        assert isinstance(writer, Writer)  # noqa: S101
        return writer

    def _tried(self, step: OrderStep, work: Callable[[], T], *, retries: int = RETRIES) -> T:
        """Do it, again where that may help; a failure is put down with the step."""
        cancel = self._stop
        try:
            return with_retries(
                work,
                functools.partial(self._book.retried, step.id),
                cancel,
                functools.partial(pause, cancel=cancel),
                retries=retries,
            )
        except DragomanError as error:
            self._book.change(step.id, fault=fault_of(error))
            raise


def _cursor_of(order: Order, step: OrderStep, planned: Planned) -> CursorValue | None:
    """The bound of the incremental extraction that flows into a writer, if one does."""
    for source in sources(order, step):
        plan = planned[source.id].plan
        found = plan.cursor if isinstance(plan, Extraction) else _cursor_of(order, source, planned)
        if found is not None:
            return found
    return None


def _refuse_two_whole_writes(planned: Sequence[PlannedStep]) -> None:
    """Of two steps that each write all of the same file or table, only one could be seen afterwards."""
    seen: dict[str, str] = {}
    for each in planned:
        whole = "path" in each.settings or each.settings.get("write_mode") == WriteMode.REPLACE
        if not isinstance(each.plan, Writing) or not whole:
            continue
        other = seen.setdefault(each.plan.target, each.step.id)
        if other != each.step.id:
            raise StepRefused(
                f"{other} and {each.step.id} both write the whole of {each.plan.target}",
                hint="give one of them another target, or one writer both inputs",
            )
