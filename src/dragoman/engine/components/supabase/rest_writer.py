"""A table of a project, written over REST: existing tables, upsert only, batch by batch.

Nothing over REST is one transaction. A run that ends in the middle leaves the batches it sent; run again it
sends the same rows with the same keys, and the outcome is the same.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import duckdb
import msgspec

from dragoman.contracts.decoding import decoded
from dragoman.contracts.errors import RunCancelled, SchemaDrift, StagingLost, StepRefused, TargetFailed
from dragoman.contracts.flow import ColumnWarning, CursorValue, FlowColumn, OnDrift, WriteMode
from dragoman.contracts.query import Query
from dragoman.contracts.record import Record
from dragoman.contracts.verb import VerbSignature
from dragoman.databases.families.supabase.description import RestTable
from dragoman.databases.families.supabase.rest_reader import RestReader
from dragoman.databases.families.supabase.target import RestTarget
from dragoman.engine.component import Config, Staged, StepContext, Writing
from dragoman.engine.components.postgres.ddl import check_names
from dragoman.engine.components.postgres.table_name import TableName, identifier, read_table_name
from dragoman.engine.components.supabase.rest_client import client_of, upsert
from dragoman.engine.components.supabase.rest_extraction import described, reading
from dragoman.engine.components.supabase.rest_fit import fitted
from dragoman.engine.components.supabase.rest_values import asked, cell
from dragoman.engine.flow import Flow
from dragoman.engine.ledger import CURSORS, LEDGER, staging_name
from dragoman.engine.run_database import literal, quoted

BATCH_ROWS = 500
BATCH_CHARACTERS = 1_000_000
_PART = 0


class RestPlan(Record, frozen=True):
    schema: str
    table: str
    columns: tuple[FlowColumn, ...]
    key: tuple[str, ...]
    has_ledger: bool
    has_cursors: bool


class RestWriter:
    def __init__(self, target: RestTarget, signature: VerbSignature) -> None:
        self._target = target
        self.signature = signature

    def prepare(self, config: Config, columns: tuple[FlowColumn, ...], context: StepContext) -> Writing:
        check_names(columns)
        key = _checked_config(config)
        alias = str(config["connection"])
        with reading(self._target, context) as reader:
            table = described(reader, read_table_name(str(config["table"])), alias)
            known = {each.name for each in reader.tables() if each.schema == table.schema}
        warnings = _check_columns(columns, table, key)
        client_of(self._target, table.schema)
        plan = RestPlan(table.schema, table.name, columns, key, LEDGER in known, CURSORS in known)
        return Writing(
            target=f"table {config['table']} of {alias} over REST",
            staging=f"{staging_name(context.run_id, context.step)}.parquet",
            warnings=warnings,
            changes=_changes(plan),
            facts=msgspec.json.encode(plan).decode(),
        )

    def cursor(self, config: Config, context: StepContext) -> CursorValue | None:
        where = {"pipeline": context.pipeline, "step": context.step}
        found = self._remembered(config, CURSORS, "cursor", where, context)
        return decoded(str(found).encode(), CursorValue) if found is not None else None

    def published(self, config: Config, staged: Staged | None, context: StepContext) -> int | None:
        where = {"run_id": context.run_id, "step": context.step}
        found = self._remembered(config, LEDGER, "rows", where, context)
        return int(str(found)) if found is not None else None

    def stage(self, config: Config, writing: Writing, flow: Flow, context: StepContext) -> Staged:
        """Into a file of the run's folder; every value is looked at before the first is sent."""
        plan = _plan(writing)
        path = _file(writing.staging, context)
        names = ", ".join(quoted(f"c{i}") for i in range(1, len(flow.columns) + 1))
        try:
            context.lane.execute(
                f"COPY (SELECT * FROM ({flow.sql(context.lane)}) AS f({names})) TO {literal(str(path))}"
                " (FORMAT parquet)"
            )
            rows = _refuse_bad_keys(path, plan, context)
        except duckdb.InterruptException as error:
            raise RunCancelled("the run was cancelled") from error
        except duckdb.Error as error:
            raise TargetFailed(f"staging the rows failed: {error}") from error
        for _ in _batches(path, plan, context):
            pass
        return Staged(rows, path.stat().st_size, writing.staging)

    def publish(
        self,
        config: Config,
        writing: Writing,
        staged: Staged,
        cursor: CursorValue | None,
        context: StepContext,
    ) -> None:
        plan = _plan(writing)
        if plan.has_ledger and self.published(config, staged, context) is not None:
            return
        path = _file(writing.staging, context)
        if not path.is_file():
            raise StagingLost("what was staged is gone", hint="try again")
        client = client_of(self._target, plan.schema)
        sent = 0
        for batch in _batches(path, plan, context):
            if context.cancel.cancelled:
                raise RunCancelled("the run was cancelled; what was sent before stands")
            upsert(client, plan.table, batch, plan.key, self._target.key)
            sent += len(batch)
        if sent != staged.rows:
            raise StagingLost(f"{sent} of {staged.rows} staged rows were there", hint="try again")
        self._remember(client, plan, staged, cursor, context)

    def discard(self, config: Config, staging: str, context: StepContext) -> None:
        _file(staging, context).unlink(missing_ok=True)

    def _remember(
        self, client: Any, plan: RestPlan, staged: Staged, cursor: CursorValue | None, context: StepContext
    ) -> None:
        """The cursor first: without the ledger's row the same rows are sent again, which does no harm."""
        key = self._target.key
        if cursor is not None and plan.has_cursors:
            row = {"pipeline": context.pipeline, "step": context.step, "run_id": context.run_id}
            row["cursor"] = msgspec.json.encode(cursor).decode()
            upsert(client, CURSORS, [row], ("pipeline", "step"), key)
        if plan.has_ledger:
            entry = {"run_id": context.run_id, "step": context.step, "part": _PART, "rows": staged.rows}
            upsert(client, LEDGER, [{**entry, "published_at": "now"}], ("run_id", "step", "part"), key)

    def _remembered(
        self, config: Config, table: str, column: str, where: dict[str, str], context: StepContext
    ) -> object:
        """A cell of the ledger or of the cursors, where the project has them."""
        with reading(self._target, context) as reader:
            home = described(reader, read_table_name(str(config["table"])), str(config["connection"]))
            if not _has(reader, home.schema, table):
                return None
            conditions = " AND ".join(f"{identifier(name)} = ?" for name in where)
            place = TableName(table, home.schema).quoted
            text = f"SELECT {identifier(column)} FROM {place} WHERE {conditions}"
            found = reader.read(Query(text, tuple(where.values()))).rows
        return found[0][0] if found else None


