"""Types that a program declares for columns of files, and the SQL that reads a text as one of them.

The SQL takes a text only in a form that says exactly that value; anything else is an error with a mark, by
which the column is found again.
"""

import re
from collections.abc import Mapping

from dragoman.contracts.errors import ColumnRefused, StepRefused
from dragoman.contracts.flow import FlowColumn
from dragoman.contracts.schema import ValueType
from dragoman.engine.carriers import MAX_DIGITS, carried_as_text, duckdb_type
from dragoman.engine.run_database import literal

_DECIMAL = re.compile(r"decimal\(\s*(\d{1,3})\s*(?:,\s*(\d{1,3})\s*)?\)")
_MARK = re.compile(r"dragoman cannot read (\d+) as (\w+)")

_DATE = r"\d{4}-\d{2}-\d{2}"
_CLOCK = r"\d{2}:\d{2}:\d{2}(\.\d{1,6})?"
_FORMS: dict[ValueType, str] = {
    ValueType.INTEGER: r"[+-]?\d+",
    ValueType.FLOAT: r"[+-]?(\d+(\.\d*)?([eE][+-]?\d+)?|nan|inf|NaN|Infinity)",
    ValueType.BOOLEAN: r"true|false",
    ValueType.DATE: _DATE,
    ValueType.TIME: _CLOCK,
    ValueType.DATETIME: rf"{_DATE}[T ]{_CLOCK}",
    ValueType.INSTANT: rf"{_DATE}[T ]{_CLOCK}(Z|[+-]\d{{2}}(:?\d{{2}})?)",
    ValueType.BYTES: r"([0-9a-fA-F]{2})*",
    ValueType.UUID: r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}",
}
_PLAIN = (ValueType.TEXT, ValueType.JSON, *_FORMS)


def declared_types(given: object) -> Mapping[str, FlowColumn]:
    """What a program says of its columns: names and types. Raises StepRefused."""
    if given is None:
        return {}
    if not isinstance(given, dict):
        raise StepRefused("the types are not a map of columns", hint='write {:id "integer" :name "text"}')
    return {str(name): _declared(str(name), kind) for name, kind in given.items()}


def _declared(name: str, kind: object) -> FlowColumn:
    text = kind.strip().lower() if isinstance(kind, str) else ""
    if text in {held.value for held in _PLAIN}:
        return FlowColumn(name, ValueType(text), native=text)
    if text == "decimal":
        return FlowColumn(name, ValueType.DECIMAL, native=text)
    if found := _DECIMAL.fullmatch(text):
        precision, scale = int(found[1]), int(found[2] or 0)
        if precision > 0 and scale <= precision:
            return FlowColumn(name, ValueType.DECIMAL, precision=precision, scale=scale, native=text)
    options = ", ".join(sorted([*(held.value for held in _PLAIN), "decimal(10,2)"]))
    raise StepRefused(f"the type of {name} is not known", hint=f"one of {options}", column=name)


def inferred(column: FlowColumn, text: str) -> str:
    """SQL for a column whose every text was seen to fit."""
    if column.type is ValueType.TEXT or carried_as_text(column):
        return text
    return f"CAST({text} AS {duckdb_type(column)})"


def converted(column: FlowColumn, text: str, number: int) -> str:
    """SQL for a column whose texts nobody has seen: each is looked at first."""
    match column.type:
        case ValueType.TEXT:
            return text
        case ValueType.JSON:
            return _guarded(f"json_valid({text})", text, text, column, number)
        case ValueType.BYTES:
            return _guarded(_fits(text, _FORMS[ValueType.BYTES]), text, f"unhex({text})", column, number)
        case ValueType.DECIMAL:
            return _decimal(column, text, number)
        case ValueType.UUID:
            lower = f"lower({text})"
            return _guarded(_fits(lower, _FORMS[ValueType.UUID]), text, lower, column, number)
        case _:
            cast = f"TRY_CAST({text} AS {duckdb_type(column)})"
            sound = f"{_fits(text, _FORMS[column.type])} AND {cast} IS NOT NULL"
            return _guarded(sound, text, cast, column, number)


def refusal(message: str, columns: tuple[FlowColumn, ...]) -> ColumnRefused | None:
    """What the SQL complained of, out of what DuckDB says."""
    found = _MARK.search(message)
    if found is None:
        return None
    name = columns[int(found[1]) - 1].name
    return ColumnRefused(
        f"the column {name} has a value that is not exactly a {found[2]}",
        hint="declare another type for it, or mend the file",
        column=name,
    )


def _decimal(column: FlowColumn, text: str, number: int) -> str:
    if column.precision is None:
        form = r"-?(0|[1-9]\d*)(\.\d+)?"
        return _guarded(_fits(text, form), text, text, column, number)
    scale = column.scale or 0
    whole = column.precision - scale
    form = rf"[+-]?0*\d{{0,{whole}}}" + (rf"(\.\d{{0,{scale}}}0*)?" if scale else r"(\.0*)?")
    sound = f"{_fits(text, form)} AND {_fits(text, r'.*[0-9].*')}"
    if column.precision > MAX_DIGITS:
        return _guarded(sound, text, text, column, number)
    return _guarded(sound, text, f"TRY_CAST({text} AS {duckdb_type(column)})", column, number)


def _fits(text: str, form: str) -> str:
    return f"regexp_full_match({text}, {literal(form)})"


def _guarded(sound: str, text: str, value: str, column: FlowColumn, number: int) -> str:
    mark = literal(f"dragoman cannot read {number} as {column.type.value}")
    return f"CASE WHEN {text} IS NULL OR ({sound}) THEN {value} ELSE error({mark}) END"
