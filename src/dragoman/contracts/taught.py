"""What a person taught: a word of theirs, and what it means in a database."""

from enum import StrEnum
from typing import Final

from dragoman.contracts.record import Record

TAUGHT: Final = "taught"
"""The native type of a column that only a person knows."""


class TaughtKind(StrEnum):
    """A name for a table, for a column or for a value, a figure that is computed of columns, the number of
    rows, or a condition on rows."""

    TABLE = "table"
    COLUMN = "column"
    VALUE = "value"
    FIGURE = "figure"
    COUNT = "count"
    CONDITION = "condition"


class TaughtWord(Record, frozen=True):
    """A word, and its meaning as programs write it: of a column its name in quotes, of a value that
    value, of a figure what `:of` takes, of a condition what `:where` takes; of a table and of a number of
    rows nothing but `of`."""

    word: str
    kind: TaughtKind
    of: str
    """The table, as programs call it."""
    means: str = ""
    said: str = ""
    """The sentence that taught it."""
    language: str = "en"
    connection: str = ""
    """The database it is a word for; empty is the default one."""

    @property
    def is_condition(self) -> bool:
        return self.kind is TaughtKind.CONDITION
