"""Rows as a project takes them over REST: every number, date and moment as text, which its PostgreSQL reads
without the detour over a floating-point number."""

import decimal
import json

from dragoman.contracts.errors import ColumnRefused
from dragoman.contracts.flow import FlowColumn
from dragoman.contracts.schema import ValueType
from dragoman.engine.components.postgres.faults import value_refused
from dragoman.engine.run_database import quoted

Cell = str | bool | None | list[object] | dict[str, object] | int | float
_EARLY = "(BC)"


def asked(column: FlowColumn) -> str:
    """The value in the run's database as it will be sent."""
    name = quoted(column.name)
    match column.type:
        case ValueType.BOOLEAN:
            return name
        case ValueType.BYTES:
            return f"'\\x' || lower(hex({name}))"
        case _:
            return f"{name}::VARCHAR"


def cell(value: object, column: FlowColumn) -> Cell:
    """Raises ColumnRefused, naming the column."""
    if value is None or isinstance(value, bool):
        return value
    text = str(value)
    if "\0" in text:
        raise value_refused(column.name, "nul")
    match column.type:
        case ValueType.DATE | ValueType.DATETIME | ValueType.INSTANT if _EARLY in text:
            raise _refused(column, "a date before the year 1, which is not written over REST")
        case ValueType.JSON:
            return _document(text, column)
        case _:
            return text


def _document(text: str, column: FlowColumn) -> Cell:
    """JSON goes as JSON. What reading and writing it anew would change is refused."""

    def number(digits: str) -> float:
        value = float(digits)
        if decimal.Decimal(digits) != decimal.Decimal(repr(value)):
            raise _refused(column, "JSON with a number of more digits than are sent exactly")
        return value

    def members(pairs: list[tuple[str, object]]) -> dict[str, object]:
        found = dict(pairs)
        if len(found) < len(pairs):
            raise _refused(column, "JSON with a repeated key")
        return found

    def constant(word: str) -> float:
        raise _refused(column, f"{word}, which is no JSON")

    try:
        parsed: Cell = json.loads(
            text, parse_float=number, object_pairs_hook=members, parse_constant=constant
        )
    except (ValueError, RecursionError) as error:
        raise _refused(column, "what is no JSON, or too deep") from error
    return parsed


def _refused(column: FlowColumn, what: str) -> ColumnRefused:
    return ColumnRefused(
        f"column {column.name} holds {what}",
        hint="give the PostgreSQL URL of the project: there it is written exactly",
        column=column.name,
    )
