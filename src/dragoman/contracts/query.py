"""A query that may run, and what comes back: exact values, their types, and whether there was more."""

import datetime as dt
import decimal
import uuid

import msgspec

from dragoman.contracts.record import Record
from dragoman.contracts.schema import ValueType

Value = (
    None
    | bool
    | int
    | float
    | decimal.Decimal
    | str
    | bytes
    | dt.date
    | dt.time
    | dt.datetime
    | dt.timedelta
    | uuid.UUID
)
"""What a cell or a parameter can be in Python. JSON is text; a datetime with a zone is a point in time."""


class Query(Record, frozen=True):
    """SQL that was made from a tree, never from pieces of text. Parameters stand as `?` in their order; a
    driver that writes them otherwise translates."""

    sql: str
    parameters: tuple[Value, ...] = ()
    shown: str = ""
    """What may be shown of it, where policies put more into it than its viewer may know."""
    shown_parameters: tuple[Value, ...] = ()
    """The values of what may be shown."""


class ReadLimits(Record, frozen=True):
    """When a read ends whatever it has found. `rows` beyond which it says that there was more."""

    rows: int = 10_000
    seconds: float = 30.0
    cell_bytes: int = 1_000_000
    result_bytes: int = 256_000_000
    """What all rows may hold in text and bytes, whatever the limits of rows and cells are."""


class ResultColumn(Record, frozen=True):
    name: str
    type: ValueType
    native: str = ""


class ResultSet(msgspec.Struct, frozen=True):
    """Rows as they were read. `truncated`: there were more than was asked for."""

    columns: tuple[ResultColumn, ...]
    rows: list[tuple[Value, ...]]
    truncated: bool = False
    skipped: int = 0
    """How many lines of the files it is read from were left out, since they could not be read."""
