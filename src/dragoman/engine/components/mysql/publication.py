"""Making staged rows visible: one transaction with the ledger, or one rename where the table is new.

DDL commits by itself here. So a table that is there is changed by a transaction that also has the ledger's
row. A table that is not yet there appears by renaming the staging table, whole at once; until the ledger has
its row, the comment that the table brings with it tells by whom it was made.
"""

from contextlib import suppress
from typing import Final

import msgspec
import pymysql

from dragoman.contracts.decoding import decoded
from dragoman.contracts.errors import ColumnRefused, StagingLost, TargetFailed
from dragoman.contracts.flow import CursorValue, WriteMode
from dragoman.contracts.record import Record
from dragoman.databases.families.mysql.connection import Connection, run
from dragoman.databases.families.mysql.literals import text_literal
from dragoman.engine.component import Staged, StepContext
from dragoman.engine.components.mysql.columns import quoted
from dragoman.engine.components.mysql.faults import number_of
from dragoman.engine.components.mysql.session import rows_of
from dragoman.engine.components.mysql.table_fit import shape_of
from dragoman.engine.ledger import CURSORS, LEDGER

_NO_TABLE: Final = 1146
_DUPLICATE: Final = 1062
_EXISTS: Final = 1050


class Plan(Record, frozen=True):
    """What publishing needs of preparing."""

    schema: str
    table: str
    staging: str
    mode: WriteMode
    columns: tuple[str, ...]
    key: tuple[str, ...] = ()
    creates: str | None = None
    """The definition of the table, where there is none yet."""
    adds: tuple[tuple[str, str], ...] = ()
    """Columns that the table lacks, and their types."""
    restaged: tuple[tuple[str, str], ...] = ()
    """Columns that are staged in a wider type, and that type."""
    bends: tuple[tuple[str, str], ...] = ()
    """Columns, and the condition on what their own type would bend."""
    options: str = ""
    by_file: bool = True

    @property
    def target(self) -> str:
        return f"{quoted(self.schema)}.{quoted(self.table)}"

    @property
    def stage(self) -> str:
        return f"{quoted(self.schema)}.{quoted(self.staging)}"


def ledger_tables(connection: Connection, schema: str) -> None:
    """Make the ledger and the cursors where they are missing."""
    text = "CHARACTER SET utf8mb4 COLLATE utf8mb4_bin"
    place = quoted(schema)
    run(
        connection,
        f"CREATE TABLE IF NOT EXISTS {place}.{LEDGER} (run_id VARCHAR(64) {text} NOT NULL, "
        f"step VARCHAR(255) {text} NOT NULL, part INT NOT NULL, `rows` BIGINT NOT NULL, "
        "published_at DATETIME(6) NOT NULL, PRIMARY KEY (run_id, step, part)) ENGINE=InnoDB",
    )
    run(
        connection,
        f"CREATE TABLE IF NOT EXISTS {place}.{CURSORS} (pipeline VARCHAR(255) {text} NOT NULL, "
        f"step VARCHAR(255) {text} NOT NULL, `cursor` LONGTEXT {text} NOT NULL, "
        f"run_id VARCHAR(64) {text} NOT NULL, PRIMARY KEY (pipeline, step)) ENGINE=InnoDB",
    )


def ledger_rows(connection: Connection, schema: str, context: StepContext) -> int | None:
    """How many rows this run's step published, as the ledger has it."""
    try:
        found = rows_of(
            connection,
            f"SELECT `rows` FROM {quoted(schema)}.{LEDGER} WHERE run_id = {text_literal(context.run_id)} "
            f"AND step = {text_literal(context.step)} AND part = 0",
        )
    except pymysql.err.MySQLError as error:
        if number_of(error) == _NO_TABLE:
            return None
        raise
    return int(found[0][0] or 0) if found else None


def remembered_cursor(connection: Connection, schema: str, pipeline: str, step: str) -> CursorValue | None:
    try:
        found = rows_of(
            connection,
            f"SELECT `cursor` FROM {quoted(schema)}.{CURSORS} WHERE pipeline = {text_literal(pipeline)} "
            f"AND step = {text_literal(step)}",
        )
    except pymysql.err.MySQLError as error:
        if number_of(error) == _NO_TABLE:
            return None
        raise
    return decoded(found[0][0] or "", CursorValue) if found else None


