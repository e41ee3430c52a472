"""The functions a query calls, by the names that stand in the very text that runs.

A parser has its own idea of which function a name is; a server has only the text. So every name before a
bracket is a word of the grammar, an alias with a list of columns, or a function that is allowed.
"""

import re
from collections import Counter
from collections.abc import Sequence

from sqlglot import exp
from sqlglot.tokenizer_core import Token, TokenType

from dragoman.contracts.schema import Dialect
from dragoman.guards.sql.policy import Functions, is_harmful, policy_of
from dragoman.guards.sql.verdict import Refusal, SqlCode, shown

_NAME = re.compile(r"[^\W\d][\w$]*")
_BEFORE_AN_ALIAS = (TokenType.ALIAS, TokenType.WITH, TokenType.RECURSIVE, TokenType.COMMA)


def fault_of_calls(
    tokens: Sequence[Token], tree: exp.Expr, dialect: Dialect, functions: Functions
) -> Refusal | None:
    words, lists = policy_of(dialect).words, _column_lists(tree)
    for index, token in enumerate(tokens[:-1]):
        if tokens[index + 1].token_type is not TokenType.L_PAREN:
            continue
        quoted = token.token_type is TokenType.IDENTIFIER
        # Of a keyword of several words the last one stands before the bracket.
        name = token.text if quoted else token.text.rpartition(" ")[2].lower()
        qualified = index > 0 and tokens[index - 1].token_type is TokenType.DOT
        if not quoted and (not _NAME.fullmatch(name) or (name in words and not qualified)):
            continue
        # Before an alias there is AS, or what begins a part of WITH; before a call there never is AS.
        begins = index > 0 and tokens[index - 1].token_type in _BEFORE_AN_ALIAS
        if begins and lists[token.text.lower()] > 0:
            lists[token.text.lower()] -= 1
            continue
        if qualified and not _may_be_qualified(tokens, index, dialect, functions):
            return Refusal(SqlCode.FUNCTION, f"the function {shown(name)} of a schema is not allowed")
        if not _may_be_called(name, functions):
            return _refused(name)
    return None


def fault_of_bare_words(tokens: Sequence[Token], dialect: Dialect) -> Refusal | None:
    """Refuse what is called without brackets, as CURRENT_USER is. After AS, or in quotes, it is a name."""
    bare = policy_of(dialect).bare
    for index, token in enumerate(tokens):
        if token.text.lower() not in bare or token.token_type in (TokenType.IDENTIFIER, TokenType.STRING):
            continue
        if index == 0 or tokens[index - 1].token_type not in (TokenType.ALIAS, TokenType.DOT):
            return _refused(token.text.lower())
    return None


def _may_be_called(name: str, functions: Functions) -> bool:
    if name in functions.names or name in functions.tables:
        return True
    # An escaped name could spell any of them.
    return functions.trusted and _NAME.fullmatch(name) is not None and not is_harmful(name.lower())


def _may_be_qualified(tokens: Sequence[Token], index: int, dialect: Dialect, functions: Functions) -> bool:
    if functions.trusted:
        return True
    match dialect:
        case Dialect.DUCKDB:
            # 'x'.upper() is upper('x'): the name alone decides.
            return True
        case Dialect.POSTGRES:
            return index > 1 and tokens[index - 2].text.lower() == "pg_catalog"
        case Dialect.MYSQL | Dialect.SQLITE:
            return False


def _column_lists(tree: exp.Expr) -> Counter[str]:
    """How often each alias is followed by a list of columns, as in WITH t(a, b) or AS t(a, b)."""
    return Counter(
        alias.this.name.lower()
        for alias in tree.find_all(exp.TableAlias)
        if alias.args.get("columns") and isinstance(alias.this, exp.Identifier)
    )


def _refused(name: str) -> Refusal:
    return Refusal(SqlCode.FUNCTION, f"the function {shown(name)} is not allowed")
