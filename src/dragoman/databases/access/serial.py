"""What every reader shares: its lock, its limits, its end."""

import decimal
import threading
from abc import ABC, abstractmethod
from types import TracebackType
from typing import Self

from dragoman.contracts.cancellation import Cancellation
from dragoman.contracts.errors import DriverFailed, ParameterRefused
from dragoman.contracts.query import Query, ReadLimits, ResultSet
from dragoman.contracts.schema import Dialect
from dragoman.databases.access.watch import cancelled

_SHORTEST_SECONDS = 0.001
_LONGEST_SECONDS = 86_400.0
_MOST_BITS = 4_000
_MOST_DIGITS = 1_000


class SerialReader(ABC):
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
        _check_values(query)
        with self._lock:
            if self._closed:
                raise DriverFailed("this reader is closed", hint="open another one")
            if cancel is not None and cancel.cancelled:
                raise cancelled()
            return self._read(query, _sensible(limits or self._limits), cancel, user_sql)

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

    @abstractmethod
    def _read(
        self, query: Query, limits: ReadLimits, cancel: Cancellation | None, user_sql: bool
    ) -> ResultSet: ...

    @abstractmethod
    def _discard(self) -> None: ...


def _sensible(limits: ReadLimits) -> ReadLimits:
    """Limits that can be counted down: no rows are none, and a day is as long as for ever."""
    return ReadLimits(
        max(0, limits.rows),
        min(max(_SHORTEST_SECONDS, limits.seconds), _LONGEST_SECONDS),
        max(0, limits.cell_bytes),
        max(0, limits.result_bytes),
    )


def _check_values(query: Query) -> None:
    """What no database takes. Drivers say so in many ways, some by crashing."""
    for value in (query.sql, *query.parameters):
        match value:
            case str():
                try:
                    value.encode()
                except UnicodeEncodeError as error:
                    raise ParameterRefused(
                        "the query or one of its values has half a character (an unpaired surrogate)",
                        hint="mend the text",
                    ) from error
            case int() if value.bit_length() > _MOST_BITS:
                raise ParameterRefused("a number is too long for any database", hint="use a smaller one")
            case decimal.Decimal() if value.is_finite() and (
                abs(value.adjusted()) > _MOST_DIGITS or len(value.as_tuple().digits) > _MOST_DIGITS
            ):
                raise ParameterRefused("a decimal is too long for any database", hint="use a smaller one")
            case _:
                pass
