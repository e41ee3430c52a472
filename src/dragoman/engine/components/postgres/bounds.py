"""How far an incremental read goes, and how a table is parted by the ranges of a key."""

from typing import cast

from dragoman.contracts.errors import StepRefused
from dragoman.contracts.flow import CursorValue, KeyRange
from dragoman.engine.component import Config
from dragoman.engine.components.postgres.description import Described
from dragoman.engine.components.postgres.selection import Selection, columns_sql
from dragoman.engine.components.postgres.server import Connection
from dragoman.engine.components.postgres.table_name import identifier, string

_PRIMARY_KEY = """
    SELECT a.attname::text FROM pg_catalog.pg_index i
    JOIN pg_catalog.pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY(i.indkey)
    WHERE i.indrelid = %s::oid AND i.indisprimary
"""
_WHOLE = ("int2", "int4", "int8")
_NOTHING = "false"


def cursor_columns(config: Config, names: tuple[str, ...]) -> tuple[str, ...]:
    wanted = tuple(str(name) for name in cast("list[object]", config.get("cursor") or []))
    missing = [name for name in wanted if name not in names]
    if missing or len(set(wanted)) < len(wanted):
        said = f"the cursor names no column: {missing[0]}" if missing else "the cursor names a column twice"
        raise StepRefused(said, hint=f"there are: {', '.join(names[:20])}")
    return wanted


def fixed_bound(
    connection: Connection, query: str, columns: tuple[str, ...], after: CursorValue | None
) -> CursorValue | None:
    """The greatest cursor there is now. Where nothing is new it is what it was."""
    where = " AND ".join(_told(columns) + _beyond(columns, after))
    texts = ", ".join(f"{identifier(name)}::text" for name in columns)
    order = ", ".join(f"{identifier(name)} DESC" for name in columns)
    asked = f"SELECT {texts} FROM ({query}) AS q WHERE {where} ORDER BY {order} LIMIT 1"
    found = connection.execute(asked.encode()).fetchone()
    return CursorValue(columns, tuple(str(value) for value in found)) if found else after


def within(columns: tuple[str, ...], after: CursorValue | None, bound: CursorValue | None) -> tuple[str, ...]:
    """The conditions of what is new, up to the bound."""
    if not columns:
        return ()
    if bound is None:
        return (_NOTHING,)
    upto = f"{_row(columns)} <= {_values(bound)}"
    return (*_told(columns), *_beyond(columns, after), upto)


def fitting_cursor(columns: tuple[str, ...], value: CursorValue | None) -> CursorValue | None:
    """Raises StepRefused where what is remembered is of other columns."""
    if value is not None and value.columns != columns:
        raise StepRefused(
            f"the target remembers a cursor of {', '.join(value.columns)}, not of {', '.join(columns)}",
            hint="name the same columns, or give the step another name to begin anew",
        )
    return value


def parts_of(
    config: Config,
    selection: Selection,
    described: tuple[Described, ...],
    connection: Connection,
    conditions: tuple[str, ...],
) -> tuple[KeyRange, ...]:
    """Ranges that together are everything, and have no row in common."""
    count = int(str(config.get("partitions") or 1))
    asked = config.get("partition_by")
    if count < 2:
        return ()
    column = str(asked) if asked is not None else _key(selection, connection)
    types = {each.name: each.type for each in described}
    if column not in types or types[column].name not in _WHOLE or not types[column].builtin:
        raise StepRefused(f"{column} is not a whole-number column", hint="name another in partition_by")
    where = f" WHERE {' AND '.join(conditions)}" if conditions else ""
    name = identifier(column)
    text = f"SELECT min({name})::int8, max({name})::int8 FROM ({selection.query}) AS q{where}"
    low, high = cast("tuple[int | None, int | None]", connection.execute(text.encode()).fetchone())
    if low is None or high is None:
        return ()
    count = min(count, high - low + 1)
    edges = [low + (high - low + 1) * i // count for i in range(1, count)]
    lows: list[int | None] = [None, *edges]
    highs: list[int | None] = [*edges, None]
    return tuple(KeyRange(column, a, b) for a, b in zip(lows, highs, strict=True))


def part_condition(part: KeyRange) -> str:
    name = identifier(part.column)
    limits = [f"{name} >= {part.low}"] if part.low is not None else []
    limits += [f"{name} < {part.high}"] if part.high is not None else []
    text = " AND ".join(limits) or "true"
    return f"({text} OR {name} IS NULL)" if part.low is None else f"({text})"


def _key(selection: Selection, connection: Connection) -> str:
    rows = connection.execute(_PRIMARY_KEY, [selection.oid]).fetchall() if selection.oid else []
    if len(rows) != 1:
        raise StepRefused(
            "there is no primary key of one column to part the rows by", hint="name one in partition_by"
        )
    return str(rows[0][0])


def _told(columns: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(f"{identifier(name)} IS NOT NULL" for name in columns)


def _beyond(columns: tuple[str, ...], after: CursorValue | None) -> tuple[str, ...]:
    return (f"{_row(columns)} > {_values(after)}",) if after is not None else ()


def _row(columns: tuple[str, ...]) -> str:
    return f"({columns_sql(columns)})"


def _values(value: CursorValue) -> str:
    """Texts without a type: each takes that of the column it is compared with."""
    return f"({', '.join(string(text) for text in value.values)})"
