"""A column as SQL: what it is compared and ordered by, what of its date is meant, how it is shown."""

import re

from sqlglot import exp

from dragoman.contracts.schema import Dialect, ValueType
from dragoman.tables.graph import Column
from dragoman.tables.paths import ColumnPath
from dragoman.tables.templates import filled, piece, piece_of
from dragoman.tables.verbs import NUMBERS, DatePart

_PLAIN_TEXT: dict[Dialect, re.Pattern[str]] = {
    Dialect.POSTGRES: re.compile(r"(?:text|varchar|character varying)\b", re.IGNORECASE),
    Dialect.DUCKDB: re.compile(r"(?:varchar|text|string)\b", re.IGNORECASE),
}
"""Native types that are text through and through; an enumeration has an order of its own."""


def column(alias: str, name: str) -> exp.Column:
    return exp.column(exp.to_identifier(name, quoted=True), table=exp.to_identifier(alias, quoted=True))


def plain(tree: exp.Expr, known: Column, dialect: Dialect) -> exp.Expr:
    """The column itself; as text where it only looks like text."""
    real_text = _PLAIN_TEXT.get(dialect)
    if (
        known.type is ValueType.TEXT
        and real_text
        and known.info.native
        and not real_text.match(known.info.native)
    ):
        return filled(piece_of("as_text", dialect), dialect, x=tree)
    return tree


def key(tree: exp.Expr, kind: ValueType, dialect: Dialect) -> exp.Expr:
    """What it is compared, ordered and gathered by."""
    template = piece("keys", dialect, kind.value)
    return tree if template is None else filled(template, dialect, x=tree)


def shown(tree: exp.Expr, kind: ValueType, dialect: Dialect) -> exp.Expr:
    """A key, as what it is the key of."""
    template = piece("shown", dialect, kind.value)
    return tree if template is None else filled(template, dialect, x=tree)


def gathered(tree: exp.Expr, path: ColumnPath, dialect: Dialect) -> exp.Expr:
    """What rows are gathered by: the key of the column, or a part of its date."""
    known = path.column
    if path.part is None:
        found = key(plain(tree, known, dialect), known.type, dialect)
        if dialect.is_untyped and known.type in _STORED_AS_TEXT:
            # What is no date stays what it is: two such values are not the same one.
            return filled("COALESCE(y, x)", dialect, x=tree, y=found)
        return found
    return _of_moment(tree, known.type, "parts", path.part, dialect)


def numbered(tree: exp.Expr, kind: ValueType, part: DatePart, dialect: Dialect) -> exp.Expr:
    """A part of a date as a number."""
    group = "numbered_parts" if part in _WRITTEN_PARTS else "parts"
    return _of_moment(tree, kind, group, part, dialect)


def from_digits(tree: exp.Expr, kind: ValueType, dialect: Dialect) -> exp.Expr:
    """A figure as a number. An exact sum comes as digits in SQLite, which no number equals."""
    # A cast would make a float of a whole number.
    return filled("x + 0", dialect, x=tree) if dialect.is_untyped and kind in NUMBERS else tree


def written_number(tree: exp.Expr, known: Column, dialect: Dialect, *, units: bool = False) -> exp.Expr:
    """The number that a text has written; nothing where it is none. `units`: in SQLite, in billionths."""
    text = filled(piece_of("trimmed", dialect), dialect, x=plain(tree, known, dialect))
    group = "number_units" if units else "number"
    return filled(piece_of(group, dialect), dialect, x=text)


def day(tree: exp.Expr, kind: ValueType, dialect: Dialect) -> exp.Expr:
    """The day of a moment, as it is compared."""
    whole = _of_moment(tree, kind, "parts", DatePart.DAY, dialect)
    return key(whole, ValueType.DATE, dialect)


def moment(tree: exp.Expr, kind: ValueType, dialect: Dialect) -> exp.Expr:
    """A day or a moment; of one in a zone what the clock of UTC shows."""
    return filled(piece_of("utc", dialect), dialect, x=tree) if kind is ValueType.INSTANT else tree


def _of_moment(tree: exp.Expr, kind: ValueType, group: str, part: DatePart, dialect: Dialect) -> exp.Expr:
    template = piece(group, dialect, part.value)
    if template is None:
        raise KeyError(part)
    return filled(template, dialect, x=moment(tree, kind, dialect))


_WRITTEN_PARTS = frozenset({DatePart.QUARTER, DatePart.MONTH, DatePart.DAY})
"""Parts that rows are gathered by with their year, and asked for without it."""
_STORED_AS_TEXT = frozenset({ValueType.DATE, ValueType.TIME, ValueType.DATETIME, ValueType.INSTANT})
