"""A limit on the rows of the outermost query: put in, or lowered, never raised."""

from sqlglot import exp

from dragoman.contracts.schema import Dialect

_LARGEST = 2**63 - 1


def with_limit(tree: exp.Expr, rows: int, dialect: Dialect) -> exp.Expr:
    """The same query, giving at most so many rows. The tree that is given may be changed."""
    query = _without_brackets(tree)
    if not isinstance(query, exp.Select | exp.SetOperation | exp.Subquery):
        return _around(query, rows, dialect)
    given = query.args.get("limit")
    if given is None:
        query.set("limit", _limit(rows))
        return query
    if isinstance(given, exp.Fetch):
        return _with_fetch(query, given, rows, dialect)
    if given.args.get("limit_options") is not None:
        return _around(query, rows, dialect)
    return _with_lower(query, given, rows, dialect)


def _without_brackets(tree: exp.Expr) -> exp.Expr:
    query = tree
    while isinstance(query, exp.Subquery) and isinstance(query.this, exp.Query) and _is_bare(query):
        query = query.this
    return query


def _is_bare(brackets: exp.Subquery) -> bool:
    return not any(part for name, part in brackets.args.items() if name != "this")


def _with_fetch(query: exp.Expr, fetch: exp.Fetch, rows: int, dialect: Dialect) -> exp.Expr:
    count = fetch.args.get("count")
    written = fetch.sql().upper()
    if "TIES" in written or "PERCENT" in written:
        # There may be more rows than the number says.
        return _around(query, rows, dialect)
    if count is None or (isinstance(count, exp.Literal) and count.name.isdigit()):
        fetch.set("count", exp.Literal.number(min(rows, int(count.name) if count else 1)))
        return query
    return _around(query, rows, dialect)


def _with_lower(query: exp.Expr, limit: exp.Limit, rows: int, dialect: Dialect) -> exp.Expr:
    count = limit.expression
    if isinstance(count, exp.Literal) and not count.is_string and count.name.isdigit():
        limit.set("expression", exp.Literal.number(min(rows, int(count.name))))
        return query
    if isinstance(count, exp.Null | exp.Neg) or (
        isinstance(count, exp.Column | exp.Var) and count.name.upper() == "ALL"
    ):
        limit.set("expression", exp.Literal.number(rows))
        return query
    if _is_bound(count, rows):
        return query
    match dialect:
        case Dialect.POSTGRES | Dialect.DUCKDB:
            bound = exp.Anonymous(this="LEAST", expressions=[count.copy(), exp.Literal.number(rows)])
        case Dialect.SQLITE:
            # A limit below zero means all rows there; without its sign it is the largest number.
            positive = exp.BitwiseAnd(this=exp.paren(count.copy()), expression=exp.Literal.number(_LARGEST))
            bound = exp.Anonymous(this="MIN", expressions=[positive, exp.Literal.number(rows)])
        case Dialect.MYSQL:
            return _around(query, rows, dialect)
    limit.set("expression", bound)
    return query


def _is_bound(count: exp.Expr, rows: int) -> bool:
    """Whether a limit is the lesser of something and few enough rows already."""
    if not isinstance(count, exp.Anonymous) or count.name.upper() not in ("LEAST", "MIN"):
        return False
    last = count.expressions[-1] if count.expressions else None
    return isinstance(last, exp.Literal) and last.name.isdigit() and int(last.name) <= rows


def _around(query: exp.Expr, rows: int, dialect: Dialect) -> exp.Expr:
    """A limit outside a query that cannot take it. In MySQL brackets do: two columns may share a name."""
    if dialect is Dialect.MYSQL and not isinstance(query, exp.Subquery):
        return exp.Subquery(this=query, limit=_limit(rows))
    inner = query if isinstance(query, exp.Subquery | exp.Values) else exp.Subquery(this=query)
    if not inner.alias:
        inner.set("alias", exp.TableAlias(this=exp.to_identifier("rows_shown")))
    return exp.Select(expressions=[exp.Star()], from_=exp.From(this=inner), limit=_limit(rows))


def _limit(rows: int) -> exp.Limit:
    return exp.Limit(expression=exp.Literal.number(rows))
