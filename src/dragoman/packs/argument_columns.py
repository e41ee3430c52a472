"""Which column an argument of a verb is held against or written into: what is known of it is known there."""

from functools import lru_cache

from sqlglot import exp

from dragoman.contracts.pack import PackVerb
from dragoman.contracts.record import Record
from dragoman.contracts.schema import Dialect
from dragoman.packs.statements import Fault, declared_parameters, read_statement, target_of


class ColumnPlace(Record, frozen=True):
    """A column, and the table it is of."""

    table: str
    column: str


def argument_columns(verb: PackVerb, dialect: Dialect) -> dict[str, ColumnPlace]:
    """For each argument that one column answers to, that column."""
    return _columns(verb.sql, dialect, tuple(declared_parameters(verb).items()))


@lru_cache(maxsize=512)
def _columns(sql: str, dialect: Dialect, declared: tuple[tuple[str, str], ...]) -> dict[str, ColumnPlace]:
    tree = read_statement(sql, dialect)
    if isinstance(tree, Fault):
        return {}
    names, found = dict(declared), dict[str, ColumnPlace]()
    for parameter, place in (*_inserted(tree), *_compared(tree)):
        if parameter in names:
            found.setdefault(names[parameter], place)
    return found


def _inserted(tree: exp.Expr) -> list[tuple[str, ColumnPlace]]:
    target = target_of(tree) if isinstance(tree, exp.Insert) else None
    if target is None or not isinstance(tree.this, exp.Schema) or not isinstance(tree.expression, exp.Values):
        return []
    columns = [each.name for each in tree.this.expressions]
    rows = tree.expression.expressions
    values = rows[0].expressions if len(rows) == 1 else []
    return [
        (value.name, ColumnPlace(target.name, column))
        for column, value in zip(columns, values, strict=False)
        if isinstance(value, exp.Placeholder)
    ]


def _compared(tree: exp.Expr) -> list[tuple[str, ColumnPlace]]:
    """What is set or held equal: `name = :name`."""
    tables = {table.alias_or_name: table.name for table in tree.find_all(exp.Table)}
    found = []
    for equal in tree.find_all(exp.EQ):
        column, value = equal.this, equal.expression
        if not isinstance(column, exp.Column) or not isinstance(value, exp.Placeholder):
            continue
        table = tables.get(column.table, "") if column.table else next(iter(tables.values()), "")
        found.append((value.name, ColumnPlace(table, column.name)))
    return found
