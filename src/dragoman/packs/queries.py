"""A pack's SQL for a database: read once as a tree, written in the dialect that is asked for, values bound.

What an argument that was left out would have narrowed is taken out of the tree: `(:x IS NULL OR …)` becomes
true, so that no database has to guess the type of a parameter that is nothing.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import sqlglot
from sqlglot import exp

from dragoman.contracts.errors import InternalError
from dragoman.contracts.query import Query, Value
from dragoman.contracts.record import Record
from dragoman.contracts.schema import Dialect
from dragoman.databases.sql_text import place, written


@lru_cache(maxsize=512)
def parsed(sql: str, dialect: Dialect) -> exp.Expr:
    """The tree of one statement. It is shared: copy it before changing it."""
    return sqlglot.parse_one(sql, read=dialect.value)


def parameters_of(sql: str, dialect: Dialect) -> tuple[str, ...]:
    """The names of the arguments that the SQL asks for, each once, in their order."""
    names = (node.name for node in parsed(sql, dialect).find_all(exp.Placeholder))
    return tuple(dict.fromkeys(names))


def query_of(sql: str, source: Dialect, target: Dialect, values: Mapping[str, Value]) -> Query:
    """The SQL with its values, for one dialect. An argument that is None was left out."""
    return query_of_tree(parsed(sql, source), target, values)


def query_of_tree(tree: exp.Expr, target: Dialect, values: Mapping[str, Value]) -> Query:
    """The same for a statement that was read already, and perhaps narrowed. The tree stays as it is."""
    tree = _pruned(tree.copy(), values)
    bound: list[Value] = []
    for node in list(tree.find_all(exp.Placeholder)):
        if node.name not in values:
            raise InternalError(f"the SQL of a verb asks for :{node.name}, which has no value")
        node.replace(place(len(bound)))
        bound.append(values[node.name])
    return written(tree, target, bound)


class QueryTemplate(Record, frozen=True):
    """SQL for one dialect, and the names of its parameters in their order."""

    sql: str
    names: tuple[str, ...]

    def with_values(self, values: Mapping[str, Value]) -> Query:
        return Query(self.sql, tuple(values[name] for name in self.names))


@lru_cache(maxsize=1024)
def template_of(
    sql: str,
    source: Dialect,
    target: Dialect,
    given: frozenset[str],
    summed: tuple[int, ...] | None = None,
) -> QueryTemplate:
    """The SQL as it is written when the arguments `given` have values; with `summed`, counted and added up.

    Writing SQL costs more than asking it: the same question with other values is not written again.
    """
    tree = parsed(sql, source)
    if summed is not None:
        tree = recounting(tree, summed)
    names = {name: name if name in given else None for name in parameters_of(sql, source)}
    written_down = query_of_tree(tree, target, names)
    return QueryTemplate(written_down.sql, tuple(str(name) for name in written_down.parameters))


def recounting(tree: exp.Expr, summed: tuple[int, ...]) -> exp.Expr:
    """The same query, counted and added up by the database: the number of rows, then the sum of each column
    that `summed` names by its place."""
    tree = tree.copy()
    if not isinstance(tree, exp.Query):
        raise InternalError("only a query can be recounted")
    if tree.args.get("limit") is None:
        # Which rows are counted does not hang on their order, unless only the first are taken.
        tree.set("order", None)
    names = tree.named_selects
    sums = [exp.Sum(this=exp.column(names[at])) for at in summed]
    return exp.select(exp.Count(this=exp.Star()), *sums).from_(tree.subquery("result"))


def _pruned(tree: exp.Expr, values: Mapping[str, Value]) -> exp.Expr:
    def decided(node: exp.Expr) -> exp.Expr:
        match node:
            case exp.Is(this=exp.Placeholder() as asked, expression=exp.Null()):
                return exp.Boolean(this=values.get(asked.name) is None)
            case _:
                return node

    for node in list(tree.find_all(exp.Is)):
        replacement = decided(node)
        if replacement is not node:
            node.replace(replacement)
            _settle(replacement)
    return tree


def _settle(node: exp.Expr) -> None:
    """Carry a decided truth outwards, as far as it decides what stands around it."""
    while node.parent is not None:
        parent: Any = node.parent
        truth = bool(node.this)
        match parent:
            case exp.Paren():
                outcome: exp.Expr = node
            case exp.Or() | exp.And():
                other = parent.expression if parent.this is node else parent.this
                outcome = node if truth is isinstance(parent, exp.Or) else other
            case exp.Where() if truth:
                parent.pop()
                return
            case _:
                return
        parent.replace(outcome)
        if not isinstance(outcome, exp.Boolean):
            return
        node = outcome
