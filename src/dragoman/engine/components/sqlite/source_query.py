"""What a step asks of a SQLite file, as one query, its columns, and the values bound to it."""

import sqlite3
from pathlib import Path

from dragoman.contracts.decoding import decoded
from dragoman.contracts.errors import AccessError, ColumnRefused, SourceFailed, StepRefused
from dragoman.contracts.flow import ColumnWarning, CursorValue, FlowColumn
from dragoman.contracts.query import ReadLimits
from dragoman.contracts.record import Record
from dragoman.contracts.schema import Dialect, ValueType
from dragoman.databases.connections import target_of
from dragoman.databases.families.sqlite.connection import connect
from dragoman.databases.families.sqlite.permission import DESCRIBED_VIEW, describing, reading
from dragoman.databases.families.sqlite.target import SqliteTarget
from dragoman.engine.component import Config, StepContext
from dragoman.engine.components.sqlite.columns import column_by_values, declared_column
from dragoman.engine.components.sqlite.faults import said_by_sqlite
from dragoman.engine.run_database import quoted
from dragoman.guards.sql import judge_sql

_LONGEST_CELL = 512_000_000
_WRITE_VERSION = 18
"""Where the header says how the file is written."""
_WAL = b"\x02"
_WRITTEN = """
    SELECT 1 FROM sqlite_master WHERE name IN (?, ?) AND (type = 'view' OR sql LIKE 'CREATE VIRTUAL%')
    UNION ALL
    SELECT 1 FROM sqlite_master AS found, pragma_table_xinfo(found.name) AS its
    WHERE found.name IN (?, ?) AND its.hidden IN (2, 3)
"""
"""Views, virtual tables and tables with computed columns."""


class Asked(Record, frozen=True):
    """`values` are bound in order: whole numbers, floats or texts."""

    sql: str
    values: tuple[int | float | str, ...] = ()


def opened(path: Path, *, user_sql: bool) -> sqlite3.Connection:
    """A connection that can only read. Raises SourceFailed."""
    authorizer = reading(user_sql=user_sql)
    try:
        connection = connect(path, ReadLimits(cell_bytes=_LONGEST_CELL), authorizer, query_only=True)
        # One view of the file for as long as it is open. The authorizer lets nobody begin anything.
        connection.set_authorizer(None)
        connection.execute("BEGIN")
        connection.set_authorizer(authorizer)
    except (sqlite3.Error, AccessError) as error:
        raise SourceFailed(
            f"the SQLite file cannot be opened: {error}", hint="check the connection"
        ) from error
    return connection


def sqlite_file(config: Config, context: StepContext) -> SqliteTarget:
    target = target_of(context.connect(str(config["connection"])))
    if not isinstance(target, SqliteTarget):
        raise StepRefused(f"{config['connection']} is not a SQLite file", hint="choose another connection")
    return target


def held_by_readers(path: Path) -> str:
    """The file, where a reader keeps writers out of it: in all journal modes but WAL. Its header tells."""
    with path.open("rb") as file:
        header = file.read(_WRITE_VERSION + 1)
    return "" if header[_WRITE_VERSION:] == _WAL else str(path.resolve())


def asked(config: Config, connection: sqlite3.Connection) -> str:
    """The query of a step, without its cursor. Raises StepRefused."""
    if config.get("query") is not None:
        return _judged(str(config["query"]))
    table = table_of(config, connection)
    known = [row[1] for row in connection.execute(f"PRAGMA table_xinfo({quoted(table)})") if row[6] != 1]
    given = config.get("columns")
    wanted = [str(name) for name in given] if isinstance(given, list | tuple) and given else known
    for name in (*wanted, *cursor_columns(config)):
        if name not in known:
            raise StepRefused(f"{table} has no column {name}", hint=f"it has {', '.join(known)}")
    every = list(dict.fromkeys([*wanted, *cursor_columns(config)]))
    plain = f"SELECT {', '.join(map(quoted, every))} FROM {quoted(table)}"
    condition = config.get("filter")
    return plain if condition is None else _judged(_filtered(every, table, str(condition)))


def table_of(config: Config, connection: sqlite3.Connection) -> str:
    """The name of the table as the file has it. Raises StepRefused."""
    name = str(config.get("table"))
    found = connection.execute(
        "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name IN (?, ?)",
        (name, name.removeprefix("main.")),
    ).fetchall()
    if not found:
        raise StepRefused(
            f"there is no table {name} in {config['connection']}", hint="see what is discovered"
        )
    return str(found[0][0])


def runs_text(config: Config, path: Path) -> bool:
    """Whether what a step asks for runs SQL that somebody else wrote: a query, a filter, or what stands in
    the file itself behind the name of a table. Raises SourceFailed."""
    if config.get("query") is not None or config.get("filter") is not None:
        return True
    name = str(config.get("table"))
    names = (name, name.removeprefix("main."))
    connection = opened(path, user_sql=False)
    try:
        found = connection.execute(_WRITTEN, (*names, *names)).fetchone()
    except sqlite3.Error as error:
        raise said_by_sqlite(error, SourceFailed) from error
    finally:
        connection.close()
    return found is not None


def cursor_columns(config: Config) -> tuple[str, ...]:
    given = config.get("cursor")
    return tuple(map(str, given)) if isinstance(given, list | tuple) else ()


