"""Whether the tables and columns that a pack names are in a database."""

from collections.abc import Iterable, Iterator

from sqlglot import exp

from dragoman.contracts.pack import Pack
from dragoman.contracts.schema import DatabaseSchema, TableInfo
from dragoman.language.oml.findings import listed, nearest
from dragoman.packs.marks import Mark, Path
from dragoman.packs.metric_figures import wrong_figures
from dragoman.packs.policy_faults import why_not_rows
from dragoman.packs.policy_rules import rules_for_all
from dragoman.packs.policy_views import with_views
from dragoman.packs.sources import Scopes, TableLookup
from dragoman.packs.statements import Fault, read_statement


def missing_in(pack: Pack, schema: DatabaseSchema) -> Iterator[Mark]:
    """What the database does not have, and the views that a policy withholds."""
    known = _Known(schema)
    for name, entity in pack.entities.items():
        at: Path = ("entities", name)
        columns = [
            (("key",), entity.key),
            (("display",), entity.display),
            *((("names", number), column) for number, column in enumerate(entity.names)),
            *((("codes", number), column) for number, column in enumerate(entity.codes)),
            *((("localized", key), column) for key, column in entity.localized.items()),
            *((("discriminators", key), column) for key, column in entity.discriminators.items()),
            *((("within", key), column) for key, column in entity.within.items()),
        ]
        yield from known.columns(
            entity.table, (*at, "table"), [((*at, *path), each) for path, each in columns]
        )
    yield from _of_tables(pack, known)
    yield from wrong_figures(pack, schema)
    for name, verb in pack.verbs.items():
        tree = read_statement(verb.sql, pack.dialect)
        # One that cannot be read was found wrong already.
        if not isinstance(tree, Fault):
            yield from known.statement(tree, ("verbs", name, "sql"))
    if (table := pack.coverage_table) is not None:
        at = ("coverage_table",)
        fields = ("domain", "start", "end", "status", "reason")
        columns = [*(((*at, each), getattr(table, each)) for each in fields)]
        columns += [((*at, "scopes", key), column) for key, column in table.scopes.items()]
        yield from known.columns(table.table, (*at, "table"), columns)
    for number, policy in enumerate(pack.policies):
        at = ("policies", number)
        hidden = [((*at, "hide", place), column) for place, column in enumerate(policy.hide)]
        yield from known.columns(policy.table, (*at, "table"), hidden)
        told = known.table(policy.table) is None or not policy.rows.strip()
        if not told and why_not_rows(policy.rows, pack.dialect) is None:
            query = exp.select("1").from_(exp.to_table(policy.table, dialect=pack.dialect.value))
            query = query.where(exp.condition(policy.rows, dialect=pack.dialect.value))
            yield from known.statement(query, (*at, "rows"))
    if pack.policies:
        yield from _withheld_views(pack, schema)


def _of_tables(pack: Pack, known: "_Known") -> Iterator[Mark]:
    for name, table in pack.tables.items():
        at: Path = ("tables", name)
        labels = [((*at, "label", number), column) for number, column in enumerate(table.label)]
        columns: list[tuple[Path, str]] = [((*at, "columns", column), column) for column in table.columns]
        for mark in known.columns(name, at, [*labels, *columns]):
            yield mark if mark.path[2:3] == ("label",) else mark.on_key()


class _Known:
    def __init__(self, schema: DatabaseSchema) -> None:
        self._schema = schema
        self.lookup = TableLookup(schema)

    def table(self, name: str) -> TableInfo | None:
        schema, _, own = name.rpartition(".")
        return self.lookup.table(own, schema)

    def columns(self, table: str, at: Path, columns: Iterable[tuple[Path, str]]) -> Iterator[Mark]:
        found = self.table(table)
        if found is None:
            yield self._no_table(table, at)
            return
        names = [column.name for column in found.columns]
        for path, column in columns:
            if column.casefold() not in {name.casefold() for name in names}:
                yield _no_column(column, table, names, path)

    def statement(self, tree: exp.Expr, at: Path) -> Iterator[Mark]:
        """The tables and columns of a statement."""
        parts = {cte.alias.casefold() for cte in tree.find_all(exp.CTE)}
        missing: set[str] = set()
        for node in tree.find_all(exp.Table):
            named = isinstance(node.this, exp.Identifier) and (node.db or node.name.casefold() not in parts)
            if named and self.lookup.table(node.name, node.db) is None and node.name not in missing:
                missing.add(node.name)
                yield self._no_table(node.name, at, node.name)
        if not missing:
            yield from self._columns_of(tree, at, parts)

    def _columns_of(self, tree: exp.Expr, at: Path, parts: set[str]) -> Iterator[Mark]:
        scopes = Scopes(self.lookup)
        said: set[str] = set()
        for column in tree.find_all(exp.Column):
            sources = list(scopes.sources_of(column))
            tables = [each for each in sources if isinstance(each, exp.Table)]
            whole = len(tables) == len(sources) and not any(each.name.casefold() in parts for each in tables)
            # What comes from a derived table, or is the name of a result, is not looked up here.
            if column.is_star or column.name in said or not whole or _is_output(column):
                continue
            names = [name for table in tables for name in self.lookup.columns(table) or ()]
            if sources and column.name.casefold() not in {name.casefold() for name in names}:
                said.add(column.name)
                called = column.table or listed(dict.fromkeys(table.name for table in tables))
                yield _no_column(column.name, called, names, at, column.name)
            elif not sources and column.table:
                said.add(column.name)
                message = f"nothing in the SQL is called {column.table}"
                yield Mark("unknown_table", message, "name it after FROM or JOIN", at, column.table)

    def _no_table(self, table: str, at: Path, word: str = "") -> Mark:
        names = [each.name for each in self._schema.tables]
        near = nearest(table, names)
        hint = f"did you mean {near}?" if near else f"there are: {listed(names[:20])}"
        return Mark("unknown_table", f"the database has no table {table}", hint, at, word)


def _no_column(column: str, table: str, names: list[str], at: Path, word: str = "") -> Mark:
    near = nearest(column, names)
    hint = f"did you mean {near}?" if near else f"there are: {listed(names[:40])}"
    return Mark("unknown_column", f"{table} has no column {column}", hint, at, word)


def _is_output(column: exp.Column) -> bool:
    """Whether a name in ORDER BY, GROUP BY or HAVING is that of a result."""
    clause = column.find_ancestor(exp.Order, exp.Group, exp.Having, exp.Select)
    if column.table or clause is None or isinstance(clause, exp.Select):
        return False
    query = clause.find_ancestor(exp.Query)
    return query is not None and column.name in query.named_selects


def _withheld_views(pack: Pack, schema: DatabaseSchema) -> Iterator[Mark]:
    """The views that nobody sees for whom a policy holds. Those that can be narrowed need no word."""
    rules = with_views(rules_for_all((pack,)), schema)
    for table in schema.tables:
        rule = rules.get(table.name.casefold())
        if rule is not None and rule.withheld:
            message = f"{table.name} is withheld from everybody a policy holds for: it cannot be narrowed"
            yield Mark("view_withheld", message, "read its tables instead", ("policies",), minor=True)
