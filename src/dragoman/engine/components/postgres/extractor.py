"""Rows of a PostgreSQL database, through DuckDB's scanner: no row passes through Python."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import cast

import duckdb
import msgspec
import psycopg
import pyarrow as pa

from dragoman.catalog.components import component_signatures
from dragoman.contracts.decoding import decoded
from dragoman.contracts.errors import EngineError, TransientFault
from dragoman.contracts.flow import ColumnWarning, CursorValue, FlowColumn, KeyRange
from dragoman.contracts.record import Record
from dragoman.contracts.verb import VerbSignature
from dragoman.engine.component import Config, Extraction, StepContext
from dragoman.engine.components.postgres.bounds import (
    cursor_columns,
    fitting_cursor,
    fixed_bound,
    part_condition,
    parts_of,
    within,
)
from dragoman.engine.components.postgres.column_types import ColumnReading, reading_of
from dragoman.engine.components.postgres.description import Described, describe
from dragoman.engine.components.postgres.faults import Side, chained_text, marked, value_refused
from dragoman.engine.components.postgres.selection import Selection, chosen, selection_of
from dragoman.engine.components.postgres.server import Connection, Server, server_of, telling
from dragoman.engine.flow import BATCH_ROWS, Flow
from dragoman.engine.run_database import literal, quoted

_NOT_NULL = """
    SELECT attname::text FROM pg_catalog.pg_attribute
    WHERE attrelid = %s::oid AND attnum > 0 AND NOT attisdropped AND attnotnull
"""
_BEGIN = "BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY"


class ReadFacts(Record, frozen=True):
    """What runs: `asked` on the server, under `conditions`, and `taken` in the run's database."""

    asked: str
    taken: str
    conditions: tuple[str, ...] = ()
    keeps_settings: bool = True
    notices_loss: bool = False


class PostgresExtractor:
    def __init__(self, name: str = "postgres.extractor") -> None:
        self._name = name

    @property
    def signature(self) -> VerbSignature:
        return component_signatures()[self._name]

    def plan(
        self, config: Config, after: CursorValue | None, bound: CursorValue | None, context: StepContext
    ) -> Extraction:
        server = server_of(config, Side.SOURCE, context)
        with server.stoppable(context), server.connect() as connection:
            try:
                connection.execute(_BEGIN)
                return _planned(config, after, bound, connection, server)
            except psycopg.Error as error:
                raise server.fault(error, "planning the read") from error

    @contextmanager
    def open(
        self, config: Config, extraction: Extraction, part: KeyRange | None, context: StepContext
    ) -> Iterator[Flow]:
        server = server_of(config, Side.SOURCE, context)
        facts = decoded(extraction.facts.encode(), ReadFacts)
        server.keeps_settings = facts.keeps_settings
        server.notices_loss = facts.notices_loss
        conditions = (*facts.conditions, *((part_condition(part),) if part is not None else ()))
        asked = facts.asked + (f" WHERE {' AND '.join(conditions)}" if conditions else "")
        try:
            with (
                server.stoppable(context),
                context.lane.attached(
                    "postgres_scanner", server.address, "TYPE postgres, READ_ONLY"
                ) as source,
            ):
                relation = f"SELECT {facts.taken} FROM postgres_query({literal(source)}, {literal(asked)})"
                if facts.keeps_settings:
                    yield Flow(extraction.columns, relation=relation)
                else:
                    with _told_first(source, server, relation, context) as reader:
                        yield Flow(extraction.columns, reader=reader)
        except (duckdb.Error, EngineError) as error:
            raise _understood(error, extraction.columns, server) from error


@contextmanager
def _told_first(
    source: str, server: Server, relation: str, context: StepContext
) -> Iterator[pa.RecordBatchReader]:
    """The rows, read in a transaction of DuckDB: there the scanner keeps one session, which was told its
    settings. On a lane of its own, so that what is written does not wait for its end."""
    lane = context.lane.database.lane()
    with context.cancel.told_to(lane.interrupt):
        try:
            lane.execute("BEGIN")
            told = literal(telling(server.settings))
            lane.execute(f"SELECT * FROM postgres_query({literal(source)}, {told})").fetchall()
            yield lane.execute(relation).to_arrow_reader(BATCH_ROWS)
        finally:
            lane.close()


def _planned(
    config: Config,
    after: CursorValue | None,
    bound: CursorValue | None,
    connection: Connection,
    server: Server,
) -> Extraction:
    selection = selection_of(config, connection, server.target.schemas)
    described = describe(connection, selection.query, server)
    names = tuple(each.name for each in described)
    columns = cursor_columns(config, names)
    after = fitting_cursor(columns, after) if columns else None
    upto = fitting_cursor(columns, bound) if columns else None
    if columns and upto is None:
        upto = fixed_bound(connection, selection.query, columns, after)
    conditions = within(columns, after, upto)
    never_null = _never_null(selection, connection)
    readings = _readings(config, described, never_null)
    asked = ", ".join(f"{each.asked} AS c{i}" for i, each in enumerate(readings, 1))
    taken = ", ".join(f"{each.taken} AS {quoted(each.column.name)}" for each in readings)
    facts = ReadFacts(
        f"SELECT {asked} FROM ({selection.query}) AS q",
        taken,
        conditions,
        server.keeps_settings,
        server.notices_loss,
    )
    return Extraction(
        columns=tuple(each.column for each in readings),
        target=selection.shown,
        path="scanner",
        warnings=(
            *(warning for each in readings for warning in each.warnings),
            *(_not_read(name) for name in columns if name not in never_null),
        ),
        parts=parts_of(config, selection, described, connection, conditions),
        cursor=upto,
        rows=selection.rows if not columns else None,
        facts=msgspec.json.encode(facts).decode(),
    )


def _readings(
    config: Config, described: tuple[Described, ...], never_null: frozenset[str]
) -> list[ColumnReading]:
    by_name = {each.name: each for each in described}
    convert = [str(rule) for rule in cast("list[object]", config.get("convert") or [])]
    return [
        reading_of(by_name[name], number, convert, nullable=name not in never_null)
        for number, name in enumerate(chosen(config, tuple(by_name)), 1)
    ]


def _never_null(selection: Selection, connection: Connection) -> frozenset[str]:
    if selection.oid is None or not selection.keeps_nulls_out:
        return frozenset()
    return frozenset(str(row[0]) for row in connection.execute(_NOT_NULL, [selection.oid]))


def _not_read(column: str) -> ColumnWarning:
    return ColumnWarning(
        column, "null_cursor_not_read", f"rows without a value in {column} are not read: a cursor has one"
    )


def _understood(
    error: duckdb.Error | EngineError, columns: tuple[FlowColumn, ...], server: Server
) -> Exception:
    """What came out of the block. The scanner's errors are met by whoever runs the flow; what they say of
    this source is told apart here."""
    found = marked(chained_text(error))
    if found is not None:
        number, what = found
        return value_refused(columns[number - 1].name, what)
    if isinstance(error, duckdb.Error):
        return server.fault(error, "reading")
    cause = error.__cause__
    if isinstance(cause, duckdb.Error) and not isinstance(error, TransientFault):
        fault = server.fault(cause, "reading")
        return fault if isinstance(fault, TransientFault) else error
    return error
