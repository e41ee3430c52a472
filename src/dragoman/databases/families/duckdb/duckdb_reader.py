"""Reads from DuckDB."""

import os
from decimal import Decimal
from typing import ClassVar

from dragoman.contracts.cancellation import Cancellation
from dragoman.contracts.query import Query, ReadLimits, ResultSet, Value
from dragoman.contracts.schema import Dialect
from dragoman.databases.access.placeholders import pieces
from dragoman.databases.access.worker.worker_reader import WorkerReader
from dragoman.databases.families.duckdb.address import DuckdbAddress

WORKER = "dragoman.databases.families.duckdb.worker"
MEMORY_BYTES = 2_000_000_000
THREADS = max(1, min(4, os.cpu_count() or 1))


class DuckdbReader(WorkerReader):
    dialect = Dialect.DUCKDB
    module: ClassVar = WORKER
    memory_bytes: ClassVar = MEMORY_BYTES
    threads: ClassVar = THREADS

    def __init__(self, target: DuckdbAddress, limits: ReadLimits) -> None:
        super().__init__(target.path, limits)

    def _read(
        self, query: Query, limits: ReadLimits, cancel: Cancellation | None, user_sql: bool
    ) -> ResultSet:
        # The values are counted here, as for the other families.
        pieces(query, self.dialect)
        return super()._read(query, limits, cancel, user_sql)

    def _bound(self, value: Value) -> Value:
        """DuckDB forgets the exponent of a decimal that has noughts behind its digits."""
        if isinstance(value, Decimal) and value.is_finite() and int(value.as_tuple().exponent) > 0:
            return Decimal(f"{value:f}")
        return value
