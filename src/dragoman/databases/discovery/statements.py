"""Queries on tables whose names may be anything: made as trees, so that a name stays a name.

Nodes are put together by hand. The builders of sqlglot read each piece as SQL first, which for thousands of
tables takes longer than the database does.
"""

from collections.abc import Sequence

from sqlglot import exp

from dragoman.contracts.query import Query
from dragoman.contracts.schema import Dialect
from dragoman.databases.discovery.draft import Place


def identifier(name: str) -> exp.Identifier:
    return exp.Identifier(this=name, quoted=True)


def column(name: str, table: str = "") -> exp.Column:
    return exp.Column(this=identifier(name), table=identifier(table) if table else None)


def named(value: exp.Expression, name: str) -> exp.Alias:
    return exp.Alias(this=value, alias=identifier(name))


def table_at(place: Place, alias: str = "") -> exp.Table:
    schema, name = place
    called = exp.TableAlias(this=identifier(alias)) if alias else None
    return exp.Table(this=identifier(name), db=identifier(schema) if schema else None, alias=called)


def counted(number: int) -> exp.Literal:
    return exp.Literal(this=str(number), is_string=False)


def text(value: exp.Expression) -> exp.Cast:
    return exp.Cast(this=value, to=exp.DataType(this=exp.DataType.Type.TEXT))


def count(value: exp.Expression | None = None) -> exp.Count:
    return exp.Count(this=value if value is not None else exp.Star())


def selected(
    parts: Sequence[exp.Expression], source: exp.Table | exp.Subquery, limit: int | None = None
) -> exp.Select:
    tree = exp.Select(expressions=list(parts)).from_(source, copy=False)
    if limit is not None:
        tree.set("limit", exp.Limit(expression=counted(limit)))
    return tree


def inner(tree: exp.Select, alias: str) -> exp.Subquery:
    """A query to select from."""
    return exp.Subquery(this=tree, alias=exp.TableAlias(this=identifier(alias)))


def all_of(branches: Sequence[exp.Select]) -> exp.Select | exp.Union:
    """The rows of one query after those of the other."""
    tree: exp.Select | exp.Union = branches[0]
    for branch in branches[1:]:
        tree = exp.Union(this=tree, expression=branch, distinct=False)
    return tree


def query_of(tree: exp.Select | exp.Union, dialect: Dialect) -> Query:
    return Query(tree.sql(dialect=dialect.value, copy=False))
