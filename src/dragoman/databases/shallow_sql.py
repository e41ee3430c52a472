"""Queries that are not nested too deeply for SQLite, whose parser keeps at most a hundred open pieces.

A figure that is worked out exactly is a query in a query in a query. Side by side, each step with a name,
they say the same, and nothing is open while the next one is read.
"""

from collections.abc import Iterator
from typing import Final

from sqlglot import exp

_DEEPEST: Final = 8
"""So many queries inside each other are read by every version, whatever stands between them."""


def shallow(tree: exp.Expr) -> exp.Expr:
    """The same query with its steps side by side, where it is nested deeply. The tree is used up."""
    if max((_depth(each) for each in tree.find_all(exp.Select)), default=0) <= _DEEPEST:
        return tree
    known = {str(node.this).casefold() for node in tree.find_all(exp.Identifier)}
    names = (name for number in range(1, 10_000) if (name := f"step{number}") not in known)
    for select in list(tree.find_all(exp.Select)):
        if not _is_step(select):
            _side_by_side(select, names)
    return tree


def _depth(select: exp.Expr) -> int:
    above = select.parent_select
    return 1 if above is None else 1 + _depth(above)


def _is_step(select: exp.Select) -> bool:
    """Whether all that a query is there for is to be read by the one around it."""
    inside = select.parent
    return isinstance(inside, exp.Subquery) and isinstance(inside.parent, exp.From)


def _side_by_side(select: exp.Select, names: Iterator[str]) -> None:
    steps = list(_steps(select))
    for step in reversed(steps):
        name = next(names)
        inner = step.this.pop()
        step.replace(exp.alias_(exp.to_table(name, quoted=True), step.alias, quoted=True, table=True))
        select.with_(exp.to_identifier(name, quoted=True), as_=inner, copy=False)


def _steps(select: exp.Select) -> Iterator[exp.Subquery]:
    """The queries that each other one reads, the outermost first."""
    source = select.args.get("from_")
    while source is not None and isinstance(source.this, exp.Subquery):
        step = source.this
        inner = step.this
        if not isinstance(inner, exp.Select) or inner.args.get("with_") or step.args.get("joins"):
            return
        yield step
        source = inner.args.get("from_")
