"""A table of a PostgreSQL database: staged through DuckDB's scanner, published by the server itself."""

from collections.abc import Iterator
from contextlib import contextmanager

import msgspec
import psycopg

from dragoman.catalog.components import component_signatures
from dragoman.contracts.decoding import decoded
from dragoman.contracts.errors import EngineError, StagingLost, TargetFailed
from dragoman.contracts.flow import CursorValue, FlowColumn
from dragoman.contracts.verb import VerbSignature
from dragoman.engine.component import Config, Staged, StepContext, Writing
from dragoman.engine.components.postgres.accounts import (
    ensure_accounts,
    enter,
    entered,
    remember,
    remembered,
)
from dragoman.engine.components.postgres.culprit import culprit
from dragoman.engine.components.postgres.faults import Side
from dragoman.engine.components.postgres.preparation import WritePlan, decide
from dragoman.engine.components.postgres.publication import show
from dragoman.engine.components.postgres.server import Connection, Server, server_of
from dragoman.engine.components.postgres.staging_table import fill, finish, make_staging, staged_of
from dragoman.engine.components.postgres.table import check_schema, home_of, look_at
from dragoman.engine.components.postgres.table_name import TableName, read_table_name
from dragoman.engine.flow import Flow
from dragoman.engine.ledger import staging_name


class PostgresWriter:
    """`guarded`: what is made here is closed to all but its owner, where schemas are open to the world."""

    def __init__(self, name: str = "postgres.writer", *, guarded: bool = False) -> None:
        self._name = name
        self._guarded = guarded

    @property
    def signature(self) -> VerbSignature:
        return component_signatures()[self._name]

    def prepare(self, config: Config, columns: tuple[FlowColumn, ...], context: StepContext) -> Writing:
        with self._at_work(config, context, "preparing the write") as (_, connection, name, oid):
            check_schema(name.schema, connection)
            table = look_at(name, oid, connection) if oid is not None else None
            decided = decide(config, columns, name, table, self._guarded)
            staging = TableName(staging_name(context.run_id, context.step), name.schema)
            return Writing(
                target=f"table {name} of {config['connection']}",
                staging=staging.quoted,
                warnings=decided.warnings,
                changes=decided.changes,
                facts=msgspec.json.encode(decided.plan).decode(),
            )

    def cursor(self, config: Config, context: StepContext) -> CursorValue | None:
        with self._at_work(config, context, "reading the cursor") as (_, connection, name, _oid):
            return remembered(connection, name.schema, context.pipeline, context.step)

    def published(self, config: Config, staged: Staged | None, context: StepContext) -> int | None:
        with self._at_work(config, context, "reading the ledger") as (_, connection, name, _oid):
            return entered(connection, name.schema, context.run_id, context.step)

    def stage(self, config: Config, writing: Writing, flow: Flow, context: StepContext) -> Staged:
        plan = _plan(writing)
        staging = read_table_name(writing.staging)
        with self._at_work(config, context, "staging") as (server, connection, _name, _oid):
            ensure_accounts(connection, plan.table.schema, guarded=self._guarded)
            make_staging(connection, plan, staging)
            rows = fill(server, plan, staging, flow, context)
            finish(connection, server, plan, staging)
            return staged_of(connection, staging, rows)

    def publish(
        self,
        config: Config,
        writing: Writing,
        staged: Staged,
        cursor: CursorValue | None,
        context: StepContext,
    ) -> None:
        plan = _plan(writing)
        schema = plan.table.schema
        staging = read_table_name(writing.staging)
        with self._at_work(config, context, f"publishing to {plan.table}") as (
            server,
            connection,
            _name,
            _oid,
        ):
            ensure_accounts(connection, schema, guarded=self._guarded)
            try:
                with connection.transaction():
                    if not enter(connection, schema, context.run_id, context.step, staged.rows):
                        return
                    show(connection, plan, staging, staged.rows)
                    if cursor is not None:
                        remember(connection, schema, context.pipeline, context.step, cursor, context.run_id)
            except psycopg.errors.UndefinedTable as error:
                raise StagingLost(
                    f"what was staged for {plan.table}, or the table, is gone", hint="try again"
                ) from error
            except (psycopg.DataError, psycopg.IntegrityError) as error:
                raise _unfit(server, error, culprit(connection, plan, staging), plan) from error

    def discard(self, config: Config, staging: str, context: StepContext) -> None:
        table = read_table_name(staging)
        server = server_of(config, Side.TARGET, context)
        with server.connect() as connection:
            try:
                connection.execute(f"DROP TABLE IF EXISTS {table.quoted}".encode())
            except psycopg.errors.InvalidSchemaName:
                return
            except psycopg.Error as error:
                raise server.fault(error, "removing what was staged") from error

    @contextmanager
    def _at_work(
        self, config: Config, context: StepContext, doing: str
    ) -> Iterator[tuple[Server, Connection, TableName, int | None]]:
        """A session beside the table of the step; what the server refuses is told as the engine's errors."""
        server = server_of(config, Side.TARGET, context)
        with server.stoppable(context), server.connect() as connection:
            try:
                name, oid = home_of(str(config["table"]), connection, server.target.schemas)
                yield server, connection, name, oid
            except psycopg.Error as error:
                raise server.fault(error, doing) from error


def _unfit(server: Server, error: psycopg.Error, column: str, plan: WritePlan) -> EngineError:
    """The constraint says which rule was broken; the server's detail would repeat values of the row."""
    fault = server.fault(error, f"publishing to {plan.table}")
    if not isinstance(fault, TargetFailed):
        return fault
    name = column or error.diag.column_name or ""
    rule = f" ({error.diag.constraint_name})" if error.diag.constraint_name else ""
    message = f"column {name}: {fault.message}{rule}" if name else fault.message + rule
    return TargetFailed(message, hint=fault.hint, column=name)


def _plan(writing: Writing) -> WritePlan:
    return decoded(writing.facts.encode(), WritePlan)
