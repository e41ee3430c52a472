"""What every reader shares: its lock, its limits, its end."""

import threading
from types import TracebackType
from typing import Self

from dragoman.catalog.access.cancellation import Cancellation
from dragoman.catalog.access.watch import cancelled
from dragoman.contracts.errors import DriverFailed, ParameterRefused
from dragoman.contracts.query import Query, ReadLimits, ResultSet
from dragoman.contracts.schema import Dialect


class SerialReader:
    """One read at a time. A family says in `_read` how, and in `_discard` how to drop what is open."""

    dialect: Dialect

    def __init__(self, limits: ReadLimits) -> None:
        self._limits = limits
        self._lock = threading.Lock()
        self._closed = False

    def read(
        self,
        query: Query,
        limits: ReadLimits | None = None,
        cancel: Cancellation | None = None,
        *,
        user_sql: bool = False,
    ) -> ResultSet:
        _check_text(query)
        with self._lock:
            if self._closed:
                raise DriverFailed("this reader is closed", hint="open another one")
            if cancel is not None and cancel.cancelled:
                raise cancelled()
            return self._read(query, limits or self._limits, cancel, user_sql)

    def close(self) -> None:
        with self._lock:
            self._closed = True
            self._discard()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _read(
        self, query: Query, limits: ReadLimits, cancel: Cancellation | None, user_sql: bool
    ) -> ResultSet:
        raise NotImplementedError

    def _discard(self) -> None:
        raise NotImplementedError


def _check_text(query: Query) -> None:
    """No database takes half a character; drivers say so in many ways, some by crashing."""
    for text in (query.sql, *(value for value in query.parameters if isinstance(value, str))):
        try:
            text.encode()
        except UnicodeEncodeError as error:
            raise ParameterRefused(
                "the query or one of its values has half a character (an unpaired surrogate)",
                hint="mend the text",
            ) from error
