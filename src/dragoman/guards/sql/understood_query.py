"""From a text to the query that runs: read, checked, written anew, and read and checked once more.

What was given decides nothing. The text that runs is our own, and what is judged is what that text says.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from sqlglot import exp
from sqlglot.tokenizer_core import Token, TokenType

from dragoman.contracts.schema import Dialect
from dragoman.guards.sql.calls import fault_of_bare_words, fault_of_calls
from dragoman.guards.sql.parser import read_statements, tokens_of, write
from dragoman.guards.sql.policy import Functions
from dragoman.guards.sql.row_limit import with_limit
from dragoman.guards.sql.sameness import say_the_same
from dragoman.guards.sql.table_names import AllowedTables
from dragoman.guards.sql.tables import fault_of_tables
from dragoman.guards.sql.text import MAX_CHARACTERS
from dragoman.guards.sql.tokens import fault_of_size, fault_of_spelling
from dragoman.guards.sql.tree import fault_of_tree
from dragoman.guards.sql.verdict import Refusal, SqlCode, shown

_OUTERMOST = frozenset({"SQL_NO_CACHE", "SQL_CALC_FOUND_ROWS"})
"""Words of MySQL about keeping and counting a result. They change no row, and a query that has them can stand
in no other one, which is how the readers see that it is a query."""

_EFFECTIVE_HINT = re.compile(r"(?i)set_var|max_execution_time|resource_group")

_STARTS = frozenset({"(", "FROM", "SELECT", "TABLE", "VALUES", "WITH"})


@dataclass(frozen=True)
class Query:
    """A query as it was understood, and the text of it that runs."""

    tree: exp.Expr
    text: str


def understand(
    sql: str,
    dialect: Dialect,
    functions: Functions,
    allowed_tables: Collection[str] | None = None,
    row_limit: int | None = None,
) -> Query | Refusal:
    meant = _meant(sql, dialect, row_limit)
    if isinstance(meant, Refusal):
        return meant
    # Trees are equal when these are. A writer spoils the tree; to copy it first costs as much as to write.
    kind, mark = type(meant), hash(meant)
    text = write(meant, dialect)
    if isinstance(text, Refusal):
        return text
    if len(text) > MAX_CHARACTERS:
        return Refusal(
            SqlCode.TOO_LONG, f"written out, the query has more than {MAX_CHARACTERS:,} characters"
        )
    said = _read(text, dialect, is_ours=True)
    if isinstance(said, Refusal):
        return said
    tree, tokens = said
    is_equal = type(tree) is kind and hash(tree) == mark
    fault = (
        (None if is_equal else fault_of_tree(tree, dialect))
        or fault_of_tables(tree, dialect, AllowedTables(allowed_tables, dialect), functions)
        or fault_of_bare_words(tokens, dialect)
        or fault_of_calls(tokens, tree, dialect, functions)
    )
    if fault is not None:
        return fault
    if not is_equal and not _is_kept(_meant(sql, dialect, row_limit), tree, text, dialect):
        return Refusal(SqlCode.TWO_READINGS, "the query does not say the same when it is written anew")
    return Query(tree, text)


def _meant(sql: str, dialect: Dialect, row_limit: int | None) -> exp.Expr | Refusal:
    """What was given, as it is understood, with its limit."""
    given = _read(sql, dialect)
    if isinstance(given, Refusal):
        return given
    tree, tokens = given
    fault = _drop_hints(tree) or fault_of_tree(tree, dialect) or fault_of_bare_words(tokens, dialect)
    if fault is not None:
        return fault
    return tree if row_limit is None else with_limit(tree, max(row_limit, 0), dialect)


def _is_kept(meant: exp.Expr | Refusal, said: exp.Expr, text: str, dialect: Dialect) -> bool:
    """Whether the text says what was meant though it is put otherwise, and stays as it is from now on."""
    if isinstance(meant, Refusal) or not say_the_same(meant, said, dialect):
        return False
    return write(said.copy(), dialect) == text


def _read(sql: str, dialect: Dialect, *, is_ours: bool = False) -> tuple[exp.Expr, list[Token]] | Refusal:
    tokens = tokens_of(sql, dialect)
    if isinstance(tokens, Refusal):
        return tokens
    if not tokens:
        return Refusal(SqlCode.EMPTY, "the query has only comments in it")
    if tokens[0].text.upper() not in _STARTS:
        return Refusal(SqlCode.NOT_A_QUERY, f"{shown(tokens[0].text).upper()} is not a query")
    fault = fault_of_size(tokens) or (None if is_ours else fault_of_spelling(tokens, sql, dialect))
    if fault is not None:
        return fault
    statements = read_statements(tokens, sql, dialect)
    if isinstance(statements, Refusal):
        return _clearer(statements, tokens)
    written = [statement for statement in statements if not isinstance(statement, exp.Semicolon)]
    if len(written) != 1:
        reason = f"a query is one statement, this has {len(written)}"
        return Refusal(SqlCode.SEVERAL_STATEMENTS if written else SqlCode.EMPTY, reason)
    root = written[0]
    if isinstance(root, exp.Select | exp.SetOperation | exp.Subquery | exp.Values):
        return root, tokens
    return Refusal(SqlCode.NOT_A_QUERY, f"{type(root).__name__.upper()} is not a query")


def _clearer(refusal: Refusal, tokens: Sequence[Token]) -> Refusal:
    """Of what cannot be read, say what it is where that is plain."""
    if refusal.code is SqlCode.UNREADABLE and any(token.token_type is TokenType.INTO for token in tokens):
        return Refusal(SqlCode.INTO, "INTO writes the rows somewhere")
    return refusal


def _drop_hints(tree: exp.Expr) -> Refusal | None:
    """Hints about the way to go change no rows and are left out; those that change settings are refused."""
    for node in list(tree.find_all(exp.Hint, exp.Select)):
        if isinstance(node, exp.Select):
            if words := node.args.get("operation_modifiers"):
                node.set(
                    "operation_modifiers", [word for word in words if word.name.upper() not in _OUTERMOST]
                )
        elif _EFFECTIVE_HINT.search(" ".join(str(part) for part in node.expressions)):
            return Refusal(SqlCode.HINT, "the query has a hint that changes settings of the server")
        else:
            node.pop()
    return None
