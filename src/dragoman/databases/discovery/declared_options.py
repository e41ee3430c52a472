"""The values that a column may hold, where the database declares them: a type that lists them, or a CHECK.

A CHECK counts where it provably is a list: `status IN ('new', 'paid')`, or the same with `=` and `OR`. A part
of an `AND` holds for every row, so it counts too. Anything else says nothing.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from dragoman.contracts.schema import Dialect
from dragoman.databases.discovery.draft import Place

MOST_OPTIONS: Final = 200
"""A longer list is data rather than a vocabulary."""
LONGEST_OPTION: Final = 80

Declared = tuple[str, tuple[str, ...]]
"""A column by its name, and its values as text."""

_LITERAL = re.compile(r"'((?:[^'\\]|''|\\.)*)'", re.DOTALL)
_ESCAPED_INTRODUCER = re.compile(r"_\w+\\'")
_WRAPPED = exp.Paren | exp.Cast
"""What PostgreSQL puts around columns and values when it writes down a CHECK."""


def listed_in_type(native: str) -> tuple[str, ...]:
    """The values of an `enum('new','paid')`, as the type lists them."""
    if not native.lower().startswith("enum("):
        return ()
    return tuple(text.replace("''", "'") for text in _LITERAL.findall(native))


def options_in_check(expression: str, dialect: Dialect) -> Iterator[Declared]:
    """What the expression of a CHECK lists."""
    # MySQL writes the quotes of its own text down with backslashes.
    plain = expression.replace("\\'", "'") if _ESCAPED_INTRODUCER.search(expression) else expression
    try:
        tree = sqlglot.parse_one(plain, read=dialect.value)
    except (SqlglotError, RecursionError):
        return
    yield from _conjuncts(tree)


def options_in_declaration(declaration: str, dialect: Dialect) -> Iterator[Declared]:
    """What the CHECKs of a CREATE TABLE list."""
    try:
        tree = sqlglot.parse_one(declaration, read=dialect.value)
    except (SqlglotError, RecursionError):
        return
    for check in tree.find_all(exp.CheckColumnConstraint):
        if isinstance(check.this, exp.Expr):
            yield from _conjuncts(check.this)


def together(found: Iterable[tuple[Place, Declared]]) -> Mapping[tuple[Place, str], tuple[str, ...]]:
    """Options by table and column. Of several lists for one column a value has to be in all."""
    known: dict[tuple[Place, str], tuple[str, ...]] = {}
    for place, (column, options) in found:
        key = (place, column)
        before = known.get(key)
        known[key] = options if before is None else tuple(each for each in before if each in options)
    return {key: options for key, options in known.items() if _is_vocabulary(options)}


def _is_vocabulary(options: tuple[str, ...]) -> bool:
    return 0 < len(options) <= MOST_OPTIONS and all(len(each) <= LONGEST_OPTION for each in options)


def _conjuncts(tree: exp.Expr) -> Iterator[Declared]:
    bare = _unwrapped(tree)
    if isinstance(bare, exp.And):
        yield from _conjuncts(bare.this)
        yield from _conjuncts(bare.expression)
        return
    found = _listed(bare)
    if found is not None and found[1]:
        yield found[0], tuple(dict.fromkeys(found[1]))


def _listed(tree: exp.Expr) -> Declared | None:
    """The column and the values that a condition allows; None where it is no list. Nothing is no value."""
    match _unwrapped(tree):
        case exp.Or() as either:
            one, other = _listed(either.this), _listed(either.expression)
            if one is None or other is None or one[0].lower() != other[0].lower():
                return None
            return one[0], (*one[1], *other[1])
        case exp.In() as among if among.expressions and not among.args.get("query"):
            return _column_with(among.this, among.expressions)
        case exp.EQ() as equal:
            any_of = _unwrapped(equal.expression)
            if isinstance(any_of, exp.Any):
                array = _unwrapped(any_of.this)
                return _column_with(equal.this, array.expressions) if isinstance(array, exp.Array) else None
            return _column_with(equal.this, [equal.expression])
        case exp.Is() as missing if isinstance(missing.expression, exp.Null):
            return _column_with(missing.this, [])
        case _:
            return None


def _column_with(tree: exp.Expr, values: Iterable[exp.Expr]) -> Declared | None:
    column = _unwrapped(tree)
    if not isinstance(column, exp.Column) or column.table:
        return None
    texts: list[str] = []
    for each in values:
        text = _text(each)
        if text is None:
            return None
        texts.append(text)
    return column.name, tuple(texts)


def _text(tree: exp.Expr) -> str | None:
    match _unwrapped(tree):
        case exp.Literal() as literal:
            return str(literal.this)
        case exp.Introducer() as introduced if isinstance(introduced.expression, exp.Literal):
            return str(introduced.expression.this)
        case exp.Neg() as negative if isinstance(negative.this, exp.Literal):
            return f"-{negative.this.this}"
        case _:
            return None


def _unwrapped(tree: exp.Expr) -> exp.Expr:
    while isinstance(tree, _WRAPPED):
        tree = tree.this
    return tree
