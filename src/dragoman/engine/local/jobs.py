"""Jobs of a wave: what is kept for several takers, then what ends in a writer or is only looked at."""

import dataclasses
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from contextlib import ExitStack, contextmanager, nullcontext

import duckdb
import pyarrow as pa

from dragoman.contracts.cancellation import Cancellation
from dragoman.contracts.errors import DiskFull, EngineError, RunLimitExceeded, SourceFailed, TransientFault
from dragoman.contracts.query import Value
from dragoman.contracts.run import RunLimits
from dragoman.engine.component import Staged, StepContext, Writer, Writing
from dragoman.engine.flow import Flow
from dragoman.engine.local.flows import Flows
from dragoman.engine.local.plans import Planned
from dragoman.engine.order import Order, OrderStep
from dragoman.engine.run_database import SPOOL, Lane, RunDatabase, quoted
from dragoman.guards.secrets import scrubbed

SHOWN_ROWS = 1_000
"""How many rows of a step that nothing takes are read: enough to look at."""
SHOWN_BYTES = 64_000_000
"""How much they may hold; a thousand rows can be as large as memory is."""
_WORKERS = 4


@dataclasses.dataclass(frozen=True)
class Look:
    """The first rows of a step that nothing takes. `more`: there were more, and they were not read."""

    columns: tuple[str, ...]
    rows: list[tuple[Value, ...]]
    more: bool


