"""The query of an extraction: what a step asks for, judged, and the conditions that narrow it."""

from typing import Final

import sqlglot
from sqlglot import exp

from dragoman.contracts.errors import StepRefused
from dragoman.contracts.flow import CursorValue, FlowColumn, KeyRange
from dragoman.contracts.record import Record
from dragoman.contracts.schema import Dialect, ValueType
from dragoman.databases.families.mysql.connection import Connection
from dragoman.databases.families.mysql.literals import text_literal
from dragoman.engine.component import Config
from dragoman.engine.components.mysql.columns import quoted
from dragoman.engine.components.mysql.session import rows_of
from dragoman.guards.sql import judge_sql

_ALL_ROWS: Final = 18_446_744_073_709_551_615
_OF_A_TABLE: Final = ("columns", "filter", "cursor", "partitions", "partition_by")
_NUMBERS: Final = frozenset({ValueType.INTEGER, ValueType.DECIMAL, ValueType.FLOAT})
_MOMENTS: Final = frozenset({ValueType.DATETIME, ValueType.INSTANT})


class Asked(Record, frozen=True):
    """What a step asks for. `sql` gives the columns of the flow, `probe` the same without a row."""

    sql: str
    probe: str
    title: str
    table: tuple[str, str] | None = None
    columns: tuple[str, ...] = ()
    """Which columns of the query make the flow, in order; all when empty."""


def texts(config: Config, name: str) -> tuple[str, ...]:
    """An argument that is a list of names."""
    given = config.get(name)
    if given is None:
        return ()
    if isinstance(given, str):
        return (given,)
    return tuple(str(each) for each in given) if isinstance(given, list | tuple) else ()


def asked_of(config: Config, connection: Connection) -> Asked:
    """What the step asks for. Raises StepRefused."""
    query, table = config.get("query"), config.get("table")
    if (query is None) == (table is None):
        raise StepRefused("a step reads a query or a table, one of them", hint="leave one of them out")
    alias = config["connection"]
    if query is not None:
        misplaced = [name for name in _OF_A_TABLE if config.get(name)]
        if misplaced:
            raise StepRefused(
                f"`{misplaced[0]}` narrows a table, not a query",
                hint="write it into the query, or name a table",
            )
        sql = _judged(str(query))
        tree = sqlglot.parse_one(sql, dialect=Dialect.MYSQL.value)
        return Asked(_ordered(tree), _probe(tree), f"a query of {alias}")
    return _of_table(config, str(table), str(alias), connection)


def place_of(connection: Connection, name: str) -> tuple[str, str]:
    """The schema and the name of a table: `orders`, or `shop.orders` where there is a schema `shop`, and
    nothing here that is called so itself."""
    own = rows_of(connection, "SELECT DATABASE()")[0][0] or ""
    schema, dot, table = name.partition(".")
    if not (dot and schema and table):
        return own, name
    here = rows_of(
        connection,
        "SELECT 1 FROM information_schema.tables WHERE table_schema = DATABASE() "
        f"AND table_name = {text_literal(name)}",
    )
    there = rows_of(
        connection,
        f"SELECT 1 FROM information_schema.schemata WHERE schema_name = {text_literal(schema)}",
    )
    return (schema, table) if there and not here else (own, name)


def narrowed(asked: str, projected: str, conditions: tuple[str, ...], tail: str = "") -> str:
    where = f" WHERE {' AND '.join(f'({each})' for each in conditions)}" if conditions else ""
    return f"SELECT {projected} FROM ({asked}\n) AS q{where}{tail}"


def part_condition(part: KeyRange) -> str:
    name = f"q.{quoted(part.column)}"
    if part.low is None and part.high is None:
        return "TRUE"
    if part.low is None:
        return f"{name} < {int(part.high or 0)} OR {name} IS NULL"
    low = f"{name} >= {int(part.low)}"
    return low if part.high is None else f"{low} AND {name} < {int(part.high)}"


def past(columns: tuple[FlowColumn, ...], cursor: CursorValue) -> str:
    """The rows after a cursor: the first column that differs is larger."""
    return _beyond(columns, cursor, ">", last=">")


