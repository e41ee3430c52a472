"""`sqlite.writer`: rows into a table of a SQLite file, by staging and one publishing transaction."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

import msgspec

from dragoman.catalog.components import component_signatures
from dragoman.contracts.decoding import decoded
from dragoman.contracts.errors import StagingLost, StepRefused, TargetFailed
from dragoman.contracts.flow import CursorValue, FlowColumn, OnDrift, WriteMode
from dragoman.contracts.record import Record
from dragoman.contracts.verb import VerbSignature
from dragoman.engine.component import Config, Staged, StepContext, Writing
from dragoman.engine.components.interruption import STREAM_ERRORS, interruptible
from dragoman.engine.components.sqlite import publication
from dragoman.engine.components.sqlite.cells import refusal, selected
from dragoman.engine.components.sqlite.faults import fault, translated
from dragoman.engine.components.sqlite.source_query import sqlite_file
from dragoman.engine.components.sqlite.tables import (
    ExistingColumn,
    created,
    existing_columns,
    has_unique_key,
    missing_columns,
    refuse_names,
    warnings_of,
)
from dragoman.engine.flow import Flow
from dragoman.engine.ledger import STAGING_PREFIX, staging_name
from dragoman.engine.run_database import quoted

_BATCH_ROWS = 16_384
_PATIENCE_SECONDS = 5.0


class WritePlan(Record, frozen=True):
    """`added` are the columns that the table lacks."""

    table: str
    mode: WriteMode
    key: tuple[str, ...]
    columns: tuple[FlowColumn, ...]
    added: tuple[FlowColumn, ...] = ()


class SqliteWriter:
    @property
    def signature(self) -> VerbSignature:
        return component_signatures()["sqlite.writer"]

    def prepare(self, config: Config, columns: tuple[FlowColumn, ...], context: StepContext) -> Writing:
        refuse_names(columns)
        mode, key, table = _mode(config), _key(config), str(config["table"]).removeprefix("main.")
        _check_key(mode, key, columns)
        if table.lower().startswith(("sqlite_", "dragoman_")) or not table or "\0" in table:
            raise StepRefused(f"a table {table!r} cannot be written", hint="choose another name")
        added = tuple[FlowColumn, ...]()
        existing = tuple[ExistingColumn, ...]()
        path = sqlite_file(config, context).path
        if path.exists():
            with _opened(config, context) as connection, translated(context, connection, TargetFailed):
                existing = existing_columns(connection, table)
                if existing:
                    policy = OnDrift(str(config.get("on_drift") or OnDrift.FAIL))
                    added = missing_columns(table, existing, columns, policy)
                    if mode is WriteMode.UPSERT and not has_unique_key(connection, table, key):
                        raise StepRefused(
                            f"{table} has no unique key on {', '.join(key)}",
                            hint="make one, or choose the columns of its key",
                        )
        plan = WritePlan(table, mode, key, columns, added)
        changes = [f"adds the column {column.name} to {table}" for column in added]
        if not existing:
            changes = [f"makes the table {table}"]
        return Writing(
            target=f"the table {table} of {config['connection']}",
            staging=staging_name(context.run_id, context.step),
            warnings=warnings_of(columns),
            changes=tuple(changes),
            facts=msgspec.json.encode(plan).decode(),
            holds=str(path.resolve()),
        )

    def cursor(self, config: Config, context: StepContext) -> CursorValue | None:
        if not sqlite_file(config, context).path.exists():
            return None
        with _opened(config, context) as connection, translated(context, connection, TargetFailed):
            return publication.cursor_of(connection, context.pipeline, context.step)

    def published(self, config: Config, staged: Staged | None, context: StepContext) -> int | None:
        if not sqlite_file(config, context).path.exists():
            return None
        with _opened(config, context) as connection, translated(context, connection, TargetFailed):
            return publication.rows_published(connection, context.run_id, context.step)

    def stage(self, config: Config, writing: Writing, flow: Flow, context: StepContext) -> Staged:
        plan = decoded(writing.facts, WritePlan)
        with _opened(config, context) as connection:
            with translated(context, connection, TargetFailed):
                connection.execute(f"DROP TABLE IF EXISTS {quoted(writing.staging)}")
                # Without the key: a row that breaks it is told of by its own name, and not by the staging's.
                connection.execute(created(writing.staging, flow.columns, ()))
            rows = _fill(connection, writing.staging, flow, context)
            if plan.mode is WriteMode.UPSERT:
                with translated(context, connection, TargetFailed):
                    publication.refuse_twice(connection, writing.staging, plan.key)
        return Staged(rows=rows)

    def publish(
        self,
        config: Config,
        writing: Writing,
        staged: Staged,
        cursor: CursorValue | None,
        context: StepContext,
    ) -> None:
        plan = decoded(writing.facts, WritePlan)
        with _opened(config, context) as connection, translated(context, connection, TargetFailed):
            connection.execute("BEGIN IMMEDIATE")
            try:
                publication.make_ledger(connection)
                if publication.rows_published(connection, context.run_id, context.step) is None:
                    _count_again(connection, writing.staging, staged)
                    publication.move(
                        connection, writing.staging, plan.table, plan.mode.value, plan.key, plan.columns
                    )
                    publication.write_ledger(connection, context, staged.rows, cursor)
                connection.execute(f"DROP TABLE IF EXISTS {quoted(writing.staging)}")
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise

    def discard(self, config: Config, staging: str, context: StepContext) -> None:
        if not staging.startswith(STAGING_PREFIX) or not sqlite_file(config, context).path.exists():
            return
        with _opened(config, context) as connection, translated(context, connection, TargetFailed):
            connection.execute(f"DROP TABLE IF EXISTS {quoted(staging)}")


def _fill(connection: sqlite3.Connection, table: str, flow: Flow, context: StepContext) -> int:
    marks = ", ".join("?" * len(flow.columns))
    insert = f"INSERT INTO {quoted(table)} VALUES ({marks})"
    rows = 0
    with interruptible(context):
        try:
            reader = context.lane.execute(selected(flow.columns, flow.sql(context.lane))).to_arrow_reader(
                _BATCH_ROWS
            )
            for batch in reader:
                cells = [column.to_pylist() for column in batch.columns]
                connection.execute("BEGIN IMMEDIATE")
                connection.executemany(insert, zip(*cells, strict=True))
                connection.execute("COMMIT")
                rows += batch.num_rows
                context.rows(batch.num_rows)
        except STREAM_ERRORS as error:
            raise refusal(str(error), flow.columns) or error from error
        except sqlite3.Error as error:
            raise fault(error, context, TargetFailed) from error
    return rows


def _count_again(connection: sqlite3.Connection, staging: str, staged: Staged) -> None:
    """A crash may have lost what was staged."""
    try:
        (count,) = connection.execute(f"SELECT count(*) FROM {quoted(staging)}").fetchone()
    except sqlite3.OperationalError as error:
        if "no such table" not in str(error):
            raise
        count = None
    if count != staged.rows:
        raise StagingLost("what was staged is not there any more", hint="it is staged again")


@contextmanager
def _opened(config: Config, context: StepContext) -> Iterator[sqlite3.Connection]:
    path = sqlite_file(config, context).path
    try:
        connection = sqlite3.connect(
            _address(path), uri=True, timeout=_PATIENCE_SECONDS, isolation_level=None, check_same_thread=False
        )
    except sqlite3.Error as error:
        raise TargetFailed(
            f"the SQLite file cannot be opened: {error}", hint="check the connection"
        ) from error
    try:
        yield connection
    finally:
        connection.close()


def _address(path: Path) -> str:
    return f"file:{quote(str(path.absolute()))}?mode=rwc"


def _mode(config: Config) -> WriteMode:
    return WriteMode(str(config.get("write_mode") or WriteMode.APPEND))


def _key(config: Config) -> tuple[str, ...]:
    given = config.get("primary_key")
    return tuple(map(str, given)) if isinstance(given, list | tuple) else ()


def _check_key(mode: WriteMode, key: tuple[str, ...], columns: tuple[FlowColumn, ...]) -> None:
    if mode is WriteMode.UPSERT and not key:
        raise StepRefused("upsert needs a primary_key", hint='say :primary_key ["id"]')
    names = {column.name for column in columns}
    missing = [name for name in key if name not in names]
    if missing:
        raise StepRefused(f"the key {', '.join(missing)} does not flow", hint="select it too")
