"""Rows of MariaDB and MySQL: planned on a connection of their own, read by the fastest exact way."""

import dataclasses
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager

import duckdb
import msgspec
import pyarrow as pa
import pymysql

from dragoman.catalog.components import component_signatures
from dragoman.contracts.decoding import decoded
from dragoman.contracts.errors import AccessError
from dragoman.contracts.flow import CursorValue, FlowColumn, KeyRange
from dragoman.contracts.record import Record
from dragoman.contracts.verb import VerbSignature
from dragoman.databases.families.mysql.connection import Connection
from dragoman.databases.families.mysql.json_columns import JsonColumns
from dragoman.databases.families.mysql.marks import marked
from dragoman.databases.families.mysql.target import MysqlTarget
from dragoman.engine.component import Config, Extraction, StepContext
from dragoman.engine.components.mysql.columns import asked_for, flow_columns
from dragoman.engine.components.mysql.extraction_plan import (
    batch_rows,
    bounded,
    column_named,
    conversions,
    converted,
    estimate,
    fields_of,
    is_plain_table,
    parts_of,
)
from dragoman.engine.components.mysql.faults import source_fault
from dragoman.engine.components.mysql.flow_values import carried
from dragoman.engine.components.mysql.session import is_mariadb, reading, target_in
from dragoman.engine.components.mysql.source_query import asked_of, narrowed, part_condition, texts
from dragoman.engine.components.mysql.streams import (
    ConnectorxFailed,
    ReadPath,
    best_path,
    by_connectorx,
    by_rows,
    by_scanner,
)
from dragoman.engine.flow import Flow

_FROM_DRIVERS = (
    pymysql.err.MySQLError,
    AccessError,
    duckdb.Error,
    ConnectorxFailed,
    RuntimeError,
    OSError,
    pa.ArrowException,
)


class Plan(Record, frozen=True):
    """What opening needs of planning. `sql` gives the rows, before parts of them are chosen."""

    sql: str
    conditions: tuple[str, ...]
    path: ReadPath
    batch_rows: int
    encrypted: bool
    mariadb: bool


@dataclasses.dataclass(frozen=True)
class MysqlExtractor:
    """`path` forces a way to read; without it the best that is installed is taken."""

    path: ReadPath | None = None

    @property
    def signature(self) -> VerbSignature:
        return component_signatures()["mysql.extractor"]

    def plan(
        self, config: Config, after: CursorValue | None, bound: CursorValue | None, context: StepContext
    ) -> Extraction:
        target = target_in(config, context)
        what = str(config.get("table") or "the query")
        try:
            with reading(target, context) as connection:
                return self._planned(config, after, bound, context, target, connection)
        except (pymysql.err.MySQLError, AccessError, OSError) as error:
            raise source_fault(error, target, context, what) from error

    def _planned(
        self,
        config: Config,
        after: CursorValue | None,
        bound: CursorValue | None,
        context: StepContext,
        target: MysqlTarget,
        connection: Connection,
    ) -> Extraction:
        asked = asked_of(config, connection)
        fields = fields_of(connection, asked.probe)
        everything = flow_columns(fields, JsonColumns().among(fields, target))
        # The proof that it is a query whose columns can be told apart: the server reads it in brackets.
        fields_of(connection, f"SELECT * FROM ({asked.sql}\n) AS q LIMIT 0")
        by_name = {column.name: column for column in everything}
        columns = tuple(column_named(by_name, name, "read") for name in asked.columns) or everything
        cursor, conditions, warnings = bounded(config, asked, by_name, after, bound, connection)
        convert = frozenset(texts(config, "convert"))
        mariadb = is_mariadb(connection)
        computed = not is_plain_table(config, asked, connection)
        path = self.path or best_path(target, computed=computed, mariadb=mariadb)
        plan = Plan(
            sql=asked.sql,
            conditions=conditions,
            path=path,
            batch_rows=batch_rows(columns, fields, connection),
            encrypted=bool(getattr(connection, "_secure", False)),
            mariadb=mariadb,
        )
        return Extraction(
            columns=converted(columns, convert),
            target=asked.title,
            path=path.value,
            warnings=(*warnings, *conversions(columns, convert)),
            parts=parts_of(config, asked, by_name, conditions, connection),
            cursor=cursor,
            rows=estimate(config, asked, connection),
            facts=msgspec.json.encode(plan).decode(),
        )

    def open(
        self, config: Config, extraction: Extraction, part: KeyRange | None, context: StepContext
    ) -> AbstractContextManager[Flow]:
        return _opened(config, extraction, part, context)


@contextmanager
def _opened(
    config: Config, extraction: Extraction, part: KeyRange | None, context: StepContext
) -> Iterator[Flow]:
    plan = decoded(extraction.facts, Plan)
    target = target_in(config, context)
    columns = extraction.columns
    conditions = plan.conditions if part is None else (*plan.conditions, part_condition(part))
    # Names of our own: a driver need not know what a column can be called.
    projected = ", ".join(f"{asked_for(column)} AS c{number}" for number, column in enumerate(columns))
    sql = marked(context.mark, narrowed(plan.sql, projected, conditions))
    faults: list[BaseException] = []
    before: tuple[BaseException, ...] = ()
    convert = frozenset(texts(config, "convert"))
    try:
        with _batches(plan, target, sql, columns, context) as batches:
            reader = carried(batches, columns, convert)
            try:
                yield Flow(columns, reader=_remembering(reader, faults, context))
            except BaseException:
                # What fails from now on fails because the reading is being ended.
                before = tuple(faults)
                raise
    except BaseException as error:
        # Whoever takes the rows tells an error of theirs in words of its own; the first one is the cause.
        cause = before[0] if before else error
        if isinstance(cause, _FROM_DRIVERS):
            raise source_fault(cause, target, context, extraction.target) from error
        if cause is error:
            raise
        raise cause from error


def _batches(
    plan: Plan, target: MysqlTarget, sql: str, columns: tuple[FlowColumn, ...], context: StepContext
) -> AbstractContextManager[Iterator[pa.RecordBatch]]:
    match plan.path:
        case ReadPath.CONNECTORX:
            return by_connectorx(
                target, sql, plan.batch_rows, context, encrypted=plan.encrypted, mariadb=plan.mariadb
            )
        case ReadPath.SCANNER:
            return by_scanner(target, sql, plan.batch_rows, context, encrypted=plan.encrypted)
        case ReadPath.ROWS:
            return by_rows(target, sql, plan.batch_rows, columns, context)


def _remembering(
    reader: pa.RecordBatchReader, faults: list[BaseException], context: StepContext
) -> pa.RecordBatchReader:
    """The same rows, counted as they pass; what ends them early is kept."""

    def each() -> Iterator[pa.RecordBatch]:
        try:
            for batch in reader:
                context.rows(batch.num_rows)
                yield batch
        except GeneratorExit:
            raise
        except BaseException as error:
            faults.append(error)
            raise

    return pa.RecordBatchReader.from_batches(reader.schema, each())
