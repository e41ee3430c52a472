"""Whether a query still says the same after it was written and read again.

A writer may put a thing in other words, so that two trees differ though nothing went wrong. What can go wrong
is that a bracket is missing, or that something is left out. So the query is written once more, with every
bracket that there can be: it must read like the other, and no name or value may be gone.
"""

from collections import Counter

from sqlglot import exp

from dragoman.contracts.schema import Dialect
from dragoman.guards.sql.parser import read_statements, tokens_of, write
from dragoman.guards.sql.verdict import Refusal

_OPERATORS = (exp.Binary, exp.Unary, exp.Connector, exp.Between, exp.In)
_NEVER_IN_BRACKETS = (
    exp.Paren,
    exp.Dot,
    exp.PropertyEQ,
    exp.Escape,
    exp.Slice,
    exp.Collate,
    exp.Bracket,
    exp.Kwarg,
)


def say_the_same(meant: exp.Expr, said: exp.Expr, dialect: Dialect) -> bool:
    if _leaves(meant) - _leaves(said):
        return False
    text = write(_with_brackets(meant), dialect)
    tokens = text if isinstance(text, Refusal) else tokens_of(text, dialect)
    if isinstance(text, Refusal) or isinstance(tokens, Refusal):
        return False
    statements = read_statements(tokens, text, dialect)
    if isinstance(statements, Refusal) or len(statements) != 1:
        return False
    return _without_brackets(statements[0]) == _without_brackets(said)


def _leaves(tree: exp.Expr) -> Counter[str]:
    """The names and values of a query, in lower case: how a name is quoted may change."""
    return Counter(
        str(node.this).lower()
        for node in tree.walk()
        if isinstance(node, exp.Identifier | exp.Literal | exp.RawString | exp.ByteString | exp.HexString)
    )


def _with_brackets(tree: exp.Expr) -> exp.Expr:
    made = tree.copy()
    for node in list(made.walk()):
        is_operand = isinstance(node, _OPERATORS) and isinstance(node.parent, _OPERATORS)
        if (
            is_operand
            and not isinstance(node, _NEVER_IN_BRACKETS)
            and not isinstance(node.parent, _NEVER_IN_BRACKETS)
        ):
            brackets = exp.Paren()
            node.replace(brackets)
            brackets.set("this", node)
    return made


def _without_brackets(tree: exp.Expr) -> exp.Expr:
    made = tree.copy()
    for node in list(made.find_all(exp.Paren)):
        if node.parent is not None:
            node.replace(node.this)
    return made
