"""Reads from DuckDB, through a worker."""

import os
import stat

from dragoman.catalog.access.batches import RESULT_BYTES, too_much, weigh
from dragoman.catalog.access.cancellation import Cancellation
from dragoman.catalog.access.duck.frames import (
    Ask,
    Columns,
    Done,
    Failed,
    OpenDatabase,
    Ready,
    Reply,
    Rows,
    packed,
)
from dragoman.catalog.access.duck.process import Worker, WorkerGone
from dragoman.catalog.access.native_types import value_type
from dragoman.catalog.access.placeholders import pieces
from dragoman.catalog.access.serial import SerialReader
from dragoman.catalog.access.target import DuckdbTarget
from dragoman.catalog.access.watch import Watch
from dragoman.contracts import errors
from dragoman.contracts.errors import AccessError, DatabaseNotFound, DriverFailed
from dragoman.contracts.query import Query, ReadLimits, ResultColumn, ResultSet, Value
from dragoman.contracts.schema import Dialect

MEMORY_BYTES = 2_000_000_000
THREADS = max(1, min(4, os.cpu_count() or 1))
START_SECONDS = 30.0
_IDLE_EXIT = 75


class DuckdbReader(SerialReader):
    dialect = Dialect.DUCKDB

    def __init__(self, target: DuckdbTarget, limits: ReadLimits) -> None:
        super().__init__(limits)
        self._target = target
        self._worker: Worker | None = None

    @property
    def worker_pid(self) -> int | None:
        return self._worker.pid if self._worker else None

    def _read(
        self, query: Query, limits: ReadLimits, cancel: Cancellation | None, user_sql: bool
    ) -> ResultSet:
        # The count of values is checked here: DuckDB would take the same one twice.
        pieces(query, self.dialect)
        ask = Ask(
            query.sql,
            [packed(value) for value in query.parameters],
            limits.rows,
            limits.seconds,
            limits.cell_bytes,
        )
        try:
            return self._asked(ask, limits, cancel)
        except WorkerGone as gone:
            if gone.code != _IDLE_EXIT:
                raise _died(gone) from gone
        try:
            return self._asked(ask, limits, cancel)
        except WorkerGone as gone:
            raise _died(gone) from gone

    def _asked(self, ask: Ask, limits: ReadLimits, cancel: Cancellation | None) -> ResultSet:
        worker = self._worker = self._worker or self._started(cancel)
        watch = Watch(limits.seconds, cancel, worker.kill)
        try:
            with watch:
                worker.ask(ask)
                return _result(worker, limits)
        except WorkerGone:
            self._discard()
            if (stopped := watch.error()) is not None:
                raise stopped from None
            raise
        except AccessError:
            # What else it had to say about this read is not wanted any more.
            if watch.reason is not None:
                self._discard()
            raise

    def _started(self, cancel: Cancellation | None) -> Worker:
        worker = Worker()
        watch = Watch(START_SECONDS, cancel, worker.kill)
        try:
            with watch:
                worker.ask(OpenDatabase(self._path(), MEMORY_BYTES, THREADS))
                check_reply(worker.hear())
        except (AccessError, WorkerGone) as error:
            worker.close()
            if (stopped := watch.error()) is not None:
                raise stopped from error
            raise
        return worker

    def _path(self) -> str:
        path = self._target.path
        hint = "check the path of the connection"
        try:
            mode = path.stat().st_mode
        except (OSError, ValueError) as error:
            raise DatabaseNotFound(f"the database {path} cannot be opened: {error}", hint=hint) from error
        if not stat.S_ISREG(mode):
            raise DatabaseNotFound(f"the database {path} is not a file", hint=hint)
        return str(path.absolute())

    def _discard(self) -> None:
        if self._worker is not None:
            self._worker.close()
            self._worker = None


def _result(worker: Worker, limits: ReadLimits) -> ResultSet:
    columns: tuple[ResultColumn, ...] = ()
    rows, weight = list[tuple[Value, ...]](), 0
    failure: AccessError | None = None
    while True:
        match reply := worker.hear():
            case Columns():
                columns = tuple(
                    ResultColumn(name, value_type(Dialect.DUCKDB, native), native)
                    for name, native in reply.columns
                )
            case Rows() if failure is None:
                rows.extend(tuple(row) for row in reply.rows)
                names = [column.name for column in columns]
                weight += sum(weigh(row, names, limits) for row in reply.rows)
                if weight > RESULT_BYTES:
                    failure = too_much()
                    rows.clear()
            case Rows():
                # Read on to the end, so that the next query is not answered with the rest of this one.
                continue
            case Done():
                if failure is not None:
                    raise failure
                return ResultSet(columns, rows, reply.truncated)
            case Failed() | Ready():
                check_reply(reply)


def check_reply(reply: Reply) -> None:
    """Raises the error that the worker tells of."""
    match reply:
        case Failed():
            kind = getattr(errors, reply.error, DriverFailed)
            raise kind(reply.message, hint=reply.hint, **reply.details)
        case Ready():
            return
        case _:
            raise DriverFailed("the process that reads DuckDB said something unexpected", hint="try again")


def _died(gone: WorkerGone) -> DriverFailed:
    return DriverFailed(
        f"the process that reads DuckDB ended in the middle of the query (code {gone.code})",
        hint="try again; a query that needs too much memory or processor time ends like this",
        exit_code=gone.code,
    )
