"""Where the parameters stand in SQL: the `?` outside of strings, quoted names and comments."""

import re
from functools import cache

from dragoman.contracts.errors import ParameterRefused
from dragoman.contracts.query import Query
from dragoman.contracts.schema import Dialect

_QUOTED = r"'(?:[^']|'')*'"
_ESCAPED = r"'(?:[^'\\]|\\.|'')*'"
_NAMED = r'"(?:[^"]|"")*"'
_TICKED = r"`(?:[^`]|``)*`"
_LINE = r"--[^\n]*"
_BLOCK = r"/\*.*?(?:\*/|\Z)"
_DOLLARS = r"(?<![\w$])\$(?P<tag>(?:[^\W\d]\w*)?)\$.*?\$(?P=tag)\$"
_NESTED = r"(?P<nested>/\*)"

_SKIPPED: dict[Dialect, tuple[str, ...]] = {
    Dialect.SQLITE: (_QUOTED, _NAMED, _TICKED, r"\[[^\]]*\]", _LINE, _BLOCK),
    Dialect.MYSQL: (
        _ESCAPED,
        r'"(?:[^"\\]|\\.|"")*"',
        _TICKED,
        r"--(?=[\s\x00-\x1f]|\Z)[^\n]*",
        r"#[^\n]*",
        _BLOCK,
    ),
    Dialect.POSTGRES: (rf"(?<!\w)[eE]{_ESCAPED}", _QUOTED, _NAMED, _LINE, _DOLLARS, _NESTED),
    Dialect.DUCKDB: (rf"(?<!\w)[eE]{_ESCAPED}", _QUOTED, _NAMED, _LINE, _DOLLARS, _NESTED),
}
"""What a question mark may hide in, as each server itself reads it."""


@cache
def _scanner(dialect: Dialect) -> re.Pattern[str]:
    return re.compile("|".join((*_SKIPPED[dialect], r"(?P<mark>\?)")), re.DOTALL)


def pieces(query: Query, dialect: Dialect) -> list[str]:
    """The SQL around its parameters: one piece more than there are parameters. Raises ParameterRefused."""
    if not query.parameters:
        return [query.sql]
    found, start, position = list[str](), 0, 0
    scanner = _scanner(dialect)
    while match := scanner.search(query.sql, position):
        position = match.end()
        if match.lastgroup == "mark":
            found.append(query.sql[start : match.start()])
            start = position
        elif match.lastgroup == "nested":
            position = _end_of_nested(query.sql, position)
    found.append(query.sql[start:])
    if len(found) != len(query.parameters) + 1:
        raise ParameterRefused(
            f"the query has {len(found) - 1} places for values and {len(query.parameters)} values",
            hint="give one value for each ?",
        )
    return found


def _end_of_nested(sql: str, position: int) -> int:
    """PostgreSQL and DuckDB let comments stand inside comments."""
    depth = 1
    for match in re.compile(r"/\*|\*/").finditer(sql, position):
        depth += 1 if match.group() == "/*" else -1
        if depth == 0:
            return match.end()
    return len(sql)


def numbered(query: Query, dialect: Dialect, *, plain_text: bool = False) -> str:
    """The SQL with `$1`, `$2`, … for its parameters; with `plain_text`, texts among them say so."""
    first, *others = pieces(query, dialect)
    types = ["::text" if plain_text and isinstance(value, str | None) else "" for value in query.parameters]
    numbers = [f"${number}{held}" for number, held in enumerate(types, 1)]
    return first + "".join(number + piece for number, piece in zip(numbers, others, strict=True))
