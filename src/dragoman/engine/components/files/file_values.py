"""How the values of a flow are written into a file: the expression for each column, and what it bends.

An expression speaks of its column as `c1`, `c2` …: names of columns may differ by case alone, which DuckDB
does not tell apart.
"""

import json
import re
from collections.abc import Callable

from dragoman.contracts.errors import ColumnRefused
from dragoman.contracts.flow import ColumnWarning, FlowColumn
from dragoman.contracts.schema import ValueType
from dragoman.engine.carriers import carried_as_text
from dragoman.engine.components.files.kinds import FileFormat
from dragoman.engine.run_database import literal, quoted

_MARK = re.compile(r"dragoman refuses (\d+) as (\w+)")

_REASONS = {
    "year": "has a date that is not in the years 1 to 9999, which ISO 8601 has no plain form for",
    "number": "has NaN or an infinity, which JSON has no form for",
    "json": "has a value that is not JSON",
}

_UNQUOTED = frozenset(
    {
        ValueType.INTEGER,
        ValueType.DECIMAL,
        ValueType.FLOAT,
        ValueType.BOOLEAN,
        ValueType.DATE,
        ValueType.TIME,
        ValueType.DATETIME,
        ValueType.INSTANT,
    }
)


def is_quoted(column: FlowColumn) -> bool:
    """Whether a CSV has the values of the column in quotes. What is in quotes is text."""
    return column.type not in _UNQUOTED


def refusal(message: str, columns: tuple[FlowColumn, ...]) -> ColumnRefused | None:
    """What one of the expressions below complained of, out of what DuckDB says."""
    found = _MARK.search(message)
    if found is None:
        return None
    return refuse_value(columns[int(found[1]) - 1], found[2])


def refuse_value(column: FlowColumn, reason: str) -> ColumnRefused:
    return ColumnRefused(
        f"the column {column.name} {_REASONS[reason]}",
        hint="leave such rows out, convert them in a transform, or write Parquet",
        column=column.name,
    )


def warnings_of(columns: tuple[FlowColumn, ...], kind: FileFormat) -> tuple[ColumnWarning, ...]:
    found = list[ColumnWarning]()
    for column in columns:
        if column.type is ValueType.BYTES and kind is not FileFormat.PARQUET:
            message = f"the bytes of {column.name} are written as hexadecimal digits"
            found.append(ColumnWarning(column.name, "bytes_as_hex", message))
        if column.type is ValueType.DECIMAL and carried_as_text(column) and kind is FileFormat.PARQUET:
            message = f"the decimals of {column.name} may have more than 38 digits and are written as text"
            found.append(ColumnWarning(column.name, "decimal_as_text", message))
        if column.type is ValueType.JSON and kind is FileFormat.JSONL:
            message = f"where {column.name} is the null of JSON, it cannot be told from no value"
            found.append(ColumnWarning(column.name, "json_null_as_null", message))
        if column.type is ValueType.INTERVAL and kind is FileFormat.PARQUET:
            message = f"the intervals of {column.name} are written as text"
            found.append(ColumnWarning(column.name, "interval_as_text", message))
    return tuple(found)


def selected(columns: tuple[FlowColumn, ...], kind: FileFormat, flow: str) -> str:
    """The query whose rows a file of this kind is made of."""
    places = ", ".join(f"c{number}" for number in range(1, len(columns) + 1))
    source = f"FROM ({flow}) AS flow({places})"
    match kind:
        case FileFormat.JSONL:
            return f"SELECT {_line(columns)} AS line {source}"
        case FileFormat.PARQUET | FileFormat.CSV:
            return f"SELECT {_named(columns, _in_parquet)} {source}"


def sql_names(columns: tuple[FlowColumn, ...]) -> list[str]:
    """What the columns are called in the query: their own names, or places where DuckDB would change one."""
    if named_once(columns):
        return [quoted(column.name) for column in columns]
    return [f"c{number}" for number in range(1, len(columns) + 1)]


def _named(columns: tuple[FlowColumn, ...], write: Callable[[FlowColumn, int], str]) -> str:
    names = enumerate(zip(columns, sql_names(columns), strict=True), 1)
    return ", ".join(f"{write(column, number)} AS {name}" for number, (column, name) in names)


