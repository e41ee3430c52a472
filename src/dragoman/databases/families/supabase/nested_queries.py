"""A query around a query that only chooses, names and orders what that gives: one query after all."""

from sqlglot import exp

from dragoman.databases.families.supabase.conditions import only, part_of
from dragoman.databases.families.supabase.literals import cannot

_OUTER = ("expressions", "from_", "order", "limit", "offset")
_INNER = ("expressions", "from_", "where", "group")


def unfolded(tree: exp.Select) -> exp.Select:
    """The same query without its outer shell, if it has one. Raises RestCannot."""
    source = tree.args["from_"].this
    if not isinstance(source, exp.Subquery) or not isinstance(source.this, exp.Select):
        return tree
    only(source, "this", "alias")
    only(tree, *_OUTER)
    inner = source.this
    only(inner, *_INNER)
    if inner.args.get("from_") is None:
        raise cannot("from", "a query on no table as if it were a table")
    given = {each.alias_or_name: each.unalias() for each in inner.expressions}
    if len(given) != len(inner.expressions) or "" in given or "*" in given:
        raise cannot("from", "an inner query whose columns have no names of their own")
    return exp.Select(
        expressions=[_renamed(each, given, source.alias) for each in tree.expressions],
        from_=inner.args["from_"],
        where=inner.args.get("where"),
        group=inner.args.get("group"),
        order=_ordered(tree.args.get("order"), given, source.alias),
        limit=tree.args.get("limit"),
        offset=tree.args.get("offset"),
    )


def _renamed(each: exp.Expr, given: dict[str, exp.Expr], shell: str) -> exp.Expr:
    inner = _given(each.unalias(), given, shell)
    return exp.alias_(inner.copy(), each.alias_or_name, quoted=True)


def _ordered(order: exp.Order | None, given: dict[str, exp.Expr], shell: str) -> exp.Order | None:
    if order is None:
        return None
    changed = order.copy()
    for each in changed.expressions:
        each.set("this", _given(each.this, given, shell).copy())
    return changed


def _given(node: exp.Expr, given: dict[str, exp.Expr], shell: str) -> exp.Expr:
    """What the inner query has under the name that the outer one uses. All names are quoted: what folds
    letters would make two readings of one name."""
    is_quoted = isinstance(node, exp.Column) and node.this.args.get("quoted")
    if (
        not is_quoted
        or node.name not in given
        or node.args.get("db")
        or node.text("table") not in ("", shell)
    ):
        raise cannot("from", f"for {part_of(node)} of an inner query")
    return given[node.name]
