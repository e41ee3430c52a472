"""Whether a query only reads: decided by parsing it, never by looking for words."""

import logging
import re

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
        "benchmark",
        "checkpoint",
        "duckdb_secrets",
        "edit",
        "force_checkpoint",
        "fsdir",
        "fts3_tokenizer",
        "get_lock",
        "getenv",
        "glob",
        "is_free_lock",
        "last_insert_id",
        "load_extension",
        "load_file",
        "master_pos_wait",
        "nextval",
        "query",
        "query_table",
        "readfile",
        "release_all_locks",
        "release_lock",
        "set_config",
        "setval",
        "sleep",
        "sniff_csv",
        "sys_eval",
        "sys_exec",
        "writefile",
        "zipfile",
    }
)
"""Functions that read files, change the server, run other SQL or hold things up."""

_REACHING_OUT_LIKE = re.compile(
    r"pg_|lo_|dblink|postgres_|mysql_|sqlite_|read_|readcsv|readparquet|parquet_|write_|iceberg_|delta_|.*_to_xml"
)
"""The same by the beginning of their names; new ones appear with every version of a server."""

_HARMLESS = frozenset(
    {
        "pg_column_size",
        "pg_relation_size",
        "pg_size_pretty",
        "pg_total_relation_size",
        "pg_typeof",
        "sqlite_version",
    }
)

_FILE = re.compile(
    r".*([/\\*]|\.(csv|tsv|parquet|json|jsonl|ndjson|gz|zst|xlsx|db|duckdb|sqlite)$)", re.IGNORECASE
)
"""A name that DuckDB takes for a file where a table stands."""

_TWO_READINGS = re.compile(r"/\*!|/\*M!|\{#|\{\{|\{%")
"""What our parser skips and a server may run (executable comments), or the other way round (templates)."""

_OF_A_CONDITION = frozenset({"expressions", "from", "from_", "where"})
"""The parts of the query that a condition is tried in. One that closes its bracket adds others."""


def why_not_read_only(sql: str, dialect: str) -> str | None:
    """None for a single query that only reads; otherwise the reason it is refused."""
    if len(sql) > MAX_CHARACTERS:
        return f"the query has more than {MAX_CHARACTERS:,} characters"
    if _TWO_READINGS.search(sql):
        return "the query has a comment or template that a server may read otherwise"
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
        if isinstance(node, exp.Func) and _reaches_out(name := _name(node)):
            return f"the function {name} reaches beyond the data"
        if dialect == "duckdb" and isinstance(node, exp.Table) and _FILE.match(node.name):
            return "a file is read by filesystem.extractor, not by a query"
    return None


def _name(function: exp.Func) -> str:
    name = function.name if isinstance(function, exp.Anonymous) else function.sql_name()
    return str(name).lower()


def _reaches_out(name: str) -> bool:
    # An escaped identifier could spell any of them.
    spelled_out = not name.replace("_", "").replace("$", "").isalnum()
    like = _REACHING_OUT_LIKE.match(name) is not None and name not in _HARMLESS
    return name in _REACHING_OUT or like or spelled_out


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
