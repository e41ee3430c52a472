"""Publishing: what was staged becomes visible as a whole, with its ledger row, in one transaction.

A table that did not exist is the staging table under its own name. Rows of a table that did are inserted, and
with `replace` the old ones deleted, as any other change of rows is: whoever reads meanwhile sees the old rows
or the new ones. Neither a swap by renaming nor TRUNCATE would keep that for a reader whose snapshot is older.
"""

from dragoman.contracts.errors import StagingLost, TargetFailed, TransientFault
from dragoman.contracts.flow import WriteMode
from dragoman.engine.components.postgres.preparation import WritePlan
from dragoman.engine.components.postgres.server import Connection
from dragoman.engine.components.postgres.staging_table import value_of
from dragoman.engine.components.postgres.table_name import TableName, identifier


def show(connection: Connection, plan: WritePlan, staging: TableName, rows: int) -> None:
    """Inside the publishing transaction."""
    if plan.creates:
        _name_it(connection, plan, staging, rows)
        return
    for column in plan.columns:
        if column.made:
            added = f"ADD COLUMN {identifier(column.name)} {column.made}"
            connection.execute(f"ALTER TABLE {plan.table.quoted} {added}".encode())
    if plan.mode is WriteMode.REPLACE:
        # Other writers wait, readers do not.
        connection.execute(f"LOCK TABLE {plan.table.quoted} IN SHARE ROW EXCLUSIVE MODE".encode())
        connection.execute(f"DELETE FROM {plan.table.quoted}".encode())
    taken = connection.execute(_insert(plan, staging).encode()).rowcount
    if taken != rows:
        held = _count(connection, staging)
        if held != rows:
            raise emptied(rows, held)
        raise TargetFailed(
            f"{plan.table} took {taken} of {rows} rows: a trigger or a rule of it leaves rows out",
            hint="write to another table, or change the trigger",
        )
    connection.execute(f"DROP TABLE {staging.quoted}".encode())


def emptied(staged: int, held: int) -> TransientFault:
    return StagingLost(
        f"staging holds {held} of the {staged} rows that were put there: the server was restarted",
        hint="try again",
    )


def _name_it(connection: Connection, plan: WritePlan, staging: TableName, rows: int) -> None:
    held = _count(connection, staging)
    if held != rows:
        raise emptied(rows, held)
    # Two steps: a column may be named as another one is while they are staged.
    for i, _ in enumerate(plan.columns, 1):
        _rename(connection, staging, f"c{i}", f"dragoman_column_{i}")
    for i, column in enumerate(plan.columns, 1):
        _rename(connection, staging, f"dragoman_column_{i}", column.name)
    name = identifier(plan.table.name)
    connection.execute(f"ALTER TABLE {staging.quoted} RENAME TO {name}".encode())


def _rename(connection: Connection, table: TableName, old: str, new: str) -> None:
    text = f"ALTER TABLE {table.quoted} RENAME COLUMN {identifier(old)} TO {identifier(new)}"
    connection.execute(text.encode())


def _insert(plan: WritePlan, staging: TableName) -> str:
    names = ", ".join(identifier(column.name) for column in plan.columns)
    values = ", ".join(value_of(column, i) for i, column in enumerate(plan.columns, 1))
    overriding = " OVERRIDING SYSTEM VALUE" if plan.overriding else ""
    text = f"INSERT INTO {plan.table.quoted} ({names}){overriding} SELECT {values} FROM {staging.quoted}"
    if plan.mode is not WriteMode.UPSERT:
        return text
    key = ", ".join(identifier(name) for name in plan.key)
    # A row that is all key is "changed" to what it is, so that it is counted like the others.
    changed = [column.name for column in plan.columns if column.name not in plan.key] or list(plan.key)
    settings = ", ".join(f"{identifier(name)} = EXCLUDED.{identifier(name)}" for name in changed)
    return f"{text} ON CONFLICT ({key}) DO UPDATE SET {settings}"


def _count(connection: Connection, table: TableName) -> int:
    row = connection.execute(f"SELECT count(*) FROM {table.quoted}".encode()).fetchone()
    return int(str(row[0])) if row else 0
