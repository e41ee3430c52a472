"""What discovery may keep of guarded tables: their shape, and nothing of what is in them.

What is kept is kept for all viewers together, so every policy counts, whomever it is for.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from dragoman.contracts.pack import Pack
from dragoman.contracts.schema import ColumnInfo, DatabaseSchema, TableInfo
from dragoman.packs.policy_rules import Rule, rules_for_all
from dragoman.packs.policy_views import with_views


def without_guarded_samples(schema: DatabaseSchema, packs: Sequence[Pack]) -> DatabaseSchema:
    """The schema without values of hidden columns; of a table whose rows are guarded, without any values and
    without their number."""
    rules = with_views(rules_for_all(packs), schema)
    if not rules:
        return schema
    return replace(
        schema, tables=tuple(_kept(table, rules.get(table.name.casefold())) for table in schema.tables)
    )


def _kept(table: TableInfo, rule: Rule | None) -> TableInfo:
    if rule is None:
        return table
    # A view shows the rows of its tables: those that are guarded are guarded in it.
    rows_too = bool(rule.conditions or rule.definition or rule.withheld)
    columns = (_bare(each) if rows_too or rule.hides(each.name) else each for each in table.columns)
    return replace(table, columns=tuple(columns), rows=None if rows_too else table.rows)


def _bare(column: ColumnInfo) -> ColumnInfo:
    bare = replace(column, samples=(), options=(), distinct=None, least=None, most=None, has_gaps=False)
    return replace(bare, writes=None)
