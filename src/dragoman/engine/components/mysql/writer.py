"""Tables of MariaDB and MySQL: everything is decided before a row moves, staged, and published at once."""

import dataclasses
from collections.abc import Iterator
from contextlib import contextmanager

import duckdb
import msgspec
import pymysql

from dragoman.catalog.components import component_signatures
from dragoman.contracts.decoding import decoded
from dragoman.contracts.errors import (
    AccessError,
    EngineError,
    SchemaDrift,
    StepRefused,
)
from dragoman.contracts.flow import ColumnWarning, CursorValue, FlowColumn, OnDrift, WriteMode
from dragoman.contracts.verb import VerbSignature
from dragoman.databases.families.mysql.connection import Connection, run
from dragoman.databases.families.mysql.literals import text_literal
from dragoman.engine.component import Config, Staged, StepContext, Writing
from dragoman.engine.components.mysql import publication
from dragoman.engine.components.mysql.bulk_load import load_by_file, load_by_insert, refusal_of
from dragoman.engine.components.mysql.columns import quoted
from dragoman.engine.components.mysql.declarations import (
    LONGEST_NAME,
    check_names,
    collation,
    conversions,
    declared,
    definition,
)
from dragoman.engine.components.mysql.faults import number_of, target_fault
from dragoman.engine.components.mysql.publication import Plan
from dragoman.engine.components.mysql.session import is_mariadb, rows_of, target_in, writing
from dragoman.engine.components.mysql.source_query import place_of, texts
from dragoman.engine.components.mysql.table_fit import TableShape, bent, shape_of, staged_as, why_not
from dragoman.engine.flow import Flow
from dragoman.engine.ledger import CURSORS, STAGING_PREFIX, refuse_own, staging_name

_OF_A_VALUE = frozenset({1048, 1062, 1264, 1265, 1292, 1364, 1366, 1406, 3140, 4025})
"""The numbers of errors that speak of a value that does not fit."""


@dataclasses.dataclass(frozen=True)
class MysqlWriter:
    """`by_file` forces LOAD DATA or INSERT; without it the server is asked what it takes."""

    by_file: bool | None = None

    @property
    def signature(self) -> VerbSignature:
        return component_signatures()["mysql.writer"]

    def prepare(self, config: Config, columns: tuple[FlowColumn, ...], context: StepContext) -> Writing:
        with _connected(config, context) as connection:
            return self._prepared(config, columns, context, connection)

    def _prepared(
        self, config: Config, columns: tuple[FlowColumn, ...], context: StepContext, connection: Connection
    ) -> Writing:
        if not columns:
            raise StepRefused("there are no columns to write", hint="read at least one")
        check_names(columns)
        name = str(config["table"])
        schema, table = place_of(connection, name)
        if not schema or not table or len(table) > LONGEST_NAME or table.endswith(" "):
            raise StepRefused(f"MySQL can have no table called {name!r}", hint="choose another name")
        refuse_own(table)
        mode = WriteMode(str(config.get("write_mode") or WriteMode.APPEND))
        key = _key(config, columns, mode)
        mariadb = is_mariadb(connection)
        plan = Plan(
            schema=schema,
            table=table,
            staging=staging_name(context.run_id, context.step),
            mode=mode,
            columns=tuple(column.name for column in columns),
            key=key,
            options=f"ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE {collation(mariadb=mariadb)}",
            by_file=self._takes_files(connection),
        )
        shape = shape_of(connection, (schema, table))
        if shape is None:
            made = definition(columns, key, mariadb=mariadb)
            plan = msgspec.structs.replace(plan, creates=made)
            warnings = [w for c in columns for w in conversions(c, key=c.name in key, mariadb=mariadb)]
            changes: tuple[str, ...] = (f"the table {name} is made: {made}",)
        else:
            drift = OnDrift(str(config.get("on_drift") or OnDrift.FAIL))
            plan, warnings = _fitted(plan, columns, shape, drift, mariadb=mariadb)
            changes = tuple(f"the table {name} gets the column {added} {kind}" for added, kind in plan.adds)
        return Writing(
            target=f"table {name} of {config['connection']}",
            staging=plan.staging,
            warnings=tuple(warnings),
            changes=changes,
            facts=msgspec.json.encode(plan).decode(),
        )

    def _takes_files(self, connection: Connection) -> bool:
        if self.by_file is not None:
            return self.by_file
        return rows_of(connection, "SELECT @@GLOBAL.local_infile")[0][0] in ("1", "ON")

    def cursor(self, config: Config, context: StepContext) -> CursorValue | None:
        with _connected(config, context) as connection:
            schema, _ = place_of(connection, str(config["table"]))
            return publication.remembered_cursor(connection, schema, context.pipeline, context.step)

    def published(self, config: Config, staged: Staged | None, context: StepContext) -> int | None:
        with _connected(config, context) as connection:
            schema, table = place_of(connection, str(config["table"]))
            found = publication.ledger_rows(connection, schema, context)
            if found is not None:
                return found
            staging = staging_name(context.run_id, context.step)
            return publication.settle(connection, schema, table, staging, context)

    def stage(self, config: Config, writing: Writing, flow: Flow, context: StepContext) -> Staged:
        plan = decoded(writing.facts, Plan)
        with _connected(config, context, flow.columns) as connection:
            _make_staging(connection, plan)
            load = load_by_file if plan.by_file else load_by_insert
            rows = load(connection, plan.stage, flow, context)
            publication.refuse_bent(connection, plan)
            return Staged(rows, token=plan.staging)

    def publish(
        self,
        config: Config,
        writing: Writing,
        staged: Staged,
        cursor: CursorValue | None,
        context: StepContext,
    ) -> None:
        plan = decoded(writing.facts, Plan)
        with _connected(config, context) as connection:
            publication.publish(connection, plan, staged, cursor, context)

    def discard(self, config: Config, staging: str, context: StepContext) -> None:
        if not staging.startswith(STAGING_PREFIX):
            raise StepRefused(f"{staging} is no staging table", hint="nothing was removed")
        with _connected(config, context) as connection:
            schema, _ = place_of(connection, str(config["table"]))
            run(connection, f"DROP TABLE IF EXISTS {quoted(schema)}.{quoted(staging)}")
            if shape_of(connection, (schema, CURSORS)) is not None:
                run(
                    connection,
                    f"DELETE FROM {quoted(schema)}.{CURSORS} WHERE step = {text_literal(staging)}",
                )


