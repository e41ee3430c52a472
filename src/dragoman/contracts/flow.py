"""What flows between the steps of a run: columns, and what each of them exactly holds."""

from enum import StrEnum

from dragoman.contracts.record import Record
from dragoman.contracts.schema import ValueType


class FlowColumn(Record, frozen=True):
    """A column of a flow. What it says of a type is a promise: every value is exactly of it.

    A DECIMAL without `precision` has as many digits as it likes. An INTEGER has `bits` (8 to 64) and a sign,
    or is wider and a DECIMAL. A FLOAT has 32 or 64 bits. `native` is the type as the source writes it.
    """

    name: str
    type: ValueType
    precision: int | None = None
    scale: int | None = None
    bits: int = 64
    signed: bool = True
    nullable: bool = True
    native: str = ""
    length: int | None = None
    """The most characters or bytes, where the source declares them."""


class WriteMode(StrEnum):
    APPEND = "append"
    REPLACE = "replace"
    UPSERT = "upsert"


class OnDrift(StrEnum):
    """What a writer does when its table lacks a column of the flow."""

    FAIL = "fail"
    ADD_COLUMNS = "add_columns"


class ColumnWarning(Record, frozen=True):
    """A column whose values are converted by a declared rule. It is said before the run."""

    column: str
    rule: str
    """The name of the rule, stable: `zero_date_to_null`, `time_as_text` …"""
    message: str


class CursorValue(Record, frozen=True):
    """How far an incremental extraction has read: one text per cursor column, as its database writes it."""

    columns: tuple[str, ...]
    values: tuple[str, ...]


class KeyRange(Record, frozen=True):
    """A part of a table: the rows whose key is at least `low` and below `high`; None is without end. The part
    without a low end also has the rows without a key."""

    column: str
    low: int | None = None
    high: int | None = None
