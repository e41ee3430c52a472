"""The query as tokens: how much of it there is, how deep it goes, and what stands between the tokens.

All this is counted before the query is parsed: a parser's time grows with the depth, and for some shapes
doubles with every step of it.
"""

import re
from collections import Counter
from collections.abc import Sequence

from sqlglot.tokenizer_core import Token, TokenType

from dragoman.contracts.schema import Dialect
from dragoman.guards.sql.text import is_plain_name, is_plain_space
from dragoman.guards.sql.verdict import Refusal, SqlCode, shown

MAX_TOKENS = 20_000
MAX_DEPTH = 40
MAX_JOINS = 20
MAX_CTES = 50
MAX_SET_OPERATIONS = 50
MAX_CHAIN = 12
"""Of signs, subscripts and casts one after the other."""
MAX_UNDECIDED = 8
"""Of openings that a parser tries in two ways: each doubles its work."""

_OPENING = {TokenType.L_PAREN, TokenType.L_BRACKET, TokenType.L_BRACE, TokenType.CASE}
_CLOSING = {TokenType.R_PAREN, TokenType.R_BRACKET, TokenType.R_BRACE, TokenType.END}
_SET_OPERATIONS = {TokenType.UNION, TokenType.EXCEPT, TokenType.INTERSECT}
_JOIN_CONDITIONS = {TokenType.ON, TokenType.USING}
_NO_CONDITION = {TokenType.CROSS, TokenType.NATURAL}
_PREFIXES = {TokenType.DASH, TokenType.PLUS, TokenType.NOT, TokenType.TILDE, TokenType.INTERVAL}
_SUFFIXES = {TokenType.DCOLON, TokenType.L_BRACKET, TokenType.DOT}
_ENDS_OF_VALUES = {
    TokenType.VAR,
    TokenType.IDENTIFIER,
    TokenType.NUMBER,
    TokenType.STRING,
    TokenType.R_PAREN,
    TokenType.R_BRACKET,
}
_NO_TYPES = {
    TokenType.VAR,
    TokenType.IDENTIFIER,
    TokenType.COMMA,
    TokenType.FROM,
    TokenType.WHERE,
    TokenType.IN,
}
"""Before a bracket these are never tried as types: queries inside of queries cost what they are long."""
_OLD_LINE_END = re.compile(r"(?:--|#)[^\n]*?\r(?!\n)")
"""A carriage return alone ends a comment for some readers."""
_COMMENT = re.compile(r"(?:--|#)[^\n]*|/\*.*?(?:\*/|$)", re.DOTALL)
_NESTED_COMMENT = re.compile(r"/\*(?:(?!\*/).)*/\*", re.DOTALL)
_ESCAPED_IDENTIFIER = re.compile(r"(?i)\bu&[\"']")


def fault_of_size(tokens: Sequence[Token]) -> Refusal | None:
    if len(tokens) > MAX_TOKENS:
        return Refusal(SqlCode.TOO_COMPLEX, f"the query has more than {MAX_TOKENS:,} words and signs")
    kinds = Counter(token.token_type for token in tokens)
    if kinds[TokenType.JOIN] + kinds[TokenType.STRAIGHT_JOIN] > MAX_JOINS:
        return Refusal(SqlCode.TOO_MANY_JOINS, f"the query has more than {MAX_JOINS} joins")
    if sum(kinds[kind] for kind in _SET_OPERATIONS) > MAX_SET_OPERATIONS:
        reason = f"the query has more than {MAX_SET_OPERATIONS} set operations"
        return Refusal(SqlCode.TOO_MANY_SET_OPERATIONS, reason)
    return _fault_of_nesting(tokens)


def _fault_of_nesting(tokens: Sequence[Token]) -> Refusal | None:
    depth = chain = undecided = 0
    opened_undecided: list[bool] = []
    previous: Token | None = None
    for token in tokens:
        kind = token.token_type
        if kind in _OPENING:
            # After a type, as in DATE( or ARRAY[, a parser first tries the type.
            doubling = kind is not TokenType.CASE and previous is not None and _may_be_type(previous)
            opened_undecided.append(doubling)
            undecided += doubling
            depth += 1
        elif kind in _CLOSING and opened_undecided:
            undecided -= opened_undecided.pop()
            depth -= 1
        elif kind is TokenType.JOIN and (previous is None or previous.token_type not in _NO_CONDITION):
            undecided += 1
        elif kind in _JOIN_CONDITIONS:
            undecided = max(sum(opened_undecided), undecided - 1)
        chain = _chain(chain, token, previous)
        previous = token
        if depth > MAX_DEPTH or chain > MAX_CHAIN:
            return Refusal(SqlCode.TOO_DEEP, f"the query is nested more than {MAX_DEPTH} levels deep")
        if undecided > MAX_UNDECIDED:
            return Refusal(
                SqlCode.TOO_COMPLEX, "the query nests joins without conditions or types too deeply"
            )
    return None


def _chain(length: int, token: Token, previous: Token | None) -> int:
    """How many signs stand before a value, or subscripts, casts and fields after it, up to this token."""
    kind, before = token.token_type, previous.token_type if previous else None
    if kind in _PREFIXES:
        # After a value it is no sign but an operation, and a new value begins.
        return 0 if before in _ENDS_OF_VALUES else length + 1
    if kind in _SUFFIXES:
        return length + 1
    return length if kind in _ENDS_OF_VALUES or before is TokenType.DCOLON else 0


def _may_be_type(token: Token) -> bool:
    return token.token_type not in _NO_TYPES and token.text[:1].isalpha()


def fault_of_spelling(tokens: Sequence[Token], sql: str, dialect: Dialect) -> Refusal | None:
    end = 0
    for token in tokens:
        if (fault := _fault_of_gap(sql[end : token.start])) is not None:
            return fault
        end = token.end + 1
        if token.token_type is TokenType.VAR and not is_plain_name(token.text):
            reason = f"the name {shown(token.text)} needs quotes around it"
            return Refusal(SqlCode.CHARACTER, reason)
    if (fault := _fault_of_gap(sql[end:])) is not None:
        return fault
    if dialect is Dialect.POSTGRES and _has_escaped_name(tokens, sql):
        return Refusal(SqlCode.TWO_READINGS, 'the query has a name or text with coded letters: U&"…"')
    return None


def _fault_of_gap(gap: str) -> Refusal | None:
    """Between two tokens there is space, or there are comments that every reader ends at the same place."""
    if is_plain_space(gap):
        return None
    if _NESTED_COMMENT.search(gap):
        return Refusal(SqlCode.TWO_READINGS, "the query has a comment inside a comment")
    if _OLD_LINE_END.search(gap):
        return Refusal(SqlCode.TWO_READINGS, "a line comment has a carriage return in it")
    rest = _COMMENT.sub(" ", gap)
    if not is_plain_space(rest.replace(";", " ")):
        return Refusal(
            SqlCode.CHARACTER, f"the query has {shown(rest.strip()) or 'an odd space'} between its words"
        )
    return None


def _has_escaped_name(tokens: Sequence[Token], sql: str) -> bool:
    for token in tokens:
        if token.token_type is TokenType.UNICODE_STRING:
            return True
        if (
            token.token_type is TokenType.VAR
            and token.text in "uU"
            and _ESCAPED_IDENTIFIER.match(sql, token.start)
        ):
            return True
    return False