def up_to(columns: tuple[FlowColumn, ...], cursor: CursorValue) -> str:
    """The rows up to a cursor, and those at it."""
    return _beyond(columns, cursor, "<", last="<=")


def cursor_literal(column: FlowColumn, text: str) -> str:
    """The text of a cursor as a value of its column. Raises StepRefused."""
    if column.type in _NUMBERS:
        if not _is_number(text):
            raise StepRefused(f"{text!r} is no value of the cursor {column.name}", hint="begin anew")
        shown = f"({text})" if text.startswith("-") else text
        return f"({shown} + 0e0)" if column.type is ValueType.FLOAT else shown
    written = text_literal(text)
    if column.type in _MOMENTS:
        return f"CAST({written} AS DATETIME(6))"
    if column.type is ValueType.DATE:
        return f"CAST({written} AS DATE)"
    if column.type in (ValueType.TEXT, ValueType.UUID):
        return written
    raise StepRefused(
        f"column {column.name} is a {column.native} and cannot be a cursor",
        hint="take a number, a date, a time stamp or a text that only grows",
    )


def _beyond(columns: tuple[FlowColumn, ...], cursor: CursorValue, sign: str, last: str) -> str:
    names = [f"q.{quoted(column.name)}" for column in columns]
    values = [cursor_literal(column, text) for column, text in zip(columns, cursor.values, strict=True)]
    cases = []
    for number, (name, value) in enumerate(zip(names, values, strict=True)):
        same = [f"{n} = {v}" for n, v in zip(names[:number], values[:number], strict=True)]
        used = last if number == len(names) - 1 else sign
        cases.append(" AND ".join([*same, f"{name} {used} {value}"]))
    # The first column alone lets the server use its index.
    return f"{names[0]} {sign}= {values[0]} AND ({' OR '.join(f'({case})' for case in cases)})"


def _is_number(text: str) -> bool:
    import decimal

    try:
        return decimal.Decimal(text).is_finite() and text.isascii()
    except decimal.InvalidOperation:
        return False


def _of_table(config: Config, table: str, alias: str, connection: Connection) -> Asked:
    schema, name = place_of(connection, table)
    wanted = texts(config, "columns")
    extra = (*texts(config, "cursor"), *texts(config, "partition_by"))
    needed = tuple(dict.fromkeys((*wanted, *extra))) if wanted else ()
    listed = ", ".join(quoted(each) for each in needed) or "*"
    sql = f"SELECT {listed} FROM {quoted(schema)}.{quoted(name)}"
    condition = config.get("filter")
    if condition is not None:
        from dragoman.guards.sql import why_not_condition

        reason = why_not_condition(str(condition), Dialect.MYSQL.value)
        if reason is not None:
            raise StepRefused(f"the filter is refused: {reason}", hint="write one condition")
        sql = f"{sql} WHERE ({condition}\n)"
    sql = _judged(sql)
    tree = sqlglot.parse_one(sql, dialect=Dialect.MYSQL.value)
    return Asked(sql, _probe(tree), f"table {table} of {alias}", (schema, name), tuple(dict.fromkeys(wanted)))


def _judged(sql: str) -> str:
    verdict = judge_sql(sql, Dialect.MYSQL)
    if verdict.sql is None:
        code = verdict.code.value if verdict.code else ""
        raise StepRefused(f"the query is refused: {verdict.reason}", hint="write one SELECT", problem=code)
    return verdict.sql


def _ordered(tree: exp.Expr) -> str:
    """The query to be put in brackets. There its order would be dropped, unless it has a limit."""
    if tree.args.get("order") and not tree.args.get("limit") and isinstance(tree, exp.Query):
        tree = tree.limit(_ALL_ROWS)
    return tree.sql(dialect=Dialect.MYSQL.value)


def _probe(tree: exp.Expr) -> str:
    assert isinstance(tree, exp.Query)  # noqa: S101
    return tree.limit(0).sql(dialect=Dialect.MYSQL.value)
