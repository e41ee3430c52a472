"""Whether a query, or a condition of one, only reads: asked by the compiler, which knows no database."""

from dragoman.contracts.schema import Dialect
from dragoman.guards.sql.policy import Functions, policy_of
from dragoman.guards.sql.text import fault_of_text
from dragoman.guards.sql.verdict import Refusal

_OF_A_CONDITION = frozenset({"expressions", "from", "from_", "where"})
"""The parts of the query that a condition is tried in. One that closes its bracket adds others."""


def why_not_read_only(sql: str, dialect: str) -> str | None:
    """None for a single query that only reads; otherwise the reason it is refused.

    A function that the database may have of its own is taken on trust here. Before the query runs, it is
    judged again, against the database.
    """
    from dragoman.guards.sql.understood_query import understand

    if (fault := fault_of_text(sql)) is not None:
        return fault.reason
    named = Dialect(dialect)
    query = understand(sql, named, _trusting(named))
    return query.reason if isinstance(query, Refusal) else None


def why_not_condition(text: str, dialect: str) -> str | None:
    """None for what may stand after WHERE and is only that; otherwise the reason it is refused."""
    from sqlglot import exp

    from dragoman.guards.sql.understood_query import understand

    # On a line of its own the bracket is out of reach of a comment at the end.
    sql = f"SELECT 1 FROM t WHERE ({text}\n)"
    if (fault := fault_of_text(text) or fault_of_text(sql)) is not None:
        return fault.reason
    named = Dialect(dialect)
    query = understand(sql, named, _trusting(named))
    if isinstance(query, Refusal):
        return query.reason
    where = query.tree.args.get("where")
    given = {name for name, part in query.tree.args.items() if part}
    if where is None or not isinstance(where.this, exp.Paren) or not given <= _OF_A_CONDITION:
        return "this is not one condition"
    return None


def _trusting(dialect: Dialect) -> Functions:
    known = policy_of(dialect).functions
    return Functions(known.names, known.tables, trusted=True)