def described(path: Path, sql: str, connection: sqlite3.Connection) -> tuple[FlowColumn, ...]:
    """The columns of a query: by their declared types, and where there is none by all their values."""
    names = [each[0] for each in connection.execute(f"SELECT * FROM ({sql}) LIMIT 0").description]
    for name in names:
        if names.count(name) > 1:
            raise ColumnRefused(f"two columns are called {name}", hint="name one with AS", column=name)
    columns = [
        declared_column(name, native)
        for name, native in zip(names, _natives(path, sql, len(names)), strict=True)
    ]
    unknown = [number for number, column in enumerate(columns) if column is None]
    kinds = _kinds(sql, len(names), unknown, connection)
    return tuple(
        column or column_by_values(name, *kinds[number])
        for number, (name, column) in enumerate(zip(names, columns, strict=True))
    )


def bounded(
    sql: str, columns: tuple[FlowColumn, ...], after: CursorValue | None, bound: CursorValue | None
) -> Asked:
    """The rows after one cursor, up to another."""
    if bound is None:
        return Asked(sql)
    names = ", ".join(map(quoted, bound.columns))
    marks = ", ".join("?" * len(bound.columns))
    conditions, values = [f"({names}) <= ({marks})"], _bound_values(bound, columns)
    if after is not None:
        conditions.insert(0, f"({names}) > ({marks})")
        values = (*_bound_values(after, columns), *values)
    filled = [f"{quoted(name)} IS NOT NULL" for name in bound.columns]
    return Asked(f"SELECT * FROM ({sql}) WHERE {' AND '.join([*conditions, *filled])}", values)


def upper_bound(sql: str, names: tuple[str, ...], connection: sqlite3.Connection) -> CursorValue | None:
    """The largest cursor there is now; none of no rows."""
    listed = ", ".join(map(quoted, names))
    filled = " AND ".join(f"{quoted(name)} IS NOT NULL" for name in names)
    order = ", ".join(f"{quoted(name)} DESC" for name in names)
    found = connection.execute(
        f"SELECT {listed} FROM ({sql}) WHERE {filled} ORDER BY {order} LIMIT 1"
    ).fetchone()
    return None if found is None else CursorValue(names, tuple(_cursor_text(value) for value in found))


def cursor_warnings(config: Config, columns: tuple[FlowColumn, ...]) -> tuple[ColumnWarning, ...]:
    return tuple(
        ColumnWarning(name, "null_cursor_not_read", f"rows where {name} is NULL are never read")
        for name in cursor_columns(config)
        if any(column.name == name and column.nullable for column in columns)
    )


def _judged(sql: str) -> str:
    verdict = judge_sql(sql, Dialect.SQLITE)
    if verdict.sql is None:
        raise StepRefused(
            f"the query cannot be taken: {verdict.reason}",
            hint="write one SELECT that only reads",
            reason=verdict.code.value if verdict.code else "",
        )
    return verdict.sql


def _filtered(columns: list[str], table: str, condition: str) -> str:
    """The condition becomes a part of a tree: nothing in it can end the WHERE it stands in."""
    import sqlglot
    from sqlglot import exp
    from sqlglot.errors import SqlglotError

    try:
        parsed = sqlglot.parse_one(condition, into=exp.Condition, dialect="sqlite")
    except SqlglotError as error:
        raise StepRefused(f"the filter cannot be read: {error}", hint="write a condition") from error
    names = [exp.column(exp.to_identifier(name, quoted=True)) for name in columns]
    source = exp.Table(this=exp.to_identifier(table, quoted=True))
    return exp.select(*names).from_(source).where(exp.paren(parsed)).sql(dialect="sqlite")


def _natives(path: Path, sql: str, count: int) -> list[str]:
    """SQLite tells the declared types of a view made of the query, which exists for a moment in memory."""
    limits = ReadLimits(cell_bytes=_LONGEST_CELL)
    connection = connect(path, limits, describing(), query_only=False)
    try:
        connection.execute(f"CREATE TEMP VIEW {DESCRIBED_VIEW} AS {sql}")
        natives = [row[2] or "" for row in connection.execute(f"PRAGMA table_info({DESCRIBED_VIEW})")]
    except sqlite3.DatabaseError:
        # Some queries make no view; their values tell.
        natives = []
    finally:
        connection.close()
    return natives if len(natives) == count else [""] * count


def _kinds(
    sql: str, width: int, unknown: list[int], connection: sqlite3.Connection
) -> dict[int, tuple[set[str], int]]:
    if not unknown:
        return {}
    places = ", ".join(f"c{number}" for number in range(width))
    asked_for = ", ".join(
        f"group_concat(DISTINCT typeof(c{n})), max(CASE WHEN typeof(c{n}) = 'integer' THEN abs(c{n} / 2) END)"
        for n in unknown
    )
    found = connection.execute(f"WITH q({places}) AS ({sql}) SELECT {asked_for} FROM q").fetchone()
    return {
        number: (set((found[2 * at] or "").split(",")) - {""}, 2 * (found[2 * at + 1] or 0) + 1)
        for at, number in enumerate(unknown)
    }


def _cursor_text(value: object) -> str:
    if isinstance(value, bytes):
        raise StepRefused("a cursor of bytes is not known", hint="choose another column")
    return repr(value) if isinstance(value, float) else str(value)


def _bound_values(cursor: CursorValue, columns: tuple[FlowColumn, ...]) -> tuple[int | float | str, ...]:
    held = {column.name: column.type for column in columns}
    return tuple(
        _bound(held.get(name, ValueType.TEXT), text)
        for name, text in zip(cursor.columns, cursor.values, strict=True)
    )


def _bound(held: ValueType, text: str) -> int | float | str:
    match held:
        case ValueType.INTEGER | ValueType.BOOLEAN:
            return int(text)
        case ValueType.FLOAT:
            return float(text)
        case ValueType.DECIMAL:
            try:
                return int(text)
            except ValueError:
                return float(text)
        case _:
            return text


def remembered(facts: str) -> Asked:
    return decoded(facts, Asked)
