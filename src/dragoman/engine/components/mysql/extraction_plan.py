"""What an extraction finds out before a row moves: the bound of a cursor, parts, the size of a batch."""

from typing import Final

import msgspec

from dragoman.contracts.errors import StepRefused
from dragoman.contracts.flow import ColumnWarning, CursorValue, FlowColumn, KeyRange
from dragoman.contracts.schema import ValueType
from dragoman.databases.families.mysql.connection import Connection
from dragoman.databases.families.mysql.literals import text_literal
from dragoman.databases.families.mysql.values import Field
from dragoman.engine.component import Config
from dragoman.engine.components.mysql.columns import is_wide, quoted
from dragoman.engine.components.mysql.flow_values import ZERO_DATES
from dragoman.engine.components.mysql.session import rows_of
from dragoman.engine.components.mysql.source_query import Asked, narrowed, past, texts, up_to

_BATCH_ROWS: Final = 20_000
_BATCH_BYTES: Final = 8 * 1024 * 1024
_FEWEST_ROWS: Final = 64
_DATES: Final = frozenset({ValueType.DATE, ValueType.DATETIME, ValueType.INSTANT})
_NOTHING: Final = "FALSE"


def fields_of(connection: Connection, sql: str) -> list[Field]:
    with connection.cursor() as cursor:
        cursor.execute(sql)
        return cursor.fields


def column_named(columns: dict[str, FlowColumn], name: str, use: str) -> FlowColumn:
    """A column by its name; as the server does, large and small letters are alike where one alone fits."""
    if name in columns:
        return columns[name]
    alike = [column for each, column in columns.items() if each.lower() == name.lower()]
    if len(alike) == 1:
        return alike[0]
    raise StepRefused(f"there is no column {name} to {use}", hint=f"one of: {', '.join(columns)}")


def converted(columns: tuple[FlowColumn, ...], convert: frozenset[str]) -> tuple[FlowColumn, ...]:
    """The columns as they will be: where a zero date is read as missing, one can be missing."""
    if ZERO_DATES not in convert:
        return columns
    return tuple(
        msgspec.structs.replace(column, nullable=True) if column.type in _DATES else column
        for column in columns
    )


def conversions(columns: tuple[FlowColumn, ...], convert: frozenset[str]) -> tuple[ColumnWarning, ...]:
    if ZERO_DATES not in convert:
        return ()
    return tuple(
        ColumnWarning(column.name, ZERO_DATES, f"zero dates of {column.name} are read as missing")
        for column in columns
        if column.type in _DATES
    )


def bounded(
    config: Config,
    asked: Asked,
    columns: dict[str, FlowColumn],
    after: CursorValue | None,
    bound: CursorValue | None,
    connection: Connection,
) -> tuple[CursorValue | None, tuple[str, ...], tuple[ColumnWarning, ...]]:
    """How far to read, the conditions that say so, and what will not be read because of it."""
    names = texts(config, "cursor")
    if not names:
        return None, (), ()
    keys = tuple(column_named(columns, name, "be a cursor") for name in names)
    told = tuple(key.name for key in keys)
    for given in (after, bound):
        if given is not None and (given.columns != told or len(given.values) != len(told)):
            raise StepRefused(
                f"the target remembers a cursor of {', '.join(given.columns)}, "
                f"the step has {', '.join(told)}",
                hint="keep the columns of the cursor, or begin with another step id",
            )
    present = tuple(f"q.{quoted(key.name)} IS NOT NULL" for key in keys if key.nullable)
    since = (past(keys, after),) if after is not None else ()
    found = bound or _largest(asked, keys, (*present, *since), connection)
    warnings = tuple(
        ColumnWarning(
            key.name, "null_cursor_not_read", f"rows without a value of the cursor {key.name} are not read"
        )
        for key in keys
        if key.nullable
    )
    if found is None or found == after:
        return after, (_NOTHING,), warnings
    return found, (*present, *since, up_to(keys, found)), warnings


