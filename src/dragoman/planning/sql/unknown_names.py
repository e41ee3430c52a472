"""Tables and columns that a query names and the database does not have, as far as that is certain.

A hidden column is one that is not there. What cannot be told from the query alone (a function that makes
rows, a name of an outer query) is left to the database, which says so itself.
"""

from collections.abc import Iterator
from difflib import get_close_matches
from typing import Final

from sqlglot import exp
from sqlglot.errors import SqlglotError
from sqlglot.optimizer.scope import Scope, traverse_scope

from dragoman.contracts.record import Record
from dragoman.contracts.schema import DatabaseSchema, TableInfo

_OF_EVERY_TABLE: Final = frozenset({"rowid", "oid", "_rowid_", "ctid", "tableoid"})
_NEAR: Final = 3


class UnknownName(Record, frozen=True):
    """A name that nothing has, where it begins in the text, and what it is most like."""

    name: str
    start: int
    is_table: bool
    near: tuple[str, ...] = ()


def table_named(node: exp.Table, schema: DatabaseSchema) -> TableInfo | None:
    """The table that a query names."""
    name, qualifier = node.name.casefold(), node.db.casefold()
    found = [each for each in schema.tables if each.name.casefold() == name]
    exact = [each for each in found if each.schema.casefold() == qualifier]
    # The default schema has no name here: what qualifies one of its tables says nothing.
    return next(iter((*exact, *(each for each in found if not each.schema or not qualifier))), None)


def tables_in(tree: exp.Expr) -> list[exp.Table]:
    """The tables that a query reads; names of WITH are none."""
    scopes = traverse_scope(tree)
    nodes = [
        source
        for scope in scopes
        for source in scope.sources.values()
        if isinstance(source, exp.Table) and isinstance(source.this, exp.Identifier)
    ]
    return list({id(node): node for node in nodes}.values())


def unknown_name(tree: exp.Expr, schema: DatabaseSchema) -> UnknownName | None:
    """The first name that nothing has."""
    for node in tables_in(tree):
        if table_named(node, schema) is None:
            return _unknown(node.this, [each.name for each in schema.tables], is_table=True)
    try:
        return next(_unknown_columns(tree, schema), None)
    except SqlglotError:
        # Two sources of one name, for example: the database says what is wrong.
        return None


def _unknown_columns(tree: exp.Expr, schema: DatabaseSchema) -> Iterator[UnknownName]:
    if tree.find(exp.Lambda, exp.Unnest, exp.Lateral, exp.Pivot) is not None:
        return
    for scope in traverse_scope(tree):
        for column in scope.columns:
            own = isinstance(column.this, exp.Identifier) and column.parent_select is scope.expression
            if not own or column.name.casefold() in _OF_EVERY_TABLE:
                continue
            known = _known_for(column, scope, schema)
            if known is not None and column.name.casefold() not in {each.casefold() for each in known}:
                yield _unknown(column.this, known, is_table=False)


def _known_for(column: exp.Column, scope: Scope, schema: DatabaseSchema) -> list[str] | None:
    """The names that a column may have where it stands; None where that cannot be told."""
    sources = _sources(scope)
    if column.table:
        source = next((each for name, each in sources if name.casefold() == column.table.casefold()), None)
        return _columns_of(source, schema) if source is not None else None
    known = [name for name, _ in sources]
    select = scope.expression
    known += [each.alias for each in select.selects if each.alias] if isinstance(select, exp.Query) else []
    for _, source in sources:
        own = _columns_of(source, schema)
        if own is None:
            return None
        known += own
    return known


def _sources(scope: Scope) -> list[tuple[str, exp.Table | Scope]]:
    """What stands in FROM, here and around."""
    found: list[tuple[str, exp.Table | Scope]] = []
    at: Scope | None = scope
    while at is not None:
        found += [(name, each) for name, (_, each) in at.selected_sources.items()]
        at = at.parent
    return found


def _columns_of(source: exp.Table | Scope, schema: DatabaseSchema) -> list[str] | None:
    if isinstance(source, exp.Table):
        table = table_named(source, schema) if isinstance(source.this, exp.Identifier) else None
        return [column.name for column in table.columns] if table is not None else None
    query = source.expression
    if not isinstance(query, exp.Query) or query.is_star:
        return None
    alias = query.parent.args.get("alias") if isinstance(query.parent, exp.Subquery | exp.CTE) else None
    renamed = [each.name for each in alias.columns] if isinstance(alias, exp.TableAlias) else []
    return renamed or [name for name in query.named_selects if name] or None


def _unknown(name: exp.Expr, known: list[str], *, is_table: bool) -> UnknownName:
    near = get_close_matches(name.name.casefold(), [each.casefold() for each in known], _NEAR)
    spelled = {each.casefold(): each for each in known}
    start = name.meta.get("start", 0)
    return UnknownName(name.name, int(start), is_table, tuple(spelled[each] for each in near))
