"""The reader's side of a worker: one process, kept warm, killed when a read must end, started again."""

import os
import stat
from pathlib import Path
from typing import ClassVar

from dragoman.contracts import errors
from dragoman.contracts.cancellation import Cancellation
from dragoman.contracts.errors import AccessError, DatabaseNotFound, DriverFailed
from dragoman.contracts.query import Query, ReadLimits, ResultColumn, ResultSet, Value
from dragoman.databases.access.batches import too_much, weigh
from dragoman.databases.access.serial import SerialReader
from dragoman.databases.access.watch import Watch
from dragoman.databases.access.worker.frames import (
    LARGEST_FRAME,
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
from dragoman.databases.access.worker.process import Worker, WorkerGone
from dragoman.databases.access.worker.request_loop import IDLE_EXIT

START_SECONDS = 30.0
IDLE_SECONDS = 300.0
"""After so long without a query a worker lets its file go; others may be waiting to write to it."""

_ANY_CELL = ReadLimits(cell_bytes=LARGEST_FRAME)
"""The worker has weighed the cells; here only their sum matters."""


class WorkerReader(SerialReader):
    """Reads the database in one file through a worker."""

    module: ClassVar[str]
    memory_bytes: ClassVar[int]
    threads: ClassVar[int] = 1
    patience_seconds: ClassVar[float] = 0.0
    """How long after its time a query may still end by itself before its worker is killed."""

    def __init__(self, path: Path, limits: ReadLimits) -> None:
        super().__init__(limits)
        self._path = path
        self._worker: Worker | None = None

    @property
    def worker_pid(self) -> int | None:
        return self._worker.pid if self._worker else None

    def _bound(self, value: Value) -> Value:
        """A parameter in the form in which the database takes it."""
        return value

    def _read(
        self, query: Query, limits: ReadLimits, cancel: Cancellation | None, user_sql: bool
    ) -> ResultSet:
        ask = Ask(
            query.sql,
            [packed(self._bound(value)) for value in query.parameters],
            limits.rows,
            limits.seconds,
            limits.cell_bytes,
        )
        try:
            return self._asked(ask, limits, cancel)
        except WorkerGone as gone:
            if gone.exit != IDLE_EXIT:
                raise _died(gone) from gone
        try:
            return self._asked(ask, limits, cancel)
        except WorkerGone as gone:
            raise _died(gone) from gone

    def _asked(self, ask: Ask, limits: ReadLimits, cancel: Cancellation | None) -> ResultSet:
        worker = self._worker = self._worker or self._started(cancel)
        watch = Watch(limits.seconds, cancel, worker.kill, patience=self.patience_seconds)
        whole = False
        try:
            with watch:
                worker.ask(ask)
                outcome = _outcome(worker, limits)
            whole = watch.reason is None
        except WorkerGone as gone:
            raise watch.error() or gone from None
        finally:
            # Whatever else it had to say would be taken for the answer to the next query.
            if not whole:
                self._discard()
        if isinstance(outcome, AccessError):
            raise outcome
        return outcome

    def _started(self, cancel: Cancellation | None) -> Worker:
        path = file_of(self._path)
        worker = Worker(self.module)
        watch = Watch(START_SECONDS, cancel, worker.kill)
        ready = False
        try:
            with watch:
                worker.ask(OpenDatabase(path, self.memory_bytes, self.threads, IDLE_SECONDS))
                check_ready(worker.hear())
            ready = watch.reason is None
        except WorkerGone as gone:
            raise watch.error() or gone from None
        finally:
            if not ready:
                worker.close()
        return worker

    def _discard(self) -> None:
        if self._worker is not None:
            self._worker.close()
            self._worker = None


def file_of(path: Path) -> bytes:
    """The full name of a plain file: opening a pipe would wait for ever. Raises DatabaseNotFound."""
    hint = "check the path of the connection"
    name = os.fsencode(path)
    if b"\0" in name:
        raise DatabaseNotFound("the path of the database has a NUL character", hint=hint)
    try:
        mode = path.stat().st_mode
    except OSError as error:
        raise DatabaseNotFound(
            f"the database {path} cannot be opened: {error.strerror}", hint=hint
        ) from error
    if not stat.S_ISREG(mode):
        raise DatabaseNotFound(f"the database {path} is not a file", hint=hint)
    return os.path.abspath(name)


def _outcome(worker: Worker, limits: ReadLimits) -> ResultSet | AccessError:
    """All that the worker has to say of one query. Raises WorkerGone, DriverFailed."""
    columns: tuple[ResultColumn, ...] = ()
    rows, weight = list[tuple[Value, ...]](), 0
    while True:
        match reply := worker.hear():
            case Columns():
                columns = tuple(ResultColumn(*column) for column in reply.columns)
            case Rows():
                names = [column.name for column in columns]
                weight += sum(weigh(row, names, _ANY_CELL) for row in reply.rows)
                if weight > limits.result_bytes:
                    raise too_much(limits)
                rows.extend(tuple(row) for row in reply.rows)
            case Done():
                return ResultSet(columns, rows, reply.truncated)
            case Failed():
                return _told(reply)
            case Ready():
                raise _unexpected()


def check_ready(reply: Reply) -> None:
    """Raises the error that the worker tells of."""
    match reply:
        case Ready():
            return
        case Failed():
            raise _told(reply)
        case _:
            raise _unexpected()


def _told(reply: Failed) -> AccessError:
    kind = getattr(errors, reply.error, None)
    known = kind if isinstance(kind, type) and issubclass(kind, AccessError) else DriverFailed
    return known(reply.message, hint=reply.hint, **reply.details)


def _unexpected() -> DriverFailed:
    return DriverFailed("the process that reads said something unexpected", hint="try again")


def _died(gone: WorkerGone) -> DriverFailed:
    return DriverFailed(
        f"the process that reads ended in the middle of the query (code {gone.exit})",
        hint="try again; a query that needs too much memory or processor time ends like this",
        exit_code=gone.exit,
    )
