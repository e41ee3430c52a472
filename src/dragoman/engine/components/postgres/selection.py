"""Which rows a step asks for: its query, or its table with a filter; as SQL that only reads."""

from typing import cast

from dragoman.contracts.errors import StepRefused
from dragoman.contracts.record import Record
from dragoman.contracts.schema import Dialect
from dragoman.engine.component import Config
from dragoman.engine.components.postgres.server import Connection
from dragoman.engine.components.postgres.table_name import TableName, identifier, read_table_name
from dragoman.guards.sql import judge_sql

_SYSTEM = ("pg_catalog", "information_schema", "pg_toast")
_FIND = """
    SELECT n.nspname::text, c.oid::int8, c.relkind::text, c.reltuples::int8
    FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relname = %s AND n.nspname = ANY(%s) AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
    ORDER BY array_position(%s::text[], n.nspname::text) LIMIT 1
"""


class Selection(Record, frozen=True):
    """`query` is what runs inside. `oid` and the rest are known of a table alone."""

    query: str
    shown: str
    oid: int | None = None
    keeps_nulls_out: bool = False
    """Whether what the table declares of its columns holds: a view declares nothing."""
    rows: int | None = None


class FoundTable(Record, frozen=True):
    table: TableName
    oid: int
    kind: str
    rows: int | None


def selection_of(config: Config, connection: Connection, schemas: tuple[str, ...]) -> Selection:
    """Raises StepRefused."""
    alias = str(config["connection"])
    query = config.get("query")
    if query is not None:
        return Selection(judged(str(query)), f"a query of {alias}")
    asked = read_table_name(str(config["table"]))
    found = find_table(asked, connection, schemas)
    if found is None:
        raise StepRefused(f"{alias} has no table {asked}", hint="check its name, its schema, and the rights")
    text = f"SELECT * FROM {found.table.quoted}"
    condition = config.get("filter")
    if condition is not None:
        text = filtered(found.table, str(condition))[0]
    return Selection(
        text,
        f"table {asked} of {alias}",
        found.oid,
        found.kind in ("r", "p"),
        found.rows if condition is None else None,
    )


def find_table(asked: TableName, connection: Connection, schemas: tuple[str, ...]) -> FoundTable | None:
    """The table under its schema, which is the first of the connection's that has it."""
    if asked.schema.startswith(_SYSTEM) or (not asked.schema and asked.name.startswith("pg_")):
        raise StepRefused(f"{asked} belongs to the system catalog", hint="name a table of your own")
    places = [asked.schema] if asked.schema else list(schemas)
    row = connection.execute(_FIND, [asked.name, places, places]).fetchone()
    if row is None:
        return None
    schema, oid, kind, rows = row
    known = int(str(rows))
    return FoundTable(
        TableName(asked.name, str(schema)), int(str(oid)), str(kind), known if known >= 0 else None
    )


def judged(query: str) -> str:
    """What may run in the place of a query. Raises StepRefused."""
    verdict = judge_sql(query, Dialect.POSTGRES)
    if verdict.sql is None:
        code = verdict.code.value if verdict.code is not None else ""
        raise StepRefused(f"the query may not run: {verdict.reason}", hint="write one SELECT", reason=code)
    return verdict.sql


def chosen(config: Config, names: tuple[str, ...]) -> tuple[str, ...]:
    """The columns a step wants, in its order. Raises StepRefused."""
    wanted = config.get("columns")
    if wanted is None:
        return names
    asked = tuple(str(name) for name in cast("list[object]", wanted))
    missing = [name for name in asked if name not in names]
    if missing or not asked or len(set(asked)) < len(asked):
        said = f"there is no column {missing[0]}" if missing else "columns are to be named, each once"
        raise StepRefused(said, hint=f"there are: {', '.join(names[:20])}")
    return asked


def filtered(table: TableName, condition: str) -> tuple[str, str]:
    """The rows of a table under a condition, judged as a whole; and the condition as it was understood."""
    # The parser of SQL is most of what a start would cost.
    import sqlglot
    from sqlglot import exp
    from sqlglot.errors import SqlglotError

    try:
        parsed = sqlglot.parse(condition, dialect=Dialect.POSTGRES.value)
    except (SqlglotError, RecursionError) as error:
        raise StepRefused("the filter is not a condition", hint="write what may stand after WHERE") from error
    if len(parsed) != 1 or not isinstance(parsed[0], exp.Condition):
        raise StepRefused("the filter is not one condition", hint="write what may stand after WHERE")
    source = exp.Table(
        this=exp.to_identifier(table.name, quoted=True), db=exp.to_identifier(table.schema, quoted=True)
    )
    tree = exp.select("*").from_(source).where(exp.paren(parsed[0]))
    return judged(tree.sql(dialect=Dialect.POSTGRES.value)), parsed[0].sql(dialect=Dialect.POSTGRES.value)


def columns_sql(names: tuple[str, ...]) -> str:
    return ", ".join(identifier(name) for name in names)
