"""Whether a query only reads: decided by parsing it, never by looking for words."""

import logging

from sqlglot import exp, parse
from sqlglot.errors import ParseError, TokenError

# What sqlglot cannot read it keeps as a command, which is refused here: its warning would only be noise.
logging.getLogger("sqlglot").setLevel(logging.ERROR)

MAX_CHARACTERS = 100_000

_CHANGES = (
    exp.DML,
    exp.DDL,
    exp.Command,
    exp.Into,
    exp.Lock,
    exp.Merge,
    exp.Alter,
    exp.Drop,
    exp.TruncateTable,
    exp.Set,
    exp.Use,
    exp.Pragma,
    exp.Attach,
    exp.Detach,
    exp.Copy,
    exp.Transaction,
    exp.Commit,
    exp.Rollback,
    exp.Kill,
    exp.Analyze,
    exp.LoadData,
)
"""What has no place in a query that only reads."""

_REACHING_OUT = frozenset(
    {
        "dblink",
        "dblink_exec",
        "getenv",
        "lo_export",
        "lo_import",
        "load_extension",
        "load_file",
        "nextval",
        "pg_cancel_backend",
        "pg_ls_dir",
        "pg_read_binary_file",
        "pg_read_file",
        "pg_reload_conf",
        "pg_sleep",
        "pg_terminate_backend",
        "readfile",
        "set_config",
        "setval",
        "sleep",
        "sys_eval",
        "sys_exec",
        "writefile",
    }
)
"""Functions that read files, change the server or hold it up."""

_OF_A_CONDITION = frozenset({"expressions", "from", "from_", "where"})
"""The parts of the query that a condition is tried in. One that closes its bracket adds others."""


def why_not_read_only(sql: str, dialect: str) -> str | None:
    """None for a single query that only reads; otherwise the reason it is refused."""
    if len(sql) > MAX_CHARACTERS:
        return f"the query has more than {MAX_CHARACTERS:,} characters"
    try:
        statements = [statement for statement in parse(sql, read=dialect) if statement is not None]
    except (ParseError, TokenError) as error:
        return f"the query cannot be read as {dialect}: {_first_line(error)}"
    except RecursionError:
        return "the query is nested too deeply"
    if len(statements) != 1:
        return f"a query is one statement, this has {len(statements)}"
    root = statements[0]
    if not isinstance(root, exp.Query):
        return f"{root.key.upper()} is not a query"
    for node in root.walk():
        if isinstance(node, _CHANGES):
            return f"{node.key.upper()} does more than read"
        if isinstance(node, exp.Anonymous) and node.name.lower() in _REACHING_OUT:
            return f"the function {node.name} reaches beyond the data"
    return None


def why_not_condition(text: str, dialect: str) -> str | None:
    """None for what may stand after WHERE and is only that; otherwise the reason it is refused."""
    # On a line of its own the bracket is out of reach of a comment at the end.
    query = f"SELECT 1 FROM t WHERE ({text}\n)"
    if (reason := why_not_read_only(query, dialect)) is not None:
        return reason
    root = parse(query, read=dialect)[0]
    where = root.args.get("where") if isinstance(root, exp.Select) else None
    given = {name for name, part in root.args.items() if part} if root else set()
    if where is None or not isinstance(where.this, exp.Paren) or not given <= _OF_A_CONDITION:
        return "this is not one condition"
    return None


def _first_line(error: Exception) -> str:
    text = str(error).splitlines()[0] if str(error) else type(error).__name__
    # sqlglot underlines the place with terminal codes.
    return (
        "".join(character for character in text if character.isprintable())
        .replace("[4m", "")
        .replace("[0m", "")
    )
