"""Reads from SQLite: our own queries here, those of others in a worker."""

from typing import ClassVar

from dragoman.contracts.cancellation import Cancellation
from dragoman.contracts.query import Query, ReadLimits, ResultSet, Value
from dragoman.contracts.schema import Dialect
from dragoman.databases.access.worker.worker_reader import WorkerReader
from dragoman.databases.families.sqlite.address import SqliteAddress
from dragoman.databases.families.sqlite.local import LocalReader
from dragoman.databases.families.sqlite.values import bound


class SqliteReader(WorkerReader):
    """SQLite looks at the clock between its steps. One step can take minutes (a long text searched for
    another long text), and only a process can be stopped in the middle of one."""

    dialect = Dialect.SQLITE
    module: ClassVar = "dragoman.databases.families.sqlite.worker"
    memory_bytes: ClassVar = 1_000_000_000
    patience_seconds: ClassVar = 0.5

    def __init__(self, target: SqliteAddress, limits: ReadLimits) -> None:
        super().__init__(target.path, limits)
        self._local = LocalReader(target, limits)

    def _read(
        self, query: Query, limits: ReadLimits, cancel: Cancellation | None, user_sql: bool
    ) -> ResultSet:
        if user_sql:
            return super()._read(query, limits, cancel, user_sql)
        return self._local.read(query, limits, cancel)

    def _bound(self, value: Value) -> Value:
        return bound(value)

    def close(self) -> None:
        super().close()
        self._local.close()