def _in_csv(column: FlowColumn, number: int) -> str:
    match column.type:
        case ValueType.BYTES:
            return f"lower(hex(c{number}))"
        case ValueType.DATE:
            return _in_years(f"c{number}", number)
        case ValueType.DATETIME:
            return _moment(number)
        case ValueType.INSTANT:
            return f"replace({_moment(number)}, '+00', '+00:00')"
        case _:
            return f"c{number}"


def _in_parquet(column: FlowColumn, number: int) -> str:
    match column.type:
        case ValueType.UUID:
            return f"CAST(c{number} AS UUID)"
        case ValueType.JSON:
            return f"CAST({_checked(f'json_valid(c{number})', number, 'json')} AS JSON)"
        case _:
            return f"c{number}"


def _line(columns: tuple[FlowColumn, ...]) -> str:
    """A line of JSON. What DuckDB writes exactly it writes itself, in one go; the rest is put between."""
    pieces, together = list[str](), dict[str, str]()

    def flush() -> None:
        if together:
            packed = f"CAST(to_json(struct_pack({', '.join(together.values())})) AS VARCHAR)"
            pieces.append(f"substr({packed}, 2, length({packed}) - 2)")
            together.clear()

    for number, column in enumerate(columns, 1):
        raw = _raw_json(column, number)
        if raw is not None:
            flush()
            key = literal(json.dumps(column.name, ensure_ascii=False) + ":")
            pieces.append(f"{key} || coalesce({raw}, 'null')")
            continue
        if column.name.casefold() in together:
            flush()
        together[column.name.casefold()] = f"{quoted(column.name)} := {_in_json(column, number)}"
    if not pieces:
        return f"CAST(to_json(struct_pack({', '.join(together.values())})) AS VARCHAR)"
    flush()
    return "'{' || " + " || ',' || ".join(pieces) + " || '}'"


def _raw_json(column: FlowColumn, number: int) -> str | None:
    """The text of a value that DuckDB's own JSON would bend, or write at greater length."""
    match column.type:
        case ValueType.JSON:
            # Only between its tokens can JSON have a line end, and there a space is as good.
            plain = f"replace(replace(c{number}, chr(10), ' '), chr(13), ' ')"
            return _checked(f"json_valid(c{number})", number, "json", plain)
        case ValueType.DECIMAL if carried_as_text(column):
            return _checked(f"c{number} NOT IN ('NaN', 'Infinity', '-Infinity')", number, "number")
        case ValueType.FLOAT if column.bits == 32:
            return f"CAST({_checked(f'isfinite(c{number})', number, 'number')} AS VARCHAR)"
        case _:
            return None


def _in_json(column: FlowColumn, number: int) -> str:
    match column.type:
        case ValueType.FLOAT:
            return _checked(f"isfinite(c{number})", number, "number")
        case ValueType.TIME:
            return f"CAST(c{number} AS VARCHAR)"
        case _:
            return _in_csv(column, number)


def _moment(number: int) -> str:
    return f"replace(CAST({_in_years(f'c{number}', number)} AS VARCHAR), ' ', 'T')"


def _in_years(value: str, number: int) -> str:
    within = f"{value} >= '0001-01-01' AND {value} < '10000-01-01'"
    return _checked(within, number, "year")


def _checked(condition: str, number: int, reason: str, value: str = "") -> str:
    mark = literal(f"dragoman refuses {number} as {reason}")
    column = f"c{number}"
    return f"CASE WHEN {column} IS NULL OR ({condition}) THEN {value or column} ELSE error({mark}) END"


def named_once(columns: tuple[FlowColumn, ...]) -> bool:
    """Whether DuckDB keeps all names as they are: those that differ by case alone it would change."""
    return len({column.name.casefold() for column in columns}) == len(columns)


def refuse_names(columns: tuple[FlowColumn, ...]) -> None:
    """Raises ColumnRefused."""
    seen = set[str]()
    for column in columns:
        if not column.name or "\0" in column.name:
            raise ColumnRefused("a column without a name", hint="name it in the query", column=column.name)
        if column.name in seen:
            raise ColumnRefused(
                f"two columns are called {column.name}", hint="name one otherwise", column=column.name
            )
        seen.add(column.name)