def publish(
    connection: Connection, plan: Plan, staged: Staged, cursor: CursorValue | None, context: StepContext
) -> None:
    ledger_tables(connection, plan.schema)
    if ledger_rows(connection, plan.schema, context) is not None:
        return
    if plan.creates is not None:
        _by_renaming(connection, plan, staged, cursor, context)
        return
    _add_columns(connection, plan)
    run(connection, "START TRANSACTION")
    try:
        if not _entered(connection, plan.schema, staged.rows, context):
            run(connection, "ROLLBACK")
            return
        _recount(connection, plan, staged)
        match plan.mode:
            case WriteMode.APPEND:
                _insert(connection, plan)
            case WriteMode.REPLACE:
                _replace(connection, plan)
            case WriteMode.UPSERT:
                _upsert(connection, plan)
        if cursor is not None:
            _remember(connection, plan.schema, context.pipeline, context.step, cursor, context)
        run(connection, "COMMIT")
    except BaseException:
        # Where the line is gone, so is the transaction.
        with suppress(pymysql.err.MySQLError, OSError):
            run(connection, "ROLLBACK")
        raise
    run(connection, f"DROP TABLE IF EXISTS {plan.stage}")


def settle(connection: Connection, schema: str, table: str, staging: str, context: StepContext) -> int | None:
    """Finish what a crash after the rename left: the rows of the table, if this step's rename made it."""
    shape = shape_of(connection, (schema, table))
    if shape is None or shape.comment != staging:
        return None
    ledger_tables(connection, schema)
    place = f"{quoted(schema)}.{quoted(table)}"
    waiting = remembered_cursor(connection, schema, context.pipeline, staging)
    run(connection, "START TRANSACTION")
    rows = int(rows_of(connection, f"SELECT COUNT(*) FROM {place}")[0][0] or 0)
    if _entered(connection, schema, rows, context) and waiting is not None:
        _remember(connection, schema, context.pipeline, context.step, waiting, context)
    _forget(connection, schema, context.pipeline, staging)
    run(connection, "COMMIT")
    run(connection, f"ALTER TABLE {place} COMMENT = ''")
    return rows


def _by_renaming(
    connection: Connection, plan: Plan, staged: Staged, cursor: CursorValue | None, context: StepContext
) -> None:
    if settle(connection, plan.schema, plan.table, plan.staging, context) is not None:
        return
    _recount(connection, plan, staged)
    if cursor is not None:
        _remember(connection, plan.schema, context.pipeline, plan.staging, cursor, context)
    try:
        run(connection, f"RENAME TABLE {plan.stage} TO {plan.target}")
    except pymysql.err.MySQLError as error:
        if number_of(error) == _EXISTS:
            raise TargetFailed(
                f"the table {plan.table} was made by somebody else meanwhile", hint="run it again"
            ) from error
        raise
    settle(connection, plan.schema, plan.table, plan.staging, context)


def _recount(connection: Connection, plan: Plan, staged: Staged) -> None:
    try:
        found = int(rows_of(connection, f"SELECT COUNT(*) FROM {plan.stage}")[0][0] or 0)
    except pymysql.err.MySQLError as error:
        if number_of(error) != _NO_TABLE:
            raise
        found = -1
    if found != staged.rows:
        raise StagingLost(
            f"{staged.rows} rows were staged for {plan.table} and {max(found, 0)} are there",
            hint="they are staged again",
        )


def _insert(connection: Connection, plan: Plan) -> None:
    names = ", ".join(quoted(name) for name in plan.columns)
    run(connection, f"INSERT INTO {plan.target} ({names}) SELECT {names} FROM {plan.stage}")


def _replace(connection: Connection, plan: Plan) -> None:
    """All rows go and others come. What refers to them is left alone, and looked at once they are there: a
    reference checked row by row would be refused, or would take the rows that refer with it."""
    run(connection, "SET SESSION foreign_key_checks = 0")
    try:
        run(connection, f"DELETE FROM {plan.target}")
        _insert(connection, plan)
    finally:
        run(connection, "SET SESSION foreign_key_checks = 1")
    for text, condition in _references(connection, plan):
        if rows_of(connection, condition):
            raise TargetFailed(f"after replacing {plan.table} {text} would lead nowhere", hint="use upsert")