class Jobs:
    """Does the jobs of a run in its database. `context_of` gives a step its surroundings on a lane."""

    def __init__(
        self,
        order: Order,
        database: RunDatabase,
        limits: RunLimits,
        cancel: Cancellation,
        context_of: Callable[[OrderStep, Lane], StepContext],
        begins: Callable[[str], None],
    ) -> None:
        self._order = order
        self._database = database
        self._limits = limits
        self._cancel = cancel
        self._context_of = context_of
        self._begins = begins
        self._renewing = threading.Lock()
        self._spooling = threading.RLock()
        self._spooled: dict[str, str] = {}
        self.generation = 0
        """How often the run's database had to begin anew. What waited on it was lost each time."""

    def spool(self, step: OrderStep, planned: Planned) -> int | None:
        """Read a step once, into a table on disk; how many rows it had, None when it is there already."""
        with self._spooling, self._working(step) as (lane, stack):
            # Several writers may need the same rows at once; the first reads them, the others find the table.
            if step.id in self._spooled:
                return None
            flow = self._limited(self._flows(planned, lane, stack).of(step))
            table = self._database.fresh_name("step")
            made = f"CREATE TABLE {SPOOL}.main.{quoted(table)} AS {flow.sql(lane)}"
            count = lane.execute(made).fetchone()
            rows = int(count[0]) if count else 0
            self._check_rows(step, rows)
            self._spooled[step.id] = table
            return rows

    def stage(self, step: OrderStep, planned: Planned) -> Staged:
        """Take everything that flows into a writer into its staging."""
        mine = planned[step.id]
        assert isinstance(mine.component, Writer)  # noqa: S101
        assert isinstance(mine.plan, Writing)  # noqa: S101
        with self._working(step) as (lane, stack):
            flow = self._limited(self._flows(planned, lane, stack).into(step))
            staged = mine.component.stage(mine.settings, mine.plan, flow, self._context_of(step, lane))
        self._check_rows(step, staged.rows)
        return staged

    def look(self, step: OrderStep, planned: Planned) -> Look:
        """The first rows of a step that nothing takes."""
        with self._working(step) as (lane, stack):
            flow = self._flows(planned, lane, stack).of(step)
            names = tuple(column.name for column in flow.columns)
            rows: list[tuple[Value, ...]] = []
            held = 0
            for batch in flow.batches(lane):
                # One row too many says that there are more, without counting a table of any size.
                first = batch.slice(0, SHOWN_ROWS + 1 - len(rows))
                held += first.nbytes
                rows += zip(*(column.to_pylist() for column in first.columns), strict=True)
                if len(rows) > SHOWN_ROWS or held > SHOWN_BYTES:
                    break
        return Look(names, rows[:SHOWN_ROWS], more=len(rows) > SHOWN_ROWS or held > SHOWN_BYTES)

    @contextmanager
    def on_lane(self, step: OrderStep, *, cancelled_too: bool = False) -> Iterator[StepContext]:
        """The surroundings of a step that has no rows to move: planning, publishing, discarding. What has to
        be done also after a cancel is not disturbed by it."""
        with self._lane(None if cancelled_too else self._cancel) as lane, self._translated(step):
            context = self._context_of(step, lane)
            yield dataclasses.replace(context, cancel=Cancellation()) if cancelled_too else context

    @contextmanager
    def _working(self, step: OrderStep) -> Iterator[tuple[Lane, ExitStack]]:
        """A lane for a job, and where its flows end with it. What goes wrong is told by the source of the
        rows first, which knows best; what it does not know is put into words here."""
        with self._lane(self._cancel) as lane, self._translated(step), ExitStack() as stack:
            yield lane, stack

    def _flows(self, planned: Planned, lane: Lane, stack: ExitStack) -> Flows:
        return Flows(self._order, planned, self._spooled, lane, self._context_of, self._begins, stack)

    def _limited(self, flow: Flow) -> Flow:
        """One row more than is allowed is enough to know that there are too many."""
        most = self._limits.rows
        if most is None:
            return flow
        if flow.relation is not None:
            return Flow(flow.columns, relation=f"SELECT * FROM ({flow.relation}) LIMIT {most + 1}")
        assert flow.reader is not None  # noqa: S101
        batches = _first(flow.reader, most + 1)
        return Flow(flow.columns, reader=pa.RecordBatchReader.from_batches(flow.reader.schema, batches))

    def _check_rows(self, step: OrderStep, rows: int) -> None:
        most = self._limits.rows
        if most is not None and rows > most:
            raise RunLimitExceeded(
                f"{step.id} has more than the {most:,} rows that this run may move",
                hint="nothing was written; raise --max-rows, or read less",
                limit="rows",
            )

    @contextmanager
    def _lane(self, cancel: Cancellation | None) -> Iterator[Lane]:
        with self._renewing:
            # DuckDB gives a database up after some errors, and everything spooled in it is gone. Counting
            # generations tells the writers of a wave that their shared rows were read anew.
            if self._database.lost:
                self._database.renew()
                self._spooled.clear()
                self.generation += 1
            lane = self._database.lane()
        try:
            with cancel.told_to(lane.interrupt) if cancel is not None else nullcontext():
                yield lane
        finally:
            lane.close()

    @contextmanager
    def _translated(self, step: OrderStep) -> Iterator[None]:
        """What DuckDB says in the middle of a flow, as an error of ours. When it gave itself up, whatever was
        said of that, another try begins with a new one."""
        try:
            yield
        except (duckdb.Error, EngineError) as error:
            if self._database.lost and not isinstance(error, TransientFault):
                raise TransientFault(f"{step.id}: a line was cut in the middle", hint="try again") from error
            if isinstance(error, EngineError):
                raise
            said = scrubbed(str(error).splitlines()[0])
            if "No space left" in str(error):
                raise DiskFull(f"{step.id}: no space is left", hint="free some and run it again") from error
            raise SourceFailed(f"{step.id}: {said}", hint="see the step's query and connection") from error


def _first(reader: pa.RecordBatchReader, most: int) -> Iterator[pa.RecordBatch]:
    left = most
    for batch in reader:
        yield batch.slice(0, left)
        left -= min(left, batch.num_rows)
        if not left:
            return


def side_by_side(jobs: Sequence[Callable[[], None]], stop: Callable[[], None]) -> None:
    """Do all of them at once. When one fails, `stop` is called, the others waited for, and it is raised."""
    if len(jobs) == 1:
        jobs[0]()
        return
    with ThreadPoolExecutor(max_workers=min(len(jobs), _WORKERS), thread_name_prefix="step") as pool:
        running = [pool.submit(job) for job in jobs]
        done, _ = wait(running, return_when=FIRST_EXCEPTION)
        failed = [future for future in done if future.exception() is not None]
        if failed:
            stop()
            for future in running:
                future.cancel()
        # Also after a failure: a step that still writes must have ended before anything is undone.
        wait(running)
    # The others may have failed only because they were stopped.
    for future in failed:
        raise future.exception() or AssertionError


def pause(seconds: float, cancel: Cancellation) -> None:
    """Wait, unless it is cancelled meanwhile."""
    ended = threading.Event()
    deadline = time.monotonic() + seconds
    with cancel.told_to(ended.set):
        ended.wait(max(0.0, deadline - time.monotonic()))
