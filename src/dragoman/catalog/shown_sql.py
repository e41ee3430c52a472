"""SQL for the eye: on one line, and with its values where the places for them stand."""

import datetime as dt
import decimal
import re
import uuid
from collections.abc import Iterable

from dragoman.contracts.query import Value
from dragoman.contracts.schema import Dialect

_QUOTED = r"""'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`"""
"""A text or a name in quotes: what stands in it is nobody's to change."""
_PLACES = re.compile(rf"{_QUOTED}|\?", re.S)
_SPACES = re.compile(rf"{_QUOTED}|\s+", re.S)
_PLACE = "?"


def on_one_line(sql: str) -> str:
    """A query on one line. What is in quotes stays as it is."""
    return _SPACES.sub(lambda found: " " if found[0].isspace() else found[0], sql.strip())


def with_literals(sql: str, literals: Iterable[str]) -> str:
    """A query with its values where the places for them stand."""
    left = iter(literals)
    return _PLACES.sub(lambda found: next(left, _PLACE) if found[0] == _PLACE else found[0], sql)


def literal(value: Value, dialect: Dialect) -> str:
    """A value as SQL writes it."""
    match value:
        case None:
            return "NULL"
        case bool():
            return "TRUE" if value else "FALSE"
        case int() | float():
            return repr(value)
        case decimal.Decimal():
            return f"{value:f}"
        case bytes():
            return f"X'{value.hex()}'"
        case dt.datetime():
            return _moment(
                "TIMESTAMP" if value.tzinfo is None else "TIMESTAMPTZ", value.isoformat(" "), dialect
            )
        case dt.date():
            return _moment("DATE", value.isoformat(), dialect)
        case dt.time():
            return _moment("TIME", value.isoformat(), dialect)
        case str() | uuid.UUID() | dt.timedelta():
            return _text(str(value), dialect)


def _text(text: str, dialect: Dialect) -> str:
    plain = text.replace("\\", "\\\\") if dialect.escapes_backslashes else text
    return "'" + plain.replace("'", "''") + "'"


def _moment(kind: str, text: str, dialect: Dialect) -> str:
    plain = dialect.is_untyped or (kind == "TIMESTAMPTZ" and not dialect.has_zoned_literals)
    return _text(text, dialect) if plain else f"{kind} {_text(text, dialect)}"