def _references(connection: Connection, plan: Plan) -> list[tuple[str, str]]:
    """Every foreign key from or to the table, and a query that gives a row where one leads nowhere."""
    schema, table = text_literal(plan.schema), text_literal(plan.table)
    rows = rows_of(
        connection,
        "SELECT table_schema, table_name, constraint_name, column_name, referenced_table_schema, "
        "referenced_table_name, referenced_column_name FROM information_schema.key_column_usage "
        f"WHERE referenced_table_name IS NOT NULL AND ((table_schema = {schema} AND table_name = {table}) "
        f"OR (referenced_table_schema = {schema} AND referenced_table_name = {table})) "
        "ORDER BY table_schema, table_name, constraint_name, ordinal_position",
    )
    keys: dict[tuple[str, ...], list[tuple[str, str]]] = {}
    for own_schema, own, name, column, other_schema, other, target in rows:
        place = tuple(map(str, (own_schema, own, name, other_schema, other)))
        keys.setdefault(place, []).append((str(column), str(target)))
    found = []
    for (own_schema, own, name, other_schema, other), pairs in keys.items():
        joined = " AND ".join(f"c.{quoted(a)} = p.{quoted(b)}" for a, b in pairs)
        given = " AND ".join(f"c.{quoted(a)} IS NOT NULL" for a, _ in pairs)
        found.append(
            (
                f"the foreign key {name} of {own}",
                f"SELECT 1 FROM {quoted(own_schema)}.{quoted(own)} c LEFT JOIN "
                f"{quoted(other_schema)}.{quoted(other)} p ON {joined} "
                f"WHERE {given} AND p.{quoted(pairs[0][1])} IS NULL LIMIT 1",
            )
        )
    return found


def _upsert(connection: Connection, plan: Plan) -> None:
    """Rows whose key is there are updated, the others inserted. Not ON DUPLICATE KEY: that goes by whichever
    unique key is hit first, and would update a row that another key happens to share."""
    same = " AND ".join(f"t.{quoted(name)} = s.{quoted(name)}" for name in plan.key)
    keys = {name.lower() for name in plan.key}
    others = [quoted(name) for name in plan.columns if name.lower() not in keys]
    if others:
        changes = ", ".join(f"t.{name} = s.{name}" for name in others)
        run(connection, f"UPDATE {plan.target} t JOIN {plan.stage} s ON {same} SET {changes}")
    names = ", ".join(quoted(name) for name in plan.columns)
    taken = ", ".join(f"s.{quoted(name)}" for name in plan.columns)
    run(
        connection,
        f"INSERT INTO {plan.target} ({names}) SELECT {taken} FROM {plan.stage} s "
        f"LEFT JOIN {plan.target} t ON {same} WHERE t.{quoted(plan.key[0])} IS NULL",
    )


def _add_columns(connection: Connection, plan: Plan) -> None:
    shape = shape_of(connection, (plan.schema, plan.table))
    missing = [(name, kind) for name, kind in plan.adds if shape is None or shape.column(name) is None]
    if missing:
        added = ", ".join(f"ADD COLUMN {quoted(name)} {kind} NULL" for name, kind in missing)
        run(connection, f"ALTER TABLE {plan.target} {added}")


def _entered(connection: Connection, schema: str, rows: int, context: StepContext) -> bool:
    """Write the ledger's row; False where it stands there already."""
    try:
        run(
            connection,
            f"INSERT INTO {quoted(schema)}.{LEDGER} VALUES ({text_literal(context.run_id)}, "
            f"{text_literal(context.step)}, 0, {int(rows)}, UTC_TIMESTAMP(6))",
        )
    except pymysql.err.MySQLError as error:
        if number_of(error) == _DUPLICATE:
            return False
        raise
    return True


def _remember(
    connection: Connection, schema: str, pipeline: str, step: str, cursor: CursorValue, context: StepContext
) -> None:
    run(
        connection,
        f"REPLACE INTO {quoted(schema)}.{CURSORS} VALUES ({text_literal(pipeline)}, {text_literal(step)}, "
        f"{text_literal(msgspec.json.encode(cursor).decode())}, {text_literal(context.run_id)})",
    )


def _forget(connection: Connection, schema: str, pipeline: str, step: str) -> None:
    run(
        connection,
        f"DELETE FROM {quoted(schema)}.{CURSORS} WHERE pipeline = {text_literal(pipeline)} "
        f"AND step = {text_literal(step)}",
    )


def refuse_bent(connection: Connection, plan: Plan) -> None:
    """Look among the staged rows for values that the table's own types would bend."""
    for name, condition in plan.bends:
        found = rows_of(connection, f"SELECT 1 FROM {plan.stage} WHERE {condition} LIMIT 1")
        if found:
            raise ColumnRefused(
                f"column {name} has values that its type in {plan.table} would cut, pad or round",
                hint="widen the column, or leave such values out",
                column=name,
            )
