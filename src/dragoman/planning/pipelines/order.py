"""What a message asks of a pipeline, as it was read: typed, and not yet held against any database."""

from enum import StrEnum

from dragoman.contracts.connection import ConnectionSpec
from dragoman.contracts.record import Record


class Wish(StrEnum):
    """What is to be done with the rows."""

    EXPORT = "export"
    COPY = "copy"
    SYNC = "sync"


class Options(Record, frozen=True):
    """How the rows are to be written, as far as it is said."""

    format: str = ""
    delimiter: str = ""
    header: bool | None = None
    compression: str = ""
    mode: str = ""
    part: str = ""
    """What each file has the rows of: a day, month, quarter or year."""
    part_words: str = ""
    """The words for the column whose values the files go by."""
    path: str = ""
    folder: str = ""
    table: str = ""
    """The name of the table that is written."""


class Named(Record, frozen=True):
    """A connection that is meant, by its name or by its family: one, or several that it fits."""

    said: str
    specs: tuple[ConnectionSpec, ...]


class Order(Record, frozen=True):
    """A request for a pipeline, or for a change of one."""

    wish: Wish | None = None
    weak: bool = False
    """Its verb is said of other things, too."""
    everything: bool = False
    tables: tuple[str, ...] = ()
    """The words for each table that is named, in the message's order; `table_places` has who has it."""
    source: Named | None = None
    target: Named | None = None
    unknown_source: str = ""
    unknown_target: str = ""
    maybe_target: str = ""
    """What stands behind a word of direction, and is called like nothing here."""
    options: Options = Options()
    name: str = ""
    keep: str = ""
    """The file that the program is to be kept in."""
    keeps: bool = False
    retry: bool = False
    deletes: bool = False
    absent_format: str = ""
    absent_target: str = ""
    schedule: str = ""
    also: bool = False
    only: bool = False
    instead: bool = False
    same: bool = False
    points: bool = False
    """It points at what is in hand: it, that, the result."""
    all_rows: bool = False
    """A filter is to be taken away."""
