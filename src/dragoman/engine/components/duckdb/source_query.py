"""What a step asks of a DuckDB file, as one query that the guard has passed."""

from dragoman.contracts.errors import StepRefused
from dragoman.contracts.flow import CursorValue, FlowColumn
from dragoman.contracts.schema import Dialect, ValueType
from dragoman.databases.connections import target_of
from dragoman.databases.families.duckdb.target import DuckdbTarget
from dragoman.engine.carriers import carried_as_text, duckdb_type
from dragoman.engine.component import Config, StepContext
from dragoman.engine.run_database import literal, quoted
from dragoman.guards.sql import judge_sql


def duckdb_file(config: Config, context: StepContext) -> str:
    """Raises StepRefused."""
    target = target_of(context.connect(str(config["connection"])))
    if not isinstance(target, DuckdbTarget):
        raise StepRefused(f"{config['connection']} is not a DuckDB file", hint="choose another connection")
    if not target.path.is_file():
        raise StepRefused(f"there is no file behind {config['connection']}", hint="check the connection")
    return str(target.path.absolute())


def asked(config: Config) -> str:
    """The query of a step, without its cursor. Raises StepRefused."""
    if config.get("query") is not None:
        return _judged(str(config["query"]))
    return _judged(_of_table(config))


def cursor_columns(config: Config) -> tuple[str, ...]:
    given = config.get("cursor")
    return tuple(map(str, given)) if isinstance(given, list | tuple) else ()


def shown_columns(config: Config) -> tuple[str, ...]:
    given = config.get("columns")
    return tuple(map(str, given)) if isinstance(given, list | tuple) else ()


def upper_bound(sql: str, names: tuple[str, ...]) -> str:
    """The query for the largest cursor there is."""
    listed = ", ".join(f"CAST({quoted(name)} AS VARCHAR) AS {quoted(name)}" for name in names)
    filled = " AND ".join(f"{quoted(name)} IS NOT NULL" for name in names)
    order = ", ".join(f"source.{quoted(name)} DESC" for name in names)
    return f"SELECT {listed} FROM ({sql}) AS source WHERE {filled} ORDER BY {order} LIMIT 1"


def bounded(
    sql: str, columns: tuple[FlowColumn, ...], after: CursorValue | None, bound: CursorValue | None
) -> str:
    """The rows after one cursor, up to another."""
    if bound is None:
        return sql
    conditions = [_compared(bound, columns, "<", "<=")]
    if after is not None:
        conditions.append(_compared(after, columns, ">", ">"))
    conditions += [f"{quoted(name)} IS NOT NULL" for name in bound.columns]
    return f"SELECT * FROM ({sql}) AS source WHERE {' AND '.join(conditions)}"


def _compared(cursor: CursorValue, columns: tuple[FlowColumn, ...], strict: str, last: str) -> str:
    """Column after column, the earlier ones being equal. DuckDB fails on rows compared at both ends."""
    known = {column.name: column for column in columns}
    pairs = [
        (quoted(name), f"CAST({literal(text)} AS {_type(known[name])})")
        for name, text in zip(cursor.columns, cursor.values, strict=True)
    ]
    ways = list[str]()
    for at, (name, value) in enumerate(pairs):
        equal = [f"{other} = {its}" for other, its in pairs[:at]]
        beyond = last if at == len(pairs) - 1 else strict
        ways.append("(" + " AND ".join([*equal, f"{name} {beyond} {value}"]) + ")")
    return f"({' OR '.join(ways)})"


def _type(column: FlowColumn) -> str:
    if column.type is ValueType.UUID:
        return "UUID"
    return "VARCHAR" if carried_as_text(column) else duckdb_type(column)


def _of_table(config: Config) -> str:
    """The condition becomes a part of a tree: nothing in it can end the WHERE it stands in."""
    import sqlglot
    from sqlglot import exp
    from sqlglot.errors import SqlglotError

    *schema, table = str(config.get("table")).split(".", 1)
    source = exp.Table(
        this=exp.to_identifier(table, quoted=True),
        db=exp.to_identifier(schema[0], quoted=True) if schema else None,
    )
    query = exp.select().from_(source)
    if shown := shown_columns(config):
        names = dict.fromkeys((*shown, *cursor_columns(config)))
        query = query.select(*(exp.column(exp.to_identifier(name, quoted=True)) for name in names))
    else:
        query = query.select(exp.Star())
    if config.get("filter") is not None:
        try:
            condition = sqlglot.parse_one(str(config["filter"]), into=exp.Condition, dialect="duckdb")
        except SqlglotError as error:
            raise StepRefused(f"the filter cannot be read: {error}", hint="write a condition") from error
        query = query.where(exp.paren(condition))
    return query.sql(dialect="duckdb")


def _judged(sql: str) -> str:
    verdict = judge_sql(sql, Dialect.DUCKDB)
    if verdict.sql is None:
        raise StepRefused(
            f"the query cannot be taken: {verdict.reason}",
            hint="write one SELECT that only reads",
            reason=verdict.code.value if verdict.code else "",
        )
    return verdict.sql
