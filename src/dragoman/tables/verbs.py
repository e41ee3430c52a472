"""The verbs a table has, what may be said to them, and the words that stand inside their values."""

from enum import StrEnum

from dragoman.contracts.schema import ValueType
from dragoman.contracts.verb import Comparison
from dragoman.language.semantics import RESERVED as RESERVED_BY_LANGUAGE


class TableVerb(StrEnum):
    LIST = "list"
    COUNT = "count"
    SUM = "sum"
    AVERAGE = "average"
    MIN = "min"
    MAX = "max"
    TOP = "top"
    SHARE = "share"


VERBS: frozenset[str] = frozenset(TableVerb)


class Word(StrEnum):
    """The arguments that are no columns."""

    WHERE = "where"
    WITH = "with"
    OF = "of"
    THAT = "that"
    ALSO = "also"
    BY = "by"
    GROUPS = "groups"
    PER = "per"
    HAVING = "having"
    DURING = "during"
    AS_OF = "as-of"
    ON = "on"
    COLUMNS = "columns"
    DISTINCT = "distinct"
    ORDER = "order"
    TOP = "top"
    TIES = "ties"
    LIMIT = "limit"
    CONNECTION = "connection"


RESERVED = RESERVED_BY_LANGUAGE | {word.value for word in Word}
"""What no column is called in a program."""

_ALWAYS = (Word.WHERE, Word.WITH, Word.DURING, Word.AS_OF, Word.ON, Word.CONNECTION)
_GROUPED = (
    Word.OF,
    Word.ALSO,
    Word.BY,
    Word.HAVING,
    Word.COLUMNS,
    Word.ORDER,
    Word.TOP,
    Word.TIES,
    Word.LIMIT,
    *_ALWAYS,
)

WORDS: dict[TableVerb, tuple[Word, ...]] = {
    TableVerb.LIST: (
        Word.COLUMNS,
        Word.DISTINCT,
        Word.ORDER,
        Word.TOP,
        Word.TIES,
        Word.LIMIT,
        *_ALWAYS,
    ),
    TableVerb.COUNT: (Word.DISTINCT, Word.GROUPS, Word.PER, *_GROUPED),
    TableVerb.SUM: (Word.PER, *_GROUPED),
    TableVerb.AVERAGE: _GROUPED,
    TableVerb.MIN: _GROUPED,
    TableVerb.MAX: _GROUPED,
    TableVerb.SHARE: (Word.THAT, *_GROUPED),
    TableVerb.TOP: (Word.OF, Word.BY, Word.COLUMNS, Word.TOP, Word.TIES, *_ALWAYS),
}


MEASURING = (
    TableVerb.COUNT,
    TableVerb.SUM,
    TableVerb.AVERAGE,
    TableVerb.MIN,
    TableVerb.MAX,
    TableVerb.SHARE,
)
"""What may be measured beside what the verb itself measures."""


class DatePart(StrEnum):
    """What of a date rows are gathered by."""

    YEAR = "year"
    QUARTER = "quarter"
    MONTH = "month"
    WEEK = "week"
    DAY = "day"
    WEEKDAY = "weekday"
    HOUR = "hour"

    @property
    def type(self) -> ValueType:
        match self:
            case DatePart.DAY:
                return ValueType.DATE
            case DatePart.YEAR | DatePart.WEEKDAY | DatePart.HOUR:
                return ValueType.INTEGER
            case _:
                return ValueType.TEXT


PARTS: frozenset[str] = frozenset(DatePart)
NUMBERED_PARTS: dict[DatePart, tuple[int, int]] = {
    DatePart.YEAR: (1, 9999),
    DatePart.QUARTER: (1, 4),
    DatePart.MONTH: (1, 12),
    DatePart.DAY: (1, 31),
    DatePart.WEEKDAY: (1, 7),
    DatePart.HOUR: (0, 23),
}
"""The parts of a date that a condition may ask for as numbers, with the least and the greatest of them."""
NUMBER = "number"
"""A text as the number that is written in it."""
ALL = "all"
"""In :where: every map of a list."""
HOW_MANY = "how-many"
"""In the map of a link: the number of its rows."""
COLUMN = "column"
"""In the place of a value: what another column has."""
COMPARISONS: frozenset[str] = frozenset(Comparison)
NUMBERS = frozenset({ValueType.INTEGER, ValueType.DECIMAL, ValueType.FLOAT})
DATES = frozenset({ValueType.DATE, ValueType.DATETIME, ValueType.INSTANT})
TEXTUAL = frozenset({ValueType.TEXT, ValueType.OTHER})
RANKED = NUMBERS | DATES | {ValueType.TEXT, ValueType.TIME}
"""What has a least and a greatest value that mean something."""
OPAQUE = frozenset({ValueType.JSON, ValueType.BYTES, ValueType.INTERVAL})
"""Of which it can only be asked whether it is there."""
