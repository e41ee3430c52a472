"""Reading a query in its dialect and writing it anew. Only here is the parser's own machinery touched."""

import logging
from collections.abc import Sequence
from functools import cache

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect as Grammar
from sqlglot.dialects.dialect import DialectType
from sqlglot.errors import ErrorLevel, SqlglotError
from sqlglot.generator import Generator
from sqlglot.tokenizer_core import Token, TokenType

from dragoman.contracts.schema import Dialect
from dragoman.guards.sql.placeholders import with_places
from dragoman.guards.sql.text import FUNCTION_MARK
from dragoman.guards.sql.verdict import Refusal, SqlCode, shown

# What sqlglot cannot read it keeps as a command, which is refused here: its warning would only be noise.
logging.getLogger("sqlglot").setLevel(logging.ERROR)

# A text that is no query, or a tree that no query has, can trip the parser and the writer anywhere.
_TRIPPED = (ValueError, TypeError, AttributeError, LookupError, AssertionError)
_PLAINLY_CALLED = frozenset(
    {
        "ARG_MAX",
        "ARGMAX",
        "MAX_BY",
        "ARG_MIN",
        "ARGMIN",
        "MIN_BY",
        "DATE_PART",
        "DECODE",
        "LISTAGG",
        "STRING_AGG",
    }
)
"""Functions that the parser reads in its own way though they are called like any other."""

_SYNTAX = frozenset({"COLUMNS"})
"""Functions to the parser that are also words of the grammar."""

_TOO_DEEP = Refusal(SqlCode.TOO_DEEP, "the query is nested too deeply")


def tokens_of(sql: str, dialect: Dialect) -> list[Token] | Refusal:
    try:
        tokens = _grammar(dialect).tokenize(sql)
    except SqlglotError as error:
        return _unreadable(error, dialect)
    # PostgreSQL's parser knows them itself.
    return tokens if dialect is Dialect.POSTGRES else with_places(tokens)


def read_statements(tokens: list[Token], sql: str, dialect: Dialect) -> list[exp.Expr] | Refusal:
    try:
        parser = _grammar(dialect).parser(error_level=ErrorLevel.IMMEDIATE)
        statements = parser.parse(_with_functions_as_named(tokens, dialect), sql)
    except SqlglotError as error:
        return _unreadable(error, dialect)
    except _TRIPPED:
        return Refusal(SqlCode.UNREADABLE, f"the query cannot be read as {dialect}")
    except RecursionError:
        return _TOO_DEEP
    return [_under_own_names(statement) for statement in statements if statement is not None]


def write(tree: exp.Expr, dialect: Dialect) -> str | Refusal:
    """The text of a tree, without comments. What the dialect cannot say is refused, never left out.

    The tree is spoilt by it.
    """
    try:
        return _writer(dialect).generate(tree, copy=False)
    except SqlglotError as error:
        return _unreadable(error, dialect)
    except _TRIPPED:
        return Refusal(SqlCode.UNREADABLE, f"the query cannot be written as {dialect}")
    except RecursionError:
        return _TOO_DEEP


def _writer(dialect: Dialect) -> Generator:
    writer = _grammar(dialect).generator(
        comments=False, unsupported_level=ErrorLevel.RAISE, normalize_functions=False
    )
    # A writer's class is compiled and cannot be derived from.
    writer._dispatch = dict(writer._dispatch)
    writer._dispatch[exp.Distinct] = _distinct
    if dialect is Dialect.MYSQL:
        writer._dispatch[exp.RegexpLike] = _regexp
    return writer


def _distinct(writer: Generator, node: exp.Distinct) -> str:
    """As it is called. PostgreSQL's writer makes one row of the arguments of string_agg(DISTINCT a, b)."""
    on = writer.sql(node, "on")
    parts = writer.expressions(node, flat=True)
    return " ".join(part for part in ("DISTINCT", f"ON {on}" if on else "", parts) if part)


def _regexp(writer: Generator, node: exp.RegexpLike) -> str:
    """MariaDB has no REGEXP_LIKE; both have REGEXP."""
    operands = (node.this, node.expression)
    plain = all(isinstance(each, exp.Column | exp.Literal | exp.Paren | exp.Placeholder) for each in operands)
    if plain and not node.args.get("flag"):
        return writer.binary(node, "REGEXP")
    return writer.func("REGEXP_LIKE", *operands, node.args.get("flag"))


def _with_functions_as_named(tokens: Sequence[Token], dialect: Dialect) -> list[Token]:
    """The tokens with every function that the parser has its own idea of under a name that it does not know.

    Otherwise it would put the call in other words, and at times in wrong ones: a type or an argument lost.
    What has a grammar of its own, as CAST and EXTRACT have, stays.
    """
    rewritten = _rewritten_functions(dialect)
    made = list(tokens)
    for index, token in enumerate(tokens[:-1]):
        called = tokens[index + 1].token_type is TokenType.L_PAREN
        if called and token.token_type is TokenType.VAR and token.text.upper() in rewritten:
            name = FUNCTION_MARK + token.text
            made[index] = Token(
                TokenType.VAR, name, token.line, token.col, token.start, token.end, token.comments
            )
    return made


def _under_own_names(tree: exp.Expr) -> exp.Expr:
    for node in tree.walk():
        if isinstance(node, exp.Anonymous | exp.Identifier):
            name = node.this
            if isinstance(name, str) and name.startswith(FUNCTION_MARK):
                node.set("this", name.removeprefix(FUNCTION_MARK))
    return tree


@cache
def _rewritten_functions(dialect: Dialect) -> frozenset[str]:
    parser = _grammar(dialect).parser_class
    own_grammar = frozenset(parser.FUNCTION_PARSERS) - _PLAINLY_CALLED
    # Only MySQL has a word of its own, SEPARATOR, in this one.
    plain = _PLAINLY_CALLED if dialect is Dialect.MYSQL else _PLAINLY_CALLED | {"GROUP_CONCAT"}
    return (frozenset(parser.FUNCTIONS) - own_grammar - _SYNTAX) | plain


@cache
def _grammar(dialect: Dialect) -> Grammar:
    named: DialectType = dialect.value
    return Grammar.get_or_raise(named)


def _unreadable(error: SqlglotError, dialect: Dialect) -> Refusal:
    text = str(error).splitlines()[0] if str(error) else type(error).__name__
    # sqlglot underlines the place with terminal codes.
    plain = shown(text.replace("\x1b[4m", "").replace("\x1b[0m", ""), 200)
    return Refusal(SqlCode.UNREADABLE, f"the query cannot be read as {dialect}: {plain}")
