"""Parts of dates as a query writes them: what a verb would write for a part is that part."""

from typing import Final

from sqlglot import exp

from dragoman.contracts.program import Integer, Value
from dragoman.contracts.schema import Dialect
from dragoman.planning.sql.literals import number_of
from dragoman.planning.sql.sources import Source, Sources
from dragoman.planning.sql.unsaid import Unsaid
from dragoman.tables import expressions
from dragoman.tables.graph import Column
from dragoman.tables.paths import ColumnPath, takes_part
from dragoman.tables.verbs import DATES, NUMBERED_PARTS, DatePart

_PLACE: Final = exp.column("x", table="t")
_FORMATS: Final = {"%Y": DatePart.YEAR, "%m": DatePart.MONTH, "%d": DatePart.DAY}


def gathered_part(node: exp.Expr, sources: Sources, dialect: Dialect) -> ColumnPath | None:
    """The part of a date that rows are gathered by."""
    found = _dated(node, sources)
    if found is None:
        return None
    source, column = found
    written = _written(node, dialect)
    for part in DatePart:
        if takes_part(column, part):
            path = ColumnPath(source.links, column, part)
            if _same(expressions.gathered(_PLACE.copy(), path, dialect), written, dialect):
                return path
    return None


def numbered_part(
    node: exp.Expr, value: exp.Expr, sources: Sources, dialect: Dialect
) -> tuple[Source, Column, DatePart, Value] | None:
    """A part of a date as a number, and the number it is held against."""
    found = _dated(node, sources)
    if found is None:
        return None
    source, column = found
    spelled = _spelled(node, value, dialect)
    if spelled is not None:
        return source, column, *spelled
    written = _written(node, dialect)
    for part in NUMBERED_PARTS:
        if takes_part(column, part):
            made = expressions.numbered(_PLACE.copy(), column.type, part, dialect)
            if _same(made, written, dialect):
                return source, column, part, number_of(value)
    return None


def _spelled(node: exp.Expr, value: exp.Expr, dialect: Dialect) -> tuple[DatePart, Value] | None:
    """`strftime('%Y', day) = '2023'`: SQLite gives digits as a text."""
    if not dialect.is_untyped or not isinstance(value, exp.Literal) or not value.is_string:
        return None
    for spelled, part in _FORMATS.items():
        digits = str(value.this)
        width = 4 if part is DatePart.YEAR else 2
        if len(digits) != width or not digits.isdecimal():
            continue
        call = f"STRFTIME('{spelled}', t.x)"
        if _written(node, dialect) == call:
            return part, Integer(int(digits))
    return None


def _dated(node: exp.Expr, sources: Sources) -> tuple[Source, Column] | None:
    """The one date that an expression is worked out of."""
    columns = list(node.find_all(exp.Column))
    if isinstance(node, exp.Column) or not columns or len({each.sql() for each in columns}) > 1:
        return None
    try:
        source, column = sources.column(columns[0])
    except Unsaid:
        return None
    return (source, column) if column.type in DATES else None


def _written(node: exp.Expr, dialect: Dialect) -> str:
    plain = node.copy()
    for column in list(plain.find_all(exp.Column)):
        if column is plain:
            continue
        column.replace(_PLACE.copy())
    return plain.sql(dialect=dialect.value, normalize_functions="upper")


def _same(made: exp.Expr, written: str, dialect: Dialect) -> bool:
    text = made.sql(dialect=dialect.value, normalize_functions="upper").replace('"', "").replace("`", "")
    return text == written