@contextmanager
def _connected(
    config: Config, context: StepContext, columns: tuple[FlowColumn, ...] = ()
) -> Iterator[Connection]:
    """A connection to write with, its faults told as the engine's."""
    target = target_in(config, context)
    what = f"table {config['table']} of {config['connection']}"
    try:
        with writing(target, context) as connection:
            yield connection
    except pymysql.err.MySQLError as error:
        number = number_of(error)
        if number in _OF_A_VALUE and not context.cancel.cancelled:
            raise refusal_of(number or 0, str(error.args[-1]), columns) from error
        raise target_fault(error, target, context, what) from error
    except (AccessError, duckdb.Error, OSError) as error:
        raise target_fault(error, target, context, what) from error
    except EngineError as error:
        if context.cancel.cancelled:
            raise target_fault(error, target, context, what) from error
        raise


def _key(config: Config, columns: tuple[FlowColumn, ...], mode: WriteMode) -> tuple[str, ...]:
    given = texts(config, "primary_key")
    names = {column.name.lower(): column.name for column in columns}
    missing = [name for name in given if name.lower() not in names]
    if missing:
        raise StepRefused(
            f"the key {missing[0]} is no column of the flow", hint=f"one of: {', '.join(names)}"
        )
    if mode is WriteMode.UPSERT and not given:
        raise StepRefused("upsert goes by a primary_key, and none is named", hint="name its columns")
    return tuple(dict.fromkeys(names[name.lower()] for name in given))


def _fitted(
    plan: Plan, columns: tuple[FlowColumn, ...], shape: TableShape, drift: OnDrift, *, mariadb: bool
) -> tuple[Plan, list[ColumnWarning]]:
    """The plan for a table that is there. Raises SchemaDrift, StepRefused and ColumnRefused."""
    if shape.is_view or shape.engine != "innodb":
        kind = "a view" if shape.is_view else f"a table of {shape.engine or 'another engine'}"
        raise StepRefused(f"{plan.table} is {kind}, which cannot be written as a whole", hint="use InnoDB")
    missing = [column for column in columns if shape.column(column.name) is None]
    if missing and drift is OnDrift.FAIL:
        names = [column.name for column in missing]
        raise SchemaDrift(
            f"the table {plan.table} has no column {', '.join(names)}",
            hint="leave them out, or set on_drift to add_columns",
            columns=names,
        )
    reasons: list[tuple[str, str]] = []
    bends: list[tuple[str, str]] = []
    restaged: list[tuple[str, str]] = []
    warnings: list[ColumnWarning] = []
    for column in columns:
        there = shape.column(column.name)
        if there is None:
            warnings += conversions(column, key=False, mariadb=mariadb)
            continue
        if (reason := why_not(column, there)) is not None:
            reasons.append((column.name, reason))
        if there.kind == "datetime":
            warnings += conversions(column, key=False, mariadb=mariadb)
        if (wider := staged_as(there)) is not None and (condition := bent(there)) is not None:
            restaged.append((there.name, wider))
            bends.append((column.name, condition))
    given = {column.name.lower() for column in columns}
    empty = [there.name for there in shape.columns if not there.filled and there.name.lower() not in given]
    reasons += [(name, f"{name} must have a value, and the flow has no such column") for name in empty]
    if reasons:
        raise SchemaDrift(
            f"the table {plan.table} does not fit: {'; '.join(reason for _, reason in reasons)}",
            hint="cast in a query or a transform, or change the table",
            columns=[name for name, _ in reasons],
        )
    if plan.mode is WriteMode.UPSERT and not _is_unique(plan.key, shape):
        raise StepRefused(
            f"{plan.table} has no unique key of {', '.join(plan.key)}", hint="name one it has, or add it"
        )
    adds = tuple(
        (column.name, declared(column, key=False, number=number, mariadb=mariadb))
        for number, column in enumerate(missing)
    )
    return msgspec.structs.replace(plan, adds=adds, restaged=tuple(restaged), bends=tuple(bends)), warnings


def _is_unique(key: tuple[str, ...], shape: TableShape) -> bool:
    wanted = sorted(name.lower() for name in key)
    return any(sorted(name.lower() for name in unique) == wanted for unique in shape.unique)


def _make_staging(connection: Connection, plan: Plan) -> None:
    run(connection, f"DROP TABLE IF EXISTS {plan.stage}")
    comment = f"COMMENT = '{plan.staging}'"
    if plan.creates is not None:
        run(connection, f"CREATE TABLE {plan.stage} ({plan.creates}) {plan.options} {comment}")
        return
    run(connection, f"CREATE TABLE {plan.stage} LIKE {plan.target}")
    changes = [f"ADD COLUMN {quoted(name)} {kind} NULL" for name, kind in plan.adds]
    changes += [f"MODIFY {quoted(name)} {kind} NULL" for name, kind in plan.restaged if name not in plan.key]
    changes += [f"MODIFY {quoted(name)} {kind} NOT NULL" for name, kind in plan.restaged if name in plan.key]
    if changes:
        run(connection, f"ALTER TABLE {plan.stage} {', '.join(changes)}")
