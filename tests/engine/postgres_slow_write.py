"""A process that writes slowly to PostgreSQL and tells of every batch: it can be ended in the middle."""

import functools
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pyarrow as pa

from dragoman.contracts.flow import FlowColumn
from dragoman.contracts.schema import ValueType
from dragoman.engine.carriers import arrow_schema
from dragoman.engine.flow import Flow
from tests.engine.postgres_steps import Trial

COLUMNS = (FlowColumn("id", ValueType.INTEGER, bits=32), FlowColumn("v", ValueType.TEXT))
BATCHES = 20
BATCH = 1000


def slow_flow(seconds: float, told: Callable[[int], None] = lambda batch: None) -> Flow:
    schema = arrow_schema(COLUMNS)

    def batches() -> Iterator[pa.RecordBatch]:
        for i in range(BATCHES):
            time.sleep(seconds)
            told(i)
            rows = [{"id": i * BATCH + n, "v": "x" * 20} for n in range(BATCH)]
            yield pa.RecordBatch.from_pylist(rows, schema=schema)

    return Flow(COLUMNS, reader=pa.RecordBatchReader.from_batches(schema, batches()))


if __name__ == "__main__":
    url, workspace, run_id, mode = sys.argv[1:]
    config: dict[str, object] = {"table": "t", "write_mode": mode, "primary_key": ["id"]}
    told = functools.partial(print, flush=True)
    Trial(url, Path(workspace)).write(slow_flow(0.05, told), run_id, None, True, **config)
