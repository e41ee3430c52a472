"""Staging: the whole flow into a table of its own, and everything found wrong with it before it is shown."""

import duckdb
import psycopg
import pyarrow as pa

from dragoman.contracts.errors import ColumnRefused, EngineError, TargetFailed
from dragoman.contracts.flow import FlowColumn, WriteMode
from dragoman.contracts.schema import ValueType
from dragoman.engine.carriers import duckdb_type
from dragoman.engine.component import Staged, StepContext
from dragoman.engine.components.postgres.faults import (
    chained_text,
    copied_column,
    mark,
    marked,
    value_refused,
)
from dragoman.engine.components.postgres.preparation import WritePlan, WrittenColumn
from dragoman.engine.components.postgres.server import Connection, Server
from dragoman.engine.components.postgres.table_name import TableName
from dragoman.engine.flow import Flow
from dragoman.engine.run_database import literal, quoted

_TEXTS = frozenset({ValueType.TEXT, ValueType.OTHER, ValueType.JSON})
_EARLIEST = "DATE '4714-11-24 (BC)'"


def make_staging(connection: Connection, plan: WritePlan, staging: TableName) -> None:
    """An empty table. Only one that will be renamed needs to outlive a crash of the server: what is copied
    from the others is counted, and copied again where it is gone."""
    columns = ", ".join(f"c{i} {column.staged}" for i, column in enumerate(plan.columns, 1))
    logged = "" if plan.creates else "UNLOGGED "
    with connection.transaction():
        connection.execute(f"DROP TABLE IF EXISTS {staging.quoted}".encode())
        connection.execute(f"CREATE {logged}TABLE {staging.quoted} ({columns})".encode())
        if plan.guarded:
            connection.execute(f"ALTER TABLE {staging.quoted} ENABLE ROW LEVEL SECURITY".encode())


def fill(server: Server, plan: WritePlan, staging: TableName, flow: Flow, context: StepContext) -> int:
    """Take the flow in; the number of rows."""
    lane = context.lane
    flow = _with_texts(flow, plan)
    options = f"TYPE postgres, SCHEMA {literal(staging.schema)}"
    names = ", ".join(f"c{i}" for i in range(1, len(flow.columns) + 1))
    taken = ", ".join(
        _taken(column, staged.staged, i)
        for i, (column, staged) in enumerate(zip(flow.columns, plan.columns, strict=True), 1)
    )
    try:
        with lane.attached("postgres_scanner", server.address, options) as target:
            place = f"{target}.{quoted(staging.schema)}.{quoted(staging.name)}"
            rows = lane.execute(
                f"INSERT INTO {place} SELECT {taken} FROM ({flow.sql(lane)}) AS f({names})"
            ).fetchone()
    except duckdb.Error as error:
        raise _understood(error, server, plan, flow) from error
    return int(rows[0]) if rows else 0


def _with_texts(flow: Flow, plan: WritePlan) -> Flow:
    """A stream with its long decimals as the texts they are staged as; Arrow is quick at that."""
    if flow.reader is None:
        return flow
    schema = flow.reader.schema
    for at, (column, staged) in enumerate(zip(flow.columns, plan.columns, strict=True)):
        if column.type is ValueType.DECIMAL and staged.staged == "text":
            schema = schema.set(at, schema.field(at).with_type(pa.string()))
    if schema == flow.reader.schema:
        return flow
    batches = (batch.cast(schema) for batch in flow.reader)
    return Flow(flow.columns, reader=pa.RecordBatchReader.from_batches(schema, batches))


def finish(connection: Connection, server: Server, plan: WritePlan, staging: TableName) -> None:
    """Make of a staged table what will be shown, or see that its rows fit the table they go to."""
    if plan.creates:
        _give_types(connection, server, plan, staging)
        return
    for number, column in enumerate(plan.columns, 1):
        if column.unfit:
            _refuse_unfit(connection, server, staging, column, number)
    if plan.mode is WriteMode.UPSERT:
        _refuse_bad_keys(connection, plan, staging)


def staged_of(connection: Connection, staging: TableName, rows: int) -> Staged:
    row = connection.execute(
        "SELECT pg_catalog.pg_total_relation_size(%s::regclass)", [staging.quoted]
    ).fetchone()
    return Staged(rows, int(str(row[0])) if row else None, staging.quoted)


def value_of(column: WrittenColumn, number: int) -> str:
    return column.value.replace("{0}", f"c{number}")


