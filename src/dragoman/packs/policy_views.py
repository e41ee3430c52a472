"""Views over guarded tables: each is narrowed by the rules of what it reads.

A view shows whatever its tables show, whoever asks. So under a policy a view is not read at all: its query
takes its place, and the rules hold in there as everywhere. A column of the view that is made of a hidden one
is hidden as well. Where the query is not known, cannot be read, or uses a hidden column for anything but a
column of its own, the whole view is withheld.

Virtual and foreign tables have no query. One whose declaration names a guarded table is withheld. A table
that inherits from a guarded one has its rule. A generated column that is computed from a hidden one is hidden
too.
"""

import re
from collections.abc import Iterator

import sqlglot
from msgspec.structs import replace
from sqlglot import exp
from sqlglot.errors import SqlglotError

from dragoman.contracts.schema import DatabaseSchema, TableInfo, TableKind
from dragoman.guards.sql import judge_sql
from dragoman.packs.policy_rules import Rule, Rules
from dragoman.packs.sources import Scopes, TableLookup


def with_views(rules: Rules, schema: DatabaseSchema) -> dict[str, Rule]:
    """The rules, and those that follow from them for views and other tables that show guarded rows."""
    if not rules:
        return {}
    return _Views(rules, schema).rules()


class _Views:
    def __init__(self, rules: Rules, schema: DatabaseSchema) -> None:
        tables = {table.name.casefold(): table for table in schema.tables}
        self._found = {name: _with_generated(rule, tables.get(name)) for name, rule in rules.items()}
        self._schema = schema
        self._lookup = TableLookup(schema)
        self._scopes = Scopes(self._lookup)
        self._waiting = [table for table in schema.tables if _shows_others(table)]

    def rules(self) -> dict[str, Rule]:
        """A view may read another: what is settled is taken off the list until nothing changes."""
        queries = {id(table): _query_of(table, self._schema) for table in self._waiting}
        views = {table.name.casefold() for table in self._waiting}
        while self._waiting:
            ready = [
                table
                for table in self._waiting
                if not views & (_read_by(queries[id(table)]) - {table.name.casefold()})
            ]
            # Views that read each other in a circle cannot be, but a catalog may say so.
            for table in ready or self._waiting:
                self._settle(table, queries[id(table)])
            settled = {id(table) for table in ready or self._waiting}
            self._waiting = [table for table in self._waiting if id(table) not in settled]
            views = {table.name.casefold() for table in self._waiting}
        return self._found

    def _settle(self, table: TableInfo, query: exp.Query | None) -> None:
        own = self._found.get(table.name.casefold(), Rule(table.name.casefold()))
        if table.kind is TableKind.VIEW:
            inherited = self._of_view(table, own, query)
        else:
            inherited = self._of_declared(table, own)
        if inherited is not None:
            self._found[own.table] = inherited

    def _of_declared(self, table: TableInfo, own: Rule) -> Rule | None:
        """A virtual or foreign table by the words of its declaration; a child by its parents."""
        words = {word.casefold() for word in re.findall(r"\w+", table.definition)}
        if words & self._found.keys() - {own.table}:
            return replace(own, withheld=True)
        above = [rule for name in table.parents if (rule := self._found.get(name.casefold()))]
        if not above:
            return None
        together = replace(
            own,
            conditions=tuple(dict.fromkeys(each for rule in (own, *above) for each in rule.conditions)),
            hidden=tuple(dict.fromkeys(each for rule in (own, *above) for each in rule.hidden)),
            withheld=any(rule.withheld for rule in above),
        )
        return _with_generated(together, table)

    def _of_view(self, table: TableInfo, own: Rule, query: exp.Query | None) -> Rule | None:
        if query is None:
            return replace(own, withheld=True)
        read = [rule for name in _read_by(query) if (rule := self._found.get(name)) and rule is not own]
        if not read:
            return None
        if any(rule.withheld for rule in read):
            return replace(own, withheld=True)
        named = _named(query, [column.name for column in table.columns], self._lookup)
        if not any(rule.hidden for rule in read):
            return replace(own, definition=_text(named or query, self._schema))
        shown = named.expressions if isinstance(named, exp.Select) else []
        tainted = [each for each in shown if self._is_hidden(each)]
        called = {each.alias.casefold() for each in query.selects if each.alias and self._is_hidden(each)}
        nothing_left = bool(shown) and len(tainted) == len(shown)
        if named is None or nothing_left or self._uses_hidden(named, tainted, called):
            return replace(own, withheld=True)
        hidden = [each.alias.casefold() for each in tainted]
        for each in tainted:
            each.pop()
        return replace(
            own,
            hidden=tuple(dict.fromkeys((*own.hidden, *hidden))),
            definition=_text(named, self._schema),
        )

    def _is_hidden(self, node: exp.Expr) -> bool:
        return any(self._is_hidden_column(column) for column in node.find_all(exp.Column))

    def _is_hidden_column(self, column: exp.Column) -> bool:
        rules = (self._rule(source) for source in self._scopes.sources_of(column))
        return any(rule is not None and rule.hides(column.name) for rule in rules)

    def _rule(self, source: exp.Expr) -> Rule | None:
        return self._found.get(source.name.casefold()) if isinstance(source, exp.Table) else None

    def _uses_hidden(self, query: exp.Query, apart: list[exp.Expr], called: set[str]) -> bool:
        """Whether a hidden column decides about rows, or comes through where it cannot be followed. `called`
        is what the view's query calls such columns: some databases know these names in conditions too."""
        inside = {id(column) for each in apart for column in each.find_all(exp.Column)}
        if any(
            self._is_hidden_column(column) or (not column.table and column.name.casefold() in called)
            for column in query.find_all(exp.Column)
            if id(column) not in inside
        ):
            return True
        # By number, a column would be another one when those before it are taken out.
        numbered = any(
            isinstance(each.this if isinstance(each, exp.Ordered) else each, exp.Literal)
            for clause in query.find_all(exp.Order, exp.Group)
            for each in clause.expressions
        )
        joined = any(join.method == "NATURAL" or join.args.get("using") for join in query.find_all(exp.Join))
        starred = any(node.find_ancestor(exp.Count) is None for node in query.find_all(exp.Star))
        return numbered or joined or starred


