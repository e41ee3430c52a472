"""Rows of a project over REST: page by page in the order of its key, so that no row comes twice.

Pages are asked for one after the other: what changes meanwhile may be in or out. Only SQL gives one view.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import cast

import msgspec
import pyarrow as pa

from dragoman.contracts.decoding import decoded
from dragoman.contracts.errors import (
    AccessError,
    ConnectionRefused,
    DatabaseBusy,
    QueryCancelled,
    QueryTimeout,
    RunCancelled,
    SourceFailed,
    StepRefused,
    TransientFault,
)
from dragoman.contracts.flow import ColumnWarning, CursorValue, FlowColumn
from dragoman.contracts.query import Query, ReadLimits, Value
from dragoman.contracts.record import Record
from dragoman.contracts.schema import ValueType
from dragoman.databases.access.values import DECODERS
from dragoman.databases.families.supabase.description import RestColumn, RestTable
from dragoman.databases.families.supabase.rest_reader import RestReader
from dragoman.databases.families.supabase.target import RestTarget
from dragoman.engine.carriers import arrow_schema
from dragoman.engine.component import Config, Extraction, StepContext
from dragoman.engine.components.postgres.bounds import cursor_columns, fitting_cursor
from dragoman.engine.components.postgres.selection import chosen, filtered
from dragoman.engine.components.postgres.table_name import TableName, identifier, read_table_name
from dragoman.engine.components.supabase.rest_columns import SQL_HINT, carried, flow_column, warnings_of
from dragoman.engine.flow import Flow

PAGE_ROWS = 1000
_CELL_BYTES = 16_000_000
_SECONDS = 600.0
_TEXT_IS_EXACT = frozenset({ValueType.TEXT, ValueType.UUID, ValueType.OTHER})


class RestFacts(Record, frozen=True):
    """`source` is the table as SQL, `condition` what the step's filter says."""

    source: str
    condition: str
    key: tuple[str, ...]
    cursor: tuple[str, ...] = ()
    after: CursorValue | None = None
    upto: CursorValue | None = None
    convert: tuple[str, ...] = ()
    hidden: tuple[FlowColumn, ...] = ()
    """Columns of the key and the cursor that are read, and do not flow on."""


def plan_over_rest(
    config: Config,
    after: CursorValue | None,
    bound: CursorValue | None,
    target: RestTarget,
    context: StepContext,
) -> Extraction:
    if config.get("query") is not None:
        raise StepRefused("a query cannot be asked over REST in pages", hint="name a table; or " + SQL_HINT)
    alias = str(config["connection"])
    name = read_table_name(str(config["table"]))
    with reading(target, context) as reader:
        table = described(reader, name, alias)
        names = tuple(column.name for column in table.columns)
        wanted = chosen(config, names)
        cursor = cursor_columns(config, names)
        flowing = tuple(flow_column(_column(table, each)) for each in wanted)
        beside = dict.fromkeys((*table.primary_key, *cursor))
        hidden = tuple(flow_column(_column(table, each)) for each in beside if each not in wanted)
        convert = tuple(str(rule) for rule in cast("list[object]", config.get("convert") or []))
        facts = RestFacts(
            TableName(table.name, table.schema).quoted,
            _condition(config, table),
            table.primary_key,
            cursor,
            fitting_cursor(cursor, after) if cursor else None,
            fitting_cursor(cursor, bound) if cursor else None,
            convert,
            hidden,
        )
        if cursor and facts.upto is None:
            upto = _bound(reader, facts, flowing, context)
            facts = msgspec.structs.replace(facts, upto=upto)
        return Extraction(
            columns=flowing,
            target=f"table {name} of {alias}",
            path="rest",
            warnings=(
                *(warning for column in flowing for warning in warnings_of(column, convert)),
                *(_not_read(each) for each in cursor if _column(table, each).nullable),
            ),
            cursor=facts.upto,
            facts=msgspec.json.encode(facts).decode(),
        )


@contextmanager
def open_over_rest(extraction: Extraction, target: RestTarget, context: StepContext) -> Iterator[Flow]:
    facts = decoded(extraction.facts.encode(), RestFacts)
    schema = arrow_schema(extraction.columns)
    with reading(target, context) as reader:
        pages = _pages(reader, extraction.columns, facts, context)
        batches = (_batch(page, extraction.columns, facts, schema) for page in pages)
        yield Flow(extraction.columns, reader=pa.RecordBatchReader.from_batches(schema, batches))


def described(reader: RestReader, name: TableName, alias: str) -> RestTable:
    """The table as the project tells of it. Raises StepRefused."""
    for table in reader.tables():
        if table.name == name.name and name.schema in ("", table.schema) and table.columns:
            return table
    raise StepRefused(
        f"{alias} has no table {name} that this key can see", hint="check its name, its schema and the key"
    )


