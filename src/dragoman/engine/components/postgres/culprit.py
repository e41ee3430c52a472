"""Which column the server meant: of a value that does not fit, it says what is wrong, not where."""

import psycopg

from dragoman.engine.components.postgres.preparation import WritePlan
from dragoman.engine.components.postgres.server import Connection
from dragoman.engine.components.postgres.staging_table import value_of
from dragoman.engine.components.postgres.table_name import TableName, identifier

_PROBE = "dragoman_probe"


def culprit(connection: Connection, plan: WritePlan, staging: TableName) -> str:
    """The first column whose staged values the table does not take; empty where it is none of them. Each is
    tried alone, on a column of the same type that nobody else can see."""
    for number, column in enumerate(plan.columns, 1):
        if column.made:
            continue
        name = identifier(column.name)
        probe = f"CREATE TEMPORARY TABLE {_PROBE} ON COMMIT DROP AS SELECT {name} FROM {plan.table.quoted}"
        value = value_of(column, number)
        try:
            with connection.transaction(force_rollback=True):
                connection.execute(f"{probe} WITH NO DATA".encode())
                connection.execute(
                    f"INSERT INTO pg_temp.{_PROBE} ({name}) SELECT {value} FROM {staging.quoted}".encode()
                )
        except (psycopg.DataError, psycopg.IntegrityError):
            return column.name
        except psycopg.Error:
            return ""
    return ""
