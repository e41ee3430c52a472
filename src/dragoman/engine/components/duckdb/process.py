"""This side of the process that runs SQL: starting it, filling its tables, hearing its rows, ending it."""

import shutil
import tempfile
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

import pyarrow as pa

from dragoman.contracts.errors import (
    DriverFailed,
    EngineError,
    RunLimitExceeded,
    SourceFailed,
    StepRefused,
    TransientFault,
)
from dragoman.contracts.flow import FlowColumn
from dragoman.databases.access.worker.process import Worker
from dragoman.engine.carriers import arrow_schema
from dragoman.engine.component import StepContext
from dragoman.engine.components.duckdb.messages import (
    Described,
    Ended,
    Failed,
    InputTable,
    Message,
    Rows,
    Select,
    Silence,
    Work,
    hear,
    say,
)
from dragoman.engine.components.duckdb.types import carrying, column_of, refusal
from dragoman.engine.components.interruption import cancelled
from dragoman.engine.flow import Flow
from dragoman.guards.secrets import scrubbed

_MODULE = "dragoman.engine.components.duckdb.worker"
_SHARE = 2
"""The run's database has a memory of its own, so the process gets a part of what a run may have."""


class Confined(Worker):
    """The process, and who stops it: the run's cancellation, or its time."""

    def __init__(self, context: StepContext) -> None:
        super().__init__(_MODULE)
        self._context = context
        self._late = False
        self._timer: threading.Timer | None = None
        if context.limits.seconds is not None:
            self._timer = threading.Timer(context.limits.seconds, self._end_late)
            self._timer.daemon = True
            self._timer.start()

    def tell(self, message: Message) -> None:
        """Raises EngineError."""
        try:
            say(self._in, message)
        except OSError as error:
            # It may have said why before it ended.
            with suppress(Silence, OSError):
                while not isinstance(reply := hear(self._out), Failed):
                    pass
                raise failure(reply) from error
            raise self._gone() from error

    def answer(self) -> Message:
        """Raises EngineError."""
        try:
            reply = hear(self._out)
        except (Silence, OSError) as error:
            raise self._gone() from error
        if isinstance(reply, Failed):
            raise self._why() or failure(reply)
        return reply

    def close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        super().close()

    def _end_late(self) -> None:
        self._late = True
        self.kill()

    def _gone(self) -> EngineError:
        return self._why() or SourceFailed(
            "the process that ran the query ended", hint="it may have needed more memory than it may have"
        )

    def _why(self) -> EngineError | None:
        if self._context.cancel.cancelled:
            return cancelled()
        if self._late:
            return RunLimitExceeded("the query took longer than the run may take", hint="allow more seconds")
        return None


@contextmanager
def confined(context: StepContext) -> Iterator[tuple[Confined, Path]]:
    """A process with a folder of its own; both are gone afterwards."""
    folder = Path(tempfile.mkdtemp(dir=context.folder, prefix="sql-"))
    try:
        worker = Confined(context)
    except DriverFailed as error:
        raise TransientFault(error.message, hint=error.hint) from error
    try:
        with context.cancel.told_to(worker.kill):
            yield worker, folder
    finally:
        worker.close()
        shutil.rmtree(folder, ignore_errors=True)


def work(
    sql: str,
    folder: Path,
    context: StepContext,
    *,
    tables: list[InputTable] | None = None,
    database: str = "",
    describe: bool = False,
) -> Work:
    return Work(
        folder=str(folder.resolve()),
        memory_bytes=max(64_000_000, context.limits.memory_bytes // _SHARE),
        threads=2,
        seconds=context.limits.seconds or 0.0,
        sql=sql,
        tables=tables or [],
        database=database,
        describe=describe,
    )


def columns_heard(worker: Confined) -> tuple[FlowColumn, ...]:
    """What the query gives. Raises EngineError."""
    reply = worker.answer()
    if not isinstance(reply, Described):
        raise SourceFailed("the process that runs the query is not understood", hint="report this")
    names = [name for name, _ in reply.columns]
    for name in names:
        if names.count(name) > 1:
            raise StepRefused(f"two columns are called {name}", hint="name one with AS", column=name)
    return tuple(column_of(name, native) for name, native in reply.columns)


def fill(worker: Confined, inputs: Mapping[str, Flow], context: StepContext) -> None:
    for flow in inputs.values():
        schema = arrow_schema(flow.columns)
        worker.tell(Rows(schema.serialize().to_pybytes()))
        for batch in flow.batches(context.lane):
            plain = pa.RecordBatch.from_arrays(batch.columns, schema=schema)
            worker.tell(Rows(plain.serialize().to_pybytes()))
        worker.tell(Rows(b""))


def rows_heard(
    worker: Confined, columns: tuple[FlowColumn, ...], context: StepContext, trouble: list[EngineError]
) -> Iterator[pa.RecordBatch]:
    """The result, batch by batch: what is not taken waits in the pipe, and the process with it."""
    schema = arrow_schema(columns)
    try:
        worker.tell(Select([carrying(column, number) for number, column in enumerate(columns, 1)]))
        while not isinstance(reply := worker.answer(), Ended):
            if isinstance(reply, Rows):
                batch = pa.ipc.read_record_batch(pa.py_buffer(reply.batch), _named(schema))
                context.rows(batch.num_rows)
                yield pa.RecordBatch.from_arrays(batch.columns, schema=schema)
    except EngineError as error:
        known = refusal(error.message, columns) or error
        trouble.append(known)
        raise known from error


def _named(schema: pa.Schema) -> pa.Schema:
    """As it was sent: every column may be NULL there."""
    return pa.schema([pa.field(f"c{n}", field.type) for n, field in enumerate(schema, 1)])


def failure(reply: Failed) -> EngineError:
    text = scrubbed(reply.message)
    if reply.busy:
        return TransientFault(f"another program has the database open: {text}", hint="it is tried again")
    if reply.memory:
        return SourceFailed(f"the query needs more memory than it may have: {text}", hint="narrow it")
    return SourceFailed(f"DuckDB refused the query: {text}", hint="check the query")
