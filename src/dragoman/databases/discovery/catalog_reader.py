"""What discovery needs of a database: one way to read, and limits for reading its catalog."""

from collections.abc import Callable
from enum import StrEnum

from dragoman.contracts.access import Reader
from dragoman.contracts.errors import DragomanError, RunFailed
from dragoman.contracts.query import Query, ReadLimits, Value

CATALOG_LIMITS = ReadLimits(rows=2_000_000, seconds=120.0)

Progress = Callable[[int, int, str], None]
"""Told how much is done, of how much, and what is being looked at."""


class Fault(StrEnum):
    """Whose fault it is that a read failed."""

    TABLE = "table"
    LIMIT = "limit"
    """It took too long or was too large, which says nothing against the table."""
    SOURCE = "source"
    """There is nobody to ask any more."""


_FAULTS = {
    **dict.fromkeys(("query_timeout", "query_cancelled", "cell_too_large", "result_too_large"), Fault.LIMIT),
    "database_busy": Fault.LIMIT,
    **dict.fromkeys(("connection_refused", "authentication_failed", "driver_error"), Fault.SOURCE),
}


def fault_of(error: DragomanError) -> Fault:
    return _FAULTS.get(error.code, Fault.TABLE)


def catalog_rows(reader: Reader, sql: str, *parameters: Value) -> list[tuple[Value, ...]]:
    """The rows of a query on the catalog, all of them: half a catalog would be a wrong one."""
    result = reader.read(Query(sql, parameters), CATALOG_LIMITS)
    if result.truncated:
        raise RunFailed(
            f"the catalog has more than {CATALOG_LIMITS.rows:,} entries",
            hint="let the login see fewer schemas",
        )
    return result.rows


def text_of(value: Value) -> str:
    """A name or comment of a catalog. Some drivers give them as bytes."""
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return "" if value is None else str(value)


def whole_of(value: Value) -> int:
    """A number of a catalog, which some drivers give as a decimal; -1 where there is none."""
    return -1 if value is None or (isinstance(value, str) and not value) else int(float(text_of(value)))


def count_of(value: Value) -> int | None:
    """An estimate of rows. A negative one says that nobody knows."""
    number = whole_of(value)
    return number if number >= 0 else None
