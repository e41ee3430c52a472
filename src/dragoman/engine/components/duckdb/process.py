"""This side of the process that runs SQL on DuckDB: what it is to do, filling its tables, its rows."""

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from pathlib import Path

import pyarrow as pa

from dragoman.contracts.errors import EngineError, StepRefused
from dragoman.contracts.flow import FlowColumn
from dragoman.engine.carriers import arrow_schema
from dragoman.engine.component import StepContext
from dragoman.engine.components.confined import Confined, confined, not_understood
from dragoman.engine.components.duckdb.messages import REPLIES, Described, InputTable, Reply, Select, Work
from dragoman.engine.components.duckdb.types import carrying, column_of, refusal
from dragoman.engine.components.worker_frames import Ended, Rows
from dragoman.engine.flow import Flow

_MODULE = "dragoman.engine.components.duckdb.worker"
_SHARE = 2
"""The run's database has a memory of its own, so the process gets a part of what a run may have."""

DuckdbProcess = Confined[Reply]


def duckdb_process(context: StepContext) -> AbstractContextManager[tuple[DuckdbProcess, Path]]:
    """A process with a folder of its own; both are gone afterwards."""
    return confined(_MODULE, REPLIES, context)


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


def columns_heard(worker: DuckdbProcess) -> tuple[FlowColumn, ...]:
    """What the query gives. Raises EngineError."""
    reply = worker.answer()
    if not isinstance(reply, Described):
        raise not_understood()
    names = [name for name, _ in reply.columns]
    for name in names:
        if names.count(name) > 1:
            raise StepRefused(f"two columns are called {name}", hint="name one with AS", column=name)
    return tuple(column_of(name, native) for name, native in reply.columns)


def fill(worker: DuckdbProcess, inputs: Mapping[str, Flow], context: StepContext) -> None:
    for flow in inputs.values():
        schema = arrow_schema(flow.columns)
        worker.tell(Rows(schema.serialize().to_pybytes()))
        for batch in flow.batches(context.lane):
            plain = pa.RecordBatch.from_arrays(batch.columns, schema=schema)
            worker.tell(Rows(plain.serialize().to_pybytes()))
        worker.tell(Rows(b""))


def rows_heard(
    worker: DuckdbProcess, columns: tuple[FlowColumn, ...], context: StepContext, trouble: list[EngineError]
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
