"""What a family gives to the rooms above it: a target that opens readers, and sessions that write."""

from types import TracebackType
from typing import Any, Protocol, Self

from dragoman.contracts.cancellation import Cancellation
from dragoman.contracts.query import Query, ReadLimits, ResultSet
from dragoman.contracts.record import Record
from dragoman.contracts.schema import Dialect

Rows = list[tuple[Any, ...]]

LONGEST_RUN_ID = 200
"""In characters. The ledger of writes has columns of this width where a width is needed."""


class Reader(Protocol):
    """A database that can be read. `read` raises a `DragomanError` when the database refuses or fails."""

    @property
    def dialect(self) -> Dialect: ...

    def read(self, query: Query, limits: ReadLimits | None = None) -> ResultSet: ...


class DatabaseReader(Protocol):
    """Reads one source. It can be used from several threads; reads then wait for each other."""

    @property
    def dialect(self) -> Dialect: ...

    def read(
        self,
        query: Query,
        limits: ReadLimits | None = None,
        cancel: Cancellation | None = None,
        *,
        user_sql: bool = False,
    ) -> ResultSet:
        """The rows of a query, up to the limits. `user_sql`: somebody outside wrote it, so nothing it may
        have done to the connection is kept. Raises AccessError."""
        ...

    def close(self) -> None: ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


class LedgerForm(Record, frozen=True):
    """How a database is asked to keep the ledger of writes. `pauses`: how long to wait, each time, for
    another process that does the same run, where the database does not wait by itself."""

    text: str = "TEXT"
    quote: str = '"'
    ending: str = ""
    pauses: tuple[float, ...] = (0.0,)


class WriteSession(Protocol):
    """A connection that changes a database: begin, run, read, commit or nothing. `execute` says how many rows
    it touched. Everything raises errors of ours."""

    @property
    def dialect(self) -> Dialect: ...

    @property
    def ledger(self) -> LedgerForm: ...

    def begin(self) -> None: ...

    def execute(self, query: Query) -> int: ...

    def rows(self, query: Query) -> Rows: ...

    def commit(self) -> None: ...

    def keeps_transactions(self, table: str) -> bool:
        """Whether a change of this table can be undone before it is committed."""
        ...

    def close(self) -> None:
        """Leave the database. What was not committed is undone by that."""


class Target(Protocol):
    """The address of a source with everything that is needed to open it. It never shows its password.

    Drivers are imported when something is opened: nobody pays for one that is not used.
    """

    def reader(self, limits: ReadLimits) -> DatabaseReader:
        """A reader. It connects when the first query comes, not before."""
        ...

    def session(self) -> WriteSession:
        """A session that changes the database in one transaction. Raises `WriteUnsupported`."""
        ...
