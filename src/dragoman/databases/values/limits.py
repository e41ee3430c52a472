"""How much of a database is read into its index of values: before the first answer, and in the background."""

from typing import Final

from dragoman.contracts.record import Record


class ValueLimits(Record, frozen=True):
    seconds: float
    """How long all columns together may take."""
    seconds_of_column: float
    all_rows: bool
    """Whether large tables are read to their end; otherwise only their first rows are."""
    rows: int = 100_000
    """A table with more rows than this is large."""
    of_column: int = 5_000
    of_all: int = 200_000
    bytes: int = 8_000_000
    """How much text all values together may be."""


AT_ONCE: Final = ValueLimits(seconds=10.0, seconds_of_column=5.0, all_rows=False)
"""While somebody waits for an answer. It is the rows that bound the work, so that what is known does not
depend on how busy a machine is; time ends what a slow server would draw out."""

IN_BACKGROUND: Final = ValueLimits(seconds=120.0, seconds_of_column=20.0, all_rows=True)