def _largest(
    asked: Asked, keys: tuple[FlowColumn, ...], conditions: tuple[str, ...], connection: Connection
) -> CursorValue | None:
    names = [f"q.{quoted(key.name)}" for key in keys]
    # A FLOAT is written with six digits; added to a double it is whole.
    written = ", ".join(
        f"CAST({name} + 0e0 AS CHAR)" if key.type is ValueType.FLOAT else f"CAST({name} AS CHAR)"
        for name, key in zip(names, keys, strict=True)
    )
    order = ", ".join(f"{name} DESC" for name in names)
    rows = rows_of(connection, narrowed(asked.sql, written, conditions, f" ORDER BY {order} LIMIT 1"))
    if not rows:
        return None
    return CursorValue(tuple(key.name for key in keys), tuple(str(cell) for cell in rows[0]))


def parts_of(
    config: Config,
    asked: Asked,
    columns: dict[str, FlowColumn],
    conditions: tuple[str, ...],
    connection: Connection,
) -> tuple[KeyRange, ...]:
    """The table in parts of about the same span of its key. Each is read by a statement of its own: what
    changes between them shows in one part and not in another."""
    wanted = config.get("partitions")
    if not isinstance(wanted, int) or wanted < 2:
        return ()
    name = config.get("partition_by") or _key_of(asked, connection)
    if name is None:
        raise StepRefused("the table has no key of one column to go by", hint="name one in partition_by")
    column = column_named(columns, str(name), "go by")
    if column.type is not ValueType.INTEGER:
        raise StepRefused(f"column {column.name} has no whole numbers to go by", hint="name another one")
    key = f"q.{quoted(column.name)}"
    low, high = rows_of(connection, narrowed(asked.sql, f"MIN({key}), MAX({key})", conditions))[0]
    if low is None or high is None:
        return ()
    first, last = int(low), int(high)
    count = min(wanted, last - first + 1)
    edges = [first + (last - first + 1) * number // count for number in range(1, count)]
    return tuple(
        KeyRange(column.name, low, high) for low, high in zip([None, *edges], [*edges, None], strict=True)
    )


def estimate(config: Config, asked: Asked, connection: Connection) -> int | None:
    if asked.table is None or config.get("filter") or config.get("cursor"):
        return None
    rows = rows_of(connection, f"SELECT table_rows FROM information_schema.tables WHERE {_is(asked.table)}")
    return int(rows[0][0]) if rows and rows[0][0] is not None else None


def is_plain_table(config: Config, asked: Asked, connection: Connection) -> bool:
    """Whether the server only has to give what it keeps: no query, no condition, no view."""
    if asked.table is None or config.get("filter") is not None:
        return False
    rows = rows_of(connection, f"SELECT table_type FROM information_schema.tables WHERE {_is(asked.table)}")
    return [row[0] for row in rows] == ["BASE TABLE"]


def batch_rows(columns: tuple[FlowColumn, ...], fields: list[Field], connection: Connection) -> int:
    """How many rows make a batch: fewer where the rows of the tables are large on average."""
    if not any(is_wide(column) for column in columns):
        return _BATCH_ROWS
    places = {(field.db.decode("utf-8", "replace"), field.org_table) for field in fields if field.org_table}
    if not places:
        return _FEWEST_ROWS * 8
    rows = rows_of(
        connection,
        "SELECT SUM(avg_row_length) FROM information_schema.tables WHERE "
        + " OR ".join(f"({_is(place)})" for place in sorted(places)),
    )
    average = float(rows[0][0] or 0) if rows else 0.0
    return max(_FEWEST_ROWS, min(_BATCH_ROWS, int(_BATCH_BYTES / max(average, 1.0))))


def _key_of(asked: Asked, connection: Connection) -> str | None:
    if asked.table is None:
        return None
    schema, name = asked.table
    rows = rows_of(
        connection,
        "SELECT column_name FROM information_schema.statistics WHERE index_name = 'PRIMARY' "
        f"AND table_schema = {text_literal(schema)} AND table_name = {text_literal(name)}",
    )
    return rows[0][0] if len(rows) == 1 else None


def _is(place: tuple[str, str]) -> str:
    return f"table_schema = {text_literal(place[0])} AND table_name = {text_literal(place[1])}"
