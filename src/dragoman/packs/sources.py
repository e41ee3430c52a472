"""Which tables a column of a statement may come from, found by looking outwards from where it stands."""

from collections.abc import Iterator
from typing import Protocol

from sqlglot import exp

from dragoman.contracts.schema import DatabaseSchema, TableInfo


class Lookup(Protocol):
    def columns(self, table: exp.Table) -> tuple[str, ...] | None:
        """The columns of a table; None where it is not known, or more than one could be meant."""


class TableLookup:
    """The tables of a schema by name, without regard to case."""

    def __init__(self, schema: DatabaseSchema) -> None:
        self._tables: dict[str, list[TableInfo]] = {}
        for table in schema.tables:
            self._tables.setdefault(table.name.casefold(), []).append(table)

    def table(self, name: str, schema: str = "") -> TableInfo | None:
        """The table of a name. Without a schema the default one's is meant, or the only one there is."""
        named = self._tables.get(name.casefold(), [])
        fitting = [table for table in named if table.schema.casefold() == schema.casefold()]
        # What the connection calls its default schema is not known here.
        return fitting[0] if len(fitting) == 1 else named[0] if len(named) == 1 else None

    def columns(self, table: exp.Table) -> tuple[str, ...] | None:
        found = self.table(table.name, table.db)
        return None if found is None else tuple(column.name for column in found.columns)


class Scopes:
    """The sources that stand beside each other, and which of them a column can mean."""

    def __init__(self, lookup: Lookup) -> None:
        self._lookup = lookup

    def beside(self, node: exp.Expr) -> list[exp.Expr]:
        """The sources of the query that a part such as a join belongs to."""
        around = node.find_ancestor(exp.Select, exp.Update, exp.Delete)
        return list(_sources(around)) if around is not None else []

    def sources_of(self, column: exp.Column) -> Iterator[exp.Expr]:
        """Every source that the column may come from: more rather than fewer."""
        around = column.find_ancestor(exp.Select, exp.Update, exp.Delete)
        while around is not None:
            sources = list(_sources(around))
            if column.table:
                named = [each for each in sources if each.alias_or_name.casefold() == column.table.casefold()]
                yield from named
                if named:
                    return
            else:
                yield from sources
                if any(self._has(each, column.name) for each in sources):
                    return
            around = around.find_ancestor(exp.Select, exp.Update, exp.Delete)

    def _has(self, source: exp.Expr, column: str) -> bool:
        names = self._lookup.columns(source) if isinstance(source, exp.Table) else None
        return any(name.casefold() == column.casefold() for name in names or ())


def _sources(query: exp.Expr) -> Iterator[exp.Expr]:
    """Tables and derived tables that a query reads from by itself, those in brackets too."""
    if not isinstance(query, exp.Select):
        yield from _opened(query.this)
        for other in query.args.get("using") or ():
            yield from _opened(other)
    given = query.args.get("from_") or query.args.get("from")
    if given is not None:
        yield from _opened(given.this)
    for part in (*(query.args.get("joins") or ()), *(query.args.get("laterals") or ())):
        yield from _opened(part.this if isinstance(part, exp.Join) else part)


def _opened(source: exp.Expr) -> Iterator[exp.Expr]:
    pending = [source]
    while pending:
        node = pending.pop()
        inner = node.this if isinstance(node, exp.Subquery) else None
        if isinstance(inner, exp.Table | exp.Subquery):
            pending.append(inner)
        if inner is None or isinstance(inner, exp.Query) or node.alias:
            yield node
        pending.extend(join.this for join in node.args.get("joins") or ())