@contextmanager
def reading(target: RestTarget, context: StepContext) -> Iterator[RestReader]:
    seconds = context.limits.seconds or _SECONDS
    reader = RestReader(target, ReadLimits(rows=PAGE_ROWS, seconds=seconds, cell_bytes=_CELL_BYTES))
    try:
        with reader:
            yield reader
    except QueryCancelled as error:
        raise RunCancelled("the run was cancelled") from error
    except (ConnectionRefused, DatabaseBusy, QueryTimeout) as error:
        raise TransientFault(error.message, hint=error.hint) from error
    except AccessError as error:
        raise SourceFailed(error.message, hint=error.hint) from error


def _pages(
    reader: RestReader, columns: tuple[FlowColumn, ...], facts: RestFacts, context: StepContext
) -> Iterator[list[tuple[Value, ...]]]:
    """Each page begins after the key of the last row of the one before."""
    every = (*columns, *facts.hidden)
    places = [[each.name for each in every].index(name) for name in facts.key]
    conditions, parameters = _limits(facts, every)
    if facts.cursor and facts.upto is None:
        return
    last: tuple[Value, ...] = ()
    while True:
        where, values = list(conditions), list(parameters)
        if last:
            text, more = _beyond(facts.key, last)
            where.append(text)
            values += more
        found = reader.read(Query(_sql(facts, every, where), tuple(values)), cancel=context.cancel)
        context.rows(len(found.rows))
        if found.rows:
            yield found.rows
        if not found.truncated:
            return
        if not facts.key:
            raise StepRefused(
                f"{facts.source} has more than {PAGE_ROWS} rows and no key to read them by", hint=SQL_HINT
            )
        last = tuple(found.rows[-1][place] for place in places)


def _sql(facts: RestFacts, columns: tuple[FlowColumn, ...], where: list[str]) -> str:
    names = ", ".join(identifier(column.name) for column in columns)
    conditions = [*([f"({facts.condition})"] if facts.condition else []), *where]
    text = f"SELECT {names} FROM {facts.source}"
    text += f" WHERE {' AND '.join(conditions)}" if conditions else ""
    return text + (f" ORDER BY {', '.join(identifier(name) for name in facts.key)}" if facts.key else "")


def _limits(facts: RestFacts, columns: tuple[FlowColumn, ...]) -> tuple[list[str], list[Value]]:
    """What is new, up to the bound."""
    where = [f"{identifier(name)} IS NOT NULL" for name in facts.cursor]
    values = list[Value]()
    for value, sign in ((facts.after, ">"), (facts.upto, "<=")):
        if value is not None:
            text, more = _beyond(value.columns, _typed(value, columns), sign)
            where.append(text)
            values += more
    return where, values


def _beyond(names: tuple[str, ...], values: tuple[Value, ...], sign: str = ">") -> tuple[str, list[Value]]:
    """Several columns compared one after the other, as words are."""
    options, parameters = list[str](), list[Value]()
    for i, name in enumerate(names):
        same = [f"{identifier(each)} = ?" for each in names[:i]]
        # The last column alone may be equal; of those before, only less or more tells the rows apart.
        compared = sign if i == len(names) - 1 else sign[0]
        options.append("(" + " AND ".join([*same, f"{identifier(name)} {compared} ?"]) + ")")
        parameters += values[: i + 1]
    return f"({' OR '.join(options)})", parameters


def _bound(
    reader: RestReader, facts: RestFacts, flowing: tuple[FlowColumn, ...], context: StepContext
) -> CursorValue | None:
    every = (*flowing, *facts.hidden)
    where, values = _limits(facts, every)
    names = ", ".join(identifier(name) for name in facts.cursor)
    order = ", ".join(f"{identifier(name)} DESC" for name in facts.cursor)
    conditions = " AND ".join([*([f"({facts.condition})"] if facts.condition else []), *where])
    text = f"SELECT {names} FROM {facts.source} WHERE {conditions} ORDER BY {order} LIMIT 1"
    found = reader.read(Query(text, tuple(values)), cancel=context.cancel).rows
    return CursorValue(facts.cursor, tuple(str(value) for value in found[0])) if found else facts.after


def _typed(value: CursorValue, columns: tuple[FlowColumn, ...]) -> tuple[Value, ...]:
    types = {column.name: column.type for column in columns}
    return tuple(
        text if types[name] in _TEXT_IS_EXACT else DECODERS[types[name]](text)
        for name, text in zip(value.columns, value.values, strict=True)
    )


def _batch(
    page: list[tuple[Value, ...]], columns: tuple[FlowColumn, ...], facts: RestFacts, schema: pa.Schema
) -> pa.RecordBatch:
    arrays = [
        pa.array([carried(row[i], column, facts.convert) for row in page], schema.field(i).type)
        for i, column in enumerate(columns)
    ]
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


def _condition(config: Config, table: RestTable) -> str:
    condition = config.get("filter")
    return filtered(TableName(table.name, table.schema), str(condition))[1] if condition is not None else ""


def _column(table: RestTable, name: str) -> RestColumn:
    found = table.column(name)
    assert found is not None  # noqa: S101
    return found


def _not_read(column: str) -> ColumnWarning:
    return ColumnWarning(
        column, "null_cursor_not_read", f"rows without a value in {column} are not read: a cursor has one"
    )
