"""Places for values as Python's drivers write them, `%s` and `%(name)s`, where the parser knows only `?`."""

from collections.abc import Sequence
from itertools import pairwise

from sqlglot.tokenizer_core import Token, TokenType

_ENDS_AN_OPERAND = {
    TokenType.VAR,
    TokenType.IDENTIFIER,
    TokenType.NUMBER,
    TokenType.STRING,
    TokenType.PLACEHOLDER,
    TokenType.R_PAREN,
    TokenType.R_BRACKET,
    TokenType.END,
}


def with_places(tokens: Sequence[Token]) -> list[Token]:
    """The tokens with every `%s` made a `?`, and every `%(name)s` a `:name`. After an operand, % divides."""
    if not any(token.token_type is TokenType.MOD for token in tokens):
        return list(tokens)
    made: list[Token] = []
    index = 0
    while index < len(tokens):
        length = _length_of_place(tokens, index) if not made or not _ends_an_operand(made[-1]) else 0
        if length == 2:
            made.append(_token(TokenType.PLACEHOLDER, "?", tokens[index], tokens[index + 1]))
        elif length == 5:
            made.append(_token(TokenType.COLON, ":", tokens[index], tokens[index + 1]))
            name = tokens[index + 2]
            made.append(_token(TokenType.VAR, name.text, name, tokens[index + 4]))
        else:
            made.append(tokens[index])
        index += length or 1
    return made


def _ends_an_operand(token: Token) -> bool:
    return token.token_type in _ENDS_AN_OPERAND


def _length_of_place(tokens: Sequence[Token], index: int) -> int:
    if tokens[index].token_type is not TokenType.MOD or tokens[index].text != "%":
        return 0
    following = tokens[index : index + 5]
    whole = all(one.end + 1 == other.start for one, other in pairwise(following))
    if len(following) > 1 and following[1].text == "s" and following[0].end + 1 == following[1].start:
        return 2
    kinds = [token.token_type for token in following[1:4]]
    named = kinds == [TokenType.L_PAREN, TokenType.VAR, TokenType.R_PAREN]
    return 5 if named and whole and len(following) == 5 and following[4].text == "s" else 0


def _token(kind: TokenType, text: str, first: Token, last: Token) -> Token:
    return Token(kind, text, first.line, first.col, first.start, last.end)