def _with_generated(rule: Rule, table: TableInfo | None) -> Rule:
    """The rule, with the columns that are computed from those it hides, and from these in turn."""
    if table is None or not rule.hidden:
        return rule
    hidden = list(rule.hidden)
    for name in hidden:
        word = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
        hidden += [
            made
            for column in table.columns
            if (made := column.name.casefold()) not in hidden and word.search(column.formula.casefold())
        ]
    return replace(rule, hidden=tuple(hidden))


def _shows_others(table: TableInfo) -> bool:
    return table.kind is TableKind.VIEW or bool(table.definition or table.parents)


def _query_of(table: TableInfo, schema: DatabaseSchema) -> exp.Query | None:
    """The query of a view, judged as a person's would be: it reads the tables it names, and nothing else."""
    if table.kind is not TableKind.VIEW or not table.definition.strip():
        return None
    dialect = schema.dialect
    try:
        tree: exp.Expr | None = sqlglot.parse_one(table.definition, read=dialect.value)
        if isinstance(tree, exp.Create):
            tree = tree.expression
        verdict = judge_sql(tree.sql(dialect=dialect.value), dialect) if isinstance(tree, exp.Query) else None
        if verdict is None or verdict.sql is None:
            return None
        query = sqlglot.parse_one(verdict.sql, read=dialect.value)
    except (SqlglotError, RecursionError):
        return None
    return query if isinstance(query, exp.Query) else None


def _read_by(query: exp.Query | None) -> set[str]:
    """Every table that a query names, and its own parts: to take too many for tables is the safe side."""
    return {table.name.casefold() for table in query.find_all(exp.Table)} if query is not None else set()


def _named(query: exp.Query, names: list[str], lookup: TableLookup) -> exp.Query | None:
    """The query with the columns of the view as its names; None where it cannot be seen which is which."""
    first: exp.Expr = query.copy()
    whole = first
    while isinstance(first, exp.SetOperation | exp.Subquery):
        first = first.this
    if not isinstance(first, exp.Select) or not isinstance(whole, exp.Query):
        return None
    shown = list(_outputs(first, lookup))
    if len(shown) != len(names) or any(each is None for each in shown):
        return None
    first.set(
        "expressions",
        [
            exp.alias_(each.unalias(), name, quoted=True)
            for each, name in zip(shown, names, strict=True)
            if each is not None
        ],
    )
    return whole


def _outputs(select: exp.Select, lookup: TableLookup) -> Iterator[exp.Expr | None]:
    """What a query shows, a star as the columns it stands for; None where those are not known."""
    given = select.args.get("from_") or select.args.get("from")
    sources = [given.this] if given is not None else []
    sources += [join.this for join in select.args.get("joins") or ()]
    for each in select.expressions:
        if not each.is_star:
            yield each
            continue
        wanted = each.table.casefold() if isinstance(each, exp.Column) else ""
        for source in sources:
            if wanted and source.alias_or_name.casefold() != wanted:
                continue
            columns = lookup.columns(source) if isinstance(source, exp.Table) else None
            if columns is None:
                yield None
                return
            for column in columns:
                yield exp.column(
                    exp.to_identifier(column, quoted=True),
                    table=exp.to_identifier(source.alias_or_name, quoted=True),
                )


def _text(query: exp.Query, schema: DatabaseSchema) -> str:
    return query.sql(dialect=schema.dialect.value, identify=True, comments=False)
