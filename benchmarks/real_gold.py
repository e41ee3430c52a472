"""What a gold query says of its rows: what orders them, where they are cut, whether they may be ratios."""

import re
from functools import cache
from typing import Final, NamedTuple

import sqlglot
from sqlglot import exp
from sqlglot.errors import ParseError

_RATIO: Final = re.compile(r"/|\b100\b|\bavg\b", re.IGNORECASE)
# The words by which a question asks for an order. "order" alone is also a thing that people sell.
_ORDER_WORDS: Final = re.compile(
    r"\b(?:sort(?:ed|ing|s)?|ordered|order(?:ing)? by|in [\w ]*\border|rank(?:ed|ing)?|alphabetic\w*"
    r"|a ?(?:-|to) ?z|ascending|descending|chronologic\w*|(?:first|last)(?=\s*(?:$|[,.;:?!)])))"
    r"|\b(?:от)?сортир|\bупоряд|по убыванию|по возрастанию|по алфавиту|алфавитн|в порядке|сначала"
    r"|정렬|순으로|순서|내림차순|오름차순|가나다순|알파벳순|순(?=\s*(?:$|[,.?!]))|먼저",
    re.IGNORECASE,
)


class GoldShape(NamedTuple):
    """`keys` are the places of the columns it is ordered by; None where one of them is not shown."""

    ordered: bool
    limit: int | None
    keys: tuple[int, ...] | None
    ratio: bool


@cache
def gold_shape(sql: str) -> GoldShape:
    query = _parsed(sql)
    order, limit = query.args.get("order"), query.args.get("limit")
    return GoldShape(
        ordered=order is not None,
        limit=int(limit.expression.name) if limit is not None else None,
        keys=_keys(query, order) if order is not None else None,
        ratio=bool(_RATIO.search(sql)),
    )


def gold_ordered(question: str, sql: str) -> bool:
    """Whether the order of the rows counts: the question asks for one, and the gold is not a top N."""
    shape = gold_shape(sql)
    return shape.ordered and shape.limit is None and bool(_ORDER_WORDS.search(question))


def widened(sql: str) -> str | None:
    """The query without its limit and with its order keys as columns: it shows what is tied at the cut."""
    query = _parsed(sql)
    shape = gold_shape(sql)
    if not isinstance(query, exp.Select) or not shape.ordered or query.args.get("offset"):
        return None
    if shape.keys is None and query.args.get("distinct"):
        return None
    wide = query.copy()
    wide.set("limit", None)
    for each in query.args["order"].expressions:
        wide = wide.select(_named(query, each.this).copy())
    return wide.sql(dialect="sqlite")


def _parsed(sql: str) -> exp.Expr:
    """The query; one that only SQLite can read (of a column called "range") has no known shape."""
    try:
        return sqlglot.parse_one(sql, read="sqlite")
    except ParseError:
        return exp.Null()


def _named(query: exp.Select, key: exp.Expr) -> exp.Expr:
    """The expression that a key stands for: a place or an alias means the column shown there."""
    if _is_place(key):
        shown: exp.Expr = query.expressions[int(key.name) - 1]
        return shown.unalias()
    for each in query.expressions:
        if isinstance(each, exp.Alias) and isinstance(key, exp.Column) and each.alias == key.name:
            return each.unalias()
    return key


def _keys(query: exp.Expr, order: exp.Expr) -> tuple[int, ...] | None:
    shown = [_bare(each.unalias()) for each in query.expressions] if isinstance(query, exp.Select) else []
    found: list[int] = []
    for each in order.expressions:
        key = each.this
        if _is_place(key):
            found.append(int(key.name) - 1)
            continue
        wanted = _bare(_named(query, key)) if isinstance(query, exp.Select) else ""
        if wanted not in shown:
            return None
        found.append(shown.index(wanted))
    return tuple(found)


def _is_place(key: exp.Expr) -> bool:
    return isinstance(key, exp.Literal) and not key.is_string


def _bare(expression: exp.Expr) -> str:
    return expression.sql(dialect="sqlite").casefold()
