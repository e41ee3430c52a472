"""Where verbs and SQL mean the same of most data, and not of all: then both are run, and compared.

Verbs compare texts by their characters, whatever the collation of a column is, read dates that SQLite keeps
as texts as dates, and put missing values last. Whether that makes a difference depends on what is stored.
"""

from typing import Final

from dragoman.contracts.schema import Dialect, ValueType

_TEXTS: Final = frozenset({ValueType.TEXT, ValueType.UUID, ValueType.OTHER, ValueType.JSON})
_PLAIN: Final = frozenset({ValueType.INTEGER, ValueType.BOOLEAN})


def compares_alike(kind: ValueType, dialect: Dialect) -> bool:
    """Whether two values of a column are equal to verbs if they are to SQL."""
    if dialect.is_untyped:
        return kind in _PLAIN
    if kind is ValueType.INSTANT:
        # What a moment without a zone means is the session's to say.
        return False
    return dialect.compares_texts_exactly or kind not in _TEXTS


def orders_alike(kind: ValueType, dialect: Dialect) -> bool:
    """Whether verbs and SQL put values of a column into the same order."""
    return compares_alike(kind, dialect) and (kind not in _TEXTS or dialect.orders_texts_by_characters)


def adds_alike(kind: ValueType, dialect: Dialect, *, divides: bool) -> bool:
    """Whether sums and averages have the same digits."""
    if dialect.is_untyped:
        return kind in _PLAIN
    return not (divides and dialect.rounds_averages)