def _has(reader: RestReader, schema: str, name: str) -> bool:
    return any(each.schema == schema and each.name == name for each in reader.tables())


def _checked_config(config: Config) -> tuple[str, ...]:
    """The key that rows are told apart by. Raises StepRefused for what REST cannot do."""
    mode = WriteMode(str(config.get("write_mode") or WriteMode.APPEND))
    hint = 'write_mode "upsert" with a primary_key, or give the PostgreSQL URL of the project'
    if mode is WriteMode.APPEND:
        raise StepRefused("append over REST could write rows twice when it is tried again", hint=hint)
    if mode is WriteMode.REPLACE:
        raise StepRefused("replace over REST would show a table that is half there", hint=hint)
    if config.get("on_drift") == OnDrift.ADD_COLUMNS:
        raise StepRefused("no column can be added over REST", hint="add it in the project")
    key = tuple(str(name) for name in cast("list[object]", config.get("primary_key") or []))
    if not key:
        raise StepRefused("upsert needs a primary_key", hint="name the columns that tell rows apart")
    return key


def _check_columns(
    columns: tuple[FlowColumn, ...], table: RestTable, key: tuple[str, ...]
) -> tuple[ColumnWarning, ...]:
    names = {column.name for column in columns}
    wrong, culprits, warnings = list[str](), list[str](), list[ColumnWarning]()
    for column in columns:
        there = table.column(column.name)
        found = fitted(column, there) if there is not None else None
        if found is not None:
            warnings += found
            continue
        culprits.append(column.name)
        kind = column.native or column.type.value
        wrong.append(
            f"{column.name} is {there.native}, and {kind} does not fit it exactly"
            if there is not None
            else f"there is no column {column.name}"
        )
    if set(key) != set(table.primary_key) or not names.issuperset(key):
        wrong.append(f"its key is ({', '.join(table.primary_key)}), and all of it must flow")
        culprits += key
    if wrong:
        raise SchemaDrift(
            f"{table.name} does not fit what flows: {'; '.join(wrong[:10])}",
            hint="change the table or the query",
            columns=culprits,
        )
    return tuple(warnings)


def _changes(plan: RestPlan) -> tuple[str, ...]:
    said = [
        "over REST rows appear batch by batch: a reader may see some before the others, and a run that ends"
        " in the middle leaves those it sent; the same run again sends the same rows"
    ]
    if not plan.has_ledger:
        said.append(f"there is no table {LEDGER}: a run that is repeated sends its rows again")
    if not plan.has_cursors:
        said.append(f"there is no table {CURSORS}: how far an incremental read got is not remembered")
    return tuple(said)


def _refuse_bad_keys(path: Path, plan: RestPlan, context: StepContext) -> int:
    source = f"read_parquet({literal(str(path))})"
    numbers = [i for i, column in enumerate(plan.columns, 1) if column.name in plan.key]
    keys = ", ".join(f"c{i}" for i in numbers)
    empty = " OR ".join(f"c{i} IS NULL" for i in numbers)
    bad = context.lane.execute(
        f"SELECT 1 FROM {source} WHERE {empty} UNION ALL"
        f" (SELECT 1 FROM {source} GROUP BY {keys} HAVING count(*) > 1 LIMIT 1) LIMIT 1"
    ).fetchone()
    if bad is not None:
        raise TargetFailed(
            f"two rows that flow to {plan.table} have the same key ({', '.join(plan.key)}), or one has none",
            hint="give each row a key of its own",
            column=plan.key[0],
        )
    count = context.lane.execute(f"SELECT count(*) FROM {source}").fetchone()
    return int(count[0]) if count else 0


def _batches(path: Path, plan: RestPlan, context: StepContext) -> Iterator[list[dict[str, Any]]]:
    """Rows by the hundred, fewer where they are long."""
    staged = [msgspec.structs.replace(column, name=f"c{i}") for i, column in enumerate(plan.columns, 1)]
    values = ", ".join(asked(column) for column in staged)
    found = context.lane.execute(f"SELECT {values} FROM read_parquet({literal(str(path))})")
    batch, size = list[dict[str, Any]](), 0
    while rows := found.fetchmany(BATCH_ROWS):
        for row in rows:
            batch.append(
                {column.name: cell(value, column) for column, value in zip(plan.columns, row, strict=True)}
            )
            size += sum(len(value) for value in row if isinstance(value, str))
            if len(batch) >= BATCH_ROWS or size >= BATCH_CHARACTERS:
                yield batch
                batch, size = [], 0
    if batch:
        yield batch


def _file(staging: str, context: StepContext) -> Path:
    return context.folder / Path(staging).name


def _plan(writing: Writing) -> RestPlan:
    return decoded(writing.facts.encode(), RestPlan)
