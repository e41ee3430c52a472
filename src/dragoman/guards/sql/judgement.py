"""The SQL guard: one query that only reads what it may, or a refusal that names what is wrong with it."""

from collections.abc import Collection

from dragoman.contracts.schema import Dialect
from dragoman.guards.sql.policy import Functions, policy_of
from dragoman.guards.sql.text import fault_of_text
from dragoman.guards.sql.verdict import Refusal, SqlCode, SqlVerdict, allowed, denied


def judge_sql(
    sql: str,
    dialect: Dialect,
    *,
    allowed_tables: Collection[str] | None = None,
    row_limit: int | None = None,
    functions: Functions | None = None,
) -> SqlVerdict:
    """Whether a text is one query that only reads. What must run is the verdict's `sql`, never the text.

    Without `allowed_tables` all tables but the system's may be read, with an empty list none. With a
    `row_limit` the outermost query gives at most so many rows.
    """
    given: object = sql
    if not isinstance(given, str):
        return denied(Refusal(SqlCode.NOT_TEXT, "the query is not a text"))
    if (fault := fault_of_text(sql)) is not None:
        return denied(fault)
    # Imported when a query is met: the parser of SQL is most of what a start would cost.
    from dragoman.guards.sql.understood_query import understand

    query = understand(sql, dialect, functions or policy_of(dialect).functions, allowed_tables, row_limit)
    return denied(query) if isinstance(query, Refusal) else allowed(query.text)
