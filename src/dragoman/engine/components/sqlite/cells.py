"""The values of a flow as SQLite is given them: whole numbers, floats, texts and bytes."""

import re

from dragoman.contracts.errors import ColumnRefused
from dragoman.contracts.flow import FlowColumn
from dragoman.contracts.schema import ValueType
from dragoman.engine.carriers import carried_as_text
from dragoman.engine.run_database import literal

_MARK = re.compile(r"dragoman refuses (\d+) for SQLite: (\w+)")
_REASONS = {
    "nan": "has NaN, of which SQLite would make NULL",
    "year": "has a date that is not in the years 1 to 9999",
}


def selected(columns: tuple[FlowColumn, ...], flow: str) -> str:
    """The query that gives the cells of a flow, in order."""
    places = ", ".join(f"c{number}" for number in range(1, len(columns) + 1))
    values = ", ".join(_cell(column, number) for number, column in enumerate(columns, 1))
    return f"SELECT {values} FROM ({flow}) AS flow({places})"


def refusal(message: str, columns: tuple[FlowColumn, ...]) -> ColumnRefused | None:
    found = _MARK.search(message)
    if found is None:
        return None
    name = columns[int(found[1]) - 1].name
    return ColumnRefused(
        f"the column {name} {_REASONS[found[2]]}", hint="convert such rows in a transform", column=name
    )


def _cell(column: FlowColumn, number: int) -> str:
    value = f"c{number}"
    match column.type:
        case ValueType.DECIMAL if not carried_as_text(column):
            return f"CAST({value} AS VARCHAR)"
        case ValueType.INTEGER if column.bits == 64 and not column.signed:
            return f"CAST({value} AS VARCHAR)"
        case ValueType.BOOLEAN:
            return f"CAST({value} AS TINYINT)"
        case ValueType.FLOAT:
            return _checked(f"NOT isnan({value})", f"CAST({value} AS DOUBLE)", number, "nan")
        case ValueType.TIME:
            return f"CAST({value} AS VARCHAR)"
        case ValueType.DATE | ValueType.DATETIME:
            return _checked(_in_years(value), f"CAST({value} AS VARCHAR)", number, "year")
        case ValueType.INSTANT:
            told = f"replace(CAST({value} AS VARCHAR), '+00', '+00:00')"
            return _checked(_in_years(value), told, number, "year")
        case _:
            return value


def _in_years(value: str) -> str:
    return f"{value} >= '0001-01-01' AND {value} < '10000-01-01'"


def _checked(condition: str, value: str, number: int, reason: str) -> str:
    mark = literal(f"dragoman refuses {number} for SQLite: {reason}")
    return f"CASE WHEN c{number} IS NULL OR ({condition}) THEN {value} ELSE error({mark}) END"
