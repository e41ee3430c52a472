"""What a database has to offer so that a store can live in it."""

from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import Any, Protocol

Row = tuple[Any, ...]
Values = Mapping[str, Any]


class Cursor(Protocol):
    """What a transaction offers. Statements use `:name` parameters in every dialect."""

    def one(self, statement: str, values: Values) -> Row | None: ...

    def all(self, statement: str, values: Values) -> list[Row]: ...

    def run(self, statement: str, values: Values) -> int:
        """Execute; the number of rows changed."""


class Database(Protocol):
    """A database the store lives in. Its errors come out as StoreError."""

    lock_row: str
    """What a SELECT needs at its end so that nobody else changes the row before we do."""

    now: str
    """The expression for the time by which leases are measured."""

    def write(self) -> AbstractContextManager[Cursor]:
        """A transaction that is durable when the block has ended."""

    def read(self) -> AbstractContextManager[Cursor]: ...

    def scrub(self) -> None:
        """After a deletion: leave nothing of it in the files, as far as the database can."""

    def close(self) -> None: ...