def _taken(column: FlowColumn, staged: str, number: int) -> str:
    """The value in the run's database, watched for what PostgreSQL has no room for."""
    value = f"c{number}"
    if column.type is ValueType.DECIMAL:
        return f"{value}::{'VARCHAR' if staged == 'text' else staged}"
    if column.type in _TEXTS:
        said = f"error({literal(mark(number, 'nul'))})"
        return f"CASE WHEN contains({value}, chr(0)) THEN {said} ELSE {value} END"
    if column.type is ValueType.DATE:
        said = f"error({literal(mark(number, 'early'))})"
        return f"CASE WHEN {value} < {_EARLIEST} AND NOT isinf({value}) THEN {said} ELSE {value} END"
    if column.type is ValueType.UUID:
        return f"{value}::UUID"
    if column.type is ValueType.INTEGER and not column.signed and column.bits == 64:
        return f"{value}::DECIMAL(20,0)"
    return f"{value}::{duckdb_type(column)}"


def _give_types(connection: Connection, server: Server, plan: WritePlan, staging: TableName) -> None:
    """Turn staged texts into what they are, and make the key; all before anybody can see the table."""
    table = staging.quoted
    later = [(i, column) for i, column in enumerate(plan.columns, 1) if column.staged != column.made]
    try:
        with connection.transaction():
            for number, column in later:
                connection.execute(f"SELECT count(c{number}::{column.made}) FROM {table}".encode())
            if later:
                changes = ", ".join(
                    f"ALTER COLUMN c{i} TYPE {column.made} USING c{i}::{column.made}" for i, column in later
                )
                connection.execute(f"ALTER TABLE {table} {changes}".encode())
            if plan.key:
                key = ", ".join(f"c{_number(plan, name)}" for name in plan.key)
                connection.execute(f"ALTER TABLE {table} ADD PRIMARY KEY ({key})".encode())
    except (psycopg.errors.UniqueViolation, psycopg.errors.NotNullViolation) as error:
        raise _bad_key(plan) from error
    except psycopg.DataError as error:
        fault = server.fault(error, "giving the staged texts their types")
        names = ", ".join(column.name for _, column in later)
        raise TargetFailed(f"{names}: {fault}", column=names) from error


def _refuse_unfit(
    connection: Connection, server: Server, staging: TableName, column: WrittenColumn, number: int
) -> None:
    condition = column.unfit.replace("{0}", f"c{number}")
    try:
        found = connection.execute(
            f"SELECT 1 FROM {staging.quoted} WHERE {condition} LIMIT 1".encode()
        ).fetchone()
    except psycopg.DataError as error:
        raise ColumnRefused(
            f"column {column.name}: {server.fault(error, 'looking at what was staged')}", column=column.name
        ) from error
    if found is not None:
        raise ColumnRefused(
            f"column {column.name} holds {column.why}, which its table would cut off",
            hint="make the column of the table larger, or round in the query",
            column=column.name,
        )


def _refuse_bad_keys(connection: Connection, plan: WritePlan, staging: TableName) -> None:
    numbers = [_number(plan, name) for name in plan.key]
    values = [value_of(plan.columns[number - 1], number) for number in numbers]
    empty = " OR ".join(f"c{number} IS NULL" for number in numbers)
    places = ", ".join(str(i) for i in range(1, len(values) + 1))
    found = (
        connection.execute(f"SELECT 1 FROM {staging.quoted} WHERE {empty} LIMIT 1".encode()).fetchone()
        or connection.execute(
            f"SELECT {', '.join(values)} FROM {staging.quoted}"
            f" GROUP BY {places} HAVING count(*) > 1 LIMIT 1".encode()
        ).fetchone()
    )
    if found is not None:
        raise _bad_key(plan)


def _bad_key(plan: WritePlan) -> EngineError:
    key = ", ".join(plan.key)
    return TargetFailed(
        f"two rows that flow to {plan.table} have the same key ({key}), or one has none",
        hint="give each row a key of its own: which of two is right cannot be known here",
        column=plan.key[0],
    )


def _number(plan: WritePlan, name: str) -> int:
    return next(i for i, column in enumerate(plan.columns, 1) if column.name == name)


def _understood(error: duckdb.Error, server: Server, plan: WritePlan, flow: Flow) -> EngineError:
    text = chained_text(error)
    found = marked(text)
    if found is not None and found[1] in ("nul", "early"):
        return value_refused(flow.columns[found[0] - 1].name, found[1])
    fault = server.fault(error, f"writing to {plan.table}")
    number = copied_column(text)
    if number is not None and isinstance(fault, TargetFailed):
        name = flow.columns[number - 1].name
        return TargetFailed(f"column {name}: {fault}", hint=fault.hint, column=name)
    return fault
